//! Tables of a sheet (`ListObject`): what becomes of one when its cells go elsewhere.
//!
//! A table has as many columns as it is wide, and each is named as its header. So a column
//! that came into it, or a header that was edited, is a change of cells and not of the
//! table.

use crate::cell_map::CellMap;
use crate::extras::plain_formula;
use crate::formula::{Formula, Places};
use crate::read::extras::Node;
use crate::{Address, Area, Element, Grid, Value};
use xxhash_rust::xxh3::xxh3_64;

/// A column of a table after its cells went elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableColumn {
    /// Which column of the old table it is; none if it came.
    pub source: Option<usize>,
    /// Its name, if it is not the one that it had.
    pub name: Option<String>,
}

/// Where a table was and is, and in what.
pub(crate) struct Moved<'m, P> {
    pub map: &'m CellMap,
    pub back: &'m CellMap,
    pub places: &'m P,
    /// The cells of the old sheet and of the new one.
    pub grids: [&'m Grid; 2],
}

/// Elements of a table that hold formulas.
pub(crate) fn is_formula(name: &str) -> bool {
    matches!(name, "calculatedColumnFormula" | "totalsRowFormula")
}

impl<P: Places> Moved<'_, P> {
    /// The columns of a table that was here and is there.
    pub fn columns(&self, was: Area, is: Area, has_headers: bool) -> Vec<TableColumn> {
        let header = |grid: &Grid, at: Address| match grid.value(at) {
            Value::Text(name) if has_headers => Some(as_name(name)),
            _ => None,
        };
        let column = |col: u32| {
            let at = Address::new(is.first.row, col);
            let from = self.back.get(at).filter(|from| was.contains(*from));
            // Its header may be gone, or come.
            let from = from.map(|from| from.col).or_else(|| {
                let from = self.back.cols.get(col)?;
                (was.first.col..=was.last.col)
                    .contains(&from)
                    .then_some(from)
            });
            let now = header(self.grids[1], at);
            let Some(from) = from else {
                let number = col - is.first.col + 1;
                return TableColumn {
                    source: None,
                    name: now.or_else(|| Some(format!("Column{number}"))),
                };
            };
            let then = header(self.grids[0], Address::new(was.first.row, from));
            TableColumn {
                source: Some((from - was.first.col) as usize),
                name: now.filter(|_| then != header(self.grids[1], at)),
            }
        };
        (is.first.col..=is.last.col).map(column).collect()
    }

    /// A table after its cells went elsewhere, and where it is; none if they are gone.
    pub fn follow(&self, table: &Element, was: Area) -> Option<(Element, Area)> {
        let is = self.map.area(was)?;
        let columns = self.columns(was, is, has_headers(table.get("headerRowCount")));
        let mut now = table.clone();
        for child in &mut now.children {
            if child.name == "tableColumns" {
                let old = std::mem::take(&mut child.children);
                child.children = columns
                    .iter()
                    .map(|column| self.column(column, &old))
                    .collect();
                let count = child.children.len().to_string();
                child.attributes.insert("count".to_owned(), count);
            }
        }
        now.children
            .retain_mut(|child| child.name == "tableColumns" || self.inside(child, was, &columns));
        Some((now, is))
    }

    fn column(&self, column: &TableColumn, old: &[Element]) -> Element {
        let old = column.source.and_then(|at| old.get(at));
        let mut now = old.cloned().unwrap_or_else(|| Element {
            name: "tableColumn".to_owned(),
            ..Element::default()
        });
        if let Some(name) = &column.name {
            now.attributes.insert("name".to_owned(), name.clone());
        }
        for child in now.children.iter_mut().filter(|c| is_formula(&c.name)) {
            child.text = Formula::parse(&child.text).follow(self.places).into_owned();
        }
        now
    }

    /// Lets filters and sort orders follow; whether there is something left of them.
    fn inside(&self, element: &mut Element, was: Area, columns: &[TableColumn]) -> bool {
        if let Some(place) = element.attributes.get_mut("ref")
            && let Ok(area) = place.parse()
        {
            let Some(area) = self.map.area(area) else {
                return false;
            };
            *place = area.shortest();
        }
        if element.name == "filterColumn" {
            let Some(to) = filtered(element.get("colId"), was, columns) else {
                return false;
            };
            element.attributes.insert("colId".to_owned(), to);
        }
        element
            .children
            .retain_mut(|child| self.inside(child, was, columns));
        true
    }
}

/// Whether a table has a row of headers.
pub(crate) fn has_headers(count: Option<&str>) -> bool {
    count.is_none_or(|count| count.trim() != "0")
}

/// The number of the column that a filter is about, after columns came and went. One that
/// the table never had stays.
pub(crate) fn filtered(number: Option<&str>, was: Area, columns: &[TableColumn]) -> Option<String> {
    let width = (was.last.col - was.first.col + 1) as usize;
    let number = number?;
    let Some(was) = number.trim().parse().ok().filter(|was| *was < width) else {
        return Some(number.to_owned());
    };
    let is = columns
        .iter()
        .position(|column| column.source == Some(was))?;
    Some(is.to_string())
}

/// Takes the numbers out that programs give tables and their columns.
pub(crate) fn without_ids(table: &mut Node) {
    table.take("id");
    let columns = table.children.iter_mut();
    for columns in columns.filter(|child| child.name == "tableColumns") {
        for column in &mut columns.children {
            column.take("id");
        }
    }
}

/// A number for what a table says, but for where it is.
pub(crate) fn digest(table: &Element) -> u64 {
    let mut said = table.clone();
    without_noise(&mut said);
    xxh3_64(format!("{said:?}").as_bytes())
}

fn without_noise(element: &mut Element) {
    element.attributes.remove("queryTableFieldId");
    if element.name == "tableColumns" {
        element.attributes.remove("count");
    }
    if let Some(place) = element.attributes.get_mut("ref")
        && let Ok(area) = place.parse::<Area>()
    {
        *place = area.shortest();
    }
    if is_formula(&element.name) {
        element.text = plain_formula(&element.text);
    }
    element.children.iter_mut().for_each(without_noise);
}

/// A header as the name of a column: line breaks are spelt out.
fn as_name(header: &str) -> String {
    header.replace('\r', "_x000d_").replace('\n', "_x000a_")
}
