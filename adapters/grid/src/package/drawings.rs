//! Charts, pictures and shapes of a sheet: those that came, went or changed, and those
//! that follow their cells.

use super::archive::Archive;
use super::follow::{Follow, areas};
use super::{Patch, PatchError, anchors, raw, rels, sheet};
use crate::cell_map::CellMap;
use crate::parts::{NamedBy, Parts};
use crate::read::book::Target;
use crate::read::package::normal;
use crate::write::HEAD;
use crate::{Aspect, DiffOp, Note, PartChange};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

const DRAWING: &str = "application/vnd.openxmlformats-officedocument.drawing+xml";
const EMPTY: &str = "<xdr:wsDr xmlns:xdr=\"http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing\" xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\"></xdr:wsDr>";

/// What a side of an operation says of an anchor.
fn named(parts: Option<&Parts>) -> Option<&NamedBy> {
    parts?.named_by.as_ref()
}

impl Patch<'_, '_, '_> {
    /// Writes the drawings of all sheets; charts are where they followed to.
    pub(super) fn drawings(&mut self, added: &HashMap<String, String>) -> Result<(), PatchError> {
        let mut sheets: Vec<(String, String, CellMap)> = Vec::new();
        for (at, name, map) in &self.applied.sheets {
            if let Some(part) = self.parts.get(*at).cloned().flatten() {
                sheets.push((name.clone(), part, map.clone()));
            }
        }
        let targets = self.archive.relations(&self.book);
        let mut came: Vec<(&String, &String)> = added.iter().collect();
        came.sort();
        for (name, id) in came {
            if let Some(target) = targets.get(id) {
                sheets.push((name.clone(), target.part.clone(), CellMap::default()));
            }
        }
        for (name, part, map) in sheets {
            let ops = self.report.ops.iter().chain(&self.report.with_added);
            let changes: Vec<&PartChange> = ops
                .filter(|op| op.sheet() == Some(&name) && op.aspect() == Some(Aspect::Drawings))
                .filter_map(|op| match op {
                    DiffOp::PartChanged(part) => Some(part),
                    _ => None,
                })
                .filter(|part| named(part.from_parts.as_ref().or(part.to_parts.as_ref())).is_some())
                .collect();
            if changes.is_empty() && map.is_identity() {
                continue;
            }
            let wanted = changes.len();
            let done = drawing(&mut self.archive, &part, &map, changes)?;
            if done < wanted {
                let message = format!(
                    "sheet {name:?}: {} of {wanted} changes of charts, pictures and shapes are left out, since the file does not hold what they are about",
                    wanted - done
                );
                self.notes.push(Note::new("drawing", message));
            }
        }
        Ok(())
    }
}

/// Writes the drawing of a sheet; how many of the changes it could make.
fn drawing(
    archive: &mut Archive<'_, '_>,
    sheet: &str,
    map: &CellMap,
    mut changes: Vec<&PartChange>,
) -> Result<usize, PatchError> {
    let mut done = changes.len();
    let part = archive.relations(sheet).into_values();
    let part = part.filter(|to| !to.outside && to.kind == "drawing");
    let part = part.map(|to| to.part).find(|part| archive.has(part));
    let comes = |change: &&PartChange| change.to_parts.is_some();
    if part.is_none() && !changes.iter().any(comes) {
        return Ok(0);
    }
    let text = match &part {
        Some(part) => archive.text(part)?,
        None => format!("{HEAD}{EMPTY}"),
    };
    let Some((root, old)) = raw::root(&text).zip(anchors::anchors(&text)) else {
        return Ok(0);
    };
    let part = part.unwrap_or_else(|| {
        let text = text.clone();
        let (id, part) = archive.add(
            sheet,
            "xl/drawings/drawing",
            "xml",
            "drawing",
            DRAWING,
            text,
        );
        put_name(archive, sheet, &id);
        part
    });
    let mut found = matched(&old, &mut changes);
    let mut writer = Writer {
        named: old.iter().flat_map(|anchor| anchor.ids.clone()).collect(),
        taken: BTreeSet::new(),
        archive,
        part: &part,
    };
    let unmoved = crate::workbook_map::WorkbookMap::default();
    let follow = Follow {
        map,
        places: &unmoved.seen_from(None),
    };
    let mut now: Vec<String> = Vec::new();
    let mut placed: Vec<(u32, String)> = Vec::new();
    for ((at, anchor), element) in old.iter().enumerate().zip(root.children()) {
        let Some(change) = found.remove(&at) else {
            writer.taken.extend(anchor.ids.iter().cloned());
            now.push(if map.is_identity() {
                element.text.to_owned()
            } else {
                follow.anchor(&element)
            });
            continue;
        };
        let Some(to) = &change.to_parts else { continue };
        let Some(xml) = writer.write(change, to, Some(anchor)) else {
            done -= 1;
            writer.taken.extend(anchor.ids.iter().cloned());
            now.push(follow.anchor(&element));
            continue;
        };
        match named(Some(to)).and_then(|by| by.at) {
            Some(at) => placed.push((at, xml)),
            None => now.push(xml),
        }
    }
    for change in changes {
        let comes = change
            .to_parts
            .as_ref()
            .filter(|_| change.from_parts.is_none());
        let xml = comes.and_then(|to| Some((to, writer.write(change, to, None)?)));
        let Some((to, xml)) = xml else {
            done -= 1;
            continue;
        };
        let at = named(Some(to)).and_then(|by| by.at).unwrap_or(u32::MAX);
        placed.push((at, xml));
    }
    placed.sort();
    for (at, xml) in placed {
        let at = usize::try_from(at).unwrap_or(usize::MAX).min(now.len());
        now.insert(at, xml);
    }
    writer.drop_names();
    if now.is_empty() && !old.is_empty() {
        remove(archive, sheet, &part);
        return Ok(done);
    }
    let head = &text[..text.find(root.text).unwrap_or(0)];
    let behind = &text[head.len() + root.text.len()..];
    let drawn = root.with(root.tag, &now.concat());
    archive.put(&part, format!("{head}{drawn}{behind}"));
    Ok(done)
}

/// Which changes are about which anchors; those are taken out of the list.
fn matched<'c>(
    old: &[anchors::Anchor],
    changes: &mut Vec<&'c PartChange>,
) -> BTreeMap<usize, &'c PartChange> {
    let mut found: BTreeMap<usize, &PartChange> = BTreeMap::new();
    let plain: fn(&str) -> String = anchors::without_ids;
    // In a merge ours may have moved what theirs changed.
    let unplaced: fn(&str) -> String = |xml| {
        let root = raw::root(xml);
        let unplaced = root.map(|root| anchors::with_lines(&root, &|_, _| 0));
        anchors::without_ids(&unplaced.unwrap_or_default())
    };
    for form in [plain, unplaced] {
        let mut open: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (at, anchor) in old.iter().enumerate() {
            if !found.contains_key(&at) {
                open.entry(form(&anchor.xml)).or_default().push_back(at);
            }
        }
        changes.retain(|change| {
            let was = named(change.from_parts.as_ref());
            let at = was.and_then(|was| open.get_mut(&form(&was.xml))?.pop_front());
            if let Some(at) = at {
                found.insert(at, change);
            }
            at.is_none()
        });
    }
    found
}

/// Names a drawing in its sheet.
fn put_name(archive: &mut Archive<'_, '_>, part: &str, id: &str) {
    if let Ok(xml) = archive.text(part) {
        let prefix = raw::root(&xml).map_or("", |root| root.prefix());
        let element = format!("<{prefix}drawing r:id=\"{id}\"/>");
        let xml = sheet::with_relations(&sheet::with_element(&xml, "drawing", &element));
        archive.put(part, xml);
    }
}

/// Takes a drawing out of its sheet.
fn remove(archive: &mut Archive<'_, '_>, sheet: &str, part: &str) {
    archive.unlink(sheet, part);
    archive.remove(part);
    let Ok(xml) = archive.text(sheet) else { return };
    let element = raw::root(&xml).and_then(|root| root.child("drawing"));
    let now = element.map(|element| xml.replacen(element.text, "", 1));
    if let Some(now) = now {
        archive.put(sheet, now);
    }
}

/// Writes anchors into a drawing.
struct Writer<'w, 'p, 'b> {
    archive: &'w mut Archive<'p, 'b>,
    part: &'w str,
    /// Relationships that anchors named before, and those that are named now.
    named: BTreeSet<String>,
    taken: BTreeSet<String>,
}

impl Writer<'_, '_, '_> {
    /// An anchor as it is now, with the parts that it shows; none if those are not known.
    fn write(
        &mut self,
        change: &PartChange,
        to: &Parts,
        old: Option<&anchors::Anchor>,
    ) -> Option<String> {
        let by = named(Some(to))?;
        let rels = self.archive.relations(self.part);
        let ids = old.map_or(&[][..], |old| &old.ids);
        let inside = ids.iter().filter_map(|id| Some((id, rels.get(id)?)));
        let inside: Vec<(&String, &Target)> = inside.filter(|(_, to)| !to.outside).collect();
        let mut new_ids: BTreeMap<String, String> = BTreeMap::new();
        if to.parts.is_empty() {
            // It shows what it showed.
            let wanted = by.relations.iter().filter(|relation| !relation.outside);
            let mut shown = inside.iter();
            for relation in wanted {
                let (id, _) = shown.next()?;
                new_ids.insert(relation.id.clone(), (*id).clone());
            }
        } else {
            let first = inside.iter().find(|(_, to)| to.kind != "image");
            let first = first.map(|(_, to)| to.part.clone());
            let names = self
                .archive
                .put_parts(first, change.from_parts.as_ref(), to);
            for relation in by.relations.iter().filter(|relation| !relation.outside) {
                let name = names.get(&relation.target)?;
                let id = self.link(&relation.kind, name, false);
                new_ids.insert(relation.id.clone(), id);
            }
        }
        for relation in by.relations.iter().filter(|relation| relation.outside) {
            let id = self.link(&relation.kind, &relation.target, true);
            new_ids.insert(relation.id.clone(), id);
        }
        self.taken.extend(new_ids.values().cloned());
        let xml = anchors::with_ids(&by.xml, |id| {
            new_ids.get(id).cloned().unwrap_or_else(|| id.to_owned())
        });
        let root = raw::root(&xml)?;
        Some(at_range(&root, change.change.range.as_deref()))
    }

    /// A relationship to a part, or outside.
    fn link(&mut self, kind: &str, target: &str, outside: bool) -> String {
        let rels = self.archive.relations(self.part);
        let is_it = |to: &Target| {
            let same = if outside {
                to.outside_name() == target
            } else {
                normal(&to.part) == normal(target)
            };
            to.outside == outside && to.full_kind == kind && same
        };
        if let Some((id, _)) = rels.iter().find(|(_, to)| is_it(to)) {
            return id.clone();
        }
        let id = rels::free_id(rels.keys());
        let to = if outside {
            target.to_owned()
        } else {
            format!("/{target}")
        };
        self.archive.link(self.part, &id, kind, &to, outside);
        id
    }

    /// Takes relationships away that no anchor names any more.
    fn drop_names(&mut self) {
        let gone: Vec<String> = self.named.difference(&self.taken).cloned().collect();
        let part = rels::rels_of(self.part);
        if let (false, Ok(text)) = (gone.is_empty(), self.archive.text(&part)) {
            self.archive.put(&part, rels::without(&text, &gone));
        }
    }
}

/// An anchor whose first corner is where the range begins: a merge may have moved that.
fn at_range(anchor: &raw::Element<'_>, range: Option<&str>) -> String {
    let first = areas(range.unwrap_or_default()).first().map(|a| a.first);
    let corner = std::cell::RefCell::new(BTreeMap::<String, u32>::new());
    anchors::with_lines(anchor, &|axis, line| {
        let mut corners = corner.borrow_mut();
        let least = corners.entry(axis.to_owned()).or_insert(line);
        *least = (*least).min(line);
        line
    });
    let corner = corner.into_inner();
    let Some(first) = first else {
        return anchor.text.to_owned();
    };
    anchors::with_lines(anchor, &|axis, line| {
        let (to, from) = match axis {
            "row" => (first.row, corner.get("row")),
            _ => (first.col, corner.get("col")),
        };
        let from = from.copied().unwrap_or(line).min(line);
        (line - from).saturating_add(to)
    })
}
