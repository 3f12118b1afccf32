//! Columns of a record batch: texts read in place, answers put beside them.

use crate::input::refuse;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, RecordBatch,
    StringArray, StringViewArray, cast::AsArray as _,
};
use arrow_schema::{DataType, Field, Schema};
use pyo3::PyResult;
use std::sync::Arc;

/// A column of texts, as bytes: Arrow's strings come from elsewhere, and nothing
/// vouches for their being UTF-8.
pub(crate) enum Texts {
    Small(BinaryArray),
    Large(LargeBinaryArray),
    View(BinaryViewArray),
    Nulls,
}

impl Texts {
    /// The column of this name. Strings and binaries are not copied; a dictionary is
    /// unpacked.
    pub(crate) fn of(batch: &RecordBatch, name: &str) -> PyResult<Self> {
        let column = batch.column_by_name(name).ok_or_else(|| {
            let schema = batch.schema();
            let there: Vec<&str> = schema.fields().iter().map(|f| f.name().as_str()).collect();
            let there = there.join(", ");
            refuse(format!("no column {name} in the batch; it has {there}"))
        })?;
        Self::from_array(name, column)
    }

    pub(crate) fn from_array(name: &str, column: &ArrayRef) -> PyResult<Self> {
        Ok(match column.data_type() {
            DataType::Utf8 => {
                let strings: &StringArray = column.as_string();
                Self::Small(strings.clone().into())
            }
            DataType::LargeUtf8 => {
                let strings: &LargeStringArray = column.as_string();
                Self::Large(strings.clone().into())
            }
            DataType::Utf8View => {
                let strings: &StringViewArray = column.as_string_view();
                Self::View(strings.clone().to_binary_view())
            }
            DataType::Binary => Self::Small(column.as_binary::<i32>().clone()),
            DataType::LargeBinary => Self::Large(column.as_binary::<i64>().clone()),
            DataType::BinaryView => Self::View(column.as_binary_view().clone()),
            DataType::Dictionary(_, values) => {
                let plain = arrow_cast::cast(column, values).map_err(refuse)?;
                return Self::from_array(name, &plain);
            }
            DataType::Null => Self::Nulls,
            other => {
                return Err(refuse(format!(
                    "column {name} is {other}; texts are string or binary"
                )));
            }
        })
    }

    /// The text of a row, if there is one.
    pub(crate) fn get(&self, row: usize) -> Option<&[u8]> {
        match self {
            Self::Small(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::Large(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::View(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::Nulls => None,
        }
    }

    /// The text of a row, or what is wrong with it.
    pub(crate) fn text(&self, name: &str, row: usize, most: usize) -> Result<&[u8], String> {
        let text = self.get(row).ok_or_else(|| format!("{name} is null"))?;
        if text.len() > most {
            let bytes = text.len();
            return Err(format!("{name} has {bytes} bytes; max_bytes is {most}"));
        }
        Ok(text)
    }
}

/// Text that is UTF-8, or where it is not.
pub(crate) fn utf8<'t>(name: &str, text: &'t [u8]) -> Result<&'t str, String> {
    std::str::from_utf8(text)
        .map_err(|error| format!("{name}: byte {} is not UTF-8", error.valid_up_to() + 1))
}

/// A batch of the columns of `batch` that are not `taken`, row by row as `rows` says
/// (all of them, if it is none), and the answers behind them.
pub(crate) fn beside(
    batch: &RecordBatch,
    taken: &[&str],
    rows: Option<&arrow_array::UInt32Array>,
    answers: Vec<(Field, ArrayRef)>,
) -> PyResult<RecordBatch> {
    let schema = batch.schema();
    let mut fields: Vec<Arc<Field>> = Vec::new();
    let mut columns: Vec<ArrayRef> = Vec::new();
    for (field, column) in schema.fields().iter().zip(batch.columns()) {
        if taken.contains(&field.name().as_str()) {
            continue;
        }
        if answers
            .iter()
            .any(|(answer, _)| answer.name() == field.name())
        {
            return Err(refuse(format!(
                "column {} is in the batch already; rename it, the answer has that name",
                field.name()
            )));
        }
        fields.push(Arc::clone(field));
        columns.push(match rows {
            None => Arc::clone(column),
            Some(rows) => arrow_select::take::take(column, rows, None).map_err(refuse)?,
        });
    }
    for (field, column) in answers {
        fields.push(Arc::new(field));
        columns.push(column);
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).map_err(refuse)
}
