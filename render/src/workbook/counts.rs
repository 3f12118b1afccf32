//! Counts of each kind of operation, in words.

use super::non_cell::repeats_a_thread;
use mvdiff_grid::{DiffOp, Visibility};

/// Operations by kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts([usize; KINDS.len()]);

impl Default for Counts {
    fn default() -> Self {
        Self([0; KINDS.len()])
    }
}

/// Singular and plural, in the order they are printed.
const KINDS: [(&str, &str); 47] = [
    ("sort", "sorts"),
    ("move", "moves"),
    ("edit", "edits"),
    ("row added", "rows added"),
    ("row removed", "rows removed"),
    ("column added", "columns added"),
    ("column removed", "columns removed"),
    ("cell range merged", "cell ranges merged"),
    ("cell range unmerged", "cell ranges unmerged"),
    ("sheet added", "sheets added"),
    ("sheet removed", "sheets removed"),
    ("sheet renamed", "sheets renamed"),
    ("sheet moved", "sheets moved"),
    ("sheet hidden", "sheets hidden"),
    ("sheet shown", "sheets shown"),
    ("name added", "names added"),
    ("name removed", "names removed"),
    ("name changed", "names changed"),
    ("key used more than once", "keys used more than once"),
    ("cell overwritten", "cells overwritten"),
    ("comment changed", "comments changed"),
    ("link changed", "links changed"),
    ("validation changed", "validations changed"),
    ("number format changed", "number formats changed"),
    (
        "change of hidden or grouped lines",
        "changes of hidden or grouped lines",
    ),
    ("style change", "style changes"),
    ("conditional format changed", "conditional formats changed"),
    ("size changed", "sizes changed"),
    ("setting changed", "settings changed"),
    ("formula filled", "formulas filled"),
    ("range of formulas extended", "ranges of formulas extended"),
    ("range pasted as values", "ranges pasted as values"),
    ("range scaled", "ranges scaled"),
    ("range renumbered", "ranges renumbered"),
    ("replacement", "replacements"),
    ("range retyped", "ranges retyped"),
    ("range cleared", "ranges cleared"),
    ("range entered", "ranges entered"),
    ("filter deleted rows", "filters deleted rows"),
    ("block between sheets", "blocks between sheets"),
    ("sheet copied", "sheets copied"),
    ("transposition", "transpositions"),
    ("table changed", "tables changed"),
    ("module changed", "modules changed"),
    ("query changed", "queries changed"),
    (
        "chart, picture or shape changed",
        "charts, pictures or shapes changed",
    ),
    ("pivot table changed", "pivot tables changed"),
];

const SORTS: usize = 0;
const MOVES: usize = 1;
const EDITS: usize = 2;
const OVERWRITTEN: usize = 19;

impl Counts {
    pub(super) fn add(&mut self, op: &DiffOp) {
        if repeats_a_thread(op) || matches!(op, DiffOp::PartChanged(part) if part.listed) {
            return;
        }
        let kind = match op {
            DiffOp::BlockMovedRows { .. }
            | DiffOp::BlockMovedColumns { .. }
            | DiffOp::BlockMovedRect { .. } => MOVES,
            DiffOp::CellEdited { .. } => EDITS,
            DiffOp::RowAdded { .. } => 3,
            DiffOp::RowRemoved { .. } => 4,
            DiffOp::ColumnAdded { .. } => 5,
            DiffOp::ColumnRemoved { .. } => 6,
            DiffOp::MergeAdded { .. } => 7,
            DiffOp::MergeRemoved { .. } => 8,
            DiffOp::SheetAdded { .. } => 9,
            DiffOp::SheetRemoved { .. } => 10,
            DiffOp::SheetRenamed { .. } => 11,
            DiffOp::SheetMoved { .. } => 12,
            DiffOp::SheetVisibility {
                to: Visibility::Visible,
                ..
            } => 14,
            DiffOp::SheetVisibility { .. } => 13,
            DiffOp::NameAdded { .. } => 15,
            DiffOp::NameRemoved { .. } => 16,
            DiffOp::NameChanged { .. } => 17,
            DiffOp::DuplicateKeyCluster { .. } => 18,
            DiffOp::CommentAdded { .. }
            | DiffOp::CommentRemoved { .. }
            | DiffOp::CommentEdited { .. } => 20,
            DiffOp::HyperlinkChanged(_) => 21,
            DiffOp::ValidationChanged(_) => 22,
            DiffOp::NumberFormatChanged { .. } => 23,
            DiffOp::RowsHidden { .. } | DiffOp::ColumnsHidden { .. } => 24,
            DiffOp::StyleChanged { .. } => 25,
            DiffOp::ConditionalFormatChanged(_) => 26,
            DiffOp::RowHeight { .. } | DiffOp::ColumnWidth { .. } => 27,
            DiffOp::PartChanged(part) if part.what == "drawings" => 45,
            DiffOp::PartChanged(part) if part.what == "pivots" => 46,
            DiffOp::ProtectionChanged(_) | DiffOp::PartChanged(_) => 28,
            DiffOp::FormulaFilled(_) => 29,
            DiffOp::RangesExtended(_) => 30,
            DiffOp::ValuesPasted(_) => 31,
            DiffOp::RangeScaled(_) => 32,
            DiffOp::Renumbered(_) => 33,
            DiffOp::ValuesReplaced(_) => 34,
            DiffOp::ValuesConverted(_) => 35,
            DiffOp::RangeCleared(_) => 36,
            DiffOp::RangeFilled(_) => 37,
            DiffOp::RowsFiltered(_) => 38,
            DiffOp::BlockMovedAcross(_) => 39,
            DiffOp::SheetCopied(_) => 40,
            DiffOp::RangeTransposed(_) => 41,
            DiffOp::TableAdded(_) | DiffOp::TableRemoved(_) | DiffOp::TableChanged(_) => 42,
            DiffOp::ModuleChanged(_) => 43,
            DiffOp::QueryChanged(_) => 44,
        };
        self.0[kind] += 1;
    }

    /// The moves of rows of a sheet that was sorted are one sort.
    pub(super) fn sort(&mut self, moves: usize) {
        self.0[MOVES] -= moves;
        self.0[SORTS] += 1;
    }

    /// Edits of cells that a moved rectangle covered are not edits to a reader.
    pub(super) fn overwritten(&mut self, cells: usize) {
        self.0[EDITS] -= cells;
        self.0[OVERWRITTEN] += cells;
    }

    /// `1 move, 2 edits`; nothing if there is nothing.
    pub(super) fn in_words(&self) -> String {
        let told = self.0.iter().zip(KINDS).filter(|(count, _)| **count > 0);
        let told = told.map(|(count, (one, many))| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        });
        told.collect::<Vec<_>>().join(", ")
    }
}

/// `1 row`, `2 rows`.
pub(super) fn some(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}
