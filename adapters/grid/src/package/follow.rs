//! What names cells follows them: areas in attributes, formulas, anchors of drawings.

use super::anchors;
use super::raw::{self, Element, Piece};
use crate::cell_map::CellMap;
use crate::formula::{Formula, Places};
use crate::{Address, Area};
use std::fmt::Write as _;

/// Where the cells of one sheet went, and what formulas in it follow.
pub(super) struct Follow<'a, P> {
    pub map: &'a CellMap,
    pub places: &'a P,
}

/// The areas of a `ref` or `sqref`.
pub(super) fn areas(text: &str) -> Vec<Area> {
    let words = text.split_ascii_whitespace();
    words.filter_map(|word| word.parse().ok()).collect()
}

/// Areas as `sqref` has them.
pub(super) fn sqref(areas: &[Area]) -> String {
    let words: Vec<String> = areas.iter().map(|area| area.shortest()).collect();
    words.join(" ")
}

impl<P: Places> Follow<'_, P> {
    /// An element after its cells went elsewhere; none if they are gone.
    pub fn element(&self, element: &Element<'_>) -> Option<String> {
        let mut tag = element.tag.to_owned();
        for name in ["ref", "sqref"] {
            let Some(said) = element.get(name) else {
                continue;
            };
            let was = areas(&said);
            if was.is_empty() {
                continue;
            }
            let is: Vec<Area> = was.iter().filter_map(|area| self.map.area(*area)).collect();
            if is.is_empty() {
                return None;
            }
            if is != was {
                tag = raw::set(&tag, name, Some(&sqref(&is)));
            }
        }
        if element.name() == "hyperlink"
            && let Some(place) = element.get("location")
        {
            let follows = Formula::parse(&place).follow(self.places);
            if *follows != *place {
                tag = raw::set(&tag, "location", Some(&follows));
            }
        }
        let inner = match element.name() {
            "formula"
            | "formula1"
            | "formula2"
            | "f"
            | "calculatedColumnFormula"
            | "totalsRowFormula" => self.formula(element.inner),
            "sqref" => {
                let was = areas(&element.content());
                let is: Vec<Area> = was.iter().filter_map(|area| self.map.area(*area)).collect();
                if is.is_empty() && !was.is_empty() {
                    return None;
                }
                sqref(&is)
            }
            _ => {
                let (inner, gone) = self.inside(element.inner);
                let holder = matches!(element.name(), "conditionalFormatting" | "dataValidation");
                if gone.iter().any(|name| name == "sqref") && holder {
                    return None;
                }
                let kept = gone.is_empty();
                if !kept && raw::elements(&inner).is_empty() && !element.inner.is_empty() {
                    // An empty list is none.
                    return None;
                }
                if !kept && element.get("count").is_some() {
                    let count = raw::elements(&inner).len().to_string();
                    tag = raw::set(&tag, "count", Some(&count));
                }
                inner
            }
        };
        Some(if tag == element.tag && inner == element.inner {
            element.text.to_owned()
        } else {
            element.with(&tag, &inner)
        })
    }

    /// What is inside of an element, and the names of what is gone.
    fn inside(&self, text: &str) -> (String, Vec<String>) {
        let mut out = String::with_capacity(text.len());
        let mut gone = Vec::new();
        for piece in raw::pieces(text).unwrap_or_else(|| vec![Piece::Other(text)]) {
            match piece {
                Piece::Other(other) => out.push_str(other),
                Piece::Element(element) => match self.element(&element) {
                    Some(now) => out.push_str(&now),
                    None => gone.push(element.name().to_owned()),
                },
            }
        }
        (out, gone)
    }

    /// A formula as XML has it.
    pub fn formula(&self, xml: &str) -> String {
        let was = raw::unescaped(xml);
        let is = Formula::parse(&was).follow(self.places);
        if *is == *was {
            return xml.to_owned();
        }
        raw::escaped(&is)
    }

    /// A part in which elements name cells.
    pub fn part(&self, text: &str) -> String {
        let (now, _) = self.inside(text);
        now
    }

    /// The boxes of comments: those of comments that are gone go.
    pub fn boxes(&self, text: &str) -> String {
        let Some(root) = raw::root(text) else {
            return text.to_owned();
        };
        let mut inner = String::new();
        for piece in raw::pieces(root.inner).unwrap_or_default() {
            match piece {
                Piece::Element(shape) if shape.name() == "shape" => {
                    if let Some(now) = self.shape(&shape) {
                        inner.push_str(&now);
                    }
                }
                Piece::Element(other) => inner.push_str(other.text),
                Piece::Other(other) => inner.push_str(other),
            }
        }
        text.replace(root.text, &root.with(root.tag, &inner))
    }

    fn shape(&self, shape: &Element<'_>) -> Option<String> {
        let data = shape.child("ClientData")?;
        if data.get("ObjectType").as_deref() != Some("Note") {
            return Some(shape.text.to_owned());
        }
        let line = |name: &str| -> Option<u32> {
            let found = data.child(name)?;
            found.content().trim().parse().ok()
        };
        let (Some(row), Some(col)) = (line("Row"), line("Column")) else {
            return Some(shape.text.to_owned());
        };
        let to = self.map.get(Address::new(row, col))?;
        let mut inner = String::new();
        for child in data.children() {
            match child.name() {
                "Row" => {
                    let _ = write!(inner, "{}", child.with(child.tag, &to.row.to_string()));
                }
                "Column" => {
                    let _ = write!(inner, "{}", child.with(child.tag, &to.col.to_string()));
                }
                _ => inner.push_str(child.text),
            }
        }
        let now = data.with(data.tag, &inner);
        Some(shape.text.replace(data.text, &now))
    }

    /// An anchor after its rows and columns went elsewhere.
    pub fn anchor(&self, anchor: &Element<'_>) -> String {
        anchors::with_lines(anchor, &|axis, line| {
            let axis = match axis {
                "row" => &self.map.rows,
                _ => &self.map.cols,
            };
            axis.anchored(line)
        })
    }
}
