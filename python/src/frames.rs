//! Data frames, as Arrow tables: a sheet whose first row holds the names.

use crate::input::refuse;
use crate::workbooks::{Wanted, page};
use arrow_array::{
    Array, ArrayRef, Float64Array, RecordBatch,
    cast::AsArray as _,
    types::{Date32Type, Float64Type, Int64Type, TimestampMicrosecondType, UInt64Type},
};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_schema::{DataType, TimeUnit};
use mvdiff_grid::{
    Address, DiffOp, DiffReport, Grid, GridBuilder, MAX_COLS, MAX_ROWS, Sheet, Value, Workbook,
    diff_workbooks,
};
use pyo3::prelude::*;
use pyo3_arrow::PyTable;
use std::collections::HashMap;

/// The name of the sheet that a frame becomes.
const SHEET: &str = "frame";
/// Whole numbers beyond this are not all `f64`s.
const EXACT: u64 = 1 << 53;
/// Days from the day that dates are counted from to 1970-01-01.
const UNIX_DAYS: f64 = 25569.0;

/// The JSON of the comparison of two frames.
#[pyfunction]
pub(crate) fn frames_json(
    py: Python<'_>,
    old: PyTable,
    new: PyTable,
    wanted: Wanted,
    tolerances: HashMap<String, f64>,
) -> PyResult<String> {
    py.detach(|| {
        let (old, new) = (workbook(old)?, workbook(new)?);
        let mut options = wanted.options();
        options.header_row = Some(0);
        let mut report = diff_workbooks(&old, &new, &options).map_err(refuse)?;
        forgive(&mut report, &new, &tolerances);
        serde_json::to_string(&report).map_err(refuse)
    })
}

/// The page of the comparison of two frames.
#[pyfunction]
pub(crate) fn frames_page(
    py: Python<'_>,
    report: &str,
    old: PyTable,
    new: PyTable,
) -> PyResult<String> {
    py.detach(|| {
        let report: DiffReport = serde_json::from_str(report).map_err(refuse)?;
        let (old, new) = (workbook(old)?, workbook(new)?);
        page(("old", "new"), &old, &new, &report)
    })
}

/// Drops edits of numbers that are as close as their column allows.
fn forgive(report: &mut DiffReport, new: &Workbook, tolerances: &HashMap<String, f64>) {
    let Some(grid) = new.sheets.first().and_then(Sheet::grid) else {
        return;
    };
    report.ops.retain(|op| {
        let DiffOp::CellEdited { addr, from, to, .. } = op else {
            return true;
        };
        let Value::Text(name) = grid.value(Address::new(0, addr.0.col)) else {
            return true;
        };
        let (Some(most), Value::Number(from), Value::Number(to)) =
            (tolerances.get(name), &from.value, &to.value)
        else {
            return true;
        };
        (from - to).abs() > *most
    });
}

fn workbook(table: PyTable) -> PyResult<Workbook> {
    let (batches, schema) = table.into_inner();
    let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    let columns = schema.fields().len();
    if rows >= MAX_ROWS as usize || columns > MAX_COLS as usize {
        return Err(refuse(format!(
            "the frame has {rows} rows and {columns} columns; up to {} rows and {MAX_COLS} columns can be compared",
            MAX_ROWS - 1
        )));
    }
    let mut grid = GridBuilder::default();
    for (col, field) in (0..).zip(schema.fields()) {
        grid.push(Address::new(0, col), Value::Text(field.name()), None);
    }
    let mut row = 1;
    for batch in &batches {
        add(&mut grid, row, batch)?;
        row += batch.num_rows() as u32;
    }
    let grid: Grid = grid.finish().map_err(refuse)?;
    Ok(Workbook {
        sheets: vec![Sheet::new(SHEET, grid)],
        ..Workbook::default()
    })
}

/// Adds the rows of a batch, column by column.
fn add(grid: &mut GridBuilder, first: u32, batch: &RecordBatch) -> PyResult<()> {
    for (col, column) in (0..).zip(batch.columns()) {
        let column = Column::of(column)?;
        for row in 0..batch.num_rows() {
            let mut room = String::new();
            let value = column.value(row, &mut room)?;
            grid.push(Address::new(first + row as u32, col), value, None);
        }
    }
    Ok(())
}

/// A column of one of the kinds that a cell can hold.
enum Column {
    Whole(ArrayRef),
    Natural(ArrayRef),
    Number(Float64Array),
    Bool(ArrayRef),
    Text(ArrayRef),
    Day(ArrayRef),
    /// Microseconds since 1970.
    Time(ArrayRef),
    /// Anything else, as Arrow prints it.
    Other(ArrayRef),
}

impl Column {
    fn of(column: &ArrayRef) -> PyResult<Self> {
        let to = |kind: DataType| cast(column, &kind).map_err(refuse);
        Ok(match column.data_type() {
            DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
                Self::Whole(to(DataType::Int64)?)
            }
            DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => {
                Self::Natural(to(DataType::UInt64)?)
            }
            DataType::Float16 | DataType::Float32 | DataType::Float64 => {
                Self::Number(to(DataType::Float64)?.as_primitive::<Float64Type>().clone())
            }
            DataType::Boolean => Self::Bool(column.clone()),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                Self::Text(to(DataType::LargeUtf8)?)
            }
            DataType::Date32 => Self::Day(column.clone()),
            DataType::Date64 | DataType::Timestamp(..) => Self::time(column)?,
            DataType::Dictionary(_, values) => return Self::of(&to((**values).clone())?),
            _ => Self::Other(column.clone()),
        })
    }

    /// Times in microseconds, unless that would lose some.
    fn time(column: &ArrayRef) -> PyResult<Self> {
        let kind = DataType::Timestamp(TimeUnit::Microsecond, None);
        let strict = CastOptions {
            safe: false,
            ..CastOptions::default()
        };
        let Ok(micros) = cast_with_options(column, &kind, &strict) else {
            return Ok(Self::Other(column.clone()));
        };
        let zone = column.data_type();
        let back = cast(&micros, zone).map_err(refuse)?;
        Ok(if back.to_data() == column.to_data() {
            Self::Time(micros)
        } else {
            Self::Other(column.clone())
        })
    }

    fn value<'c>(&'c self, row: usize, room: &'c mut String) -> PyResult<Value<&'c str>> {
        let array: &dyn Array = match self {
            Self::Number(array) => array,
            Self::Whole(array)
            | Self::Natural(array)
            | Self::Bool(array)
            | Self::Text(array)
            | Self::Day(array)
            | Self::Time(array)
            | Self::Other(array) => array,
        };
        if array.is_null(row) {
            return Ok(Value::Empty);
        }
        Ok(match self {
            Self::Whole(array) => match array.as_primitive::<Int64Type>().value(row) {
                number if number.unsigned_abs() <= EXACT => Value::Number(number as f64),
                number => written(room, &number.to_string()),
            },
            Self::Natural(array) => match array.as_primitive::<UInt64Type>().value(row) {
                number if number <= EXACT => Value::Number(number as f64),
                number => written(room, &number.to_string()),
            },
            // What pandas calls missing.
            Self::Number(array) if array.value(row).is_nan() => Value::Empty,
            Self::Number(array) if array.value(row).is_infinite() => {
                written(room, &array.value(row).to_string())
            }
            Self::Number(array) => Value::Number(array.value(row)),
            Self::Bool(array) => Value::Bool(array.as_boolean().value(row)),
            Self::Text(array) => {
                let text = array.as_string::<i64>().value(row);
                if text.bytes().all(|byte| byte == b'"') {
                    // A cell without characters is not a cell, and an empty text is not a
                    // missing one: it is written `""`.
                    *room = format!("\"{text}\"");
                    return Ok(Value::Text(room));
                }
                Value::Text(text)
            }
            Self::Day(array) => {
                let days = array.as_primitive::<Date32Type>().value(row);
                Value::Date(f64::from(days) + UNIX_DAYS)
            }
            Self::Time(array) => {
                let micros = array.as_primitive::<TimestampMicrosecondType>().value(row);
                if micros % 1000 != 0 {
                    // Dates of a sheet differ by the millisecond.
                    return shown(array, row, room);
                }
                Value::Date(micros as f64 / 86_400e6 + UNIX_DAYS)
            }
            Self::Other(array) => return shown(array, row, room),
        })
    }
}

/// A value as Arrow prints it.
fn shown<'r>(array: &ArrayRef, row: usize, room: &'r mut String) -> PyResult<Value<&'r str>> {
    let options = FormatOptions::default();
    let shown = ArrayFormatter::try_new(array, &options).map_err(refuse)?;
    *room = shown.value(row).to_string();
    Ok(Value::Text(room))
}

fn written<'r>(room: &'r mut String, text: &str) -> Value<&'r str> {
    text.clone_into(room);
    Value::Text(room)
}
