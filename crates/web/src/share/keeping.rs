//! What must not be lost when the page is loaded again, as a new version of it needs: the scenario that is open, with the faults that
//! were made by hand, and its time.

use crate::dom;
use std::cell::RefCell;

/// Longest link that is put into the address, in bytes: half of what Chromium takes (2 MiB).
const MOST: usize = 1 << 20;

/// Writes the link of what is open; none where the address has it already.
type Write = Box<dyn Fn() -> Option<Result<String, String>>>;

thread_local! {
    // There is one page at a time, and it says anew what is open whenever that changes.
    static OPEN: RefCell<Option<Write>> = const { RefCell::new(None) };
}

/// From now on this is open: `write` says its link (without `#`) or why there is none; nothing where the address has it already.
pub fn hold(write: impl Fn() -> Option<Result<String, String>> + 'static) {
    OPEN.set(Some(Box::new(write)));
}

/// Puts what is open into the address, so that loading the page again opens it.
///
/// # Errors
/// Why it does not fit.
pub fn into_address() -> Result<(), String> {
    let link = OPEN.with_borrow(|open| open.as_ref().and_then(|write| write()));
    match link {
        None => Ok(()),
        Some(Ok(link)) if link.len() <= MOST => {
            dom::replace_hash(&link);
            Ok(())
        }
        Some(Ok(link)) => Err(format!(
            "its link would have {} B; an address holds {MOST} B at most",
            link.len()
        )),
        Some(Err(why)) => Err(why),
    }
}
