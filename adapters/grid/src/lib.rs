//! Workbook diff with moves.

mod address;
mod atlas;
pub mod date;
mod diff;
mod error;
mod formula;
mod grid;
mod keys;
mod maps;
mod ops;
mod options;
mod parallel;
mod read;
mod replay;
mod report;
mod texts;
mod value;
mod workbook;
mod write;

pub use address::{Address, MAX_COLS, MAX_ROWS, NoAddress, column_index, column_name};
pub use diff::{diff_grids, diff_grids_database_mode, diff_workbooks};
pub use error::Error;
pub use grid::{Cell, Grid, GridBuilder, TwiceThere};
pub use ops::{BlockHash, DiffOp, FormulaDiff, Placed, PlacedCell, Refs};
pub use options::{Engine, Mode, Options, Tolerance};
pub use read::{
    Limit, Limits, PairError, ReadError, ReadOptions, keep_caught_panics_quiet, open_pair,
    open_workbook, read_pair, read_workbook,
};
pub use replay::{ApplyError, apply, invert};
pub use report::{DiffReport, ReportMode, SCHEMA, SheetReport};
pub use value::{CellData, ErrorCode, Value};
pub use workbook::{Area, Content, Name, Note, OtherSheet, Sheet, Visibility, Workbook};
pub use write::{WriteError, write_workbook};
