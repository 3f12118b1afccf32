//! A report carried out on the file itself: only what its operations name is written
//! anew, and all else is copied byte for byte.

#![allow(
    clippy::format_collect,
    clippy::format_push_string,
    clippy::single_match_else,
    reason = "XML is put together from small pieces"
)]
#![allow(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "names of parts are in lower case"
)]

pub(crate) mod anchors;
mod archive;
mod book;
mod cells;
mod comments;
mod drawings;
mod follow;
mod items;
mod lines;
mod parts;
mod pivots;
mod raw;
mod rels;
mod sheet;
mod styles;
mod tables;
mod verify;

pub(crate) use raw::escaped;

use crate::cell_map::CellMap;
use crate::formula::Places;
use crate::parts::{PartContent, Parts};
use crate::read::book::{Entry, Target};
use crate::read::extras::{Resolve, Styles};
use crate::read::package::{Package, normal};
use crate::replay::Applied;
use crate::table::Moved;
use crate::workbook_map::fold;
use crate::write::WriteError;
use crate::{
    ApplyError, Area, Content, DiffOp, DiffReport, Grid, Note, ReadError, ReadOptions, Sheet,
    Workbook,
};
use archive::Archive;
use comments::CommentChanges;
use follow::Follow;
use items::Items;
use lines::LineChanges;
use sheet::SheetPatch;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{Cursor, Seek, Write};
use styles::{Change, ChangeId, StyleSheet};
use tables::Tables;

/// Why a file was not made from another and a report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PatchError {
    /// The old file cannot be read.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// The report is not about it.
    #[error("{0}")]
    Apply(#[from] ApplyError),
    /// The new file cannot be written.
    #[error("{0}")]
    Write(#[from] WriteError),
    /// What would be written does not hold the new workbook, because the old file is damaged.
    #[error("the old file cannot be written over: {0}")]
    Unlike(String),
}

impl PatchError {
    /// Whether the old file is damaged, and the new workbook can only be written by itself.
    #[must_use]
    pub fn is_about_the_file(&self) -> bool {
        matches!(self, Self::Read(_) | Self::Unlike(_))
    }
}

/// What kind of file [`patch_package`] is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageKind {
    /// `.xlsx`
    Plain,
    /// `.xlsm`: programs open it under that name only.
    WithMacros,
}

impl PackageKind {
    /// The kind of a file; none if it is neither `.xlsx` nor `.xlsm`.
    #[must_use]
    pub fn of(bytes: &[u8], options: &ReadOptions) -> Option<Self> {
        let mut package = Package::open(bytes, &options.limits).ok()?;
        if !crate::read::is_xlsx(&mut package) {
            return None;
        }
        let types = package.read(archive::CONTENT_TYPES).ok()?;
        let macros = String::from_utf8_lossy(&types).contains(archive::WITH_MACROS);
        Some(if macros {
            Self::WithMacros
        } else {
            Self::Plain
        })
    }
}

/// Makes the new file from the old one and a report on both. Parts that no operation
/// concerns keep their bytes; cells that hold what they held keep theirs. A
/// [`PackageKind::Plain`] file is written without macros. What was made is read again before
/// it is written.
///
/// # Errors
/// [`PatchError`] if the report is not about this file, or it cannot be written.
pub fn patch_package(
    bytes: &[u8],
    old: &Workbook,
    report: &DiffReport,
    options: &ReadOptions,
    (kind, mut out): (PackageKind, impl Write + Seek),
) -> Result<Vec<Note>, PatchError> {
    let report = &*report.unfolded();
    let applied = crate::replay::apply_mapped(old, report)?;
    let mut package = Package::open(bytes, &options.limits)?;
    let mut patch = Patch::new(&mut package, old, &applied, report)?;
    patch.run()?;
    let Patch {
        mut archive,
        book,
        mut notes,
        ..
    } = patch;
    if kind == PackageKind::WithMacros {
        archive.take_macros(&book);
    }
    if kind == PackageKind::Plain && archive.leave_macros(&book) {
        let message =
            "macros are left out, since .xlsx cannot hold them; name the file .xlsm to keep them";
        notes.push(Note::new("macros", message));
    }
    let mut file = Cursor::new(Vec::new());
    archive.write(&mut file)?;
    verify::verify(file.get_ref(), &applied.book, options)?;
    out.write_all(file.get_ref()).map_err(WriteError::from)?;
    Ok(notes)
}

/// Charts that a report carries, after the cells that they show went elsewhere.
pub(crate) fn follow_charts(parts: &mut Parts, places: &impl Places) {
    let follow = Follow {
        map: &CellMap::default(),
        places,
    };
    for part in &mut parts.parts {
        let is_chart = part.content_type.contains("drawingml.chart+xml")
            || part.content_type.contains("chartex+xml");
        if let (true, Ok(text)) = (is_chart, std::str::from_utf8(&part.content.0)) {
            let now = follow.part(text);
            if now != text {
                part.content = PartContent(now.into_bytes().into());
            }
        }
    }
}

/// The work on one file.
struct Patch<'a, 'p, 'b> {
    archive: Archive<'p, 'b>,
    old: &'a Workbook,
    applied: &'a Applied,
    report: &'a DiffReport,
    /// The workbook part, the part of each old sheet with cells, and that of styles.
    book: String,
    parts: Vec<Option<String>>,
    styles: Option<String>,
    /// The parts of old sheets without cells.
    others: Vec<Option<String>>,
    /// What caches of pivot tables are called here, by their names in the new file.
    caches: HashMap<String, String>,
    is_1904: bool,
    /// What could not be done.
    notes: Vec<Note>,
}

impl<'a, 'p, 'b> Patch<'a, 'p, 'b> {
    fn new(
        package: &'p mut Package<'b>,
        old: &'a Workbook,
        applied: &'a Applied,
        report: &'a DiffReport,
    ) -> Result<Self, PatchError> {
        let book = crate::read::book::read(package)?;
        let mut archive = Archive::new(package);
        let relations = archive.relations(&book.part);
        let other = |sheet: &Entry| {
            let target = relations.get(&sheet.id).filter(|to| !to.outside)?;
            sheet.part.is_err().then(|| target.part.clone())
        };
        Ok(Self {
            others: book.sheets.iter().map(other).collect(),
            caches: HashMap::new(),
            notes: Vec::new(),
            archive,
            old,
            applied,
            report,
            parts: book
                .sheets
                .into_iter()
                .map(|sheet| sheet.part.ok())
                .collect(),
            book: book.part,
            styles: book.styles,
            is_1904: book.is_1904,
        })
    }

    /// Gives every sheet a part of its own: two tabs may lead to one.
    fn part_tabs(&mut self) -> Result<(), PatchError> {
        let mut seen = BTreeSet::new();
        for at in 0..self.parts.len() {
            let Some(part) = self.parts[at].clone() else {
                continue;
            };
            if seen.insert(normal(&part)) {
                continue;
            }
            let text = self.archive.text(&part)?;
            let (id, copy) = self.archive.add_sheet(&self.book, text);
            let rels = rels::rels_of(&part);
            if self.archive.has(&rels) {
                let text = self.archive.text(&rels)?;
                self.archive.put(&rels::rels_of(&copy), text);
            }
            let book = self.archive.text(&self.book)?;
            let list = raw::root(&book).and_then(|root| root.child("sheets"));
            let tab = list.and_then(|list| list.children().get(at).copied());
            if let Some(tab) = tab {
                let tag = raw::set(tab.tag, "id", Some(&id));
                let now = tab.with(&tag, tab.inner);
                self.archive
                    .put(&self.book, book.replacen(tab.text, &now, 1));
            }
            self.parts[at] = Some(copy);
        }
        Ok(())
    }

    fn run(&mut self) -> Result<(), PatchError> {
        if !self.report.ops.is_empty() {
            self.part_tabs()?;
        }
        let style_text = match &self.styles {
            Some(part) => self.archive.text(part)?,
            None => String::new(),
        };
        let mut styles = StyleSheet::new(&style_text);
        let known = Styles::read(&style_text);
        let still = self.applied.map.is_identity();
        let mut calculate = false;
        for (at, sheet) in self.old.sheets.iter().enumerate() {
            let part = self.parts.get(at).cloned().flatten();
            let kept = self.applied.sheets.iter().find(|kept| kept.0 == at);
            let (Some(part), Some((_, name, map))) = (&part, kept) else {
                let other = self.others.get(at).cloned().flatten();
                if let (Some(part), None) = (part.or(other), kept) {
                    self.archive.remove(&part);
                    self.archive.unlink(&self.book, &part);
                }
                continue;
            };
            let new = self
                .applied
                .book
                .sheets
                .iter()
                .find(|new| new.name == *name);
            let Some(new) = new else { continue };
            let one = OneSheet {
                old: sheet,
                new,
                map,
                part,
                still,
            };
            calculate |= self.sheet(&one, &known, &mut styles)?;
        }
        let mut added = self.added_sheets(&known, &mut styles)?;
        calculate |= !added.is_empty() && self.is_read(&added);
        if !still {
            self.charts();
        }
        self.whole_sheets(&mut added);
        self.whole_parts();
        self.drawings(&added)?;
        self.pivots(&added);
        let about_the_book = |op: &DiffOp| {
            op.is_about_the_sheet() || op.sheet().is_none() || matches!(op, DiffOp::PartChanged(_))
        };
        if calculate || !still || self.report.ops.iter().any(about_the_book) {
            self.finish_book(&added, calculate)?;
        }
        if let (Some(part), Some(text)) = (&self.styles, styles.finish()) {
            self.archive.put(part, text);
        }
        self.archive.drop_unreached();
        Ok(())
    }

    /// A sheet that is still there, and the parts around it; whether cells changed.
    fn sheet(
        &mut self,
        one: &OneSheet<'_>,
        known: &Styles,
        styles: &mut StyleSheet<'_>,
    ) -> Result<bool, PatchError> {
        let name = &one.new.name;
        let ops: Vec<&DiffOp> = self
            .report
            .ops
            .iter()
            .chain(&self.report.with_added)
            .filter(|op| op.sheet() == Some(name) && !op.is_about_the_sheet())
            .collect();
        if ops.is_empty() && one.still {
            return Ok(false);
        }
        let rels = self.archive.relations(one.part);
        let target = |id: &str| {
            let found = rels.get(id).filter(|target| target.outside)?;
            Some(found.outside_name().to_owned())
        };
        let resolve = Resolve {
            target: &target,
            differential: &known.differential,
        };
        let mut lines = LineChanges::default();
        let mut comments = CommentChanges::default();
        for op in &ops {
            lines.take(op);
            comments.take(op);
        }
        let empty = Grid::default();
        let grids = [one.old, one.new].map(|sheet| sheet.grid().unwrap_or(&empty));
        let restyled = restyled(&ops, styles);
        let changed = !exactly_same(grids) || !one.map.is_identity();
        let places = self.applied.map.seen_from(Some(&one.old.name));
        let mut items = Items::new(ops.iter().copied(), &resolve, rels.keys().cloned());
        let back = one.map.inverse();
        let patch = SheetPatch {
            name,
            grids,
            merges: [&one.old.merges, &one.new.merges],
            map: one.map,
            places: &places,
            cells: changed || !restyled.is_empty() || !lines.rows.is_empty(),
            lines,
            restyled,
            is_1904: self.is_1904,
            moved: !one.still,
        };
        let text = self.archive.text(one.part)?;
        let Some(mut now) = patch.write(&text, &mut items, styles)? else {
            return Err(ReadError::malformed(one.part, "it is not the XML of a sheet").into());
        };
        let follow = Follow {
            map: one.map,
            places: &places,
        };
        for (id, target) in &items.links {
            self.archive.link(one.part, id, "hyperlink", target, true);
        }
        self.around(one, &rels, &follow, &comments, &mut now)?;
        let tables = Tables {
            moved: Moved {
                map: one.map,
                back: &back,
                places: &places,
                grids,
            },
            resolve: &resolve,
            sheet: one.part,
            sheets: &self.parts,
        };
        tables.write(&mut self.archive, &rels, &ops, styles, &mut now)?;
        if now != text {
            self.archive.put(one.part, now);
        }
        Ok(changed)
    }

    /// The parts that a sheet leads to.
    fn around(
        &mut self,
        one: &OneSheet<'_>,
        rels: &BTreeMap<String, Target>,
        follow: &Follow<'_, impl crate::formula::Places>,
        comments: &CommentChanges<'_>,
        sheet: &mut String,
    ) -> Result<(), PatchError> {
        // Some programs name parts that they did not write.
        let rels: BTreeMap<&String, &Target> = rels
            .iter()
            .filter(|(_, target)| target.outside || self.archive.has(&target.part))
            .collect();
        let inside = |kind: &str| {
            let mut found = rels.values().filter(|t| !t.outside && t.kind == kind);
            found.next().map(|target| target.part.clone())
        };
        let moved = !one.map.is_identity();
        let notes = inside("comments");
        if !comments.is_empty() || (moved && notes.is_some()) {
            let old = notes
                .as_ref()
                .map(|part| self.archive.text(part))
                .transpose()?;
            let (text, places) = comments.notes(old.as_deref(), follow);
            let vml = inside("vmlDrawing");
            if let Some(part) = &notes {
                self.archive.put(part, text);
            } else if comments.adds(false) {
                self.archive.add_comments(one.part, text);
            }
            let old = vml
                .as_ref()
                .map(|part| self.archive.text(part))
                .transpose()?;
            let followed = old.map(|old| follow.boxes(&old));
            let shown = comments::boxes(followed.as_deref(), &places);
            if let Some(part) = &vml {
                self.archive.put(part, shown);
            } else if comments.adds(false) {
                self.archive.add_boxes(one.part, shown, sheet);
            }
        }
        let threads = inside("threadedComment");
        if comments.adds(true) || (threads.is_some() && (moved || !comments.is_empty())) {
            let old = threads
                .as_ref()
                .map(|part| self.archive.text(part))
                .transpose()?;
            let text = comments.threads(old.as_deref(), follow);
            match &threads {
                Some(part) => self.archive.put(part, text),
                None => self.archive.add_threads(one.part, text),
            }
            self.archive.add_persons(&self.book, comments.persons())?;
        }
        if one.still {
            return Ok(());
        }
        for target in rels.values().filter(|target| !target.outside) {
            let part = &target.part;
            let now = match &target.kind[..] {
                "pivotTable" if moved => Some(follow.part(&self.archive.text(part)?)),
                _ => None,
            };
            if let Some(now) = now {
                self.archive.put(part, now);
            }
        }
        Ok(())
    }

    /// Parts that belong to no sheet.
    fn whole_parts(&mut self) {
        for op in &self.report.ops {
            if let (DiffOp::PartChanged(part), None) = (op, op.sheet()) {
                let (from, to) = (part.from_parts.as_ref(), part.to_parts.as_ref());
                let of_package = from.or(to).is_some_and(|parts| parts.of_package);
                if from.or(to).is_some_and(pivots::is_cache) {
                    self.cache(from, to);
                    continue;
                }
                let holder = if of_package { "" } else { &self.book };
                self.archive.swap(holder, from, to);
            }
        }
    }

    /// Charts and pivots name cells wherever they are.
    fn charts(&mut self) {
        let nowhere = CellMap::default();
        // Sheets without cells are compared as they are, and stay so.
        let others: Vec<String> = self.others.iter().flatten().cloned().collect();
        let still = self.archive.reach_from(others);
        for part in self.archive.names() {
            if still.contains(&part) {
                continue;
            }
            let Ok(text) = (match () {
                () if part.contains("/charts/") && part.ends_with(".xml") => {
                    self.archive.text(&part)
                }
                () if part.contains("pivotcachedefinition") && part.ends_with(".xml") => {
                    if let Ok(text) = self.archive.text(&part) {
                        let now = rels::pivot_source(&text, &self.applied.map);
                        self.archive.put(&part, now);
                    }
                    continue;
                }
                () => continue,
            }) else {
                continue;
            };
            let places = self.applied.map.seen_from(None);
            let follow = Follow {
                map: &nowhere,
                places: &places,
            };
            let now = follow.part(&text);
            self.archive.put(&part, now);
        }
    }

    /// Sheets that came; the ids of their relationships by name.
    fn added_sheets(
        &mut self,
        known: &Styles,
        styles: &mut StyleSheet<'_>,
    ) -> Result<HashMap<String, String>, PatchError> {
        let mut added = HashMap::new();
        let applied = self.applied;
        let kept = |name: &str| applied.sheets.iter().any(|sheet| sheet.1 == name);
        let nothing = Sheet::default();
        for sheet in applied.book.sheets.iter().filter(|s| !kept(&s.name)) {
            if !matches!(sheet.content, Content::Cells(_)) {
                continue;
            }
            let plain = format!(
                "{}<worksheet xmlns=\"{}\"><sheetViews><sheetView workbookViewId=\"0\"/></sheetViews><sheetData/></worksheet>",
                crate::write::HEAD,
                crate::write::MAIN
            );
            let (id, part) = self.archive.add_sheet(&self.book, plain);
            let one = OneSheet {
                old: &nothing,
                new: sheet,
                map: &CellMap::default(),
                part: &part,
                still: false,
            };
            self.sheet(&one, known, styles)?;
            added.insert(sheet.name.clone(), id);
        }
        Ok(added)
    }

    /// Sheets without cells that came: their parts are as the report has them.
    fn whole_sheets(&mut self, added: &mut HashMap<String, String>) {
        for op in &self.report.ops {
            let DiffOp::SheetAdded {
                sheet,
                whole: Some(whole),
                ..
            } = op
            else {
                continue;
            };
            let Some(parts) = &whole.parts else { continue };
            let names = self.archive.put_parts(None, None, parts);
            let first = parts.parts.first().and_then(|part| names.get(&part.name));
            if let Some(name) = first {
                let id = rels::free_id(self.archive.relations(&self.book).keys());
                let target = format!("/{name}");
                self.archive
                    .link(&self.book, &id, &parts.relation, &target, false);
                added.insert(sheet.clone(), id);
            }
        }
    }

    /// Whether a formula is in a sheet that came, or may name one.
    fn is_read(&self, added: &HashMap<String, String>) -> bool {
        let names: Vec<String> = added.keys().map(|name| fold(name)).collect();
        let sheets = self.applied.book.sheets.iter();
        let mut formulas = sheets.filter_map(|sheet| {
            let formulas = sheet.grid()?.cells().filter_map(|cell| cell.formula);
            Some(formulas.map(|formula| (&sheet.name, fold(formula))))
        });
        formulas.any(|mut formulas| {
            formulas.any(|(sheet, formula)| {
                added.contains_key(sheet)
                    || formula.contains("indirect")
                    || names.iter().any(|name| formula.contains(name))
            })
        })
    }

    fn finish_book(
        &mut self,
        added: &HashMap<String, String>,
        calculate: bool,
    ) -> Result<(), PatchError> {
        let text = self.archive.text(&self.book)?;
        let patch = book::BookPatch {
            old: self.old,
            new: &self.applied.book,
            map: &self.applied.map,
            ops: self
                .report
                .ops
                .iter()
                .chain(&self.report.with_added)
                .collect(),
            added,
            calculate,
        };
        let now = patch.write(&text);
        let now =
            now.ok_or_else(|| ReadError::malformed(&self.book, "it is not the XML of a workbook"))?;
        if now != text {
            self.archive.put(&self.book, now);
        }
        if calculate {
            self.archive.remove_kind(&self.book, "calcChain");
        }
        Ok(())
    }
}

/// A sheet that is in both.
struct OneSheet<'a> {
    old: &'a Sheet,
    new: &'a Sheet,
    map: &'a CellMap,
    part: &'a str,
    /// Whether no cell of the workbook went elsewhere.
    still: bool,
}

/// Whether two grids hold the same to the bit.
fn exactly_same([old, new]: [&Grid; 2]) -> bool {
    old.cell_count() == new.cell_count() && old.cells().zip(new.cells()).all(|(a, b)| a == b)
}

/// Which cells get which styles.
fn restyled(ops: &[&DiffOp], styles: &mut StyleSheet<'_>) -> Vec<(Area, ChangeId)> {
    let mut found = Vec::new();
    for op in ops {
        let (range, change) = match op {
            // What came has no format before.
            DiffOp::NumberFormatChanged {
                range, from, to, ..
            } if from.is_empty() => (range, Change::Plain(to.clone())),
            DiffOp::NumberFormatChanged { range, to, .. } => {
                (range, Change::NumberFormat(to.clone()))
            }
            DiffOp::StyleChanged {
                range, from, to, ..
            } => (
                range,
                Change::Look(from.keys().cloned().collect(), to.clone()),
            ),
            _ => continue,
        };
        let change = styles.change(change);
        let areas = follow::areas(range).into_iter();
        found.extend(areas.map(|area| (area, change)));
    }
    found
}
