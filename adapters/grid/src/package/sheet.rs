//! The part of a sheet, written over the one that it had.

use super::cells::Cells;
use super::follow::{Follow, sqref};
use super::items::Items;
use super::lines::LineChanges;
use super::raw::{self, Element, Piece};
use super::styles::{ChangeId, StyleSheet};
use crate::cell_map::CellMap;
use crate::formula::Places;
use crate::write::WriteError;
use crate::{Address, Area, Grid};
use std::fmt::Write as _;

/// The order in which a sheet has its elements.
const ORDER: [&str; 39] = [
    "sheetPr",
    "dimension",
    "sheetViews",
    "sheetFormatPr",
    "cols",
    "sheetData",
    "sheetCalcPr",
    "sheetProtection",
    "protectedRanges",
    "scenarios",
    "autoFilter",
    "sortState",
    "dataConsolidate",
    "customSheetViews",
    "mergeCells",
    "phoneticPr",
    "conditionalFormatting",
    "dataValidations",
    "hyperlinks",
    "printOptions",
    "pageMargins",
    "pageSetup",
    "headerFooter",
    "rowBreaks",
    "colBreaks",
    "customProperties",
    "cellWatches",
    "ignoredErrors",
    "smartTags",
    "drawing",
    "legacyDrawing",
    "legacyDrawingHF",
    "drawingHF",
    "picture",
    "oleObjects",
    "controls",
    "webPublishItems",
    "tableParts",
    "extLst",
];

pub(super) fn rank(name: &str) -> usize {
    ORDER
        .iter()
        .position(|other| *other == name)
        .unwrap_or(ORDER.len())
}

/// The XML of a sheet with one more element, in its place.
pub(super) fn with_element(xml: &str, name: &str, element: &str) -> String {
    let Some(root) = raw::root(xml) else {
        return xml.to_owned();
    };
    let mut inner = String::new();
    let mut put = false;
    for child in root.children() {
        if !put && rank(child.name()) > rank(name) {
            inner.push_str(element);
            put = true;
        }
        inner.push_str(child.text);
    }
    if !put {
        inner.push_str(element);
    }
    xml.replace(root.text, &root.with(root.tag, &inner))
}

/// The XML of a sheet in which `r:id` can be said.
pub(super) fn with_relations(xml: &str) -> String {
    match raw::root(xml) {
        Some(root) if !root.tag.contains("xmlns:r=") => {
            let tag = root.tag.trim_end_matches('>');
            let tag = format!("{tag} xmlns:r=\"{}\">", crate::write::RELS);
            xml.replace(root.text, &root.with(&tag, root.inner))
        }
        _ => xml.to_owned(),
    }
}

/// A sheet before and after.
pub(super) struct SheetPatch<'a, P> {
    pub name: &'a str,
    pub grids: [&'a Grid; 2],
    pub merges: [&'a [Area]; 2],
    pub map: &'a CellMap,
    pub places: &'a P,
    pub lines: LineChanges,
    pub restyled: Vec<(Area, ChangeId)>,
    pub is_1904: bool,
    pub moved: bool,
    /// Whether cells are written anew.
    pub cells: bool,
}

impl<P: Places> SheetPatch<'_, P> {
    /// The new part; `items` are what came and went besides the cells.
    pub fn write(
        &self,
        text: &str,
        items: &mut Items<'_>,
        styles: &mut StyleSheet<'_>,
    ) -> Result<Option<String>, WriteError> {
        let Some(root) = raw::root(text) else {
            return Ok(None);
        };
        let Some(pieces) = raw::pieces(root.inner) else {
            return Ok(None);
        };
        let prefix = root.prefix();
        let find = |name: &str| {
            pieces.iter().find_map(|piece| match piece {
                Piece::Element(element) if element.name() == name => Some(*element),
                _ => None,
            })
        };
        let mut parts: Vec<(usize, String)> = Vec::new();
        let (cols, columns) = self.lines.columns(find("cols").as_ref(), self.map, prefix);
        let follow = Follow {
            map: self.map,
            places: self.places,
        };
        let old_cols = find("cols");
        let same_cols = self.map.cols.is_identity() && self.lines.cols.is_empty();
        let cols = match old_cols {
            Some(old) if same_cols => old.text.to_owned(),
            None if same_cols => String::new(),
            _ => cols,
        };
        parts.push((rank("cols"), cols));
        let data = find("sheetData");
        let cells = Cells::new(self, &columns);
        // Merged cells are read wherever they are, and go where they belong.
        let misplaced = |data: &Element<'_>| {
            self.merges[0] != self.merges[1] && data.inner.contains("mergeCell")
        };
        let data = match data {
            Some(data) if !self.cells && !misplaced(&data) => data.text.to_owned(),
            data => cells.write(data.as_ref(), prefix, styles)?,
        };
        parts.push((rank("sheetData"), data));
        parts.push((rank("mergeCells"), self.merged(find("mergeCells"), prefix)));
        for piece in &pieces {
            let Piece::Element(element) = piece else {
                continue;
            };
            let name = element.name();
            if name == "sheetFormatPr" {
                continue;
            }
            let Some(kept) = items.without(element) else {
                continue;
            };
            let Some(element) = &raw::root(&kept) else {
                continue;
            };
            let now = match name {
                "cols" | "sheetData" | "mergeCells" => continue,
                "dimension" if self.cells => Some(self.dimension(element)),
                "sheetViews" => Some(items.views(element)),
                "dimension" | "sheetPr" | "drawing" | "legacyDrawing" | "tableParts" => {
                    Some(element.text.to_owned())
                }
                "rowBreaks" | "colBreaks" => self.breaks(element),
                _ => follow.element(element),
            };
            if let Some(now) = now {
                parts.push((rank(name), now));
            }
        }
        let defaults = items.line_defaults(find("sheetFormatPr").as_ref(), prefix);
        parts.extend(defaults.map(|xml| (rank("sheetFormatPr"), xml)));
        items.on_sheet(&mut parts, prefix, styles);
        parts.sort_by_key(|(rank, _)| *rank);
        let inner: String = parts.into_iter().map(|(_, xml)| xml).collect();
        let at = text.find(root.text).unwrap_or(0);
        let head = &text[..at];
        let tag = items.with_namespaces(root.tag);
        Ok(Some(format!("{head}{}", root.with(&tag, &inner))))
    }

    fn dimension(&self, element: &Element<'_>) -> String {
        let mut cells = self.grids[1].cells().map(|cell| cell.address);
        let Some(first) = cells.next() else {
            return element.with(&raw::set(element.tag, "ref", Some("A1")), "");
        };
        let mut area = Area { first, last: first };
        for at in cells {
            area.first.col = area.first.col.min(at.col);
            area.last = Address::new(at.row, area.last.col.max(at.col));
        }
        element.with(&raw::set(element.tag, "ref", Some(&sqref(&[area]))), "")
    }

    fn merged(&self, old: Option<Element<'_>>, prefix: &str) -> String {
        let [was, is] = self.merges;
        match old {
            Some(old) if was == is => return old.text.to_owned(),
            _ if is.is_empty() => return String::new(),
            _ => {}
        }
        let mut out = format!("<{prefix}mergeCells count=\"{}\">", is.len());
        for area in is {
            let _ = write!(out, "<{prefix}mergeCell ref=\"{area}\"/>");
        }
        out + &format!("</{prefix}mergeCells>")
    }

    /// Page breaks are behind a row or a column, counted from one.
    fn breaks(&self, element: &Element<'_>) -> Option<String> {
        let axis = match element.name() {
            "rowBreaks" => &self.map.rows,
            _ => &self.map.cols,
        };
        let mut inner = String::new();
        for one in element.children() {
            let line = one.number("id").and_then(|id| id.checked_sub(1));
            let Some(line) = line.filter(|line| *line < crate::MAX_ROWS) else {
                inner.push_str(one.text);
                continue;
            };
            // One whose line is gone is gone.
            if let Some(to) = axis.get(line) {
                let tag = raw::set(one.tag, "id", Some(&(to + 1).to_string()));
                inner.push_str(&one.with(&tag, one.inner));
            }
        }
        (!inner.is_empty() || element.inner.is_empty()).then(|| element.with(element.tag, &inner))
    }
}
