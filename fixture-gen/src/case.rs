//! The cases of fixtures/manifest.yaml: a workbook and the edits to it.

use crate::expect::{Expectation, Remark};
use crate::table::TableSpec;
use mvdiff_grid::{Refs, Visibility};
use serde::Deserialize;

/// A pair of workbooks, as the manifest has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The name, and the folder.
    pub name: String,
    /// Why it is there.
    pub why: String,
    /// The old file and the new one.
    #[serde(default = "two_files")]
    pub files: [String; 2],
    /// The sheets that the workbook begins with.
    pub sheets: Vec<SheetSpec>,
    /// What is done before the old file is written.
    #[serde(default)]
    pub before: Vec<Step>,
    /// What is done between the old file and the new one.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// Columns that tell the rows apart; rows are then matched by them.
    #[serde(default)]
    pub key: Vec<String>,
    /// Other options of `mvdiff diff`.
    #[serde(default)]
    pub options: Vec<String>,
    /// Remarks that the answer has to make.
    #[serde(default)]
    pub notes: Vec<Remark>,
    /// What is expected where several answers are right. Without it exactly the
    /// operations of expect.json are.
    pub expect: Option<Expectation>,
    /// The truth is wished for and not met yet.
    #[serde(default)]
    pub known_gap: bool,
}

fn two_files() -> [String; 2] {
    ["old.xlsx", "new.xlsx"].map(str::to_owned)
}

/// A sheet and how it is filled: by a table, or cell by cell.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetSpec {
    /// The name on its tab.
    #[serde(default = "data")]
    pub name: String,
    /// Rows drawn from a seed.
    pub table: Option<TableSpec>,
    /// Rows as they are here.
    #[serde(default)]
    pub cells: Vec<Vec<Literal>>,
    /// Whether it is shown.
    #[serde(default)]
    pub visibility: Visibility,
}

fn data() -> String {
    "Data".to_owned()
}

/// What is in a cell: null for nothing, `=…` for a formula, or a value.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Literal {
    /// Nothing.
    Nothing(()),
    /// True or false.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A text or a formula.
    Text(String),
    /// What has no plain form.
    Typed(Typed),
}

/// A value with its type.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub struct Typed {
    /// A day, with or without a time, in ISO 8601.
    pub date: Option<String>,
    /// A stretch of time, in seconds.
    pub seconds: Option<f64>,
    /// An error such as `#N/A`.
    pub error: Option<String>,
    /// A text, also one of no characters.
    pub text: Option<String>,
    /// A cell that is formatted and holds nothing.
    #[serde(default)]
    pub blank: bool,
}

/// One thing that a person does. Rows and columns count from zero, as in the
/// operations, and are those of the sheet at that moment. Without `sheet` it is the
/// first one.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs, reason = "the names are those of the operations")]
pub enum Step {
    /// Writes a cell.
    Edit {
        sheet: Option<String>,
        cell: String,
        to: Literal,
    },
    /// Edits so many cells at random, of a table only.
    EditSome {
        sheet: Option<String>,
        count: usize,
        seed: u64,
        /// Only from the first of these rows to the last.
        rows: Option<[usize; 2]>,
        /// Only from the first of these columns to the last.
        cols: Option<[usize; 2]>,
    },
    /// Writes a formula into the first cell of an area and fills the others with it.
    Fill {
        sheet: Option<String>,
        area: String,
        formula: String,
    },
    /// Rows before the row `at`: these cells, or what the table draws.
    InsertRows {
        sheet: Option<String>,
        at: usize,
        #[serde(default = "one")]
        count: usize,
        cells: Option<Vec<Vec<Literal>>>,
    },
    /// Rows go.
    RemoveRows {
        sheet: Option<String>,
        at: usize,
        #[serde(default = "one")]
        count: usize,
    },
    /// Rows go elsewhere; the first of them is at `to` afterwards. With
    /// `refs: relative` as a copy does.
    MoveRows {
        sheet: Option<String>,
        from: usize,
        #[serde(default = "one")]
        count: usize,
        to: usize,
        #[serde(default)]
        refs: Refs,
    },
    /// Columns before the column `at`: these cells, top down, or what the table draws.
    InsertCols {
        sheet: Option<String>,
        at: usize,
        #[serde(default = "one")]
        count: usize,
        cells: Option<Vec<Vec<Literal>>>,
    },
    /// Columns go.
    RemoveCols {
        sheet: Option<String>,
        at: usize,
        #[serde(default = "one")]
        count: usize,
    },
    /// Columns go elsewhere; the first of them is at `to` afterwards.
    MoveCols {
        sheet: Option<String>,
        from: usize,
        #[serde(default = "one")]
        count: usize,
        to: usize,
    },
    /// A rectangle is cut and pasted.
    MoveRect {
        sheet: Option<String>,
        area: String,
        to: String,
    },
    /// Rows are sorted by columns, all below the first one or these.
    Sort {
        sheet: Option<String>,
        by: Vec<usize>,
        #[serde(default)]
        descending: bool,
        rows: Option<[usize; 2]>,
    },
    /// A sheet comes.
    AddSheet {
        name: String,
        at: Option<usize>,
        cells: Vec<Vec<Literal>>,
    },
    /// A sheet goes.
    RemoveSheet { sheet: String },
    /// A sheet gets another name.
    RenameSheet { sheet: String, to: String },
    /// A sheet's tab goes elsewhere.
    MoveSheet { sheet: String, to: usize },
    /// A sheet is shown or hidden.
    SetVisibility { sheet: String, to: Visibility },
    /// Cells are merged, or parted if they were.
    Merge { sheet: Option<String>, area: String },
    /// A name is defined, or defined anew; without `refers_to` it goes.
    Name {
        name: String,
        refers_to: Option<String>,
    },
    /// The formulas of a column are written as shared ones from here on.
    Share { sheet: Option<String>, col: usize },
    /// Days count from 1904 from here on.
    #[serde(rename = "date_1904")]
    Date1904 {},
}

fn one() -> usize {
    1
}
