//! What differs beside the cells, as notes.

use crate::cell_map::CellMap;
use crate::diff::report_budget::ReportBudget;
use crate::extras::{Aspect, Extra, Payload, plain_formula};
use crate::formula::Formula;
use crate::report::DiffReport;
use crate::table::{self, Moved};
use crate::workbook_map::WorkbookMap;
use crate::{
    Address, Area, DiffOp, Element, Grid, ItemChange, Note, Options, PartChange, Placed, Sheet,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Two sheets whose cells are compared already.
pub(crate) struct Beside<'a> {
    pub sheets: [&'a Sheet; 2],
    pub map: &'a CellMap,
    pub workbook_map: &'a WorkbookMap,
    /// The map of the workbook on the way back.
    pub back: &'a WorkbookMap,
    pub budget: &'a ReportBudget,
    pub options: &'a Options,
}

/// Places in which something differs.
#[derive(Default)]
pub(super) struct Places {
    count: u64,
    /// The first of them, in words.
    first: Option<(u32, u32, String)>,
    pub parts: BTreeSet<String>,
    /// Elements and attributes, where no reader knows more.
    labels: BTreeSet<Arc<str>>,
}

impl Places {
    /// Says what it is, or why it is no more than a note.
    pub fn label(&mut self, label: &str) {
        self.labels.insert(label.into());
    }

    pub fn add(&mut self, at: Option<(u32, u32)>, count: u64, words: impl FnOnce() -> String) {
        self.count += count;
        if let Some((row, col)) = at {
            let first = self.first.as_ref().map(|(row, col, _)| (*row, *col));
            if first.is_none_or(|first| (row, col) < first) {
                self.first = Some((row, col, words()));
            }
        }
    }
}

pub(super) type Found = BTreeMap<Aspect, Places>;

impl Beside<'_> {
    /// Puts what differs into the report.
    pub fn tell(&self, report: &mut DiffReport) {
        let mut found = Found::new();
        self.items(&mut found, report);
        self.objects(&mut found, report);
        self.lines(report);
        self.looks(&mut found, report);
        self.line_styles(&mut found, report);
        self.along_lines(report);
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
            let what = listed(places.labels.iter().map(|label| &label[..]));
            let message = format!("sheet {sheet:?}: {} changed{at}{what}", aspect.in_words());
            let part = places.parts.first().cloned();
            push(report, aspect, message, Some(sheet), part);
        }
    }

    /// Things with a place of their own, and things of the sheet.
    fn items(&self, found: &mut Found, report: &mut DiffReport) {
        let [old, new] = self.sheets.map(|sheet| &sheet.extras.items);
        if old.is_empty() && new.is_empty() {
            return;
        }
        let places = self.workbook_map.seen_from(Some(&self.sheets[0].name));
        let back = self.map.inverse();
        let no_cells = Grid::default();
        let grids = self.sheets.map(|sheet| sheet.grid().unwrap_or(&no_cells));
        let moved = Moved {
            map: self.map,
            back: &back,
            places: &places,
            grids,
        };
        let mut was: Vec<Key<'_>> = Vec::new();
        // Those are compared by themselves.
        let is_other = |item: &&Extra| item.object().is_none();
        for item in old.iter().filter(is_other) {
            if let Some((table, area)) = item.table() {
                match moved.follow(table, area) {
                    Some((table, area)) => was.push(table_key(item, &table, area)),
                    None => self.along(item, &mut report.with_removed),
                }
                continue;
            }
            let areas = item.areas.iter();
            let areas: Vec<Area> = areas.filter_map(|area| self.map.area(*area)).collect();
            if areas.is_empty() && !item.areas.is_empty() {
                // It went with its cells.
                self.along(item, &mut report.with_removed);
                continue;
            }
            let formulas = item.formulas.iter();
            let formulas =
                formulas.map(|text| plain_formula(&Formula::parse(text).follow(&places)));
            was.push(key(item, areas, formulas.collect()));
        }
        let mut is: Vec<Key<'_>> = Vec::new();
        for item in new.iter().filter(is_other) {
            let there = item.areas.iter().any(|area| back.area(*area).is_some());
            if let (true, Some((table, area))) = (there, item.table()) {
                is.push(table_key(item, table, area));
            } else if item.areas.is_empty() || there {
                let formulas = item.formulas.iter().map(|text| plain_formula(text));
                is.push(key(item, item.areas.clone(), formulas.collect()));
            } else {
                self.along(item, &mut report.with_added);
            }
        }
        let mut followed = |was: &Key<'_>, is: &Key<'_>| {
            if !self.leads_back(was, is, grids) && !self.options.ignore.contains(&is.aspect) {
                // Only the way back has something to say of it.
                report
                    .with_removed
                    .extend(self.op(is.aspect, Some(is), Some(was)));
            }
        };
        let (gone, came): (Vec<_>, Vec<_>) = differing(was, is, &mut followed)
            .into_iter()
            .partition(|(side, _)| *side == 0);
        let gone: Vec<Key<'_>> = gone.into_iter().map(|(_, key)| key).collect();
        let mut came: Vec<Option<Key<'_>>> = came.into_iter().map(|(_, key)| Some(key)).collect();
        let mut pairs: Vec<Option<Key<'_>>> = gone.iter().map(|_| None).collect();
        for one in [Key::is_called_as, Key::became] {
            for (was, pair) in gone.iter().zip(&mut pairs).filter(|(_, is)| is.is_none()) {
                let is = came
                    .iter_mut()
                    .find(|is| is.as_ref().is_some_and(|is| one(was, is)));
                *pair = is.and_then(Option::take);
            }
        }
        let gone = gone.iter().zip(&pairs);
        let gone = gone.map(|(was, is)| (Some(was), is.as_ref()));
        let came = came.iter().flatten().map(|is| (None, Some(is)));
        let (left, read): (Vec<_>, Vec<_>) = gone.chain(came).partition(|(was, is)| {
            let key = is.or(*was);
            key.is_some_and(|key| key.item.label.is_some())
        });
        for (was, is) in read {
            self.item(was, is, found, report);
        }
        // What no reader knows more of is not worth a word where an operation says that all
        // of it came, went or changed.
        let commented = self.commented(report);
        let first = |key: &Key<'_>| key.item.areas.first().map(|area| area.first);
        for (was, is) in left {
            let is_said = [was, is].into_iter().enumerate().any(|(side, key)| {
                let key = key.filter(|key| key.aspect == Aspect::Comments);
                let at = key.and_then(first);
                at.is_some_and(|at| commented.contains(&(side, at)))
            });
            if !is_said {
                self.item(was, is, found, report);
            }
        }
    }

    /// Cells of this sheet whose comments came, went or changed: old (0) and new (1).
    fn commented(&self, report: &DiffReport) -> BTreeSet<(usize, Address)> {
        let sheet = Some(&self.sheets[1].name[..]);
        let ops = report.ops.iter().filter(|op| op.sheet() == sheet);
        ops.flat_map(|op| match op {
            DiffOp::CommentAdded { addr, .. } => vec![(1, addr.0)],
            DiffOp::CommentRemoved { addr, .. } => vec![(0, addr.0)],
            DiffOp::CommentEdited {
                addr, from_addr, ..
            } => vec![(0, from_addr.0), (1, addr.0)],
            _ => Vec::new(),
        })
        .collect()
    }

    /// Whether what is in the new sheet is in the old one again when its cells go back: an
    /// area whose first row is gone does not get it back.
    fn leads_back(&self, was: &Key<'_>, is: &Key<'_>, [old, new]: [&Grid; 2]) -> bool {
        if is.aspect.is_quiet() {
            return true;
        }
        let back = self.map.inverse();
        let areas = is.item.areas.iter();
        let areas: Vec<Area> = areas.filter_map(|area| back.area(*area)).collect();
        let places = self.back.seen_from(Some(&self.sheets[1].name));
        if let (Some((was, there)), Some((is, here))) = (was.item.table(), is.item.table()) {
            let moved = Moved {
                map: &back,
                back: self.map,
                places: &places,
                grids: [new, old],
            };
            let again = moved.follow(is, here);
            return again.is_some_and(|(again, at)| {
                at == there && table::digest(&again) == table::digest(was)
            });
        }
        let formulas = is.item.formulas.iter();
        let mut formulas =
            formulas.map(|text| plain_formula(&Formula::parse(text).follow(&places)));
        areas == was.item.areas
            && was
                .item
                .formulas
                .iter()
                .all(|text| formulas.next() == Some(plain_formula(text)))
    }

    /// Something that went, came, or changed: an operation if it can be carried, else a
    /// place for a note.
    fn item(
        &self,
        was: Option<&Key<'_>>,
        is: Option<&Key<'_>>,
        found: &mut Found,
        report: &mut DiffReport,
    ) {
        let Some(key) = is.or(was) else { return };
        if self.options.ignore.contains(&key.aspect) {
            return;
        }
        let op = (!key.aspect.is_quiet()).then(|| self.op(key.aspect, was, is));
        if let Some(op) = op.flatten() {
            report.ops.push(op);
            return;
        }
        let places = found.entry(key.aspect).or_default();
        places.parts.insert(key.item.part.to_string());
        places.labels.extend(key.item.label.clone());
        match key.areas.first() {
            Some(area) => {
                let at = (area.first.row, area.first.col);
                places.add(Some(at), 1, || area.shortest());
            }
            None => places.add(None, 1, String::new),
        }
    }

    /// Something that came or went with its cells, as what brings it.
    fn along(&self, item: &Extra, ops: &mut Vec<DiffOp>) {
        if !self.options.ignore.contains(&item.aspect) && !item.aspect.is_quiet() {
            let item = key(item, item.areas.clone(), Vec::new());
            ops.extend(self.op(item.aspect, None, Some(&item)));
        }
    }

    fn op(&self, aspect: Aspect, was: Option<&Key<'_>>, is: Option<&Key<'_>>) -> Option<DiffOp> {
        let sheet = self.sheets[1].name.clone();
        let payload = |key: Option<&Key<'_>>| -> Option<Option<Arc<Payload>>> {
            key.map_or(Some(None), |key| key.item.payload.clone().map(Some))
        };
        let (from, to) = (payload(was)?, payload(is)?);
        let first = |key: Option<&Key<'_>>| {
            let area = key.and_then(|key| key.item.areas.first());
            area.map(|area| Placed(area.first))
        };
        if let Some(Payload::Comment(comment)) = from.as_deref().or(to.as_deref()) {
            let size = comment.text.len() + comment.author.len() + 200;
            self.budget.spend(2 * size as u64);
        }
        match (from.as_deref(), to.as_deref()) {
            (Some(Payload::Comment(from)), Some(Payload::Comment(to))) => {
                return Some(DiffOp::CommentEdited {
                    sheet,
                    addr: first(is)?,
                    from_addr: first(was)?,
                    from: from.clone(),
                    to: to.clone(),
                });
            }
            (Some(Payload::Comment(comment)), None) => {
                return Some(DiffOp::CommentRemoved {
                    sheet,
                    addr: first(was)?,
                    comment: comment.clone(),
                });
            }
            (None, Some(Payload::Comment(comment))) => {
                return Some(DiffOp::CommentAdded {
                    sheet,
                    addr: first(is)?,
                    comment: comment.clone(),
                });
            }
            _ => {}
        }
        let element = |payload: Option<Arc<Payload>>| match payload.as_deref() {
            Some(Payload::Element(element)) => {
                self.budget.spend(element.size());
                Some(element.clone())
            }
            _ => None,
        };
        let range = |key: Option<&Key<'_>>| {
            let item = key?.item;
            // Page breaks name their lines themselves.
            let is_break = matches!(item.payload.as_deref(), Some(Payload::Element(element)) if element.name.ends_with("Breaks"));
            (!item.areas.is_empty() && !is_break).then(|| sqref(&item.areas))
        };
        let change = ItemChange {
            sheet,
            range: range(is),
            from_range: range(was),
            from: element(from),
            to: element(to),
        };
        Some(match aspect {
            Aspect::Hyperlinks => DiffOp::HyperlinkChanged(change),
            Aspect::Validation => DiffOp::ValidationChanged(change),
            Aspect::ConditionalFormats => DiffOp::ConditionalFormatChanged(change),
            Aspect::Protection => DiffOp::ProtectionChanged(change),
            Aspect::Tables => {
                // What a query fills is more than the table.
                let whole = change.from.is_some() && change.to.is_some();
                let table = change.to.as_ref().or(change.from.as_ref());
                let is_filled = table.is_some_and(|table| table.get("tableType").is_some());
                if is_filled && !whole {
                    return None;
                }
                DiffOp::of_table(change)
            }
            aspect => DiffOp::PartChanged(PartChange {
                what: aspect.as_str().to_owned(),
                change,
                ..PartChange::default()
            }),
        })
    }
}

/// What two things have to have in common to be one.
struct Key<'e> {
    aspect: Aspect,
    /// Where it is in the new sheet.
    areas: Vec<Area>,
    formulas: Vec<String>,
    digest: u64,
    item: &'e Extra,
}

impl Key<'_> {
    /// Whether both are tables of one name.
    fn is_called_as(&self, other: &Self) -> bool {
        let name = |key: &Self| {
            key.item
                .table()?
                .0
                .get("displayName")
                .map(str::to_lowercase)
        };
        name(self).is_some_and(|mine| name(other) == Some(mine))
    }

    /// Whether this is likely what the other one was.
    fn became(&self, other: &Self) -> bool {
        let kind = |key: &Self| match key.item.payload.as_deref() {
            Some(Payload::Element(element)) => {
                let name = element
                    .get("name")
                    .filter(|_| element.name == "definedName");
                Some((element.name.clone(), name.map(str::to_owned)))
            }
            Some(Payload::Comment(comment)) => Some((
                "comment".to_owned(),
                comment.thread.as_ref().map(|t| t.id.clone()),
            )),
            Some(Payload::Object(_)) | None => None,
        };
        let is_break = |key: &Self| kind(key).is_some_and(|(name, _)| name.ends_with("Breaks"));
        self.aspect == other.aspect
            && (self.areas.first() == other.areas.first() || is_break(self))
            && kind(self) == kind(other)
            && self.item.label == other.item.label
    }

    fn same(&self, other: &Self) -> std::cmp::Ordering {
        let fields = |key: &Self| (key.aspect, key.digest);
        fields(self)
            .cmp(&fields(other))
            .then_with(|| self.areas.cmp(&other.areas))
            .then_with(|| self.formulas.cmp(&other.formulas))
    }
}

fn key(item: &Extra, mut areas: Vec<Area>, formulas: Vec<String>) -> Key<'_> {
    areas.sort_unstable();
    Key {
        aspect: item.aspect,
        areas,
        formulas,
        digest: item.digest,
        item,
    }
}

fn table_key<'e>(item: &'e Extra, table: &Element, area: Area) -> Key<'e> {
    Key {
        digest: table::digest(table),
        ..key(item, vec![area], Vec::new())
    }
}

/// Those that are on one side only, with their side; `both` gets those that are on both.
fn differing<'e>(
    mut was: Vec<Key<'e>>,
    mut is: Vec<Key<'e>>,
    both: &mut dyn FnMut(&Key<'e>, &Key<'e>),
) -> Vec<(usize, Key<'e>)> {
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
                if let (Some(was), Some(is)) = (was.next(), is.next()) {
                    both(&was, &is);
                }
            }
            std::cmp::Ordering::Less => found.extend(was.next().map(|key| (0, key))),
            std::cmp::Ordering::Greater => found.extend(is.next().map(|key| (1, key))),
        }
    }
}

/// Names in brackets, the first of them if they are many.
pub(super) fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const SHOWN: usize = 3;
    let names: Vec<&str> = names.collect();
    let first = names.iter().take(SHOWN).copied().collect::<Vec<_>>();
    match names.len() {
        0 => String::new(),
        count if count > SHOWN => {
            format!(" ({} and {} more)", first.join(", "), count - SHOWN)
        }
        _ => format!(" ({})", first.join(", ")),
    }
}

/// Areas as one text, `A1:B2 D4`.
pub(super) fn sqref(areas: &[Area]) -> String {
    let words: Vec<String> = areas.iter().map(|area| area.shortest()).collect();
    words.join(" ")
}

/// The kind of note on what is not worth one of its own.
pub(super) const QUIET: &str = "properties";

pub(super) fn push(
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

/// What a sheet that is in one workbook only holds beside its cells, as what brings it.
pub(super) fn alone(sheet: &Sheet, budget: &ReportBudget, options: &Options) -> DiffReport {
    let empty = Sheet::default();
    let beside = Beside {
        sheets: [&empty, sheet],
        map: &CellMap::default(),
        workbook_map: &WorkbookMap::default(),
        back: &WorkbookMap::default(),
        budget,
        options,
    };
    let mut report = DiffReport::new();
    beside.tell(&mut report);
    let wants = |aspect| !options.ignore.contains(&aspect);
    if wants(Aspect::NumberFormats) && wants(Aspect::Styles) {
        // Its cells have no style before, not the one that other cells of the workbook have
        // unless they say so.
        for op in &mut report.ops {
            if let DiffOp::NumberFormatChanged { from, .. } = op {
                from.clear();
            }
        }
    }
    report
}
