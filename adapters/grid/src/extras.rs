//! What a workbook holds beside its cells: comments, formats, charts, macros.
//!
//! Most of it is not compared in detail. It is read far enough to say whether it
//! differs, so that no difference goes without a word.

use crate::parts::{CarriedPart, NamedBy, Parts};
use crate::{Address, Area, Comment, Element, LineState, StyleProps};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What kind of thing differs; the word that `--ignore` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// Comments, notes and threads of them.
    Comments,
    /// Links from cells to places inside and outside the workbook.
    Hyperlinks,
    /// Rules for what may be entered.
    Validation,
    /// Number formats of cells.
    NumberFormats,
    /// Rows and columns that are hidden or grouped.
    Hidden,
    /// Fonts, fills, borders and alignment of cells, and of parts of their text.
    Styles,
    /// Conditional formatting.
    ConditionalFormats,
    /// Widths of columns and heights of rows.
    Sizes,
    /// Tables of a sheet, and slicers.
    Tables,
    /// Filters and their sort order.
    Filters,
    /// Frozen panes, grid lines, colours of tabs.
    Views,
    /// Protection of sheets and of the workbook.
    Protection,
    /// Print areas, margins, headers and footers.
    PageSetup,
    /// Charts, pictures and shapes.
    Drawings,
    /// Buttons and other controls, embedded documents.
    Controls,
    /// Pivot tables and what they hold.
    Pivots,
    /// VBA and the ribbon.
    Macros,
    /// Power Query and other queries.
    Queries,
    /// Connections to data.
    Connections,
    /// Other workbooks that formulas name.
    Links,
    /// Anything else.
    Other,
    /// Title, author, times, the program that wrote it.
    Properties,
    /// What is selected, how large it is shown.
    Selection,
    /// Colours and fonts of the theme.
    Theme,
    /// How and in which order formulas are calculated.
    Calculation,
    /// Styles that no cell has, and what the printer remembers.
    Unused,
}

impl Aspect {
    /// All of them.
    pub const ALL: [Self; 26] = [
        Self::Comments,
        Self::Hyperlinks,
        Self::Validation,
        Self::NumberFormats,
        Self::Hidden,
        Self::Styles,
        Self::ConditionalFormats,
        Self::Sizes,
        Self::Tables,
        Self::Filters,
        Self::Views,
        Self::Protection,
        Self::PageSetup,
        Self::Drawings,
        Self::Controls,
        Self::Pivots,
        Self::Macros,
        Self::Queries,
        Self::Connections,
        Self::Links,
        Self::Other,
        Self::Properties,
        Self::Selection,
        Self::Theme,
        Self::Calculation,
        Self::Unused,
    ];

    /// The word for it on the command line and in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Comments => "comments",
            Self::Hyperlinks => "hyperlinks",
            Self::Validation => "validation",
            Self::NumberFormats => "number-formats",
            Self::Hidden => "hidden",
            Self::Styles => "styles",
            Self::ConditionalFormats => "conditional-formats",
            Self::Sizes => "sizes",
            Self::Tables => "tables",
            Self::Filters => "filters",
            Self::Views => "views",
            Self::Protection => "protection",
            Self::PageSetup => "page-setup",
            Self::Drawings => "drawings",
            Self::Controls => "controls",
            Self::Pivots => "pivots",
            Self::Macros => "macros",
            Self::Queries => "queries",
            Self::Connections => "connections",
            Self::Links => "links",
            Self::Other => "other",
            Self::Properties => "properties",
            Self::Selection => "selection",
            Self::Theme => "theme",
            Self::Calculation => "calculation",
            Self::Unused => "unused",
        }
    }

    /// The aspect that is called so.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|aspect| aspect.as_str() == word)
    }

    /// In a sentence.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::NumberFormats => "number formats",
            Self::Hidden => "hidden or grouped rows and columns",
            Self::Styles => "cell styles",
            Self::ConditionalFormats => "conditional formatting",
            Self::Validation => "data validation",
            Self::Sizes => "row heights and column widths",
            Self::Views => "view (frozen panes, grid lines, tab colour)",
            Self::PageSetup => "page setup",
            Self::Drawings => "charts, pictures or shapes",
            Self::Controls => "controls or embedded objects",
            Self::Pivots => "pivot tables",
            Self::Links => "links to other workbooks",
            Self::Other => "other content",
            Self::Properties => "document properties",
            Self::Selection => "selection and zoom",
            Self::Calculation => "calculation settings",
            Self::Unused => "unused styles and printer settings",
            Self::Comments
            | Self::Hyperlinks
            | Self::Tables
            | Self::Filters
            | Self::Protection
            | Self::Macros
            | Self::Queries
            | Self::Connections
            | Self::Theme => self.as_str(),
        }
    }

    /// Whether it changes whenever somebody looks at a workbook and saves it, so
    /// that it alone makes no difference.
    #[must_use]
    pub fn is_quiet(self) -> bool {
        matches!(
            self,
            Self::Properties | Self::Selection | Self::Theme | Self::Calculation | Self::Unused
        )
    }
}

/// One thing in a sheet that is not a cell, as far as it is compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Extra {
    pub aspect: Aspect,
    /// The cells that it is about; they follow when rows and columns move.
    pub areas: Vec<Area>,
    /// Formulas in it; so do they.
    pub formulas: Vec<String>,
    /// All the rest of it.
    pub digest: u64,
    /// The part of the package that it is in.
    pub part: Arc<str>,
    /// All of it, if a report can carry it.
    pub payload: Option<Arc<Payload>>,
    /// The element and attribute that it is, where no reader knows more of it.
    pub label: Option<Arc<str>>,
}

impl Extra {
    /// The table that it is, and where.
    pub fn table(&self) -> Option<(&Element, Area)> {
        match self.payload.as_deref() {
            Some(Payload::Element(table)) if self.aspect == Aspect::Tables => {
                Some((table, *self.areas.first()?))
            }
            _ => None,
        }
    }

    /// The chart, picture, shape or pivot table that it is.
    pub fn object(&self) -> Option<&Object> {
        match self.payload.as_deref() {
            Some(Payload::Object(object)) => Some(object),
            _ => None,
        }
    }
}

/// Something beside the cells, whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Payload {
    Element(Element),
    Comment(Comment),
    Object(Object),
}

/// A chart, a picture, a shape or a pivot table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Object {
    /// What it is, for people.
    pub said: Element,
    /// Its corners in the sheet; they follow rows and columns.
    pub corners: Vec<Address>,
    /// A number for what it consists of, without what names it.
    pub content: u64,
    /// What names it.
    pub named_by: NamedBy,
    /// How many of its kind come before it.
    pub at: u32,
    /// The type of the relationship that leads to it; empty if what names it has that.
    pub relation: String,
    /// All that it consists of; none if a report does not carry it.
    pub parts: Option<Vec<CarriedPart>>,
}

/// One part of the package, or a piece of one, that belongs to no sheet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartDigest {
    pub(crate) aspect: Aspect,
    pub(crate) digest: u64,
    pub(crate) part: String,
    /// All of it, if a report can carry it.
    pub(crate) carried: Option<Arc<Carried>>,
    /// What of the part it is, where no reader knows more of it.
    pub(crate) piece: Option<Piece>,
}

/// A piece of a part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Piece {
    /// The defined name that it belongs to.
    pub name: Option<String>,
    /// The element and attribute.
    pub label: String,
}

/// A part that belongs to no sheet, whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Carried {
    /// What it is, for people.
    pub said: Element,
    pub parts: Parts,
    /// The workbook part names it, so that it can change, and neither come nor go.
    pub stays: bool,
    /// Modules or queries, by name.
    pub pieces: Vec<(String, String)>,
}

/// What one sheet holds beside its cells.
#[derive(Clone, Debug, Default)]
pub struct SheetExtras {
    pub(crate) items: Vec<Extra>,
    pub(crate) cols: Vec<ColumnLook>,
    /// Rows of which something is said, in order.
    pub(crate) rows: BTreeMap<u32, LineLook>,
    pub(crate) looks: Looks,
    /// The part of the sheet itself.
    pub(crate) part: Arc<str>,
    /// A sheet without cells, whole.
    pub(crate) whole: Option<Arc<Whole>>,
}

/// A sheet without cells.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Whole {
    /// A number for what it says.
    pub digest: u64,
    /// Its part and all that it leads to; none if a report cannot carry them.
    pub parts: Option<Parts>,
}

/// Columns of one look, both ends inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColumnLook {
    pub first: u32,
    pub last: u32,
    pub look: LineLook,
    /// Whether somebody chose the width.
    pub chosen: bool,
    pub style: u32,
}

/// How a row or a column looks; zero is as any other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LineLook {
    /// Its height or width, in bits; zero if none is set.
    pub size: u64,
    /// Hidden, the level of its group, and whether that is folded.
    pub hidden: u64,
}

impl LineLook {
    /// Whether it was hidden, and how it is grouped.
    pub fn state(self) -> LineState {
        LineState {
            hidden: self.hidden & 1 != 0,
            collapsed: self.hidden & 2 != 0,
            level: u8::try_from(self.hidden >> 2).unwrap_or(u8::MAX),
        }
    }

    /// Its height or width, if somebody chose one.
    pub fn size(self) -> Option<f64> {
        (self.size != 0).then(|| f64::from_bits(self.size))
    }
}

/// A style of cells in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellStyle {
    pub number_format: Arc<str>,
    /// What its font, its fill, its border and it itself say.
    pub parts: [Arc<StyleProps>; 4],
}

impl CellStyle {
    /// All that it says but for the number format.
    pub fn props(&self) -> StyleProps {
        let all = self.parts.iter().flat_map(|part| part.iter());
        all.map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }
}

/// What a style makes of a cell, as two numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct StyleKey {
    pub number_format: u64,
    pub look: u64,
}

/// The styles of the cells of a sheet, also of empty ones. Rows that look alike
/// share a pattern, and most sheets have few.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looks {
    pub styles: Arc<[StyleKey]>,
    pub details: Arc<[CellStyle]>,
    pub rows: BTreeMap<u32, u32>,
    pub patterns: Vec<Pattern>,
    /// Styles of cells whose text has looks of its own: the style, and a number for
    /// those.
    dressed: Vec<(u32, u64)>,
}

/// Numbers of styles from which on they are dressed ones.
const DRESSED: u32 = 1 << 24;

/// The styles along a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Pattern {
    /// First column, count, style.
    pub runs: Vec<(u32, u32, u32)>,
    /// The style of the row itself, which cells that are not there have.
    pub rest: Option<u32>,
}

impl Looks {
    /// What a style says, but for the looks of parts of a text.
    pub fn detail(&self, style: u32) -> CellStyle {
        let style = match style.checked_sub(DRESSED) {
            Some(at) => self.dressed.get(at as usize).map_or(0, |dressed| dressed.0),
            None => style,
        };
        let found = self.details.get(style as usize);
        let found = found.or_else(|| self.details.first()).cloned();
        found.unwrap_or_else(|| CellStyle {
            number_format: "General".into(),
            parts: Default::default(),
        })
    }

    /// A number for how the parts of a text look; zero if they look as the whole does.
    pub fn dress(&self, style: u32) -> u64 {
        let at = style.checked_sub(DRESSED);
        let dressed = at.and_then(|at| self.dressed.get(at as usize));
        dressed.map_or(0, |dressed| dressed.1)
    }

    /// What a style means.
    pub fn key(&self, style: u32) -> StyleKey {
        if let Some(at) = style.checked_sub(DRESSED) {
            let Some(&(style, look)) = self.dressed.get(at as usize) else {
                return StyleKey::default();
            };
            let own = self.key(style);
            return StyleKey {
                look: own.look.rotate_left(1) ^ look,
                ..own
            };
        }
        // One that is not there is as the first.
        let found = self.styles.get(style as usize);
        found
            .or_else(|| self.styles.first())
            .copied()
            .unwrap_or_default()
    }
}

/// Collects looks while a sheet is read.
#[derive(Debug, Default)]
pub(crate) struct LooksBuilder {
    looks: Looks,
    known: HashMap<Pattern, u32>,
    row: u32,
    pattern: Pattern,
    lines: BTreeMap<u32, LineLook>,
    dressed: HashMap<(u32, u64), u32>,
}

impl LooksBuilder {
    /// A row begins.
    pub fn row(&mut self, row: u32, style: Option<u32>, look: LineLook) {
        self.end_row();
        self.row = row;
        self.pattern.rest = style;
        if look != LineLook::default() {
            self.lines.insert(row, look);
        }
    }

    /// A cell of a row, whether there is anything in it or not.
    #[inline]
    pub fn cell(&mut self, row: u32, col: u32, style: u32) {
        // No file has so many; one that says so means none.
        let style = if style < DRESSED { style } else { 0 };
        if row != self.row {
            self.end_row();
            self.row = row;
        }
        match self.pattern.runs.last_mut() {
            Some((first, count, same)) if *same == style && *first + *count == col => *count += 1,
            _ => self.pattern.runs.push((col, 1, style)),
        }
    }

    /// The cell that came last has a text with looks of its own.
    pub fn dress(&mut self, row: u32, col: u32, look: u64) {
        let Some(&(first, count, was)) = self.pattern.runs.last() else {
            return;
        };
        if row != self.row || first + count != col + 1 {
            return;
        }
        // It may have several.
        let (style, look) = match was.checked_sub(DRESSED) {
            Some(at) => {
                let (style, other) = self.looks.dressed[at as usize];
                (style, other.rotate_left(1) ^ look)
            }
            None => (was, look),
        };
        let next = DRESSED + self.looks.dressed.len() as u32;
        let id = *self.dressed.entry((style, look)).or_insert(next);
        if id == next {
            self.looks.dressed.push((style, look));
        }
        self.pattern.runs.pop();
        if count > 1 {
            self.pattern.runs.push((first, count - 1, was));
        }
        match self.pattern.runs.last_mut() {
            Some((first, count, same)) if *same == id && *first + *count == col => *count += 1,
            _ => self.pattern.runs.push((col, 1, id)),
        }
    }

    fn end_row(&mut self) {
        let plain = self.pattern.runs.iter().all(|(_, _, style)| *style == 0);
        if plain && self.pattern.rest.unwrap_or(0) == 0 {
            self.pattern.runs.clear();
            self.pattern.rest = None;
            return;
        }
        let id = if let Some(id) = self.known.get(&self.pattern) {
            self.pattern.runs.clear();
            *id
        } else {
            let id = self.looks.patterns.len() as u32;
            let pattern = std::mem::take(&mut self.pattern);
            self.looks.patterns.push(pattern.clone());
            self.known.insert(pattern, id);
            id
        };
        self.pattern.rest = None;
        self.looks.rows.insert(self.row, id);
    }

    /// The looks of all rows.
    pub fn finish(
        mut self,
        styles: Arc<[StyleKey]>,
        details: Arc<[CellStyle]>,
    ) -> (Looks, BTreeMap<u32, LineLook>) {
        self.end_row();
        self.looks.styles = styles;
        self.looks.details = details;
        (self.looks, self.lines)
    }
}

/// A formula without what says nothing.
pub(crate) fn plain_formula(text: &str) -> String {
    let text = text.strip_prefix('=').unwrap_or(text);
    let all = text.chars().filter(|c| !c.is_whitespace());
    all.flat_map(char::to_lowercase).collect()
}
