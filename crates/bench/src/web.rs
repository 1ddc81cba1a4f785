//! A run as `web/worker.js` drives it.

use crate::cases::Case;
use crate::flows::Operation;
use crate::run::Prepared;
use wasm_bindgen::prelude::*;

/// [`Prepared`] for JavaScript.
#[wasm_bindgen]
pub struct WebRun {
    case: Case,
    prepared: Prepared,
}

#[wasm_bindgen]
impl WebRun {
    /// Builds the run of the case of that name.
    ///
    /// # Errors
    /// When there is none.
    #[wasm_bindgen(constructor)]
    pub fn new(case: &str) -> Result<WebRun, JsError> {
        let case = Case::named(case).ok_or_else(|| JsError::new(&format!("there is no case {case}")))?;
        Ok(WebRun {
            prepared: Prepared::new(&case, 1),
            case,
        })
    }

    /// How many runs [`run`](Self::run) does.
    #[wasm_bindgen(getter)]
    pub fn repeats(&self) -> u32 {
        self.case.repeats
    }

    /// Runs it to its end, as often as the case says; each further time it is built anew.
    pub fn run(&mut self) {
        self.prepared.run();
        for _ in 1..self.case.repeats {
            self.prepared = Prepared::new(&self.case, 1);
            self.prepared.run();
        }
    }

    /// [`crate::Outcome`] as JSON.
    ///
    /// # Errors
    /// When not every flow finished.
    pub fn outcome(&self) -> Result<String, JsError> {
        let outcome = self.prepared.outcome().map_err(|error| JsError::new(&error))?;
        Ok(serde_json::to_string(&outcome)?)
    }
}

/// [`Operation`] for JavaScript.
#[wasm_bindgen]
pub struct WebFlows(Operation);

#[wasm_bindgen]
impl WebFlows {
    /// Makes an operation with a design ready.
    ///
    /// # Errors
    /// When there is no such operation or design.
    #[wasm_bindgen(constructor)]
    pub fn new(operation: &str, design: &str) -> Result<WebFlows, JsError> {
        Operation::new(operation, design)
            .map(WebFlows)
            .map_err(|error| JsError::new(&error))
    }

    /// Does it.
    pub fn run(&mut self) {
        self.0.run();
    }

    /// [`Operation::outcome`] as JSON.
    pub fn outcome(&self, seconds: f64) -> String {
        self.0.outcome(seconds).to_string()
    }
}
