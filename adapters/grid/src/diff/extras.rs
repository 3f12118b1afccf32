//! What differs beside the cells, told as notes.

use crate::atlas::Atlas;
use crate::extras::{Aspect, ColumnLook, Extra, LineLook, Looks, PartDigest, StyleKey};
use crate::formula::Formula;
use crate::maps::{AxisMap, CellMap};
use crate::report::DiffReport;
use crate::{Address, Area, MAX_COLS, Note, Options, Sheet, Workbook};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Two sheets whose cells are compared already.
pub(crate) struct Beside<'a> {
    pub sheets: [&'a Sheet; 2],
    pub map: &'a CellMap,
    pub atlas: &'a Atlas,
    pub options: &'a Options,
}

/// Places in which something differs.
#[derive(Default)]
struct Places {
    count: u64,
    /// The first of them, in words.
    first: Option<(u32, u32, String)>,
    parts: BTreeSet<String>,
}

impl Places {
    fn add(&mut self, at: Option<(u32, u32)>, count: u64, words: impl FnOnce() -> String) {
        self.count += count;
        if let Some((row, col)) = at {
            let first = self.first.as_ref().map(|(row, col, _)| (*row, *col));
            if first.is_none_or(|first| (row, col) < first) {
                self.first = Some((row, col, words()));
            }
        }
    }
}

type Found = BTreeMap<Aspect, Places>;

impl Beside<'_> {
    /// Puts what differs into the report.
    pub fn tell(&self, report: &mut DiffReport) {
        let mut found = Found::new();
        self.items(&mut found);
        self.lines(&mut found);
        self.looks(&mut found);
        let sheet = &self.sheets[1].name;
        for (aspect, places) in found {
            if self.options.ignore.contains(&aspect) {
                continue;
            }
            let at = match (&places.first, places.count) {
                (Some((_, _, at)), 1) => format!(" at {at}"),
                (Some((_, _, at)), count) => format!(" in {count} places, the first at {at}"),
                (None, _) => String::new(),
            };
            let message = format!("sheet {sheet:?}: {} changed{at}", aspect.in_words());
            let part = places.parts.first().cloned();
            push(report, aspect, message, Some(sheet), part);
        }
    }

    /// Things with a place of their own, and things of the sheet.
    fn items(&self, found: &mut Found) {
        let [old, new] = self.sheets.map(|sheet| &sheet.extras.items);
        if old.is_empty() && new.is_empty() {
            return;
        }
        let places = self.atlas.seen_from(Some(&self.sheets[0].name));
        let back = self.map.inverse();
        let follow = |item: &Extra| {
            let areas: Vec<Area> = item
                .areas
                .iter()
                .filter_map(|a| self.map.area(*a))
                .collect();
            if areas.is_empty() && !item.areas.is_empty() {
                // It went with its cells.
                return None;
            }
            let formulas = item.formulas.iter();
            let formulas = formulas.map(|text| plain(&Formula::parse(text).follow(&places)));
            Some(key(item, areas, formulas.collect()))
        };
        let came = |item: &&Extra| {
            let there = item.areas.iter().any(|area| back.area(*area).is_some());
            item.areas.is_empty() || there
        };
        let stay = |item: &Extra| {
            let formulas = item.formulas.iter().map(|text| plain(text));
            key(item, item.areas.clone(), formulas.collect())
        };
        let was: Vec<Key> = old.iter().filter_map(follow).collect();
        let is: Vec<Key> = new.iter().filter(came).map(stay).collect();
        for (side, item) in differing(was, is) {
            let places = found.entry(item.aspect).or_default();
            places.parts.insert(item.part.clone());
            // A change is one that went and one that came.
            if let Some(area) = item.areas.first() {
                let count = u64::from(side == 1 || !has_pair(&item, new));
                let at = (area.first.row, area.first.col);
                places.add(Some(at), count, || area.shortest());
            } else {
                places.add(None, 1, String::new);
            }
        }
    }

    /// Heights, widths, and what is hidden.
    fn lines(&self, found: &mut Found) {
        let [old, new] = self.sheets.map(|sheet| &sheet.extras);
        if old.rows != new.rows || !self.map.rows.is_identity() {
            let back = self.map.rows.inverse();
            let rows = old.rows.keys().filter_map(|row| self.map.rows.get(*row));
            let rows: BTreeSet<u32> = rows.chain(new.rows.keys().copied()).collect();
            for row in rows {
                let Some(from) = back.get(row) else { continue };
                let look = |rows: &BTreeMap<u32, LineLook>, row| rows.get(&row).copied();
                let was = look(&old.rows, from).unwrap_or_default();
                let is = look(&new.rows, row).unwrap_or_default();
                self.line(was, is, (row, 0), &format!("row {}", row + 1), found);
            }
        }
        if old.cols != new.cols || !self.map.cols.is_identity() {
            let back = self.map.cols.inverse();
            let ends = old.cols.iter().chain(&new.cols).map(|col| col.last);
            // Beyond the last column that is used, programs say what they like.
            let used = self
                .sheets
                .map(|s| s.grid().map_or(0, crate::Grid::col_count));
            let end = ends.max().unwrap_or(0).min(used[0].max(used[1]).max(1) - 1);
            for col in 0..=end {
                let Some(from) = back.get(col) else { continue };
                let was = column(&old.cols, from).map_or(LineLook::default(), |col| col.look);
                let is = column(&new.cols, col).map_or(LineLook::default(), |col| col.look);
                let name = format!("column {}", crate::column_name(col));
                self.line(was, is, (0, col), &name, found);
            }
        }
    }

    fn line(&self, was: LineLook, is: LineLook, at: (u32, u32), name: &str, found: &mut Found) {
        let parts = [
            (Aspect::Sizes, was.size != is.size),
            (Aspect::Hidden, was.hidden != is.hidden),
        ];
        for (aspect, differs) in parts {
            if differs {
                let places = found.entry(aspect).or_default();
                places.parts.insert(self.sheets[1].extras.part.to_string());
                places.add(Some(at), 1, || name.to_owned());
            }
        }
    }

    /// Styles, cell by cell; rows that look alike are compared once.
    fn looks(&self, found: &mut Found) {
        let [old, new] = self.sheets.map(|sheet| &sheet.extras);
        let (was, is) = (&old.looks, &new.looks);
        let back = self.map.rows.inverse();
        let rows = was.rows.keys().filter_map(|row| self.map.rows.get(*row));
        let rows: BTreeSet<u32> = rows.chain(is.rows.keys().copied()).collect();
        let cols = self.map.cols.inverse();
        let sides = Sides {
            looks: [was, is],
            cols: [&old.cols, &new.cols],
            back: &cols,
        };
        let mut known: HashMap<(Option<u32>, Option<u32>), Vec<Span>> = HashMap::new();
        for row in rows {
            let Some(from) = back.get(row) else { continue };
            let pair = (was.rows.get(&from).copied(), is.rows.get(&row).copied());
            let spans = known.entry(pair).or_insert_with(|| sides.compare(pair));
            for &(first, count, aspect) in spans.iter() {
                let cells = (first..first + count).filter(|col| !self.went(row, *col));
                let mut cells = cells.peekable();
                let Some(&first) = cells.peek() else { continue };
                let places = found.entry(aspect).or_default();
                places.parts.insert(new.part.to_string());
                let at = Address::new(row, first);
                places.add(Some((row, first)), cells.count() as u64, || at.to_string());
            }
        }
    }

    /// Whether a rectangle came to this place, or left it.
    fn went(&self, row: u32, col: u32) -> bool {
        let at = Address::new(row, col);
        let mut rects = self.map.rects.iter();
        rects.any(|rect| rect.from.contains(at) || rect.target().contains(at))
    }
}

/// Whether something else of its kind is where this was.
fn has_pair(item: &Key, new: &[Extra]) -> bool {
    let mut others = new.iter().filter(|other| other.aspect == item.aspect);
    others.any(|other| other.areas.first() == item.areas.first())
}

/// First column, count, and what differs in it.
type Span = (u32, u32, Aspect);

/// Looks of both sides, and where columns came from.
struct Sides<'a> {
    looks: [&'a Looks; 2],
    cols: [&'a [ColumnLook]; 2],
    back: &'a AxisMap,
}

impl Sides<'_> {
    /// Stretches of columns in which two rows of these patterns look different.
    fn compare(&self, patterns: (Option<u32>, Option<u32>)) -> Vec<Span> {
        let patterns = [patterns.0, patterns.1];
        let ends = [0, 1].map(|side: usize| {
            let runs = patterns[side].map(|at| &self.looks[side].patterns[at as usize].runs);
            let last = runs.and_then(|runs| runs.last());
            last.map_or(0, |(first, count, _)| first + count)
        });
        let mut spans: Vec<Span> = Vec::new();
        let mut push = |col: u32, aspect: Aspect| {
            let open = spans.iter_mut().rev().take(2).find(|span| span.2 == aspect);
            match open {
                Some((first, count, _)) if *first + *count == col => *count += 1,
                _ => spans.push((col, 1, aspect)),
            }
        };
        for col in 0..ends[0].max(ends[1]).min(MAX_COLS) {
            let Some(from) = self.back.get(col) else {
                continue;
            };
            let was = self.style(0, patterns[0], from);
            let is = self.style(1, patterns[1], col);
            if was.number_format != is.number_format {
                push(col, Aspect::NumberFormats);
            }
            if was.look != is.look {
                push(col, Aspect::Styles);
            }
        }
        spans
    }

    fn style(&self, side: usize, pattern: Option<u32>, col: u32) -> StyleKey {
        let looks = self.looks[side];
        let pattern = pattern.map(|at| &looks.patterns[at as usize]);
        let own = pattern.and_then(|pattern| {
            let behind = pattern.runs.partition_point(|run| run.0 + run.1 <= col);
            let run = pattern.runs.get(behind).filter(|run| run.0 <= col);
            run.map(|run| run.2).or(pattern.rest)
        });
        let of_column = || column(self.cols[side], col).map(|column| column.style);
        looks.key(own.or_else(of_column).unwrap_or(0))
    }
}

fn column(cols: &[ColumnLook], col: u32) -> Option<&ColumnLook> {
    cols.iter()
        .find(|look| (look.first..=look.last).contains(&col))
}

/// What two things have to have in common to be one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    aspect: Aspect,
    areas: Vec<Area>,
    formulas: Vec<String>,
    digest: u64,
    part: String,
}

impl Key {
    fn same(&self, other: &Self) -> std::cmp::Ordering {
        let fields = |key: &Self| (key.aspect, key.digest);
        fields(self)
            .cmp(&fields(other))
            .then_with(|| self.areas.cmp(&other.areas))
            .then_with(|| self.formulas.cmp(&other.formulas))
    }
}

fn key(item: &Extra, mut areas: Vec<Area>, formulas: Vec<String>) -> Key {
    areas.sort_unstable();
    Key {
        aspect: item.aspect,
        areas,
        formulas,
        digest: item.digest,
        part: item.part.to_string(),
    }
}

/// Those that are on one side only, with their side.
fn differing(mut was: Vec<Key>, mut is: Vec<Key>) -> Vec<(usize, Key)> {
    was.sort_by(Key::same);
    is.sort_by(Key::same);
    let (mut was, mut is) = (was.into_iter().peekable(), is.into_iter().peekable());
    let mut found = Vec::new();
    loop {
        let order = match (was.peek(), is.peek()) {
            (Some(was), Some(is)) => was.same(is),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => return found,
        };
        match order {
            std::cmp::Ordering::Equal => {
                was.next();
                is.next();
            }
            std::cmp::Ordering::Less => found.extend(was.next().map(|key| (0, key))),
            std::cmp::Ordering::Greater => found.extend(is.next().map(|key| (1, key))),
        }
    }
}

/// A formula without what says nothing.
fn plain(text: &str) -> String {
    let text = text.strip_prefix('=').unwrap_or(text);
    let all = text.chars().filter(|c| !c.is_whitespace());
    all.flat_map(char::to_lowercase).collect()
}

/// Parts that belong to no sheet, and one line on all that is not worth more.
pub(crate) fn book(old: &Workbook, new: &Workbook, options: &Options, report: &mut DiffReport) {
    if options.only_sheets.is_empty() {
        let mut found: BTreeMap<Aspect, BTreeSet<&str>> = BTreeMap::new();
        for part in one_sided(&old.parts, &new.parts) {
            found.entry(part.aspect).or_default().insert(&part.part);
        }
        for (aspect, parts) in found {
            if options.ignore.contains(&aspect) {
                continue;
            }
            let first = parts.first().map_or("", |part| part);
            let names = match parts.len() {
                1 => first.to_owned(),
                more => format!("{first} and {} more", more - 1),
            };
            let message = format!("{} changed ({names})", aspect.in_words());
            push(report, aspect, message, None, Some(first.to_owned()));
        }
    }
    sum_up(report);
}

fn one_sided<'p>(old: &'p [PartDigest], new: &'p [PartDigest]) -> Vec<&'p PartDigest> {
    let same = |a: &PartDigest, b: &PartDigest| (a.aspect, a.digest).cmp(&(b.aspect, b.digest));
    let (mut a, mut b) = (old.iter().peekable(), new.iter().peekable());
    let mut found = Vec::new();
    loop {
        let order = match (a.peek(), b.peek()) {
            (Some(a), Some(b)) => same(a, b),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => return found,
        };
        match order {
            std::cmp::Ordering::Equal => {
                a.next();
                b.next();
            }
            std::cmp::Ordering::Less => found.extend(a.next()),
            std::cmp::Ordering::Greater => found.extend(b.next()),
        }
    }
}

/// The kind of note on what is not worth one of its own.
const QUIET: &str = "properties";

fn push(
    report: &mut DiffReport,
    aspect: Aspect,
    message: String,
    sheet: Option<&str>,
    part: Option<String>,
) {
    let kind = if aspect.is_quiet() { QUIET } else { "part" };
    report.notes.push(Note {
        what: Some(aspect.as_str().to_owned()),
        sheet: sheet.map(str::to_owned),
        part: part.filter(|part| !part.is_empty()),
        ..Note::new(kind, message)
    });
}

/// Makes one line of all that is not worth more.
fn sum_up(report: &mut DiffReport) {
    let (quiet, rest): (Vec<Note>, Vec<Note>) = std::mem::take(&mut report.notes)
        .into_iter()
        .partition(|note| note.kind == QUIET && note.what.is_some());
    report.notes = rest;
    let found: BTreeSet<Aspect> = quiet
        .iter()
        .filter_map(|note| Aspect::parse(note.what.as_deref()?))
        .collect();
    if found.is_empty() {
        return;
    }
    let words: Vec<&str> = found.iter().map(|aspect| aspect.in_words()).collect();
    let message = format!("the files also differ in {}", words.join(", "));
    let kinds: Vec<&str> = found.iter().map(|aspect| aspect.as_str()).collect();
    report.notes.push(Note {
        what: Some(kinds.join(",")),
        ..Note::new(QUIET, message)
    });
}
