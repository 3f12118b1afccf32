//! A workbook laid out anew, with lines put between those of its sheets.

use crate::Address;
use crate::cell_map::{AxisMap, CellMap, Lines};
use crate::formula::{Formula, Places, Where};
use crate::workbook_map::WorkbookMap;
use std::borrow::Cow;

/// Where the cells of a workbook are in a copy of it that has more rows and
/// columns, and how formulas read there.
///
/// ```
/// use mvdiff_grid::Layout;
///
/// let mut layout = Layout::default();
/// layout.sheet("Data", "Data", &[0, 5], &[0]); // two rows and a column more
/// assert_eq!(layout.lead("Data", "=B2*2").as_deref(), Some("=C3*2"));
/// // A row was put among the cells that it adds up: who knows what is there.
/// assert_eq!(layout.lead("Data", "=SUM(B2:B9)"), None);
/// ```
#[derive(Debug, Default)]
pub struct Layout {
    workbook_map: WorkbookMap,
}

impl Layout {
    /// Adds a sheet: its name, its name in the copy, and which rows and columns of
    /// the copy are put in, in order.
    pub fn sheet(&mut self, name: &str, called: &str, rows: &[u32], cols: &[u32]) {
        let axis = |added: &[u32]| {
            AxisMap::read_back(&Lines {
                added: added.to_vec(),
                ..Lines::default()
            })
        };
        let map = CellMap {
            rows: axis(rows),
            cols: axis(cols),
            rects: Vec::new(),
        };
        self.workbook_map.add(name, Some(called), map);
    }

    /// Where a cell of a sheet is in the copy.
    #[must_use]
    pub fn place(&self, sheet: &str, at: Address) -> Address {
        match self.workbook_map.seen_from(Some(sheet)).place(None) {
            Where::Mapped { map, .. } => map.get(at).unwrap_or(at),
            Where::Gone | Where::Unknown => at,
        }
    }

    /// The formula as it is in the copy; none if it may come to something else
    /// there: a range of it has more cells than before, or it depends on where it
    /// is, on names, on the time, or on what lies outside the workbook.
    #[must_use]
    pub fn lead<'f>(&self, sheet: &str, formula: &'f str) -> Option<Cow<'f, str>> {
        let places = self.workbook_map.seen_from(Some(sheet));
        let formula = Formula::parse(formula);
        formula
            .is_layout_invariant(&places)
            .then(|| formula.follow(&places))
    }
}
