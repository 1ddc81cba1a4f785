//! Integration tests of VFP.

mod nsg;
mod support;
