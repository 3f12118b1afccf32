//! The diff that knows what moved: two sequences in, one script out.

mod align;
mod edits;
mod error;
mod intern;
mod locate;
mod moves;
mod options;
mod outcome;
mod plain;
mod problem;
mod script;
mod slide;
mod work;

pub use error::Error;
pub use intern::{Interner, Token};
pub use locate::{Site, locate};
pub use options::{Budget, Options};
pub use outcome::{Evidence, Guard, Limit, Outcome, Refusal, Strategy};
pub use plain::{Hunk, plain};
pub use problem::{Given, Layout, Problem, Side, Slices};
pub use script::{
    Copied, Move, Relation, ReplayError, Role, Run, Script, Step, Violation, block_hash,
    fingerprint,
};

mod engine;
pub use engine::{Diff, diff};
