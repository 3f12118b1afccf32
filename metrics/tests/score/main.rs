//! Compares the score with the reference implementation, and checks its laws and batches.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]
#![allow(
    clippy::float_cmp,
    clippy::format_collect,
    clippy::naive_bytecount,
    reason = "exact numbers are meant, and texts are small"
)]

mod batch;
mod laws;
mod variants;
mod vectors;
