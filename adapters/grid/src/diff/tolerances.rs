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

#[cfg(test)]
mod tests {
    use crate::{Error, Grid, Options, Tolerance, Value, diff_grids};

    #[test]
    fn a_column_that_no_sheet_has_is_refused() {
        let rows = |price: f64| {
            let header = vec![Value::Text("id"), Value::Text("price")];
            let row = vec![Value::Number(1000.0), Value::Number(price)];
            Grid::from_rows([header, row])
        };
        let report = |column: &str| {
            let options = Options {
                column_tolerances: vec![(column.to_owned(), Tolerance::Absolute(0.1))],
                ..Options::default()
            };
            diff_grids("Data", &rows(1.0), &rows(1.05), &options)
        };
        assert_eq!(report("Price").unwrap().ops, []);
        assert_eq!(report("A").unwrap().ops.len(), 1);
        for column in ["prize", "ZZ"] {
            let refused = Error::NoColumn {
                sheet: "Data".to_owned(),
                column: column.to_owned(),
            };
            assert_eq!(report(column).unwrap_err(), refused);
        }
    }
}
