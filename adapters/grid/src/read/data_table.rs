//! Tables of what a formula comes to for several values.

use super::error::ReadError;
use super::plain::area;
use super::sink::Sink;
use crate::{Address, Area};
use std::borrow::Cow;

/// What a formula says that is a table of what another comes to for several values.
#[derive(Default)]
pub(super) struct DataTable<'t> {
    cells: [Option<Cow<'t, str>>; 2],
    /// Whether it is in two dimensions and along a row, and whether its cells are gone.
    says: [bool; 4],
}

impl<'t> DataTable<'t> {
    /// Takes an attribute if it belongs to such a table.
    pub fn take(&mut self, name: &str, value: impl Into<Cow<'t, str>>) -> bool {
        let value = value.into();
        let yes = matches!(&*value, "1" | "true");
        match name {
            "r1" => self.cells[0] = Some(value),
            "r2" => self.cells[1] = Some(value),
            "dt2D" => self.says[0] = yes,
            "dtr" => self.says[1] = yes,
            "del1" => self.says[2] = yes,
            "del2" => self.says[3] = yes,
            _ => return false,
        }
        true
    }

    /// Gives it to the sink.
    pub fn give(
        &self,
        sink: &mut Sink<'_>,
        at: Address,
        range: Option<&str>,
    ) -> Result<(), ReadError> {
        let one = Area {
            first: at,
            last: at,
        };
        let filled = range.map_or(Ok(one), |range| area(sink.part, range))?;
        let cells = [self.cells[0].as_deref(), self.cells[1].as_deref()];
        sink.data_table(filled, cells, self.says);
        Ok(())
    }
}
