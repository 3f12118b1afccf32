//! Operations that stand for many: one act, its range, and the plain operations in it.

use crate::{CellData, DiffOp, FormulaDiff, Placed, PlacedCell};
use serde::{Deserialize, Serialize};

/// Cells of one sheet that one act changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RangeAct {
    /// The sheet, by its new name.
    pub sheet: String,
    /// The cells: areas with a blank between them.
    pub range: String,
    /// Where they were.
    pub from_range: String,
    /// What was there: the formula of the first cell, the text that was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// What is there now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// What numbers were multiplied by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factor: Option<f64>,
    /// What was added to numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<f64>,
    /// The name of the column, if the range lies in one that has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// The cells one by one.
    pub cells: Vec<CellChange>,
}

/// One cell of a range, as an edit of a single cell has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellChange {
    /// Where it is.
    pub addr: Placed,
    /// Where it was.
    pub from_addr: Placed,
    /// What it held.
    pub from: CellData,
    /// What it holds.
    pub to: CellData,
    /// How its formula changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula_diff: Option<FormulaDiff>,
    /// The name of its column, if the act does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// The key of its row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// Rows that went because of what they held in one column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FilterAct {
    /// The sheet, by its new name.
    pub sheet: String,
    /// The rows, in the old sheet: `3:3 7:9`.
    pub range: String,
    /// The column by its letters in the old sheet.
    pub column: String,
    /// Its name, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// What all of the rows have in common and no other row has: `= closed`, `< 10`.
    pub condition: String,
    /// The rows one by one.
    pub rows: Vec<GoneRow>,
}

/// One row that went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GoneRow {
    /// Where it was.
    pub row_idx: u32,
    /// What it held.
    pub cells: Vec<PlacedCell>,
}

/// Cells that came from another sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AcrossAct {
    /// The sheet that they are in, by its new name.
    pub sheet: String,
    /// Where they are in it.
    pub range: String,
    /// The sheet that they come from, by its old name.
    pub from_sheet: String,
    /// Where they were in it.
    pub from_range: String,
    /// What was done.
    pub how: Across,
    /// The plain operations that say the same.
    pub ops: Vec<DiffOp>,
}

/// What was done with cells of two sheets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Across {
    /// They left the one sheet for the other.
    Moved,
    /// They are in both.
    Copied,
    /// They left the one sheet and are a sheet of their own.
    Split,
    /// They were a sheet of their own, which went.
    Joined,
}

/// A sheet that came as a copy of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CopyAct {
    /// The new sheet.
    pub sheet: String,
    /// The sheet that it is a copy of, by its old name.
    pub from_sheet: String,
    /// Whether rows became columns.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub transposed: bool,
    /// Cells that hold something else than in the sheet that was copied.
    pub edits: Vec<CellChange>,
    /// The plain operations that say the same.
    pub ops: Vec<DiffOp>,
}

/// Cells whose rows became columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TransposeAct {
    /// The sheet, by its new name.
    pub sheet: String,
    /// Where they are.
    pub range: String,
    /// Where they were.
    pub from_range: String,
    /// The plain operations that say the same.
    pub ops: Vec<DiffOp>,
}

impl DiffOp {
    /// The plain operations that an act stands for; none if this is plain itself.
    #[must_use]
    pub fn unfolded(&self) -> Option<Vec<Self>> {
        if let Some(act) = self.range_act() {
            return Some(act.cells.iter().map(|cell| cell.edit(&act.sheet)).collect());
        }
        match self {
            Self::RowsFiltered(act) => Some(
                act.rows
                    .iter()
                    .map(|row| Self::RowRemoved {
                        sheet: act.sheet.clone(),
                        row_idx: row.row_idx,
                        cells: row.cells.clone(),
                    })
                    .collect(),
            ),
            Self::BlockMovedAcross(AcrossAct { ops, .. })
            | Self::SheetCopied(CopyAct { ops, .. })
            | Self::RangeTransposed(TransposeAct { ops, .. }) => Some(
                ops.iter()
                    .flat_map(|op| op.unfolded().unwrap_or_else(|| vec![op.clone()]))
                    .collect(),
            ),
            _ => None,
        }
    }

    /// The range and cells of an act on cells; none for all others.
    #[must_use]
    pub fn range_act(&self) -> Option<&RangeAct> {
        match self {
            Self::FormulaFilled(act)
            | Self::RangesExtended(act)
            | Self::ValuesPasted(act)
            | Self::RangeScaled(act)
            | Self::Renumbered(act)
            | Self::ValuesReplaced(act)
            | Self::ValuesConverted(act)
            | Self::RangeCleared(act)
            | Self::RangeFilled(act) => Some(act),
            _ => None,
        }
    }

    pub(super) fn range_act_mut(&mut self) -> Option<&mut RangeAct> {
        match self {
            Self::FormulaFilled(act)
            | Self::RangesExtended(act)
            | Self::ValuesPasted(act)
            | Self::RangeScaled(act)
            | Self::Renumbered(act)
            | Self::ValuesReplaced(act)
            | Self::ValuesConverted(act)
            | Self::RangeCleared(act)
            | Self::RangeFilled(act) => Some(act),
            _ => None,
        }
    }

    /// Whether it stands for plain operations.
    #[must_use]
    pub fn is_act(&self) -> bool {
        self.range_act().is_some()
            || matches!(
                self,
                Self::RowsFiltered(_)
                    | Self::BlockMovedAcross(_)
                    | Self::SheetCopied(_)
                    | Self::RangeTransposed(_)
            )
    }
}

impl CellChange {
    /// The same as an edit of a cell.
    pub(crate) fn edit(&self, sheet: &str) -> DiffOp {
        DiffOp::CellEdited {
            sheet: sheet.to_owned(),
            addr: self.addr,
            from_addr: self.from_addr,
            from: self.from.clone(),
            to: self.to.clone(),
            formula_diff: self.formula_diff,
        }
    }
}
