//! Search/replace edits that land where they should, or not at all.
//!
//! ```
//! use mvdiff_edit::{Edits, Options, edit};
//!
//! let text = b"class Kettle:\r\n\tdef boil(self):\r\n\t\tself.hot = True\r\n";
//! let blocks = b"\
//! <<<<<<< SEARCH
//!     def boil(self):
//!         self.hot = True
//! =======
//!     def boil(self):
//!         if self.litres:
//!             self.hot = True
//! >>>>>>> REPLACE
//! ";
//! let edited = edit(text, &Edits::Text(blocks.to_vec()), &Options::default())?;
//! // Four blanks are a tab in this file, and its lines end as they did.
//! let new = b"class Kettle:\r\n\tdef boil(self):\r\n\t\tif self.litres:\r\n\t\t\tself.hot = True\r\n";
//! assert_eq!(edited.text.as_deref(), Some(&new[..]));
//! # Ok::<(), mvdiff_edit::blocks::BlockError>(())
//! ```
//!
//! # Three steps
//!
//! **Read.** [`blocks::parse`] takes blocks out of a text and says what is wrong with
//! them, line by line. [`blocks::from_json`] and [`blocks::from_xml`] read edits of
//! several files. A unified diff is turned into [`blocks::Block`]s by a caller who can
//! read one.
//!
//! **Plan.** [`plan()`] looks for every block in the text as it is and puts together
//! what they change; [`edit()`] does both. Places that say the same are ranked by
//! [`Tier`], a start line ranks within a tier, and two places that are as good as
//! each other are `ambiguous`. Places that are only similar come from
//! [`mvdiff_core::locate`] and need [`Options::threshold`] and a margin over the
//! next. The edit is a three-way merge by line, so that what a block does not change
//! keeps its bytes. [`edit_compat`] gives the answers of
//! Roo Code's multi-search-replace instead.
//!
//! **Write.** [`work`] carries out edits of files below a
//! [`Root`](mvdiff_files::Root), in memory; a [`Store`](mvdiff_files::Store) writes
//! them all or none, and can undo them.

mod already;
mod anchored;
pub mod blocks;
mod change;
mod compat;
mod drift;
mod edit;
mod elide;
mod error_kind;
mod evidence;
mod exact_match;
mod fold;
pub mod forms;
mod fuzzy_match;
mod ground;
mod heads;
mod indent;
mod inside;
mod match_site;
mod merge;
mod message;
mod options;
mod plan;
mod problem;
mod readings;
mod report;
mod resolve;
mod scope;
mod similarity;
mod text;
mod three_way;
mod twins;
mod typo;
pub mod work;

pub use edit::{Edited, Edits, edit, edit_compat};
pub use error_kind::ErrorKind;
pub use match_site::Tier;
pub use options::Options;
pub use plan::{Plan, plan};
pub use report::{
    Action, Best, BlockReport, Candidate, FileReport, HintKind, Mismatch, Report, SCHEMA, Status,
    Text,
};
pub use three_way::merge_lines;
