//! The answer: what happened, sheet by sheet, as `mvdiff diff --format json` prints it.

use crate::{DiffOp, Labels, Note};
use serde::ser::{SerializeStruct as _, Serializer};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The name and version of the JSON.
pub const SCHEMA: &str = "mvdiff.workbook/1";

/// What happened to a workbook, complete enough to make the new one from the old
/// one and back.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct DiffReport {
    /// [`SCHEMA`].
    pub schema: String,
    /// Whether no budget ran out and all was compared.
    pub complete: bool,
    /// What the answer says about itself.
    pub notes: Vec<Note>,
    /// How rows found each other.
    pub mode: ReportMode,
    /// One entry for each pair of sheets.
    pub sheets: Vec<SheetReport>,
    /// What happened.
    pub ops: Vec<DiffOp>,
    /// What only followed its cells and yet could not be led back, such as a
    /// formula that named a removed row: [`invert`](crate::invert()) needs it, and a
    /// reader does not.
    #[serde(default)]
    pub followed: Vec<DiffOp>,
    /// What came with rows, columns and sheets that were added, besides their cells:
    /// comments, links, looks. Replay needs it, and a reader does not.
    #[serde(default)]
    pub with_added: Vec<DiffOp>,
    /// What went with those that were removed, said as what would bring it back:
    /// [`invert`](crate::invert()) needs it.
    #[serde(default)]
    pub with_removed: Vec<DiffOp>,
    /// Other workbooks that formulas name by number, and that have another number
    /// now: `[old, new]`.
    #[serde(default)]
    pub links: Vec<[u32; 2]>,
}

/// How rows found each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportMode {
    /// By what they hold and where they are.
    #[default]
    Grid,
    /// By key, in the sheets that say so; their order does not matter.
    Keyed,
}

/// Two sheets that are versions of one, and how they were compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetReport {
    /// The new name.
    pub sheet: String,
    /// The old name.
    pub old_sheet: String,
    /// Rows up to the last one that holds something.
    pub old_rows: u32,
    /// Columns up to the last one that holds something.
    pub old_cols: u32,
    /// Rows up to the last one that holds something.
    pub new_rows: u32,
    /// Columns up to the last one that holds something.
    pub new_cols: u32,
    /// The steps that had something to do.
    pub ran: Vec<String>,
    /// Why the answer is what it is, in words.
    pub why: String,
    /// Formulas that only followed their cells.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub formulas_followed: u32,
    /// The columns that rows were matched by, old and new letters, as in
    /// `["A", "B:C"]`: there the order of rows does not matter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keyed_by: Vec<String>,
    /// Which rows were matched by key, as runs `[old, new, count]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keyed_rows: Vec<[u32; 3]>,
    /// The order that the rows were sorted into: columns, as in `["E", "B"]`, and
    /// `-` before those that count down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sorted_by: Vec<String>,
    /// Cells whose formulas are unchanged and in the same place, though
    /// what they name went elsewhere, as after a sort: those do not follow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
    /// Names of columns and keys of rows, to be shown next to addresses; in JSON they are
    /// with the operations.
    #[serde(skip)]
    pub labels: Labels,
}

/// A sequence that is made while it is written.
struct Each<F>(F);

impl<I: Iterator<Item: Serialize>, F: Fn() -> I> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq((self.0)())
    }
}

impl Serialize for DiffReport {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut fields = out.serialize_struct("DiffReport", 10)?;
        fields.serialize_field("schema", &self.schema)?;
        fields.serialize_field("complete", &self.complete)?;
        fields.serialize_field("notes", &self.notes)?;
        fields.serialize_field("mode", &self.mode)?;
        fields.serialize_field("sheets", &self.sheets)?;
        fields.serialize_field("ops", &Each(|| self.labelled_ops()))?;
        let lists = [
            ("followed", &self.followed),
            ("with_added", &self.with_added),
            ("with_removed", &self.with_removed),
        ];
        for (name, ops) in lists {
            if ops.is_empty() {
                fields.skip_field(name)?;
            } else {
                fields.serialize_field(name, ops)?;
            }
        }
        if self.links.is_empty() {
            fields.skip_field("links")?;
        } else {
            fields.serialize_field("links", &self.links)?;
        }
        fields.end()
    }
}

impl DiffReport {
    /// The same report without acts: each is given as the plain operations that it
    /// stands for.
    #[must_use]
    pub fn unfolded(&self) -> Cow<'_, Self> {
        if !self.ops.iter().any(DiffOp::is_act) {
            return Cow::Borrowed(self);
        }
        let plain = |op: &DiffOp| op.unfolded().unwrap_or_else(|| vec![op.clone()]);
        Cow::Owned(Self {
            schema: self.schema.clone(),
            complete: self.complete,
            notes: self.notes.clone(),
            mode: self.mode,
            sheets: self.sheets.clone(),
            ops: self.ops.iter().flat_map(plain).collect(),
            followed: self.followed.clone(),
            with_added: self.with_added.clone(),
            with_removed: self.with_removed.clone(),
            links: self.links.clone(),
        })
    }

    /// A report of nothing.
    #[allow(
        clippy::new_without_default,
        reason = "the schema is not an empty text"
    )]
    #[must_use]
    pub fn new() -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            complete: true,
            notes: Vec::new(),
            mode: ReportMode::Grid,
            sheets: Vec::new(),
            ops: Vec::new(),
            followed: Vec::new(),
            with_added: Vec::new(),
            with_removed: Vec::new(),
            links: Vec::new(),
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde hands out references
fn is_zero(count: &u32) -> bool {
    *count == 0
}
