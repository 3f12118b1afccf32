//! Thin adapters that prove the core on cases with known truth.
pub mod grid;
