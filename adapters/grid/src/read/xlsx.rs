//! Workbooks in the format of today: `.xlsx` and `.xlsm`.

use super::book::{self, Book};
use super::error::ReadError;
use super::extras::{self, Styles};
use super::fallback::{self, Opened};
use super::formats::{self, Format};
use super::limits::ReadOptions;
use super::metadata::Metadata;
use super::package::{Package, Packed, PartReader};
use super::plain::{self, Around, Stop};
use super::sink::{Common, Left, Sink, Used};
use super::strings::{self, Strings};
use super::xml;
use crate::extras::{LooksBuilder, StyleKey};
use crate::{Area, Content, Grid, Note, Sheet, Workbook};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::io::Read;
use std::sync::Arc;

/// A workbook that is open, its sheets not yet read.
pub(super) struct Source<'b> {
    bytes: &'b [u8],
    package: Package<'b>,
    pub book: Book,
    strings: Option<Arc<Strings>>,
    pub formats: Vec<Format>,
    pub styles: Styles,
    metadata: Metadata,
}

impl<'b> Source<'b> {
    /// Reads all but texts and sheets.
    pub fn open(mut package: Package<'b>, bytes: &'b [u8]) -> Result<Self, ReadError> {
        let book = book::read(&mut package)?;
        let (formats, styles) = match &book.styles {
            Some(part) => {
                let bytes = package.read(part)?;
                let text = xml::decode(part, &bytes)?;
                let styles = Styles::read(&text);
                // One without styles may be damaged, and says what is wrong.
                let formats = if styles.cells.is_empty() {
                    formats::read(part, &text)?
                } else {
                    styles.formats()
                };
                (formats, styles)
            }
            None => (Vec::new(), Styles::default()),
        };
        // Without it the numbers of cells are compared as they are.
        let metadata = book.metadata.as_ref().and_then(|part| {
            let bytes = package.read(part).ok()?;
            Some(Metadata::read(&xml::decode(part, &bytes).ok()?))
        });
        Ok(Self {
            bytes,
            package,
            book,
            strings: None,
            formats,
            styles,
            metadata: metadata.unwrap_or_default(),
        })
    }

    /// Reads the shared texts.
    pub fn load_strings(&mut self, options: &ReadOptions) -> Result<Arc<Strings>, ReadError> {
        if let Some(strings) = &self.strings {
            return Ok(Arc::clone(strings));
        }
        let strings = match &self.book.strings {
            Some(part) => strings::read(part, &self.package.read(part)?, &options.limits)?,
            None => Strings::default(),
        };
        let strings = Arc::new(strings);
        self.strings = Some(Arc::clone(&strings));
        Ok(strings)
    }

    /// Takes the shared texts of a workbook that has the same.
    pub fn share_strings(&mut self, strings: Arc<Strings>) {
        self.strings = Some(strings);
    }

    /// The shared texts as they lie in the archive.
    pub fn packed_strings(&mut self) -> Option<Packed<'b>> {
        let part = self.book.strings.as_ref()?;
        self.package.packed(part)
    }

    /// The part of a sheet as it lies in the archive.
    pub fn packed(&mut self, part: &str) -> Option<Packed<'b>> {
        self.package.packed(part)
    }

    /// The package itself.
    pub fn package(&mut self) -> &mut Package<'b> {
        &mut self.package
    }

    /// A reader of a part.
    pub fn reader(&mut self, part: &str) -> Result<PartReader<impl Read + '_>, ReadError> {
        self.package.reader(part)
    }

    /// Reads every sheet but those in `unread`; what is besides the cells if it
    /// is given the parts that need not be looked at.
    pub fn read(
        mut self,
        options: &ReadOptions,
        unread: &HashSet<String>,
        same: Option<&HashSet<String>>,
    ) -> Result<Workbook, ReadError> {
        let strings = self.load_strings(options)?;
        let mut workbook = Workbook {
            names: std::mem::take(&mut self.book.names),
            notes: std::mem::take(&mut self.book.notes),
            links: std::mem::take(&mut self.book.links),
            ..Workbook::default()
        };
        let mut used = Used::default();
        let mut opened = None;
        let keys: Arc<[StyleKey]> = self.styles.cells.clone().into();
        let mut shells: Vec<(usize, String, Option<Shell>)> = Vec::new();
        let mut others: Vec<(usize, String)> = Vec::new();
        for entry in std::mem::take(&mut self.book.sheets) {
            let mut sheet = Sheet {
                name: entry.name,
                visibility: entry.visibility,
                ..Sheet::default()
            };
            match entry.part {
                Err(other) => {
                    sheet.content = Content::Other(other);
                    if !entry.id.is_empty() {
                        others.push((workbook.sheets.len(), entry.id));
                    }
                }
                Ok(part) if unread.contains(&sheet.name) => {
                    sheet.content = Content::Unread;
                    shells.push((workbook.sheets.len(), part, None));
                }
                Ok(part) => {
                    let read =
                        self.sheet(&sheet.name, &part, &strings, used, options, &mut opened)?;
                    sheet.content = Content::Cells(read.grid);
                    sheet.merges = read.merges;
                    let (looks, rows) = read
                        .looks
                        .finish(Arc::clone(&keys), Arc::clone(&self.styles.details));
                    sheet.extras.looks = looks;
                    sheet.extras.rows = rows;
                    shells.push((workbook.sheets.len(), part, Some((read.shell, read.left))));
                    used = read.used;
                    workbook.notes.extend(read.notes);
                }
            }
            workbook.sheets.push(sheet);
        }
        if let Some(same) = same {
            let package = RefCell::new(&mut self.package);
            let reader = extras::Reader::new(&package, &self.styles, same);
            for (at, part, shell) in shells {
                let (items, cols) = reader.sheet(&part, shell);
                let extras = &mut workbook.sheets[at].extras;
                (extras.items, extras.cols) = (items, cols);
                extras.part = part.into();
            }
            for (at, id) in others {
                let extras = &mut workbook.sheets[at].extras;
                if let Some((part, whole)) = reader.whole_sheet(&self.book.part, &id) {
                    (extras.part, extras.whole) = (part.into(), Some(Arc::new(whole)));
                }
            }
            workbook.parts = reader.rest(&self.book.part);
            for (sheet, name, refers_to) in std::mem::take(&mut self.book.built_in) {
                let sheet = sheet.and_then(|at| workbook.sheets.get_mut(at));
                if let Some(sheet) = sheet {
                    let item = extras::built_in(&self.book.part, &name, refers_to);
                    sheet.extras.items.extend(item);
                }
            }
        }
        Ok(workbook)
    }

    fn sheet(
        &mut self,
        name: &str,
        part: &str,
        strings: &Strings,
        used: Used,
        options: &ReadOptions,
        opened: &mut Option<Opened<'b>>,
    ) -> Result<Done, ReadError> {
        let common = Common {
            strings,
            formats: &self.formats,
            metadata: &self.metadata,
            is_1904: self.book.is_1904,
            limits: &options.limits,
        };
        let mut sink = Sink::new(part, common, used);
        let mut reader = self.package.reader(part)?;
        match plain::read(|buffer, want| reader.fill(buffer, want), &mut sink) {
            Ok(around) => return Done::new(sink, name, around),
            Err(Stop::Bad(error)) => return Err(*error),
            Err(Stop::Unusual) => drop(reader),
        }
        let bytes = self.package.read(part)?;
        let text = xml::decode(part, &bytes)?;
        let mut sink = Sink::new(part, common, used);
        if let Cow::Owned(text) = &text {
            // calamine reads UTF-8 only, or nothing.
            // What the declaration says of the encoding is over.
            let begin = text.find("?>").map_or(0, |end| end + 2);
            let mut rest = &text.as_bytes()[begin..];
            let fill = |buffer: &mut Vec<u8>, _| {
                buffer.extend_from_slice(std::mem::take(&mut rest));
                Ok(false)
            };
            return match plain::read(fill, &mut sink) {
                Ok(around) => Done::new(sink, name, around),
                Err(Stop::Bad(error)) => Err(*error),
                Err(Stop::Unusual) => {
                    let what = "it is neither in UTF-8 nor plain XML of a sheet";
                    Err(ReadError::malformed(part, what))
                }
            };
        }
        let merges = fallback::check(part, &text, strings.len(), &mut sink)?;
        let shell = without_cells(&text);
        let opened = match opened {
            Some(opened) => opened,
            None => opened.insert(fallback::open(self.bytes, part)?),
        };
        fallback::read(opened, name, &mut sink)?;
        Done::new(sink, name, Around { merges, shell })
    }
}

/// The XML of a sheet without its cells, and what no reader took of those.
pub(super) type Shell = (String, Vec<Left>);

/// A sheet that was read.
struct Done {
    grid: Grid,
    merges: Vec<Area>,
    notes: Vec<Note>,
    used: Used,
    looks: LooksBuilder,
    left: Vec<Left>,
    shell: String,
}

impl Done {
    fn new(mut sink: Sink<'_>, sheet: &str, around: Around) -> Result<Self, ReadError> {
        let looks = std::mem::take(&mut sink.looks);
        let left = std::mem::take(&mut sink.left);
        let (grid, notes, used) = sink.finish(sheet)?;
        Ok(Self {
            grid,
            merges: around.merges,
            notes,
            used,
            looks,
            left,
            shell: around.shell,
        })
    }
}

/// The XML of a sheet without its cells.
fn without_cells(text: &str) -> String {
    let cells = text.find("sheetData").and_then(|at| text[..at].rfind('<'));
    let end = text.rfind("sheetData").and_then(|at| {
        let close = text[at..].find('>')?;
        Some(at + close + 1)
    });
    match (cells, end) {
        (Some(cells), Some(end)) if cells < end => [&text[..cells], &text[end..]].concat(),
        _ => text.to_owned(),
    }
}
