//! Search/replace edits that land where they should, or not at all.

pub mod blocks;
mod compat;
mod edit;
pub mod files;
mod fold;
mod indent;
mod kind;
mod merge;
mod message;
mod near;
mod options;
mod place;
mod plan;
mod problem;
mod report;
mod seek;
mod similar;
mod text;
mod whole;

pub use edit::{Edited, Edits, edit, edit_compat};
pub use kind::ErrorKind;
pub use options::Options;
pub use place::Tier;
pub use plan::{Plan, plan};
pub use report::{BlockReport, Bytes, Candidate, FileReport, Report, SCHEMA, Status};
