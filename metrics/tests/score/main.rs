//! The score beside the reference's own answers, and laws about it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod laws;
mod variants;
mod vectors;
