//! What the benchmarks are made of: seeded inputs, the peers they are given
//! to, and the tables of `docs/benchmarks.md`.
//!
//! The way of the data: [`workloads`] and [`trees`] make two texts,
//! [`contenders`] does something with them, [`measure`] says what that cost,
//! [`page`] puts it down. [`patch`] and [`versus`] compare plain diffs with
//! git's.

pub mod contenders;
pub mod measure;
pub mod page;
pub mod patch;
pub mod random;
pub mod trees;
pub mod versus;
pub mod workloads;
