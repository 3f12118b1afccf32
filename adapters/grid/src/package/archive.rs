//! The parts of a file, with those that are written anew.

use super::rels::{self, folder_of, rels_of};
use super::{raw, sheet};
use crate::ReadError;
use crate::read::book::{Target, relationships};
use crate::read::package::{Package, normal};
use crate::read::xml;
use crate::write::{HEAD, TYPES, WriteError};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Seek, Write};
use std::sync::Arc;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub(super) const CONTENT_TYPES: &str = "[Content_Types].xml";
/// The type of a workbook that may hold macros.
pub(super) const WITH_MACROS: &str = "application/vnd.ms-excel.sheet.macroEnabled.main+xml";
const PERSON: &str = "http://schemas.microsoft.com/office/2017/10/relationships/person";
const THREAD: &str = "http://schemas.microsoft.com/office/2017/10/relationships/threadedComment";
const PERSONS: &str = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments";

/// What a part holds now.
enum Body {
    Text(String),
    Bytes(Arc<[u8]>),
}

impl Body {
    fn text(&self, part: &str) -> Result<String, ReadError> {
        match self {
            Self::Text(text) => Ok(text.clone()),
            Self::Bytes(bytes) => Ok(xml::decode(part, bytes)?.into_owned()),
        }
    }

    fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        match self {
            Self::Text(text) => out.write_all(in_utf8(text).as_bytes()),
            Self::Bytes(bytes) => out.write_all(bytes),
        }
    }
}

/// An archive that is being written over.
pub(super) struct Archive<'p, 'b> {
    package: &'p mut Package<'b>,
    /// New contents by name as it is looked up; with the name as it is written.
    changed: BTreeMap<String, (String, Body)>,
    removed: BTreeSet<String>,
    /// Parts that something led to before.
    reached: BTreeSet<String>,
}

impl<'p, 'b> Archive<'p, 'b> {
    pub fn new(package: &'p mut Package<'b>) -> Self {
        let mut archive = Self {
            package,
            changed: BTreeMap::new(),
            removed: BTreeSet::new(),
            reached: BTreeSet::new(),
        };
        archive.reached = archive.reach();
        archive
    }

    /// The names of all parts, as they are looked up.
    pub fn names(&self) -> Vec<String> {
        let mut names = self.package.part_names();
        names.retain(|name| !self.removed.contains(name));
        names
    }

    /// Whether there is such a part.
    pub fn has(&self, part: &str) -> bool {
        let key = normal(part);
        !self.removed.contains(&key) && (self.changed.contains_key(&key) || self.package.has(part))
    }

    /// The text of a part as it is now.
    pub fn text(&mut self, part: &str) -> Result<String, ReadError> {
        if let Some((_, body)) = self.changed.get(&normal(part)) {
            return body.text(part);
        }
        let bytes = self.package.read(part)?;
        Ok(xml::decode(part, &bytes)?.into_owned())
    }

    /// The text of a part before anything was written.
    pub fn text_before(&mut self, part: &str) -> Option<String> {
        let bytes = self.package.read(part).ok()?;
        Some(xml::decode(part, &bytes).ok()?.into_owned())
    }

    /// Writes a part anew, if it says something else.
    pub fn put(&mut self, part: &str, text: String) {
        if self.has(part) && self.text(part).is_ok_and(|old| old == text) {
            return;
        }
        let key = normal(part);
        self.removed.remove(&key);
        let body = Body::Text(text);
        self.changed.insert(key, (part.to_owned(), body));
    }

    /// The bytes of a part as it is now.
    pub fn bytes(&mut self, part: &str) -> Option<Vec<u8>> {
        let key = normal(part);
        if self.removed.contains(&key) {
            return None;
        }
        match self.changed.get(&key) {
            Some((_, Body::Bytes(bytes))) => Some(bytes.to_vec()),
            Some((_, Body::Text(text))) => Some(in_utf8(text).into_owned().into_bytes()),
            None => self.package.read(part).ok(),
        }
    }

    /// Writes a part anew to the byte.
    pub fn put_bytes(&mut self, part: &str, bytes: &Arc<[u8]>) {
        if self.bytes(part).is_some_and(|old| *old == **bytes) {
            return;
        }
        let key = normal(part);
        self.removed.remove(&key);
        let body = Body::Bytes(Arc::clone(bytes));
        self.changed.insert(key, (part.to_owned(), body));
    }

    /// Where a part leads, by the ids.
    pub fn relations(&mut self, part: &str) -> BTreeMap<String, Target> {
        let (rels, folder) = (rels_of(part), folder_of(part));
        if let Some((_, body)) = self.changed.get(&normal(&rels)) {
            let text = body.text(&rels).unwrap_or_default();
            let found = crate::read::book::relationships_in(&rels, &text, folder);
            return found.unwrap_or_default().into_iter().collect();
        }
        if self.removed.contains(&normal(&rels)) {
            return BTreeMap::new();
        }
        let found = relationships(self.package, &rels, folder);
        found.unwrap_or_default().into_iter().collect()
    }

    /// Adds a relationship.
    pub fn link(&mut self, part: &str, id: &str, kind: &str, target: &str, outside: bool) {
        let rels = rels_of(part);
        let old = self.has(&rels).then(|| self.text(&rels).ok()).flatten();
        let now = rels::with(old.as_deref(), id, kind, target, outside);
        self.put(&rels, now);
    }

    /// Takes the relationships of a part to another away.
    pub fn unlink(&mut self, part: &str, to: &str) {
        let ids: Vec<String> = self
            .relations(part)
            .into_iter()
            .filter(|(_, target)| !target.outside && normal(&target.part) == normal(to))
            .map(|(id, _)| id)
            .collect();
        let rels = rels_of(part);
        if let (false, Ok(text)) = (ids.is_empty(), self.text(&rels)) {
            self.put(&rels, rels::without(&text, &ids));
        }
    }

    /// Removes a part with its relationships and its type.
    pub fn remove(&mut self, part: &str) {
        for gone in [part.to_owned(), rels_of(part)] {
            let key = normal(&gone);
            self.changed.remove(&key);
            if self.package.has(&gone) {
                self.removed.insert(key);
            }
        }
        let Ok(types) = self.text(CONTENT_TYPES) else {
            return;
        };
        let Some(root) = raw::root(&types) else {
            return;
        };
        let is_gone = |entry: &raw::Element<'_>| {
            let name = entry.get("PartName").unwrap_or_default();
            normal(name.trim_start_matches('/')) == normal(part)
        };
        let kept: String = root
            .children()
            .into_iter()
            .filter(|entry| !is_gone(entry))
            .map(|entry| entry.text)
            .collect();
        let now = types.replace(root.text, &root.with(root.tag, &kept));
        self.put(CONTENT_TYPES, now);
    }

    /// Removes what a part leads to by relationships of this kind.
    pub fn remove_kind(&mut self, part: &str, kind: &str) {
        let found = self.relations(part).into_values();
        let found: Vec<String> = found.filter(|t| t.kind == kind).map(|t| t.part).collect();
        for to in found {
            self.unlink(part, &to);
            self.remove(&to);
        }
    }

    /// Makes a workbook with macros one that may have them.
    pub fn take_macros(&mut self, book: &str) {
        let mut targets = self.relations(book).into_values();
        let plain = format!("{TYPES}.sheet.main+xml");
        if targets.any(|to| to.kind == "vbaProject")
            && let Ok(types) = self.text(CONTENT_TYPES)
            && types.contains(&plain)
        {
            self.put(CONTENT_TYPES, types.replace(&plain, WITH_MACROS));
        }
    }

    /// Makes a workbook that cannot hold macros; whether it had any.
    pub fn leave_macros(&mut self, book: &str) -> bool {
        let Ok(types) = self.text(CONTENT_TYPES) else {
            return false;
        };
        let mut targets = self.relations(book).into_values();
        if !types.contains(WITH_MACROS) && !targets.any(|to| to.kind == "vbaProject") {
            return false;
        }
        let plain = format!("{TYPES}.sheet.main+xml");
        self.put(CONTENT_TYPES, types.replace(WITH_MACROS, &plain));
        self.remove_kind(book, "vbaProject");
        true
    }

    /// Adds a part of a type, led to from another; the id of the relationship, and its name.
    pub fn add(
        &mut self,
        from: &str,
        stem: &str,
        end: &str,
        kind: &str,
        of: &str,
        text: String,
    ) -> (String, String) {
        let name = (1..=u32::MAX)
            .map(|number| format!("{stem}{number}.{end}"))
            .find(|name| !self.has(name) && !self.removed.contains(&normal(name)))
            .unwrap_or_default();
        let entry = if end == "vml" {
            "<Default Extension=\"vml\" ContentType=\"application/vnd.openxmlformats-officedocument.vmlDrawing\"/>".to_owned()
        } else {
            format!("<Override PartName=\"/{name}\" ContentType=\"{of}\"/>")
        };
        if let Ok(types) = self.text(CONTENT_TYPES)
            && let Some(root) = raw::root(&types)
            && !(end == "vml" && types.contains("Extension=\"vml\""))
        {
            let entry = super::styles::prefixed(&entry, root.prefix());
            // Defaults come first.
            let inner = if end == "vml" {
                format!("{entry}{}", root.inner)
            } else {
                format!("{}{entry}", root.inner)
            };
            let now = types.replace(root.text, &root.with(root.tag, &inner));
            self.put(CONTENT_TYPES, now);
        }
        let relations = self.relations(from);
        let id = rels::free_id(relations.keys());
        self.link(from, &id, kind, &format!("/{name}"), false);
        self.put(&name, text);
        (id, name)
    }

    pub fn add_sheet(&mut self, book: &str, text: String) -> (String, String) {
        let of = format!("{TYPES}.worksheet+xml");
        self.add(book, "xl/worksheets/sheet", "xml", "worksheet", &of, text)
    }

    pub fn add_comments(&mut self, sheet: &str, text: String) {
        let of = format!("{TYPES}.comments+xml");
        self.add(sheet, "xl/comments", "xml", "comments", &of, text);
    }

    /// Adds the boxes of comments; the sheet has to name them.
    pub fn add_boxes(&mut self, part: &str, text: String, xml: &mut String) {
        let (id, _) = self.add(
            part,
            "xl/drawings/vmlDrawing",
            "vml",
            "vmlDrawing",
            "",
            text,
        );
        let prefix = raw::root(xml).map_or("", |root| root.prefix());
        let element = format!("<{prefix}legacyDrawing r:id=\"{id}\"/>");
        *xml = sheet::with_relations(&sheet::with_element(xml, "legacyDrawing", &element));
    }

    pub fn add_threads(&mut self, sheet: &str, text: String) {
        let of = "application/vnd.ms-excel.threadedcomments+xml";
        self.add(
            sheet,
            "xl/threadedComments/threadedComment",
            "xml",
            THREAD,
            of,
            text,
        );
    }

    /// Adds those who wrote comments and are not known yet.
    pub fn add_persons<'n>(
        &mut self,
        book: &str,
        persons: impl Iterator<Item = (&'n str, &'n str)>,
    ) -> Result<(), ReadError> {
        let part = self
            .relations(book)
            .into_values()
            .find(|t| t.kind == "person");
        let text = match &part {
            Some(target) => self.text(&target.part)?,
            None => format!("{HEAD}<personList xmlns=\"{PERSONS}\"></personList>"),
        };
        let Some(root) = raw::root(&text) else {
            return Ok(());
        };
        let mut known: BTreeSet<String> = root
            .children()
            .iter()
            .filter_map(|person| person.get("id").map(std::borrow::Cow::into_owned))
            .collect();
        let mut inner = root.inner.to_owned();
        for (id, name) in persons {
            if known.insert(id.to_owned()) {
                let (id, name) = (raw::escaped(id), raw::escaped(name));
                inner.push_str(&format!(
                    "<{}person displayName=\"{name}\" id=\"{id}\" userId=\"{name}\" providerId=\"None\"/>",
                    root.prefix()
                ));
            }
        }
        if inner == root.inner {
            return Ok(());
        }
        let now = text.replace(root.text, &root.with(root.tag, &inner));
        match part {
            Some(target) => self.put(&target.part, now),
            None => {
                let of = "application/vnd.ms-excel.person+xml";
                self.add(book, "xl/persons/person", "xml", PERSON, of, now);
            }
        }
        Ok(())
    }

    /// All parts that something leads to.
    fn reach(&mut self) -> BTreeSet<String> {
        self.reach_from(vec![String::new()])
    }

    /// All parts that these lead to.
    pub fn reach_from(&mut self, mut open: Vec<String>) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        while let Some(part) = open.pop() {
            for target in self.relations(&part).into_values() {
                if !target.outside && found.insert(normal(&target.part)) {
                    open.push(target.part);
                }
            }
        }
        found
    }

    /// Removes parts that only removed parts led to.
    pub fn drop_unreached(&mut self) {
        let now = self.reach();
        let before = std::mem::take(&mut self.reached);
        for part in before.difference(&now) {
            if self.has(part) {
                self.remove(part);
            }
        }
    }

    /// Writes the archive: what was not changed is copied as it is.
    pub fn write(self, out: impl Write + Seek) -> Result<(), WriteError> {
        let mut zip = ZipWriter::new(out);
        let Self {
            package,
            mut changed,
            removed,
            ..
        } = self;
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        let copied: Result<(), WriteError> = package.each_raw(|name, file| {
            let key = normal(name);
            if removed.contains(&key) {
                return Ok(());
            }
            match changed.remove(&key) {
                Some((_, body)) => {
                    zip.start_file(name, options)?;
                    body.write(&mut zip)?;
                }
                None => zip.raw_copy_file(file)?,
            }
            Ok(())
        });
        copied?;
        for (name, body) in changed.into_values() {
            zip.start_file(name, options)?;
            body.write(&mut zip)?;
        }
        zip.finish()?;
        Ok(())
    }
}

/// A part that claims to be in another encoding would be read in that.
fn in_utf8(text: &str) -> std::borrow::Cow<'_, str> {
    let declaration = text.find("?>").map(|end| &text[..end + 2]);
    match declaration {
        Some(declaration)
            if declaration.contains("encoding")
                && !declaration.to_ascii_lowercase().contains("utf-8") =>
        {
            format!("{HEAD}{}", &text[declaration.len()..]).into()
        }
        _ => text.into(),
    }
}
