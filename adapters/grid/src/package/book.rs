//! The part of the workbook itself: which sheets there are, names, and what is calculated.

use super::raw::{self, Element, escaped};
use crate::formula::{Formula, Places};
use crate::workbook_map::{WorkbookMap, fold};
use crate::{DiffOp, Name, Visibility, Workbook};
use std::collections::{BTreeSet, HashMap};

/// A workbook before and after.
pub(super) struct BookPatch<'a> {
    pub old: &'a Workbook,
    pub new: &'a Workbook,
    pub map: &'a WorkbookMap,
    pub ops: Vec<&'a DiffOp>,
    /// The relationships of sheets that came, by name.
    pub added: &'a HashMap<String, String>,
    /// Whether cells changed, so that what formulas came to is of another day.
    pub calculate: bool,
}

impl BookPatch<'_> {
    pub fn write(&self, text: &str) -> Option<String> {
        let root = raw::root(text)?;
        let prefix = root.prefix();
        let mut parts: Vec<(&str, String)> = Vec::new();
        for element in root.children() {
            let now = match element.name() {
                "sheets" => self.sheets(&element),
                "definedNames" => continue,
                "bookViews" => self.views(&element),
                "calcPr" if self.calculate => {
                    let tag = raw::set(element.tag, "fullCalcOnLoad", Some("1"));
                    element.with(&tag, element.inner)
                }
                _ => element.text.to_owned(),
            };
            parts.push((element.name(), now));
        }
        let names = self.names(root.child("definedNames"), prefix);
        if !names.is_empty() {
            parts.insert(behind_sheets(&parts), ("definedNames", names));
        }
        if self.calculate && parts.iter().all(|(name, _)| *name != "calcPr") {
            let xml = format!("<{prefix}calcPr fullCalcOnLoad=\"1\"/>");
            parts.insert(behind_sheets(&parts), ("calcPr", xml));
        }
        let inner: String = parts.into_iter().map(|(_, xml)| xml).collect();
        let head = &text[..text.find(root.text)?];
        let mut tag = root.tag.to_owned();
        if !self.added.is_empty() && !tag.contains("xmlns:r=") {
            tag = format!(
                "{} xmlns:r=\"{}\">",
                tag.trim_end_matches('>'),
                crate::write::RELS
            );
        }
        Some(format!("{head}{}", root.with(&tag, &inner)))
    }

    /// The name that a sheet has now.
    fn name_now(&self, was: &str) -> Option<&str> {
        self.map.name(was)
    }

    fn sheets(&self, element: &Element<'_>) -> String {
        let old: HashMap<String, Element<'_>> = element
            .children()
            .into_iter()
            .filter_map(|sheet| {
                let was = sheet.get("name").unwrap_or_default();
                Some((fold(self.name_now(&was)?), sheet))
            })
            .collect();
        let ids = element.children();
        let ids = ids.iter().filter_map(|sheet| sheet.number("sheetId"));
        let mut ids: BTreeSet<u32> = ids.collect();
        let prefix = element.prefix();
        let mut inner = String::new();
        for sheet in &self.new.sheets {
            let state = match sheet.visibility {
                Visibility::Visible => None,
                Visibility::Hidden => Some("hidden"),
                Visibility::VeryHidden => Some("veryHidden"),
            };
            let added = self.added.get(&sheet.name);
            let xml = match (old.get(&fold(&sheet.name)), added) {
                (Some(old), None) => {
                    let mut tag = raw::set(old.tag, "name", Some(&sheet.name));
                    let was = old.get("state").filter(|state| state != "visible");
                    if was.as_deref() != state {
                        tag = raw::set(&tag, "state", state);
                    }
                    old.with(&tag, "")
                }
                (_, id) => {
                    let next = free_id(&ids);
                    ids.insert(next);
                    let tag = format!(
                        "<{prefix}sheet name=\"{}\" sheetId=\"{next}\" r:id=\"{}\"/>",
                        escaped(&sheet.name),
                        id.map_or("", String::as_str)
                    );
                    raw::set(&tag, "state", state)
                }
            };
            inner.push_str(&xml);
        }
        element.with(element.tag, &inner)
    }

    /// The sheet that is open, by its new number.
    fn views(&self, element: &Element<'_>) -> String {
        let mut inner = String::new();
        for view in element.children() {
            let mut tag = view.tag.to_owned();
            for name in ["activeTab", "firstSheet"] {
                let Some(was) = view.number(name) else {
                    continue;
                };
                let was = self.old.sheets.get(was as usize);
                let is = was.and_then(|sheet| self.name_now(&sheet.name));
                let at = is.and_then(|is| self.new.sheets.iter().position(|s| s.name == is));
                let shown = |sheet: &crate::Sheet| sheet.visibility == Visibility::Visible;
                let at = at.or_else(|| self.new.sheets.iter().position(shown));
                tag = raw::set(&tag, name, Some(&at.unwrap_or(0).to_string()));
            }
            inner.push_str(&view.with(&tag, view.inner));
        }
        element.with(element.tag, &inner)
    }

    fn names(&self, old: Option<Element<'_>>, prefix: &str) -> String {
        let mut inner = String::new();
        let mut written: Vec<(String, Option<String>)> = Vec::new();
        let place = |sheet: &str| self.new.sheets.iter().position(|s| s.name == sheet);
        for element in old.map(|old| old.children()).unwrap_or_default() {
            let Some(name) = element.get("name") else {
                continue;
            };
            let scope = element.number("localSheetId");
            let scope = scope.and_then(|id| self.old.sheets.get(id as usize));
            let sheet = scope.map(|sheet| self.name_now(&sheet.name).map(str::to_owned));
            let Some(sheet) = sheet.map_or(Some(None), |sheet| sheet.map(Some)) else {
                continue;
            };
            let mut tag = element.tag.to_owned();
            let content = if name.starts_with("_xlnm.") {
                self.built_in(
                    &name,
                    sheet.as_deref(),
                    scope.map(|s| &s.name[..]),
                    &element,
                )
            } else {
                let is = |n: &&Name| fold(&n.name) == fold(&name) && n.sheet == sheet;
                let found = self.new.names.iter().find(is);
                if let Some(found) = found.filter(|found| found.name != name) {
                    tag = raw::set(&tag, "name", Some(&found.name));
                }
                found.map(|name| name.refers_to.clone())
            };
            let Some(content) = content else { continue };
            if let Some(at) = sheet.as_deref().and_then(place) {
                tag = raw::set(&tag, "localSheetId", Some(&at.to_string()));
            }
            let inside = if content == element.content() {
                element.inner.to_owned()
            } else {
                escaped(&content)
            };
            inner.push_str(&element.with(&tag, &inside));
            written.push((fold(&name), sheet));
        }
        let mut add = |name: &str, sheet: Option<&str>, refers_to: &str| {
            let local = sheet.and_then(place);
            let local = local.map_or(String::new(), |at| format!(" localSheetId=\"{at}\""));
            let (name, text) = (escaped(name), escaped(refers_to));
            inner.push_str(&format!(
                "<{prefix}definedName name=\"{name}\"{local}>{text}</{prefix}definedName>"
            ));
        };
        for name in &self.new.names {
            let key = (fold(&name.name), name.sheet.clone());
            if !written.contains(&key) {
                add(&name.name, name.sheet.as_deref(), &name.refers_to);
            }
        }
        for (name, sheet, refers_to) in self.changed_built_in() {
            let key = (fold(name), Some(sheet.to_owned()));
            if !written.contains(&key) {
                add(name, Some(sheet), refers_to);
            }
        }
        if inner.is_empty() {
            return inner;
        }
        format!("<{prefix}definedNames>{inner}</{prefix}definedNames>")
    }

    /// Print areas and the like that a report gives anew: name, sheet, what they are.
    fn changed_built_in(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.ops.iter().filter_map(|op| match op {
            DiffOp::PartChanged(part) => {
                let to = part
                    .change
                    .to
                    .as_ref()
                    .filter(|to| to.name == "definedName")?;
                Some((to.get("name")?, &part.change.sheet[..], &to.text[..]))
            }
            _ => None,
        })
    }

    fn built_in(
        &self,
        name: &str,
        sheet: Option<&str>,
        was: Option<&str>,
        element: &Element<'_>,
    ) -> Option<String> {
        let text = element.content();
        let mut changed = self.changed_built_in();
        if let Some((_, _, to)) = changed.find(|c| c.0 == name && Some(c.1) == sheet) {
            return Some(to.to_owned());
        }
        let removed = self.ops.iter().any(|op| match op {
            DiffOp::PartChanged(part) => {
                let from = part.change.from.as_ref();
                part.change.to.is_none()
                    && Some(&part.change.sheet[..]) == sheet
                    && from.is_some_and(|f| f.name == "definedName" && f.get("name") == Some(name))
            }
            _ => false,
        });
        if removed {
            return None;
        }
        let places = self.map.seen_from(was);
        Some(follow(&text, &places))
    }
}

fn follow(text: &str, places: &impl Places) -> String {
    Formula::parse(text).follow(places).into_owned()
}

/// A number that no sheet has: one more than the last, if programs take that.
fn free_id(ids: &BTreeSet<u32>) -> u32 {
    const LAST: u32 = 65_534;
    let next = ids.last().map_or(1, |last| last.saturating_add(1));
    let free = || (1..=LAST).find(|id| !ids.contains(id));
    if next <= LAST {
        next
    } else {
        free().unwrap_or(next)
    }
}

/// Where names and settings of the calculation have to be.
fn behind_sheets(parts: &[(&str, String)]) -> usize {
    let before = [
        "sheets",
        "functionGroups",
        "externalReferences",
        "definedNames",
    ];
    let last = parts.iter().rposition(|(name, _)| before.contains(name));
    last.map_or(parts.len(), |last| last + 1)
}
