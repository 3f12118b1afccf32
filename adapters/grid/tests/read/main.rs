//! Reading workbooks: good ones, odd ones and hostile ones.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]
#![allow(clippy::float_cmp, reason = "numbers come back to the last bit")]
#![allow(clippy::format_collect, reason = "parts are built as people read them")]

mod differential;
mod formats;
mod good;
mod hostile;
mod pair;
mod parts;
mod round_trip;
