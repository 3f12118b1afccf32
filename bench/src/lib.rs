//! What the benchmarks are made of: seeded inputs, the peers they are given
//! to, and the tables of `docs/benchmarks.md`.
//!
//! The way of the data: [`workloads`] and [`trees`] make two texts,
//! [`inputs`] writes them to files, [`contenders`] does something with them,
//! [`measure`] says what that cost, [`tables`] asks the questions and [`page`]
//! puts the answers down. [`patch`] and [`versus`] compare plain diffs with
//! git's.

pub mod contenders;
pub mod inputs;
pub mod measure;
pub mod page;
pub mod patch;
pub mod random;
pub mod tables;
pub mod trees;
pub mod versus;
pub mod workloads;
