//! What came and went in a sheet besides its cells: links, rules, protection.

use super::follow::{areas, sqref};
use super::raw::{self, Element as Raw, Piece};
use super::sheet::rank;
use super::styles::{StyleSheet, prefixed};
use crate::read::extras::{Node, Resolve};
use crate::{Area, DiffOp, Element};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One thing that went, came or changed.
struct Change<'r> {
    from: Option<(&'r Element, Vec<Area>)>,
    to: Option<(&'r Element, Vec<Area>)>,
}

/// All of them in one sheet, and what they need outside of it.
pub(super) struct Items<'r> {
    changes: Vec<Change<'r>>,
    resolve: &'r Resolve<'r>,
    /// Targets of new links, with the ids of their relationships.
    pub links: Vec<(String, String)>,
    /// Numbers of relationships that are taken.
    next: u64,
}

/// The element around those of this name; itself if it is alone.
fn holder(name: &str) -> &str {
    match name {
        "hyperlink" => "hyperlinks",
        "dataValidation" => "dataValidations",
        "tabColor" | "outlinePr" | "pageSetUpPr" => "sheetPr",
        name => name,
    }
}

impl<'r> Items<'r> {
    /// Takes what ops say of one sheet. `taken` are the ids of its relationships.
    pub fn new<'o: 'r>(
        ops: impl Iterator<Item = &'o DiffOp>,
        resolve: &'r Resolve<'r>,
        taken: impl Iterator<Item = String>,
    ) -> Self {
        let mut changes = Vec::new();
        for op in ops {
            let change = match op {
                DiffOp::HyperlinkChanged(change)
                | DiffOp::ValidationChanged(change)
                | DiffOp::ConditionalFormatChanged(change)
                | DiffOp::ProtectionChanged(change) => change,
                // Parts are more than elements of the sheet.
                DiffOp::PartChanged(part)
                    if part.from_parts.is_none() && part.to_parts.is_none() =>
                {
                    &part.change
                }
                _ => continue,
            };
            let side = |element: &'r Option<Element>, range: &Option<String>| {
                let element = element.as_ref().filter(|e| e.name != "definedName")?;
                let mut areas = areas(range.as_deref().unwrap_or_default());
                areas.sort_unstable();
                Some((element, areas))
            };
            changes.push(Change {
                from: side(&change.from, &change.from_range),
                to: side(&change.to, &change.range),
            });
        }
        let numbers = taken.filter_map(|id| id.strip_prefix("rId")?.parse::<u32>().ok());
        let next = u64::from(numbers.max().unwrap_or(0)) + 1;
        Self {
            changes,
            resolve,
            links: Vec::new(),
            next,
        }
    }

    /// An element of the old sheet without what went; none if that is all of it.
    pub fn without(&mut self, element: &Raw<'_>) -> Option<String> {
        let concerns = |change: &Change<'_>| {
            let from = change.from.as_ref();
            from.is_some_and(|from| holder(&from.0.name) == element.name())
        };
        if !self.changes.iter().any(concerns) {
            return Some(element.text.to_owned());
        }
        if self.took(element) {
            return None;
        }
        let mut inner = String::new();
        let mut left = 0;
        for piece in raw::pieces(element.inner).unwrap_or_default() {
            match piece {
                Piece::Element(child) if self.took(&child) => {}
                Piece::Element(child) => {
                    left += 1;
                    inner.push_str(child.text);
                }
                Piece::Other(other) => inner.push_str(other),
            }
        }
        if left == 0 && element.name() != "sheetPr" {
            return None;
        }
        let mut tag = element.tag.to_owned();
        if element.get("count").is_some() {
            tag = raw::set(&tag, "count", Some(&left.to_string()));
        }
        Some(element.with(&tag, &inner))
    }

    /// The views of the old sheet, frozen and shown as in the new one.
    pub fn views(&mut self, element: &Raw<'_>) -> String {
        let mut to = Vec::new();
        for change in &mut self.changes {
            let is_view = |side: &Option<(&Element, Vec<Area>)>| {
                side.as_ref().is_some_and(|side| side.0.name == "sheetView")
            };
            if is_view(&change.from) || is_view(&change.to) {
                change.from = None;
                to.extend(change.to.take().map(|to| to.0));
            }
        }
        let mut to = to.into_iter();
        let mut inner = String::new();
        for piece in raw::pieces(element.inner).unwrap_or_default() {
            match piece {
                Piece::Element(view) => match to.next() {
                    Some(to) => inner.push_str(&shown(&view, to)),
                    None => inner.push_str(view.text),
                },
                Piece::Other(other) => inner.push_str(other),
            }
        }
        element.with(element.tag, &inner)
    }

    /// The sizes of lines that say none, as in the new sheet; none if nothing is said of
    /// them.
    pub fn line_defaults(&mut self, element: Option<&Raw<'_>>, prefix: &str) -> Option<String> {
        let is_it = |side: &Option<(&Element, Vec<Area>)>| {
            side.as_ref()
                .is_some_and(|side| side.0.name == "sheetFormatPr")
        };
        let mut to = None;
        for change in &mut self.changes {
            if is_it(&change.from) || is_it(&change.to) {
                change.from = None;
                to = Some(change.to.take().map(|to| to.0));
            }
        }
        let Some(to) = to else {
            return element.map(|element| element.text.to_owned());
        };
        // The format asks for the height.
        let plain = format!("<{prefix}sheetFormatPr defaultRowHeight=\"15\"/>");
        let mut tag = element.map_or(plain, |element| element.tag.to_owned());
        for name in ["defaultColWidth", "zeroHeight"] {
            tag = raw::set(&tag, name, to.and_then(|to| to.get(name)));
        }
        let inside = |element: &Raw<'_>| element.with(&tag, element.inner);
        Some(element.map_or(tag.clone(), inside))
    }

    /// Whether this is one of those that went.
    fn took(&mut self, element: &Raw<'_>) -> bool {
        let Some(node) = Node::parse(element.text) else {
            return false;
        };
        let mut at = areas(element.get("ref").as_deref().unwrap_or_default());
        at.extend(areas(element.get("sqref").as_deref().unwrap_or_default()));
        at.sort_unstable();
        let Some(payload) = self.resolve.payload(&node) else {
            return false;
        };
        let is = |change: &Change<'_>| {
            let from = change.from.as_ref();
            from.is_some_and(|(from, areas)| **from == payload && *areas == at)
        };
        let found = self.changes.iter_mut().find(|change| is(change));
        if let Some(change) = found {
            change.from = None;
            return true;
        }
        false
    }

    /// Puts what came among the elements of the new sheet.
    pub fn on_sheet(
        &mut self,
        parts: &mut Vec<(usize, String)>,
        prefix: &str,
        styles: &mut StyleSheet<'_>,
    ) {
        let came: Vec<(&Element, Vec<Area>)> = self
            .changes
            .iter_mut()
            .filter_map(|c| c.to.take())
            .collect();
        // Elements that go into another, all at once: there may be thousands of links.
        let mut inside: BTreeMap<&str, (usize, String)> = BTreeMap::new();
        for (element, areas) in came {
            let xml = self.xml(element, &areas, styles);
            let xml = prefixed(&xml, prefix);
            let name = holder(&element.name);
            if name == element.name {
                parts.push((rank(name), xml));
                continue;
            }
            let (count, list) = inside.entry(name).or_default();
            *count += 1;
            // Colours of tabs come first.
            if element.name == "tabColor" {
                list.insert_str(0, &xml);
            } else {
                list.push_str(&xml);
            }
        }
        for (name, (count, xml)) in inside {
            let rank = rank(name);
            let there = parts.iter_mut().find(|(other, _)| *other == rank);
            let grown = there.as_ref().and_then(|(_, list)| {
                let root = raw::root(list)?;
                let mut tag = root.tag.to_owned();
                if root.get("count").is_some() {
                    let count = root.children().len() + count;
                    tag = raw::set(&tag, "count", Some(&count.to_string()));
                }
                Some(root.with(&tag, &in_order(name, root.inner, &xml)))
            });
            match (there, grown) {
                (Some((_, list)), Some(grown)) => *list = grown,
                (Some(_), None) => {}
                (None, _) => {
                    let count = match name {
                        "dataValidations" => format!(" count=\"{count}\""),
                        _ => String::new(),
                    };
                    let xml = format!("<{prefix}{name}{count}>{xml}</{prefix}{name}>");
                    parts.push((rank, xml));
                }
            }
        }
    }

    /// The tag of a sheet that may name relationships.
    pub fn with_namespaces(&self, tag: &str) -> String {
        if self.links.is_empty() || tag.contains("xmlns:r=") {
            return tag.to_owned();
        }
        let open = tag.strip_suffix('>').unwrap_or(tag);
        format!("{open} xmlns:r=\"{}\">", crate::write::RELS)
    }

    fn xml(&mut self, element: &Element, areas: &[Area], styles: &mut StyleSheet<'_>) -> String {
        let mut own = element.clone();
        let place = match &element.name[..] {
            "hyperlink" | "autoFilter" | "sortState" => "ref",
            _ => "sqref",
        };
        if !areas.is_empty() {
            own.attributes.insert(place.to_owned(), sqref(areas));
        }
        let target = own.attributes.remove("target");
        if element.name == "hyperlink"
            && let Some(target) = target
        {
            let id = format!("rId{}", self.next);
            self.next += 1;
            own.attributes.insert("r:id".to_owned(), id.clone());
            self.links.push((id, target));
        }
        written(&own, styles)
    }
}

/// What was in an element and what came into it; the colour of a tab is first.
fn in_order(holder: &str, was: &str, came: &str) -> String {
    let colour = raw::root(came).filter(|first| first.name() == "tabColor");
    match colour.filter(|_| holder == "sheetPr") {
        Some(colour) => format!("{}{was}{}", colour.text, &came[colour.text.len()..]),
        None => format!("{was}{came}"),
    }
}

/// An element as XML; the styles of conditional formats and tables become their numbers.
pub(super) fn written(element: &Element, styles: &mut StyleSheet<'_>) -> String {
    let mut tag = format!("<{}", element.name);
    for (name, value) in &element.attributes {
        let _ = write!(tag, " {name}=\"{}\"", raw::escaped(value));
    }
    let mut inner = raw::escaped(&element.text);
    for child in &element.children {
        if let Some(part) = child
            .name
            .strip_suffix("dxf")
            .or(child.name.strip_suffix("Dxf"))
        {
            let mut style = child.clone();
            "dxf".clone_into(&mut style.name);
            let id = styles.differential(plain(&style));
            let name = if part.is_empty() {
                "dxfId".to_owned()
            } else {
                format!("{part}DxfId")
            };
            let _ = write!(tag, " {name}=\"{id}\"");
        } else {
            inner.push_str(&written(child, styles));
        }
    }
    if inner.is_empty() {
        format!("{tag}/>")
    } else {
        format!("{tag}>{inner}</{}>", element.name)
    }
}

/// An element as XML.
pub(super) fn plain(element: &Element) -> String {
    let mut out = format!("<{}", element.name);
    for (name, value) in &element.attributes {
        let _ = write!(out, " {name}=\"{}\"", raw::escaped(value));
    }
    out.push('>');
    out.push_str(&raw::escaped(&element.text));
    for child in &element.children {
        out.push_str(&plain(child));
    }
    let _ = write!(out, "</{}>", element.name);
    out
}

/// A view that is frozen and shows what this one says.
fn shown(view: &Raw<'_>, to: &Element) -> String {
    let mut tag = view.tag.to_owned();
    for name in [
        "showGridLines",
        "showRowColHeaders",
        "showZeros",
        "showFormulas",
        "rightToLeft",
        "view",
        "windowProtection",
    ] {
        tag = raw::set(&tag, name, to.get(name));
    }
    let pane = to.child("pane");
    let mut inner = String::new();
    if let Some(pane) = pane {
        let split = |name: &str| {
            pane.get(name)
                .and_then(|n| n.parse::<f64>().ok())
                .unwrap_or(0.0)
        };
        let (right, down) = (split("xSplit"), split("ySplit"));
        let corner = crate::Address::new(down as u32, right as u32);
        let active = match (right > 0.0, down > 0.0) {
            (true, true) => "bottomRight",
            (true, false) => "topRight",
            _ => "bottomLeft",
        };
        let mut own = pane.clone();
        if pane
            .get("state")
            .is_some_and(|state| state.starts_with("frozen"))
        {
            own.attributes
                .insert("topLeftCell".to_owned(), corner.to_string());
        }
        own.attributes
            .insert("activePane".to_owned(), active.to_owned());
        inner.push_str(&prefixed(&plain(&own), view.prefix()));
        let _ = write!(inner, "<{}selection pane=\"{active}\"/>", view.prefix());
    } else {
        let left = view.children().into_iter();
        let left = left.filter(|child| !matches!(child.name(), "pane" | "selection"));
        inner.extend(left.map(|child| child.text));
    }
    view.with(&tag, &inner)
}
