//! A run as `web/worker.js` drives it.

use crate::cases::Case;
use crate::run::Prepared;
use wasm_bindgen::prelude::*;

/// [`Prepared`] for JavaScript.
#[wasm_bindgen]
pub struct WebRun(Prepared);

#[wasm_bindgen]
impl WebRun {
    /// Builds the run of the case of that name.
    ///
    /// # Errors
    /// When there is none.
    #[wasm_bindgen(constructor)]
    pub fn new(case: &str) -> Result<WebRun, JsError> {
        let case = Case::named(case).ok_or_else(|| JsError::new(&format!("there is no case {case}")))?;
        Ok(WebRun(Prepared::new(&case, 1)))
    }

    /// Runs it to its end.
    pub fn run(&mut self) {
        self.0.run();
    }

    /// [`crate::Outcome`] as JSON.
    ///
    /// # Errors
    /// When not every flow finished.
    pub fn outcome(&self) -> Result<String, JsError> {
        let outcome = self.0.outcome().map_err(|error| JsError::new(&error))?;
        Ok(serde_json::to_string(&outcome)?)
    }
}
