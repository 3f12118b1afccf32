//! A workbook: sheets, their cells, and the names that formulas use.

use crate::extras::{PartDigest, Payload, SheetExtras};
use crate::{Address, Aspect, Grid, NoAddress, WholeSheet, formula};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// Everything of a workbook that is compared.
#[derive(Clone, Debug, Default)]
pub struct Workbook {
    /// The sheets, in order of their tabs.
    pub sheets: Vec<Sheet>,
    /// Names defined in the workbook.
    pub names: Vec<Name>,
    /// What was not read as it is there, and why.
    pub notes: Vec<Note>,
    /// The files that formulas name by a number in brackets, the first for `[1]`.
    pub links: Vec<String>,
    /// What belongs to no sheet, as far as it is compared.
    pub parts: Vec<PartDigest>,
}

impl Workbook {
    /// Whether both hold the same, by the rules that workbooks are compared by:
    /// values by [`Value::same`](crate::Value::same), cells with formulas by their
    /// formulas.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        let sorted = |names: &[Name]| {
            let mut names = names.to_vec();
            names.sort();
            names
        };
        let (mine, others) = (sorted(&self.names), sorted(&other.names));
        let alike = |(a, b): (&Name, &Name)| {
            (&a.name, &a.sheet) == (&b.name, &b.sheet) && formula::same(&a.refers_to, &b.refers_to)
        };
        self.sheets.len() == other.sheets.len()
            && self
                .sheets
                .iter()
                .zip(&other.sheets)
                .all(|(a, b)| a.same(b))
            && mine.len() == others.len()
            && mine.iter().zip(&others).all(alike)
    }
}

impl Workbook {
    /// Whether there is something of this kind in it.
    #[must_use]
    pub fn has(&self, aspect: Aspect) -> bool {
        let mut items = self.sheets.iter().flat_map(|sheet| &sheet.extras.items);
        items.any(|item| item.aspect == aspect)
            || self.parts.iter().any(|part| part.aspect == aspect)
    }
}

/// One sheet.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The name on its tab.
    pub name: String,
    /// Whether it is shown.
    pub visibility: Visibility,
    /// What is in it.
    pub content: Content,
    /// Merged regions, in order.
    pub merges: Vec<Area>,
    /// What it holds besides its cells, as far as it is compared.
    pub extras: SheetExtras,
}

impl Sheet {
    /// A visible sheet with these cells.
    #[must_use]
    pub fn new(name: &str, grid: Grid) -> Self {
        Self {
            name: name.to_owned(),
            content: Content::Cells(grid),
            ..Self::default()
        }
    }

    pub(crate) fn same(&self, other: &Self) -> bool {
        let content = match (&self.content, &other.content) {
            (Content::Cells(a), Content::Cells(b)) => a.same(b),
            (Content::Unread, Content::Unread) => true,
            (Content::Other(a), Content::Other(b)) => a == b,
            _ => false,
        };
        let merges = |sheet: &Self| sheet.merges.iter().copied().collect::<BTreeSet<_>>();
        content
            && (&self.name, self.visibility) == (&other.name, other.visibility)
            && merges(self) == merges(other)
    }

    /// What a report carries of a sheet without cells.
    pub(crate) fn whole(&self) -> Option<WholeSheet> {
        let Content::Other(holds) = self.content else {
            return None;
        };
        let carried = self.extras.whole.as_ref();
        Some(WholeSheet {
            holds,
            parts: carried.and_then(|whole| whole.parts.clone()),
        })
    }

    /// The cells that have a note or a thread of comments.
    pub fn commented(&self) -> impl Iterator<Item = Address> {
        let comments = self.extras.items.iter().filter(|item| {
            let payload = item.payload.as_deref();
            matches!(payload, Some(Payload::Comment(_)))
        });
        comments.filter_map(|item| Some(item.areas.first()?.first))
    }

    /// Its cells, if it has any and they were read.
    #[must_use]
    pub fn grid(&self) -> Option<&Grid> {
        match &self.content {
            Content::Cells(grid) => Some(grid),
            _ => None,
        }
    }
}

/// What is in a sheet.
#[derive(Clone, Debug)]
pub enum Content {
    /// Cells.
    Cells(Grid),
    /// Cells that were not read, because they are byte for byte those of the
    /// sheet of the same name in the other workbook, and no formula in them names
    /// another sheet.
    Unread,
    /// No cells: a chart, a dialog or a macro sheet.
    Other(OtherSheet),
}

impl Default for Content {
    fn default() -> Self {
        Self::Cells(Grid::default())
    }
}

/// A sheet without cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OtherSheet {
    /// A chart.
    Chart,
    /// A dialog.
    Dialog,
    /// Macros.
    Macro,
}

/// Whether a sheet is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Shown.
    #[default]
    Visible,
    /// Hidden, and people can show it again.
    Hidden,
    /// Hidden so that only a program can show it again.
    VeryHidden,
}

/// A rectangle of cells, both corners inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Area {
    /// Top left.
    pub first: Address,
    /// Bottom right.
    pub last: Address,
}

impl Area {
    /// Whether the cell lies in it.
    #[must_use]
    pub fn contains(&self, at: Address) -> bool {
        (self.first.row..=self.last.row).contains(&at.row)
            && (self.first.col..=self.last.col).contains(&at.col)
    }
}

impl Area {
    /// `B2:C5`, or `B2` for a single cell.
    #[must_use]
    pub fn shortest(self) -> String {
        if self.first == self.last {
            self.first.to_string()
        } else {
            self.to_string()
        }
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.first, self.last)
    }
}

impl std::str::FromStr for Area {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        let (first, last) = text.split_once(':').unwrap_or((text, text));
        let (first, last): (Address, Address) = (first.parse()?, last.parse()?);
        Ok(Self {
            first: Address::new(first.row.min(last.row), first.col.min(last.col)),
            last: Address::new(first.row.max(last.row), first.col.max(last.col)),
        })
    }
}

/// A name that formulas may use for a formula or a reference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The name.
    pub name: String,
    /// The sheet that it holds in; none if in all.
    pub sheet: Option<String>,
    /// What it refers to, without `=`.
    pub refers_to: String,
}

/// Something that the answer has to say about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What kind of remark it is, one word.
    pub kind: String,
    /// In words.
    pub message: String,
    /// What differs, of a note of kind `part`: the word that `--ignore` takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// The sheet that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The part of the file that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
}

impl Note {
    /// A remark of this kind.
    pub fn new(kind: &str, message: impl Into<String>) -> Self {
        Self {
            kind: kind.to_owned(),
            message: message.into(),
            what: None,
            sheet: None,
            part: None,
        }
    }
}
