//! Tables of a sheet follow their cells: a table has as many columns as it is wide, and
//! each is named as its header.

use super::follow::{Follow, sqref};
use super::raw::{self, Element, Piece};
use crate::formula::Places;
use crate::{Area, Grid, Value};

/// The part of a table after its cells went elsewhere; none if they are gone.
pub(super) fn follow<P: Places>(text: &str, follow: &Follow<'_, P>, new: &Grid) -> Option<String> {
    let root = raw::root(text)?;
    let was: Area = root.get("ref")?.parse().ok()?;
    let is = follow.map.area(was)?;
    let back = follow.map.cols.inverse();
    let mut inner = String::new();
    for piece in raw::pieces(root.inner)? {
        match piece {
            Piece::Other(other) => inner.push_str(other),
            Piece::Element(element) if element.name() == "tableColumns" => {
                let old = element.children();
                let sources = (is.first.col..=is.last.col).map(|col| {
                    let from = back
                        .get(col)
                        .and_then(|from| from.checked_sub(was.first.col));
                    (col, from.and_then(|from| old.get(from as usize)))
                });
                let header = root.number("headerRowCount").unwrap_or(1) > 0;
                let header = header.then_some(is.first.row);
                inner.push_str(&columns(&element, sources, header, new, follow));
            }
            Piece::Element(element) => inner.extend(follow.element(&element)),
        }
    }
    let tag = raw::set(root.tag, "ref", Some(&sqref(&[is])));
    let head = &text[..text.find(root.text)?];
    Some(format!("{head}{}", root.with(&tag, &inner)))
}

fn columns<'e, P: Places>(
    list: &Element<'_>,
    sources: impl Iterator<Item = (u32, Option<&'e Element<'e>>)>,
    header: Option<u32>,
    new: &Grid,
    follow: &Follow<'_, P>,
) -> String {
    let prefix = list.prefix();
    let ids = list.children();
    let mut next = ids
        .iter()
        .filter_map(|column| column.number("id"))
        .max()
        .unwrap_or(0)
        + 1;
    let (mut inner, mut count) = (String::new(), 0);
    for (col, old) in sources {
        count += 1;
        let name = header.map(|row| new.value(crate::Address::new(row, col)));
        let name = match name {
            Some(Value::Text(name)) => Some(name.to_owned()),
            _ => None,
        };
        if let Some(old) = old {
            let now = follow.element(old).unwrap_or_else(|| old.text.to_owned());
            let now = match (raw::root(&now), &name) {
                (Some(column), Some(name)) if column.get("name").as_deref() != Some(name) => {
                    column.with(&raw::set(column.tag, "name", Some(name)), column.inner)
                }
                _ => now.clone(),
            };
            inner.push_str(&now);
        } else {
            let name = name.unwrap_or_else(|| format!("Column{count}"));
            let name = raw::escaped(&name);
            inner.push_str(&format!(
                "<{prefix}tableColumn id=\"{next}\" name=\"{name}\"/>"
            ));
            next += 1;
        }
    }
    let tag = raw::set(list.tag, "count", Some(&count.to_string()));
    list.with(&tag, &inner)
}
