//! Pivot tables that changed. Their caches belong to the workbook.

use super::{Patch, raw, rels};
use crate::read::book::Target;
use crate::read::package::normal;
use crate::{Aspect, DiffOp, Element, PartChange};

impl Patch<'_, '_, '_> {
    /// Writes the pivot tables of all sheets.
    pub(super) fn pivots(&mut self) {
        for (at, name, _) in &self.applied.sheets {
            let Some(sheet) = self.parts.get(*at).cloned().flatten() else {
                continue;
            };
            let ops = self.report.ops.iter().chain(&self.report.with_added);
            let changes = ops
                .filter(|op| op.sheet() == Some(name) && op.aspect() == Some(Aspect::Pivots))
                .filter_map(|op| match op {
                    DiffOp::PartChanged(part) => Some(part),
                    _ => None,
                });
            for change in changes {
                self.pivot(&sheet, change);
            }
        }
    }

    fn pivot(&mut self, sheet: &str, change: &PartChange) {
        let (Some(from), Some(to)) = (&change.from_parts, &change.to_parts) else {
            return;
        };
        let (Some(was), Some(is)) = (from.parts.first(), to.parts.first()) else {
            return;
        };
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
        let Some(part) = found.cloned() else { return };
        let (Ok(old), Ok(new)) = (
            self.archive.text(&part),
            crate::read::xml::decode(&is.name, &is.content.0),
        ) else {
            return;
        };
        let (Some(old), Some(root)) = (raw::root(&old), raw::root(&new)) else {
            return;
        };
        // It counts on the cache that it counted on.
        let tag = raw::set(root.tag, "cacheId", old.get("cacheId").as_deref());
        let mut inner = root.inner.to_owned();
        if let (Some(place), Some(range)) = (root.child("location"), &change.change.range) {
            let tag = raw::set(place.tag, "ref", Some(range));
            inner = inner.replacen(place.text, &place.with(&tag, place.inner), 1);
        }
        let now = new.replacen(root.text, &root.with(&tag, &inner), 1);
        self.archive.put(&part, now);
        self.source(&part, change);
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
