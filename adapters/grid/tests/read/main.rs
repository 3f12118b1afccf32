//! Reading workbooks: good ones, odd ones and hostile ones.

mod differential;
mod formats;
mod good;
mod hostile;
mod pair;
mod parts;
mod round_trip;
