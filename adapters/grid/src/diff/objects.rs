//! Charts, pictures, shapes and pivot tables: those that came, went or changed.

use super::extras::{Beside, Found, sqref};
use crate::cell_map::CellMap;
use crate::extras::{Aspect, Extra, Object, plain_formula};
use crate::formula::{Formula, Places};
use crate::parts::{NamedBy, Parts};
use crate::report::DiffReport;
use crate::{Address, DiffOp, ItemChange, PartChange};
use std::collections::{BTreeMap, VecDeque};

/// One of them, and where it is in the new sheet.
struct Placed<'e> {
    item: &'e Extra,
    object: &'e Object,
    corners: Vec<Address>,
    formulas: Vec<String>,
}

/// What two of them may have in common, from all to little.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Common<'k> {
    All(u64, &'k [Address], &'k [String]),
    AllButPlace(u64, &'k [String]),
    Name(&'k str, &'k str),
    Place(&'k str, &'k [Address]),
    Content(&'k str, u64),
    Kind(&'k str),
}

impl Placed<'_> {
    fn common(&self, step: usize) -> Option<Common<'_>> {
        let said = &self.object.said;
        Some(match step {
            0 => Common::All(self.item.digest, &self.corners, &self.formulas),
            1 => Common::AllButPlace(self.item.digest, &self.formulas),
            2 => Common::Name(&said.name, said.get("name")?),
            3 if !self.corners.is_empty() => Common::Place(&said.name, &self.corners),
            4 if !self.object.named_by.relations.is_empty() => {
                Common::Content(&said.name, self.object.content)
            }
            // There is nothing else to tell it by.
            5 if self.corners.is_empty() && said.get("name").is_none() => Common::Kind(&said.name),
            _ => return None,
        })
    }

    /// Whether it consists of what the other one consists of.
    fn is_made_as(&self, other: &Self) -> bool {
        self.object.content == other.object.content && self.formulas == other.formulas
    }
}

impl Beside<'_> {
    /// Compares what is drawn on two sheets.
    pub(super) fn objects(&self, found: &mut Found, report: &mut DiffReport) {
        for aspect in [Aspect::Drawings, Aspect::Pivots] {
            self.objects_of(aspect, found, report);
        }
    }

    fn objects_of(&self, aspect: Aspect, found: &mut Found, report: &mut DiffReport) {
        let [old, new] = self.sheets.map(|sheet| {
            let items = sheet.extras.items.iter();
            items.filter(move |item| item.aspect == aspect && item.object().is_some())
        });
        let places = self.workbook_map.seen_from(Some(&self.sheets[0].name));
        let was: Vec<Placed<'_>> = in_order(old.filter_map(|item| placed(item, self.map, &places)));
        let here = CellMap::default();
        let still = crate::workbook_map::WorkbookMap::default();
        let unmoved = still.seen_from(None);
        let is: Vec<Placed<'_>> = in_order(new.filter_map(|item| placed(item, &here, &unmoved)));
        if self.options.ignore.contains(&aspect) {
            return;
        }
        let pairs = pairs(&was, &is);
        let mut partner: Vec<Option<usize>> = vec![None; is.len()];
        for (at, pair) in pairs.iter().enumerate() {
            if let Some(pair) = pair {
                partner[*pair] = Some(at);
            }
        }
        // Pivot tables are in no order.
        let steady = match aspect {
            Aspect::Drawings => steady(&pairs),
            _ => vec![true; pairs.len()],
        };
        let mut change = |was: Option<&Placed<'_>>, is: Option<&Placed<'_>>, moved: bool| match self
            .object(aspect, was, is, moved)
        {
            Some(op) => report.ops.push(op),
            None => note(aspect, was, is, found),
        };
        for (at, was) in was.iter().enumerate() {
            if pairs[at].is_none() {
                change(Some(was), None, false);
            }
        }
        for (at, is) in is.iter().enumerate() {
            let Some(from) = partner[at] else {
                change(None, Some(is), false);
                continue;
            };
            let was = &was[from];
            let moved = !steady[from];
            if was.common(0) != is.common(0) || moved {
                change(Some(was), Some(is), moved);
            }
        }
        self.back(aspect, [&was, &is], &partner, &steady, report);
    }

    /// What followed, but does not lead back: only the way back has something to say of it.
    fn back(
        &self,
        aspect: Aspect,
        [was, is]: [&[Placed<'_>]; 2],
        partner: &[Option<usize>],
        steady: &[bool],
        report: &mut DiffReport,
    ) {
        let back = self.map.inverse();
        let places = self.back.seen_from(Some(&self.sheets[1].name));
        for (is, from) in is.iter().zip(partner) {
            let Some((was, true)) = from.map(|from| (&was[from], steady[from])) else {
                continue;
            };
            if was.common(0) != is.common(0) {
                continue;
            }
            let Some(again) = placed(is.item, &back, &places) else {
                continue;
            };
            let formulas = was.item.formulas.iter().map(|text| plain_formula(text));
            let leads_back = again.corners == was.object.corners
                && formulas.eq(again.formulas.iter().map(String::clone));
            if !leads_back {
                let made_as = again.formulas == was.formulas && aspect == Aspect::Drawings;
                let op = self.op_of(aspect, Some(is), Some(was), false, made_as);
                report.with_removed.extend(op);
            }
        }
    }

    fn object(
        &self,
        aspect: Aspect,
        was: Option<&Placed<'_>>,
        is: Option<&Placed<'_>>,
        moved: bool,
    ) -> Option<DiffOp> {
        let made_as =
            was.zip(is).is_some_and(|(was, is)| was.is_made_as(is)) && aspect == Aspect::Drawings;
        self.op_of(aspect, was, is, moved, made_as)
    }

    /// An operation, if a report can carry it. What consists of the same before and after
    /// needs no parts.
    fn op_of(
        &self,
        aspect: Aspect,
        was: Option<&Placed<'_>>,
        is: Option<&Placed<'_>>,
        moved: bool,
        made_as: bool,
    ) -> Option<DiffOp> {
        let is_alone = was.is_none() || is.is_none();
        let parts = |side: Option<&Placed<'_>>| -> Option<Option<Parts>> {
            let Some(side) = side else { return Some(None) };
            let object = side.object;
            let parts = Parts {
                relation: object.relation.clone(),
                named_by: (aspect == Aspect::Drawings).then(|| NamedBy {
                    at: (is_alone || moved).then_some(object.at),
                    ..object.named_by.clone()
                }),
                parts: match &object.parts {
                    _ if made_as => Vec::new(),
                    // One that stays keeps its cache.
                    Some(parts) if aspect == Aspect::Pivots && !is_alone => {
                        parts.iter().take(1).cloned().collect()
                    }
                    parts => parts.clone()?,
                },
                ..Parts::default()
            };
            self.budget.spend(parts.size() + object.said.size());
            Some(Some(parts))
        };
        let range = |side: Option<&Placed<'_>>| {
            let areas = &side?.item.areas;
            (!areas.is_empty()).then(|| sqref(areas))
        };
        let said = |side: Option<&Placed<'_>>| side.map(|side| side.object.said.clone());
        Some(DiffOp::PartChanged(PartChange {
            what: aspect.as_str().to_owned(),
            from_parts: parts(was)?,
            to_parts: parts(is)?,
            change: ItemChange {
                sheet: self.sheets[1].name.clone(),
                range: range(is),
                from_range: range(was),
                from: said(was),
                to: said(is),
            },
            listed: false,
        }))
    }
}

/// A place for a note, since a report does not carry it.
fn note(aspect: Aspect, was: Option<&Placed<'_>>, is: Option<&Placed<'_>>, found: &mut Found) {
    let Some(side) = is.or(was) else { return };
    let places = found.entry(aspect).or_default();
    places.parts.insert(side.item.part.to_string());
    let verb = match (was, is) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "changed",
    };
    match (aspect, side.object.said.get("name")) {
        (Aspect::Pivots, Some(name)) => places.label(&format!("{name:?} {verb}")),
        _ => places.label("too large for a report"),
    }
    match side.item.areas.first() {
        Some(area) => {
            let at = (area.first.row, area.first.col);
            places.add(Some(at), 1, || area.shortest());
        }
        None => places.add(None, 1, String::new),
    }
}

fn in_order<'e>(all: impl Iterator<Item = Placed<'e>>) -> Vec<Placed<'e>> {
    let mut all: Vec<Placed<'e>> = all.collect();
    all.sort_by_key(|placed| placed.object.at);
    all
}

/// A thing where its rows and columns went.
fn placed<'e>(item: &'e Extra, map: &CellMap, places: &impl Places) -> Option<Placed<'e>> {
    let object = item.object()?;
    let corners = object.corners.iter();
    let corner = |at: &Address| Address::new(map.rows.anchored(at.row), map.cols.anchored(at.col));
    // Pivot tables go with their cells, and drawings with the lines that they begin in.
    let area = item.areas.first().filter(|_| item.aspect == Aspect::Pivots);
    let corners = match area.and_then(|area| map.area(*area)) {
        Some(area) => vec![area.first, area.last],
        None => corners.map(corner).collect(),
    };
    let formulas = item.formulas.iter();
    Some(Placed {
        item,
        object,
        corners,
        formulas: formulas
            .map(|text| plain_formula(&Formula::parse(text).follow(places)))
            .collect(),
    })
}

/// Which of the new ones each of the old ones is.
fn pairs(was: &[Placed<'_>], is: &[Placed<'_>]) -> Vec<Option<usize>> {
    let mut found = vec![None; was.len()];
    let mut taken = vec![false; is.len()];
    for step in 0..6 {
        let mut open: BTreeMap<Common<'_>, VecDeque<usize>> = BTreeMap::new();
        for (at, is) in is.iter().enumerate().filter(|(at, _)| !taken[*at]) {
            if let Some(common) = is.common(step) {
                open.entry(common).or_default().push_back(at);
            }
        }
        for (was, pair) in was.iter().zip(&mut found) {
            let common = was.common(step).filter(|_| pair.is_none());
            let next = common.and_then(|common| open.get_mut(&common)?.pop_front());
            if let Some(next) = next {
                *pair = Some(next);
                taken[next] = true;
            }
        }
    }
    found
}

/// Which of the pairs are in the same order as before: as many as can be.
fn steady(pairs: &[Option<usize>]) -> Vec<bool> {
    // The last pair of each length of increasing runs, and what is before each pair.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    for (at, to) in pairs.iter().enumerate() {
        let Some(to) = to else { continue };
        let length = ends.partition_point(|end| pairs[*end].is_some_and(|other| other < *to));
        before[at] = length.checked_sub(1).map(|shorter| ends[shorter]);
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut steady = vec![false; pairs.len()];
    let mut next = ends.last().copied();
    while let Some(at) = next {
        steady[at] = true;
        next = before[at];
    }
    steady
}

#[cfg(test)]
mod tests {
    use super::steady;

    #[test]
    fn as_many_as_can_be_keep_their_order() {
        let kept = |pairs: &[Option<usize>]| -> Vec<usize> {
            let all = steady(pairs).into_iter().enumerate();
            all.filter(|(_, is)| *is).map(|(at, _)| at).collect()
        };
        assert_eq!(kept(&[Some(2), Some(0), Some(1)]), [1, 2]);
        assert_eq!(kept(&[Some(0), None, Some(1), Some(2)]), [0, 2, 3]);
        assert_eq!(kept(&[Some(1), Some(0)]).len(), 1);
        assert!(kept(&[None]).is_empty());
    }
}
