//! Workbook diff with moves.
//!
//! ```
//! use mvdiff_grid::{Grid, Options, Value, apply, diff_grids};
//!
//! let rows = |ids: &[u32]| {
//!     let row = |id: &u32| vec![Value::Number(f64::from(*id)), Value::Text("cedar"), Value::Number(12.5)];
//!     Grid::from_rows(ids.iter().map(row).collect::<Vec<_>>())
//! };
//! let (old, new) = (rows(&[1001, 1002, 1003, 1004, 1005]), rows(&[1003, 1004, 1005, 1001, 1002]));
//! let report = diff_grids("Data", &old, &new, &Options::default())?;
//! assert_eq!(report.ops.len(), 1); // two rows moved, as one block
//! # Ok::<(), mvdiff_grid::Error>(())
//! ```
//!
//! **Read.** [`open_pair`] reads two workbooks at once into sparse typed cells, within
//! limits that errors name; [`open_workbook`] reads one, [`Grid`] can be made by hand.
//!
//! **Compare.** [`diff_workbooks`] says what happened as a [`DiffReport`]: sheets, rows,
//! columns and rectangles that came, went or moved, and cells that were edited.
//! Formulas are compared after they followed their cells.
//!
//! **Use the report.** It is the JSON of `mvdiff diff`; [`apply`] makes the new workbook
//! from the old one with it, [`invert`] turns it round, [`write_workbook`] writes files.

mod acts;
mod address;
mod cell_map;
mod check;
pub mod date;
mod diff;
mod element;
mod error;
mod extras;
mod formula;
mod grid;
mod keys;
mod labels;
mod layout;
mod merge;
mod ops;
mod options;
mod package;
mod parallel;
mod parts;
mod read;
mod replay;
mod report;
mod report_map;
mod string_pool;
mod table;
mod value;
mod workbook;
mod workbook_map;
mod write;

pub use acts::{
    Across, AcrossAct, CellChange, CopyAct, FilterAct, GoneRow, RangeAct, TransposeAct,
};
pub use address::{Address, MAX_COLS, MAX_ROWS, NoAddress, column_index, column_name};
pub use diff::{diff_grids, diff_grids_database_mode, diff_workbooks};
pub use element::{Comment, Element, LineState, StyleProps, Thread};
pub use error::Error;
pub use extras::{Aspect, PartDigest, SheetExtras};
pub use grid::{Cell, Grid, GridBuilder, TwiceThere};
pub use labels::{LabelledOp, Labels};
pub use layout::Layout;
pub use merge::{Conflict, ConflictKind, MergeError, Merged, MergedOp, Side, merge_workbooks};
pub use ops::{
    BlockHash, CodeChange, DiffOp, FormulaDiff, ItemChange, PartChange, Placed, PlacedCell, Refs,
    TableChange, WholeSheet,
};
pub use options::{Engine, Mode, Options, Tolerance};
pub use package::{PackageKind, PatchError, patch_package};
pub use parts::{CarriedPart, CarriedRelation, NamedBy, PartContent, Parts};
pub use read::{
    Limit, Limits, PairError, ReadError, ReadOptions, keep_caught_panics_quiet, open_pair,
    open_workbook, read_pair, read_whole_workbook, read_workbook,
};
pub use replay::{ApplyError, apply, invert};
pub use report::{DiffReport, ReportMode, SCHEMA, SheetReport};
pub use report_map::SheetMap;
pub use value::{CellData, ErrorCode, Value};
pub use workbook::{Area, Content, Name, Note, OtherSheet, Sheet, Visibility, Workbook};
pub use write::{WriteError, write_workbook};
