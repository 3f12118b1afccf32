//! Tables of a sheet: those that came, went or changed, and those that follow their cells.

use super::archive::Archive;
use super::follow::{Follow, areas, sqref};
use super::items::written;
use super::raw::{self, Element as Raw, Piece};
use super::sheet;
use super::styles::StyleSheet;
use crate::formula::Places;
use crate::read::book::Target;
use crate::read::extras::{Node, Resolve};
use crate::table::{self, Moved, TableColumn};
use crate::write::{HEAD, MAIN, TYPES};
use crate::{Area, DiffOp, Element, ItemChange, ReadError};
use std::collections::BTreeMap;

/// The tables of one sheet.
pub(super) struct Tables<'t, P> {
    pub moved: Moved<'t, P>,
    pub resolve: &'t Resolve<'t>,
    /// The part of the sheet, and those of all sheets.
    pub sheet: &'t str,
    pub sheets: &'t [Option<String>],
}

/// What becomes of a table.
enum Fate {
    Stays,
    Gone,
    Is(String),
}

impl<P: Places> Tables<'_, P> {
    /// Writes the tables anew, and into the sheet which there are.
    pub fn write(
        &self,
        archive: &mut Archive<'_, '_>,
        rels: &BTreeMap<String, Target>,
        ops: &[&DiffOp],
        styles: &mut StyleSheet<'_>,
        xml: &mut String,
    ) -> Result<(), ReadError> {
        let mut changes: Vec<&ItemChange> = ops
            .iter()
            .filter_map(|op| match op {
                DiffOp::TableAdded(table)
                | DiffOp::TableRemoved(table)
                | DiffOp::TableChanged(table) => Some(&table.change),
                _ => None,
            })
            .collect();
        let tables = rels
            .iter()
            .filter(|(_, to)| !to.outside && to.kind == "table");
        for (id, Target { part, .. }) in tables {
            // Some programs name parts that they did not write.
            if !archive.has(part) {
                continue;
            }
            let text = archive.text(part)?;
            match self.fate(&text, &mut changes, styles) {
                Fate::Stays => {}
                Fate::Is(now) => archive.put(part, now),
                Fate::Gone => {
                    archive.unlink(self.sheet, part);
                    archive.remove(part);
                    *xml = without(xml, id);
                }
            }
        }
        let added = changes.into_iter().filter(|change| change.from.is_none());
        for change in added {
            let (Some(table), Some(at)) = (&change.to, area_of(change.range.as_ref())) else {
                continue;
            };
            let id = self.next_id(archive);
            let text = printed(table, at, id, None, styles);
            let of = format!("{TYPES}.table+xml");
            let (id, _) = archive.add(self.sheet, "xl/tables/table", "xml", "table", &of, text);
            *xml = with(xml, &id);
        }
        Ok(())
    }

    fn fate(
        &self,
        text: &str,
        changes: &mut Vec<&ItemChange>,
        styles: &mut StyleSheet<'_>,
    ) -> Fate {
        let Some((root, mut node)) = raw::root(text).zip(Node::parse(text)) else {
            return Fate::Stays;
        };
        table::without_ids(&mut node);
        let at: Option<Area> = root.get("ref").and_then(|place| place.parse().ok());
        if let (Some(element), Some(at)) = (self.resolve.payload(&node), at) {
            let found = changes.iter().position(|change| {
                change.from.as_ref() == Some(&element)
                    && area_of(change.from_range.as_ref()) == Some(at)
            });
            if let Some(change) = found.map(|found| changes.remove(found)) {
                return match (&change.to, area_of(change.range.as_ref())) {
                    (Some(to), Some(at)) => {
                        let id = root.number("id").unwrap_or(1);
                        Fate::Is(printed(to, at, id, Some(&root), styles))
                    }
                    _ => Fate::Gone,
                };
            }
        }
        match at.map(|at| (at, self.moved.map.area(at))) {
            None => Fate::Stays,
            Some((_, None)) => Fate::Gone,
            Some((was, Some(is))) => self
                .follow(text, &root, was, is)
                .map_or(Fate::Stays, Fate::Is),
        }
    }

    /// The part of a table after its cells went elsewhere.
    fn follow(&self, text: &str, root: &Raw<'_>, was: Area, is: Area) -> Option<String> {
        let headers = table::has_headers(root.get("headerRowCount").as_deref());
        let columns = self.moved.columns(was, is, headers);
        let follow = Follow {
            map: self.moved.map,
            places: self.moved.places,
        };
        let mut inner = String::new();
        for piece in raw::pieces(root.inner)? {
            match piece {
                Piece::Other(other) => inner.push_str(other),
                Piece::Element(element) => match element.name() {
                    "tableColumns" => inner.push_str(&list(&element, &columns, &follow)),
                    "autoFilter" => {
                        let now = filter(&element, was, &columns);
                        let now = raw::root(&now).and_then(|now| follow.element(&now));
                        inner.push_str(&now.unwrap_or_default());
                    }
                    _ => inner.extend(follow.element(&element)),
                },
            }
        }
        let mut tag = root.tag.to_owned();
        if was != is {
            tag = raw::set(&tag, "ref", Some(&sqref(&[is])));
        }
        let head = &text[..text.find(root.text)?];
        Some(format!("{head}{}", root.with(&tag, &inner)))
    }

    /// A number that no table of the workbook has.
    fn next_id(&self, archive: &mut Archive<'_, '_>) -> u32 {
        let mut last = 0;
        let sheets = self.sheets.iter().flatten().map(String::as_str);
        for sheet in sheets.chain([self.sheet]) {
            for target in archive.relations(sheet).into_values() {
                if target.kind == "table"
                    && let Ok(text) = archive.text(&target.part)
                    && let Some(root) = raw::root(&text)
                {
                    last = last.max(root.number("id").unwrap_or(0));
                }
            }
        }
        last + 1
    }
}

fn area_of(range: Option<&String>) -> Option<Area> {
    areas(range?).first().copied()
}

/// A table as a part; its columns have the numbers that those of `old` have.
fn printed(
    table: &Element,
    at: Area,
    id: u32,
    old: Option<&Raw<'_>>,
    styles: &mut StyleSheet<'_>,
) -> String {
    let old = old.and_then(|old| old.child("tableColumns"));
    let old = old.map(|list| list.children()).unwrap_or_default();
    let ids: Vec<(String, u32)> = old
        .iter()
        .filter_map(|column| Some((column.get("name")?.into_owned(), column.number("id")?)))
        .collect();
    let mut next = ids.iter().map(|(_, id)| *id).max().unwrap_or(0) + 1;
    let mut own = table.clone();
    let columns = own.children.iter_mut();
    for columns in columns.filter(|child| child.name == "tableColumns") {
        for column in &mut columns.children {
            let name = column.get("name").unwrap_or_default();
            let known = ids.iter().find(|(known, _)| known == name);
            let id = known.map_or(next, |(_, id)| *id);
            next = next.max(id + 1);
            column.attributes.insert("id".to_owned(), id.to_string());
        }
    }
    for (name, value) in [
        ("id", id.to_string()),
        ("ref", at.to_string()),
        ("xmlns", MAIN.to_owned()),
    ] {
        own.attributes.insert(name.to_owned(), value);
    }
    format!("{HEAD}{}", written(&own, styles))
}

/// The columns of a table after some came, went or were renamed.
fn list<P: Places>(list: &Raw<'_>, columns: &[TableColumn], follow: &Follow<'_, P>) -> String {
    let prefix = list.prefix();
    let old = list.children();
    let ids = old.iter().filter_map(|column| column.number("id"));
    let mut ids = ids.max().unwrap_or(0) + 1..;
    let mut inner = String::new();
    for column in columns {
        let Some(old) = column.source.and_then(|at| old.get(at)) else {
            let name = raw::escaped(column.name.as_deref().unwrap_or_default());
            let id = ids.next().unwrap_or_default();
            inner.push_str(&format!(
                "<{prefix}tableColumn id=\"{id}\" name=\"{name}\"/>"
            ));
            continue;
        };
        let now = follow.element(old).unwrap_or_else(|| old.text.to_owned());
        match (raw::root(&now), &column.name) {
            (Some(now), Some(name)) => {
                inner.push_str(&now.with(&raw::set(now.tag, "name", Some(name)), now.inner));
            }
            _ => inner.push_str(&now),
        }
    }
    let same = columns.iter().map(|column| column.source);
    if same.eq((0..old.len()).map(Some)) && columns.iter().all(|column| column.name.is_none()) {
        // White space between them stays.
        return follow.element(list).unwrap_or_else(|| list.text.to_owned());
    }
    let tag = raw::set(list.tag, "count", Some(&columns.len().to_string()));
    list.with(&tag, &inner)
}

/// The filter of a table, with the new numbers of the columns.
fn filter(filter: &Raw<'_>, was: Area, columns: &[TableColumn]) -> String {
    let mut inner = String::new();
    for piece in raw::pieces(filter.inner).unwrap_or_default() {
        match piece {
            Piece::Other(other) => inner.push_str(other),
            Piece::Element(column) if column.name() == "filterColumn" => {
                let number = column.get("colId");
                if let Some(to) = table::filtered(number.as_deref(), was, columns) {
                    let tag = raw::set(column.tag, "colId", Some(&to));
                    inner.push_str(&column.with(&tag, column.inner));
                }
            }
            Piece::Element(other) => inner.push_str(other.text),
        }
    }
    filter.with(filter.tag, &inner)
}

/// A sheet with one more table.
fn with(xml: &str, id: &str) -> String {
    let Some(root) = raw::root(xml) else {
        return xml.to_owned();
    };
    let prefix = root.prefix();
    let entry = format!("<{prefix}tablePart r:id=\"{id}\"/>");
    let now = match root.child("tableParts") {
        Some(list) => {
            let count = (list.children().len() + 1).to_string();
            let tag = raw::set(list.tag, "count", Some(&count));
            let grown = list.with(&tag, &format!("{}{entry}", list.inner));
            xml.replacen(list.text, &grown, 1)
        }
        None => {
            let list = format!("<{prefix}tableParts count=\"1\">{entry}</{prefix}tableParts>");
            sheet::with_element(xml, "tableParts", &list)
        }
    };
    sheet::with_relations(&now)
}

/// A sheet without the table of this id.
fn without(xml: &str, id: &str) -> String {
    let list = raw::root(xml).and_then(|root| root.child("tableParts"));
    let Some(list) = list else {
        return xml.to_owned();
    };
    let kept = list.children().into_iter();
    let kept: Vec<&str> = kept
        .filter(|entry| entry.get("id").as_deref() != Some(id))
        .map(|entry| entry.text)
        .collect();
    if kept.is_empty() {
        return xml.replacen(list.text, "", 1);
    }
    let tag = raw::set(list.tag, "count", Some(&kept.len().to_string()));
    xml.replacen(list.text, &list.with(&tag, &kept.concat()), 1)
}
