//! Workbook diff with moves.

mod address;
pub mod date;
mod grid;
mod maps;
mod ops;
mod read;
mod texts;
mod value;
mod workbook;
mod write;

pub use address::{Address, MAX_COLS, MAX_ROWS, NoAddress, column_index, column_name};
pub use grid::{Cell, Grid, GridBuilder, TwiceThere};
pub use ops::{BlockHash, DiffOp, FormulaDiff, Placed, PlacedCell, Refs};
pub use read::{
    Limit, Limits, PairError, ReadError, ReadOptions, keep_caught_panics_quiet, open_pair,
    open_workbook, read_pair, read_workbook,
};
pub use value::{CellData, ErrorCode, Value};
pub use workbook::{Area, Content, Name, Note, OtherSheet, Sheet, Visibility, Workbook};
pub use write::{WriteError, write_workbook};
