//! Pivot tables that came, went or changed. Their caches belong to the workbook.

use super::{Patch, raw, rels, sheet};
use crate::parts::{CarriedPart, Parts};
use crate::read::book::Target;
use crate::read::package::normal;
use crate::{Aspect, DiffOp, Element, Note, PartChange};
use std::collections::HashMap;

/// What leads to the cache of a pivot table.
const CACHE: &str = "/pivotCacheDefinition";

/// Whether these are the cache of a pivot table.
pub(super) fn is_cache(parts: &Parts) -> bool {
    parts.relation.ends_with(CACHE)
}

impl Patch<'_, '_, '_> {
    /// Writes the pivot tables of all sheets.
    pub(super) fn pivots(&mut self, added: &HashMap<String, String>) {
        let mut sheets: Vec<(String, String)> = Vec::new();
        for (at, name, _) in &self.applied.sheets {
            if let Some(part) = self.parts.get(*at).cloned().flatten() {
                sheets.push((name.clone(), part));
            }
        }
        let targets = self.archive.relations(&self.book);
        let mut came: Vec<(&String, &String)> = added.iter().collect();
        came.sort();
        for (name, id) in came {
            if let Some(target) = targets.get(id) {
                sheets.push((name.clone(), target.part.clone()));
            }
        }
        for (name, part) in sheets {
            let ops = self.report.ops.iter().chain(&self.report.with_added);
            let changes = ops
                .filter(|op| op.sheet() == Some(&name) && op.aspect() == Some(Aspect::Pivots))
                .filter_map(|op| match op {
                    DiffOp::PartChanged(part) => Some(part),
                    _ => None,
                });
            for change in changes {
                let done = match (&change.from_parts, &change.to_parts) {
                    (None, Some(to)) => self.add_pivot(&part, change, to),
                    (Some(_), None) => self.remove_pivot(&part, change),
                    _ => self.pivot(&part, change),
                };
                if done.is_none() {
                    let message = format!(
                        "sheet {name:?}: a change of a pivot table is left out, since the file does not hold what it is about"
                    );
                    self.notes.push(Note::new("pivot", message));
                }
            }
        }
    }

    /// The cache of a pivot table, which the workbook lists by number.
    pub(super) fn cache(&mut self, from: Option<&Parts>, to: Option<&Parts>) {
        let before: Vec<String> = self.caches_there();
        let gone = from.and_then(|from| self.archive.find(&self.book, from));
        self.archive.swap(&self.book, from, to);
        let after = self.caches_there();
        if gone.is_some_and(|gone| !after.contains(&gone)) {
            self.unlist();
        }
        let came = after.iter().find(|part| !before.contains(part));
        let Some(first) = to.and_then(|to| to.parts.first()) else {
            return;
        };
        let now = came.cloned().or_else(|| {
            let to = to?;
            self.archive.find(&self.book, to)
        });
        if let Some(now) = now {
            self.list(&now);
            self.caches.insert(normal(&first.name), now);
        }
    }

    /// The parts of all caches.
    fn caches_there(&mut self) -> Vec<String> {
        let targets = self.archive.relations(&self.book).into_values();
        let caches = targets.filter(|to| !to.outside && to.full_kind.ends_with(CACHE));
        caches.map(|to| to.part).collect()
    }

    /// The ids of the relationships that lead from the workbook to a part.
    fn ids_of(&mut self, part: &str) -> Vec<String> {
        let targets = self.archive.relations(&self.book).into_iter();
        let leads = targets.filter(|(_, to)| !to.outside && normal(&to.part) == normal(part));
        leads.map(|(id, _)| id).collect()
    }

    /// Gives a cache a number in the workbook, if it has none; the number.
    fn list(&mut self, part: &str) -> Option<String> {
        let ids = self.ids_of(part);
        let text = self.archive.text(&self.book).ok()?;
        let root = raw::root(&text)?;
        let list = root.child("pivotCaches");
        let entries = list.map(|list| list.children()).unwrap_or_default();
        let is_it = |entry: &&raw::Element<'_>| {
            let id = entry.get("id");
            id.is_some_and(|id| ids.iter().any(|other| *other == id))
        };
        if let Some(entry) = entries.iter().find(is_it) {
            return Some(entry.get("cacheId")?.into_owned());
        }
        let id = ids.first()?;
        let numbers = entries.iter().filter_map(|entry| entry.number("cacheId"));
        let number = numbers.max().map_or(1, |last| u64::from(last) + 1);
        let prefix = root.prefix();
        let entry = format!(
            "<{prefix}pivotCache cacheId=\"{number}\" r:id=\"{}\"/>",
            raw::escaped(id)
        );
        let now = match list {
            Some(list) => {
                let inner = format!("{}{entry}", list.inner);
                text.replacen(list.text, &list.with(list.tag, &inner), 1)
            }
            None => {
                let list = format!("<{prefix}pivotCaches>{entry}</{prefix}pivotCaches>");
                let inner = behind(&root, &list);
                text.replacen(root.text, &root.with(root.tag, &inner), 1)
            }
        };
        self.archive.put(&self.book, sheet::with_relations(&now));
        Some(number.to_string())
    }

    /// Takes caches to which nothing leads any more out of the list.
    fn unlist(&mut self) {
        let targets = self.archive.relations(&self.book);
        let Ok(text) = self.archive.text(&self.book) else {
            return;
        };
        let Some(root) = raw::root(&text) else { return };
        let Some(list) = root.child("pivotCaches") else {
            return;
        };
        let is_there = |entry: &raw::Element<'_>| {
            entry
                .get("id")
                .is_none_or(|id| targets.contains_key(id.as_ref()))
        };
        let kept: String = list
            .children()
            .into_iter()
            .filter(is_there)
            .map(|entry| entry.text)
            .collect();
        let now = if kept.is_empty() {
            String::new()
        } else {
            list.with(list.tag, &kept)
        };
        self.archive
            .put(&self.book, text.replacen(list.text, &now, 1));
    }

    /// Adds a pivot table to a sheet; none if the report does not hold it.
    fn add_pivot(&mut self, sheet: &str, change: &PartChange, to: &Parts) -> Option<()> {
        let part = to.parts.first()?;
        let cache = self.cache_for(part, to)?;
        let number = self.list(&cache)?;
        let mut part = part.clone();
        for relation in &mut part.relations {
            if relation.kind.ends_with(CACHE) {
                relation.target.clone_from(&cache);
            }
        }
        let text = crate::read::xml::decode(&part.name, &part.content.0).ok()?;
        let text = written(&text, Some(&number), change)?;
        part.content = crate::PartContent(text.into_bytes().into());
        let first = self.archive.free_name(&part.name);
        let to = Parts {
            parts: vec![part],
            ..to.clone()
        };
        self.archive.put_parts(Some(first.clone()), None, &to);
        let id = rels::free_id(self.archive.relations(sheet).keys());
        let target = format!("/{first}");
        self.archive.link(sheet, &id, &to.relation, &target, false);
        Some(())
    }

    /// The cache that a pivot table counts on, which may have another name here.
    fn cache_for(&mut self, part: &CarriedPart, to: &Parts) -> Option<String> {
        let mut relations = part.relations.iter();
        let wanted = relations.find(|relation| relation.kind.ends_with(CACHE))?;
        if let Some(known) = self.caches.get(&normal(&wanted.target)) {
            return Some(known.clone());
        }
        let carried = to.parts.iter().find(|part| part.name == wanted.target)?;
        let there = self.caches_there();
        let same = |part: &&String| {
            let bytes = self.archive.bytes(part);
            bytes.is_some_and(|bytes| *bytes == *carried.content.0)
        };
        if let Some(same) = there.iter().find(same) {
            return Some(same.clone());
        }
        // One that was only refreshed.
        let text = crate::read::xml::decode(&carried.name, &carried.content.0).ok()?;
        let source = |text: &str| {
            raw::root(text).and_then(|r| Some(r.child("cacheSource")?.text.to_owned()))
        };
        let wanted_source = source(&text);
        let refreshed = there.iter().find(|part| {
            let text = self.archive.text(part);
            normal(part) == normal(&wanted.target)
                && text.is_ok_and(|text| source(&text) == wanted_source)
        });
        if let Some(refreshed) = refreshed {
            return Some(refreshed.clone());
        }
        let at = to
            .parts
            .iter()
            .position(|part| part.name == wanted.target)?;
        let parts = Parts {
            relation: wanted.kind.clone(),
            parts: to.parts[at..].to_vec(),
            ..Parts::default()
        };
        self.cache(None, Some(&parts));
        self.caches.get(&normal(&wanted.target)).cloned()
    }

    fn remove_pivot(&mut self, sheet: &str, change: &PartChange) -> Option<()> {
        let part = self.pivot_part(sheet, change)?;
        self.archive.unlink(sheet, &part);
        self.archive.remove(&part);
        Some(())
    }

    /// The part of a pivot table: by its name, else by what it calls itself.
    fn pivot_part(&mut self, sheet: &str, change: &PartChange) -> Option<String> {
        let was = change.from_parts.as_ref()?.parts.first()?;
        let targets = self.archive.relations(sheet).into_values();
        let targets: Vec<String> = targets
            .filter(|to: &Target| !to.outside && to.kind == "pivotTable")
            .map(|to| to.part)
            .collect();
        let named = change
            .change
            .from
            .as_ref()
            .and_then(|from| from.get("name"));
        let mut is_called = |part: &String, wanted: Option<&str>| {
            let text = self.archive.text(part).ok()?;
            let root = raw::root(&text)?;
            Some(root.get("name").as_deref() == wanted)
        };
        let same_part = |part: &&String| normal(part) == normal(&was.name);
        let by_part = targets.iter().find(same_part);
        let by_part = by_part.filter(|part| is_called(part, named) == Some(true));
        let found = match by_part {
            Some(part) => Some(part),
            None => targets
                .iter()
                .find(|part| is_called(part, named) == Some(true)),
        };
        found.cloned()
    }

    /// Writes a pivot table over what it was; none if it is not there.
    fn pivot(&mut self, sheet: &str, change: &PartChange) -> Option<()> {
        let is = change.to_parts.as_ref()?.parts.first()?;
        let part = self.pivot_part(sheet, change)?;
        let old = self.archive.text(&part).ok()?;
        let new = crate::read::xml::decode(&is.name, &is.content.0).ok()?;
        // It counts on the cache that it counted on.
        let number = raw::root(&old)?.get("cacheId");
        let now = written(&new, number.as_deref(), change)?;
        self.archive.put(&part, now);
        self.source(&part, change);
        Some(())
    }

    /// Sets what a pivot table counts on, if its cache followed cells and should not have.
    fn source(&mut self, part: &str, change: &PartChange) {
        let said = |side: &Option<Element>| {
            let source = side.as_ref().and_then(|side| side.get("source"));
            source.and_then(sheet_and_area)
        };
        let (Some(from), Some(to)) = (said(&change.change.from), said(&change.change.to)) else {
            return;
        };
        let mut targets = self.archive.relations(part).into_values();
        let cache = targets.find(|to| !to.outside && to.kind == "pivotCacheDefinition");
        let Some(cache) = cache.map(|cache| cache.part) else {
            return;
        };
        // In a merge ours may count on something else.
        let before = self.archive.text_before(&cache);
        if before.as_deref().and_then(rels::source_of) != Some(from) {
            return;
        }
        if let Ok(text) = self.archive.text(&cache) {
            self.archive.put(&cache, rels::with_source(&text, &to));
        }
    }
}

/// The sheet and the area of `'Data'!A1:B3`.
fn sheet_and_area(source: &str) -> Option<(String, String)> {
    let (sheet, area) = source.rsplit_once('!')?;
    let sheet = sheet.strip_prefix('\'')?.strip_suffix('\'')?;
    Some((sheet.replace("''", "'"), area.to_owned()))
}

/// A pivot table with the number of its cache, where it is now.
fn written(text: &str, cache: Option<&str>, change: &PartChange) -> Option<String> {
    let root = raw::root(text)?;
    let tag = raw::set(root.tag, "cacheId", cache);
    let mut inner = root.inner.to_owned();
    if let (Some(place), Some(range)) = (root.child("location"), &change.change.range) {
        let tag = raw::set(place.tag, "ref", Some(range));
        inner = inner.replacen(place.text, &place.with(&tag, place.inner), 1);
    }
    Some(text.replacen(root.text, &root.with(&tag, &inner), 1))
}

/// What is in a workbook, with a list of caches where it belongs.
fn behind(root: &raw::Element<'_>, list: &str) -> String {
    const BEFORE: [&str; 13] = [
        "fileVersion",
        "fileSharing",
        "workbookPr",
        "AlternateContent",
        "workbookProtection",
        "bookViews",
        "sheets",
        "functionGroups",
        "externalReferences",
        "definedNames",
        "calcPr",
        "oleSize",
        "customWorkbookViews",
    ];
    let mut inner = String::new();
    let mut waiting = Some(list);
    for element in root.children() {
        let is_before = BEFORE.contains(&element.name()) || element.name() == "revisionPtr";
        if !is_before && let Some(list) = waiting.take() {
            inner.push_str(list);
        }
        inner.push_str(element.text);
    }
    inner.push_str(waiting.unwrap_or_default());
    inner
}
