//! How far apart the numbers of a sheet may be, column by column.

use crate::diff::header::{header_row, named_column};
use crate::{Grid, Options, Tolerance};

/// The tolerances of a sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tolerances {
    all: Option<Tolerance>,
    /// By new column.
    columns: Vec<(u32, Tolerance)>,
}

impl Tolerances {
    /// Looks up the columns that the caller names in the new sheet.
    pub fn find(new: &Grid, options: &Options) -> Self {
        let named = options.column_tolerances.iter();
        let columns = if named.len() == 0 {
            Vec::new()
        } else {
            let header = options.header_row.or_else(|| header_row(new));
            let found = named.filter_map(|(name, tolerance)| {
                Some((named_column(new, header, name)?, *tolerance))
            });
            found.collect()
        };
        Self {
            all: options.tolerance,
            columns,
        }
    }

    pub fn is_none(&self) -> bool {
        self.all.is_none() && self.columns.is_empty()
    }

    /// Whether two numbers in this new column are close enough; what is said of a column
    /// rules over what is said of all.
    pub fn allow(&self, col: u32, a: f64, b: f64) -> bool {
        let own = self.columns.iter().rev().find(|(of, _)| *of == col);
        let tolerance = own.map(|(_, tolerance)| *tolerance).or(self.all);
        tolerance.is_some_and(|tolerance| tolerance.allows(a, b))
    }
}
