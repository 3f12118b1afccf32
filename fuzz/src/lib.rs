//! Laws, and inputs that are made to break them.
//!
//! A [`Target`] is a law and what its inputs are made from. [`input`] makes an input of a
//! [`Corpus`] by numbers, so that each can be made again; `fuzz/guided` hands the same laws
//! to libFuzzer, which looks for inputs that reach new code.

mod archive;
mod corpus;
mod mutate;
mod random;
mod targets;

pub use corpus::Corpus;
pub use mutate::input;
pub use random::Random;
pub use targets::{TARGETS, Target};
