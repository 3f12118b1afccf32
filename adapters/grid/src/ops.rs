//! What happened to a workbook, one operation a thing.

use crate::acts::{AcrossAct, CopyAct, FilterAct, RangeAct, TransposeAct};
use crate::parts::Parts;
use crate::{
    Address, Aspect, CellData, Comment, Element, LineState, OtherSheet, StyleProps, Visibility,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A sheet without cells, as reports carry it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WholeSheet {
    /// What it holds.
    pub holds: OtherSheet,
    /// Its part and all that it leads to. None if it has none, or is too large for a report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Parts>,
}

/// One thing that happened.
///
/// Rows and columns count from zero. What was removed, `src_*` and `from_addr`
/// are places in the old sheet; what was added, `dst_*` and `addr` are places in
/// the new one. `sheet` is the new name, for a removed sheet the old one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
#[allow(missing_docs)] // the fields are described once, in docs/schemas/workbook.json
pub enum DiffOp {
    /// A sheet came, with all that is in it.
    SheetAdded {
        sheet: String,
        position: u32,
        #[serde(default, skip_serializing_if = "is_default")]
        visibility: Visibility,
        cells: Vec<PlacedCell>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        merges: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        whole: Option<Box<WholeSheet>>,
    },
    /// A sheet went, with all that was in it.
    SheetRemoved {
        sheet: String,
        position: u32,
        #[serde(default, skip_serializing_if = "is_default")]
        visibility: Visibility,
        cells: Vec<PlacedCell>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        merges: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        whole: Option<Box<WholeSheet>>,
    },
    /// A sheet has another name.
    SheetRenamed { sheet: String, from: String },
    /// A sheet has another place among those that were there before.
    SheetMoved {
        sheet: String,
        from_position: u32,
        position: u32,
    },
    /// A sheet was hidden or shown.
    SheetVisibility {
        sheet: String,
        from: Visibility,
        to: Visibility,
    },
    /// A row came.
    RowAdded {
        sheet: String,
        row_idx: u32,
        cells: Vec<PlacedCell>,
    },
    /// A row went.
    RowRemoved {
        sheet: String,
        row_idx: u32,
        cells: Vec<PlacedCell>,
    },
    /// A column came; its cells in added rows are with the rows.
    ColumnAdded {
        sheet: String,
        col_idx: u32,
        cells: Vec<PlacedCell>,
    },
    /// A column went; its cells in removed rows are with the rows.
    ColumnRemoved {
        sheet: String,
        col_idx: u32,
        cells: Vec<PlacedCell>,
    },
    /// Rows went elsewhere together.
    BlockMovedRows {
        sheet: String,
        src_start_row: u32,
        row_count: u32,
        dst_start_row: u32,
        block_hash: Option<BlockHash>,
        similarity: f32,
        #[serde(default)]
        cell_count: u32,
        refs: Refs,
    },
    /// Columns went elsewhere together.
    BlockMovedColumns {
        sheet: String,
        src_start_col: u32,
        col_count: u32,
        dst_start_col: u32,
        block_hash: Option<BlockHash>,
        similarity: f32,
        #[serde(default)]
        cell_count: u32,
        refs: Refs,
    },
    /// A rectangle went elsewhere while rows and columns stayed.
    BlockMovedRect {
        sheet: String,
        src_start_row: u32,
        row_count: u32,
        src_start_col: u32,
        col_count: u32,
        dst_start_row: u32,
        dst_start_col: u32,
        block_hash: Option<BlockHash>,
        similarity: f32,
        #[serde(default)]
        cell_count: u32,
        refs: Refs,
    },
    /// A cell holds something else.
    CellEdited {
        sheet: String,
        addr: Placed,
        from_addr: Placed,
        from: CellData,
        to: CellData,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        formula_diff: Option<FormulaDiff>,
    },
    /// Cells were merged.
    MergeAdded { sheet: String, area: String },
    /// Cells are merged no longer.
    MergeRemoved { sheet: String, area: String },
    /// A name was defined.
    NameAdded {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sheet: Option<String>,
        refers_to: String,
    },
    /// A name is defined no longer.
    NameRemoved {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sheet: Option<String>,
        refers_to: String,
    },
    /// A name refers to something else, or is spelled in other letters.
    NameChanged {
        name: String,
        /// How it was spelled, if it was in small letters what is in capitals, or the
        /// other way round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from_name: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sheet: Option<String>,
        from: String,
        to: String,
    },
    /// A cell has a comment that it had not.
    CommentAdded {
        sheet: String,
        addr: Placed,
        comment: Comment,
    },
    /// A cell has a comment no longer.
    CommentRemoved {
        sheet: String,
        addr: Placed,
        comment: Comment,
    },
    /// A comment says something else.
    CommentEdited {
        sheet: String,
        addr: Placed,
        from_addr: Placed,
        from: Comment,
        to: Comment,
    },
    /// A link from cells came, went or leads elsewhere.
    HyperlinkChanged(ItemChange),
    /// A rule for what may be entered came, went or changed.
    ValidationChanged(ItemChange),
    /// A conditional format came, went or changed.
    ConditionalFormatChanged(ItemChange),
    /// The protection of a sheet changed.
    ProtectionChanged(ItemChange),
    /// A table came.
    TableAdded(TableChange),
    /// A table went; its cells may still be there.
    TableRemoved(TableChange),
    /// A table has another name, range, style, or other columns than its cells say.
    TableChanged(TableChange),
    /// Something else of a sheet or of the workbook changed.
    PartChanged(PartChange),
    /// A module of macros came, went or changed; its bytes are with `PartChanged`.
    ModuleChanged(CodeChange),
    /// A query came, went or changed; its bytes are with `PartChanged`.
    QueryChanged(CodeChange),
    /// Cells have another number format.
    NumberFormatChanged {
        sheet: String,
        range: String,
        from_range: String,
        from: String,
        to: String,
    },
    /// Cells look different: the properties that differ, and what they were and are.
    StyleChanged {
        sheet: String,
        range: String,
        from_range: String,
        from: StyleProps,
        to: StyleProps,
    },
    /// Rows were hidden, shown or grouped.
    RowsHidden {
        sheet: String,
        start_row: u32,
        from_start_row: u32,
        row_count: u32,
        from: LineState,
        to: LineState,
    },
    /// Columns were hidden, shown or grouped.
    ColumnsHidden {
        sheet: String,
        start_col: u32,
        from_start_col: u32,
        col_count: u32,
        from: LineState,
        to: LineState,
    },
    /// Rows have another height, in points; null is the height that fits.
    RowHeight {
        sheet: String,
        start_row: u32,
        from_start_row: u32,
        row_count: u32,
        from: Option<f64>,
        to: Option<f64>,
    },
    /// Columns have another width, in characters; null is that of other columns.
    ColumnWidth {
        sheet: String,
        start_col: u32,
        from_start_col: u32,
        col_count: u32,
        from: Option<f64>,
        to: Option<f64>,
    },
    /// Formulas changed alike, or the same formula came into several cells.
    FormulaFilled(RangeAct),
    /// Ranges in formulas reach as far as rows or columns that were appended.
    RangesExtended(RangeAct),
    /// Values took the place of formulas.
    ValuesPasted(RangeAct),
    /// Numbers were multiplied by one factor.
    RangeScaled(RangeAct),
    /// Cells count on from one another, or all by the same amount from before.
    Renumbered(RangeAct),
    /// One text was replaced by another in several cells.
    ValuesReplaced(RangeAct),
    /// Texts became the numbers that they read as, or numbers texts.
    ValuesConverted(RangeAct),
    /// A block of cells was emptied.
    RangeCleared(RangeAct),
    /// A block of cells that were empty was filled in.
    RangeFilled(RangeAct),
    /// Rows went that have something in common that no other row has.
    RowsFiltered(FilterAct),
    /// Cells came from another sheet.
    BlockMovedAcross(AcrossAct),
    /// A sheet came as a copy of another.
    SheetCopied(CopyAct),
    /// Rows became columns.
    RangeTransposed(TransposeAct),
    /// Several rows have one key, so that it does not tell which is which.
    DuplicateKeyCluster {
        sheet: String,
        key: Vec<CellData>,
        old_rows: Vec<u32>,
        new_rows: Vec<u32>,
    },
}

impl DiffOp {
    /// The sheet that it is about; none for what belongs to the workbook, as names do even
    /// where they hold in one sheet only.
    #[must_use]
    pub fn sheet(&self) -> Option<&str> {
        match self {
            Self::SheetAdded { sheet, .. }
            | Self::SheetRemoved { sheet, .. }
            | Self::SheetRenamed { sheet, .. }
            | Self::SheetMoved { sheet, .. }
            | Self::SheetVisibility { sheet, .. }
            | Self::RowAdded { sheet, .. }
            | Self::RowRemoved { sheet, .. }
            | Self::ColumnAdded { sheet, .. }
            | Self::ColumnRemoved { sheet, .. }
            | Self::BlockMovedRows { sheet, .. }
            | Self::BlockMovedColumns { sheet, .. }
            | Self::BlockMovedRect { sheet, .. }
            | Self::CellEdited { sheet, .. }
            | Self::MergeAdded { sheet, .. }
            | Self::MergeRemoved { sheet, .. }
            | Self::CommentAdded { sheet, .. }
            | Self::CommentRemoved { sheet, .. }
            | Self::CommentEdited { sheet, .. }
            | Self::HyperlinkChanged(ItemChange { sheet, .. })
            | Self::ValidationChanged(ItemChange { sheet, .. })
            | Self::ConditionalFormatChanged(ItemChange { sheet, .. })
            | Self::ProtectionChanged(ItemChange { sheet, .. })
            | Self::TableAdded(TableChange {
                change: ItemChange { sheet, .. },
                ..
            })
            | Self::TableRemoved(TableChange {
                change: ItemChange { sheet, .. },
                ..
            })
            | Self::TableChanged(TableChange {
                change: ItemChange { sheet, .. },
                ..
            })
            | Self::PartChanged(PartChange {
                change: ItemChange { sheet, .. },
                ..
            })
            | Self::NumberFormatChanged { sheet, .. }
            | Self::StyleChanged { sheet, .. }
            | Self::RowsHidden { sheet, .. }
            | Self::ColumnsHidden { sheet, .. }
            | Self::RowHeight { sheet, .. }
            | Self::ColumnWidth { sheet, .. }
            | Self::FormulaFilled(RangeAct { sheet, .. })
            | Self::RangesExtended(RangeAct { sheet, .. })
            | Self::ValuesPasted(RangeAct { sheet, .. })
            | Self::RangeScaled(RangeAct { sheet, .. })
            | Self::Renumbered(RangeAct { sheet, .. })
            | Self::ValuesReplaced(RangeAct { sheet, .. })
            | Self::ValuesConverted(RangeAct { sheet, .. })
            | Self::RangeCleared(RangeAct { sheet, .. })
            | Self::RangeFilled(RangeAct { sheet, .. })
            | Self::RowsFiltered(FilterAct { sheet, .. })
            | Self::BlockMovedAcross(AcrossAct { sheet, .. })
            | Self::SheetCopied(CopyAct { sheet, .. })
            | Self::RangeTransposed(TransposeAct { sheet, .. })
            | Self::DuplicateKeyCluster { sheet, .. } => Some(&sheet[..]).filter(|s| !s.is_empty()),
            Self::NameAdded { .. }
            | Self::NameRemoved { .. }
            | Self::NameChanged { .. }
            | Self::ModuleChanged(_)
            | Self::QueryChanged(_) => None,
        }
    }

    /// A solid fill of this colour (`FFFFC7CE`) for cells, whatever fill they had.
    #[must_use]
    pub fn filled(sheet: &str, range: String, colour: &str) -> Self {
        let colours = ["fgColor", "bgColor"].iter().flat_map(|colour| {
            let kinds = ["rgb", "theme", "tint", "indexed", "auto"];
            kinds.map(|kind| format!("fill.patternFill.{colour}@{kind}"))
        });
        let came = [
            ("fill.patternFill@patternType", "solid"),
            ("fill.patternFill.fgColor@rgb", colour),
        ];
        Self::StyleChanged {
            sheet: sheet.to_owned(),
            from_range: range.clone(),
            range,
            from: colours.map(|key| (key, String::new())).collect(),
            to: came
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .into(),
        }
    }

    /// What it is about beside the cells, as `--ignore` names it; none if it is about
    /// cells, merged regions, sheets or names.
    #[must_use]
    pub fn aspect(&self) -> Option<Aspect> {
        Some(match self {
            Self::CommentAdded { .. }
            | Self::CommentRemoved { .. }
            | Self::CommentEdited { .. } => Aspect::Comments,
            Self::HyperlinkChanged(_) => Aspect::Hyperlinks,
            Self::ValidationChanged(_) => Aspect::Validation,
            Self::ConditionalFormatChanged(_) => Aspect::ConditionalFormats,
            Self::ProtectionChanged(_) => Aspect::Protection,
            Self::TableAdded(_) | Self::TableRemoved(_) | Self::TableChanged(_) => Aspect::Tables,
            Self::ModuleChanged(_) => Aspect::Macros,
            Self::QueryChanged(_) => Aspect::Queries,
            Self::PartChanged(part) => Aspect::parse(&part.what).unwrap_or(Aspect::Other),
            Self::NumberFormatChanged { .. } => Aspect::NumberFormats,
            Self::StyleChanged { .. } => Aspect::Styles,
            Self::RowsHidden { .. } | Self::ColumnsHidden { .. } => Aspect::Hidden,
            Self::RowHeight { .. } | Self::ColumnWidth { .. } => Aspect::Sizes,
            _ => return None,
        })
    }

    /// What happened to a table.
    #[must_use]
    pub fn of_table(change: ItemChange) -> Self {
        let table = change.to.as_ref().or(change.from.as_ref());
        let name = table.and_then(|table| table.get("displayName").or(table.get("name")));
        let table = TableChange {
            table: name.unwrap_or_default().to_owned(),
            change,
        };
        match (&table.change.from, &table.change.to) {
            (None, _) => Self::TableAdded(table),
            (_, None) => Self::TableRemoved(table),
            _ => Self::TableChanged(table),
        }
    }

    /// Whether it happened to a sheet itself and not to what is in it.
    #[must_use]
    pub fn is_about_the_sheet(&self) -> bool {
        matches!(
            self,
            Self::SheetAdded { .. }
                | Self::SheetCopied(_)
                | Self::SheetRemoved { .. }
                | Self::SheetRenamed { .. }
                | Self::SheetMoved { .. }
                | Self::SheetVisibility { .. }
        )
    }
}

/// Something beside the cells that came, went or changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ItemChange {
    /// The sheet, by its new name; empty if it belongs to the workbook.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sheet: String,
    /// The cells that it is about now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// The cells that it was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_range: Option<String>,
    /// What it was; none if it came.
    pub from: Option<Element>,
    /// What it is; none if it went.
    pub to: Option<Element>,
}

/// A table that came, went or changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableChange {
    /// Its name, the old one if it went.
    pub table: String,
    /// What changed.
    #[serde(flatten)]
    pub change: ItemChange,
}

/// Something of a sheet, or of the workbook, that has no kind of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PartChange {
    /// What it is, as `--ignore` names it.
    pub what: String,
    /// What changed.
    #[serde(flatten)]
    pub change: ItemChange,
    /// The parts of the package that it was, if it is more than an element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_parts: Option<Parts>,
    /// The parts that it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_parts: Option<Parts>,
    /// What changed in it are operations of their own.
    #[serde(default, skip_serializing_if = "is_default")]
    pub listed: bool,
}

/// A module or a query that came, went or changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CodeChange {
    /// Its name.
    pub name: String,
    /// Its source as it was; none if it came.
    pub from: Option<String>,
    /// Its source; none if it went.
    pub to: Option<String>,
}

/// A cell and its place, in one JSON object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacedCell {
    /// Where it is.
    pub addr: Placed,
    /// What it holds.
    #[serde(flatten)]
    pub cell: CellData,
}

/// An address as JSON has it: `"C14"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placed(pub Address);

impl Serialize for Placed {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Placed {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map(Self).map_err(serde::de::Error::custom)
    }
}

/// A hash of what a moved block holds, as JSON has it: 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockHash(pub u64);

impl Serialize for BlockHash {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(&format_args!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for BlockHash {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let hash = u64::from_str_radix(&text, 16);
        hash.map(Self).map_err(serde::de::Error::custom)
    }
}

/// What became of the references in the formulas of a moved block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refs {
    /// They name the cells that they named, wherever those went, as when a block
    /// is cut and pasted.
    #[default]
    Follow,
    /// Relative ones name the cells that lie as far away as before, as when rows
    /// are sorted or a block is copied.
    Relative,
}

/// How a formula changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FormulaDiff {
    /// Another formula.
    Semantic,
    /// A formula where there was none.
    Added,
    /// No formula where there was one.
    Removed,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
