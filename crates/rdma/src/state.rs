//! The states of a QP in a run, and why one ends in ERROR.

/// Why a QP is in ERROR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QpError {
    /// No news after all retries (IBTA's transport retry counter; MRC: facts 1.7).
    RetriesExceeded,
    /// The responder refused a WRITE with immediate: too many were under way (MRC, facts 1.1).
    TooManyImmediate,
    /// The responder refused a packet that made no sense to it (MRC's NACK UNEXP_EVENT, facts 1.4).
    UnexpectedEvent,
    /// Another QP of its job failed.
    JobAborted,
}

impl QpError {
    /// For people.
    pub const fn text(self) -> &'static str {
        match self {
            QpError::RetriesExceeded => "retries exceeded",
            QpError::TooManyImmediate => "too many WRITEs with immediate in flight",
            QpError::UnexpectedEvent => "the responder refused a packet (UNEXP_EVENT)",
            QpError::JobAborted => "its job was given up",
        }
    }
}

/// The states of a QP in a run (RESET and INIT come before it, when attributes are exchanged out of band).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QpState {
    /// Ready to send.
    Rts,
    /// Nothing is sent any more.
    Error(QpError),
}
