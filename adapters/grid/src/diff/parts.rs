//! Parts that belong to no sheet: macros, queries, connections, and unknown ones.

use super::extras::{QUIET, listed, push};
use super::report_budget::ReportBudget;
use crate::extras::{Aspect, Carried, PartDigest, Piece};
use crate::report::DiffReport;
use crate::workbook_map::fold;
use crate::{CodeChange, DiffOp, ItemChange, Note, Options, PartChange, Workbook};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Compares parts that belong to no sheet, and makes one line of all that is not worth
/// more. Parts of sheets that went or came are said with them.
pub(super) fn book(
    [old, new]: [&Workbook; 2],
    said: &[BTreeSet<String>; 2],
    options: &Options,
    budget: &ReportBudget,
    report: &mut DiffReport,
) {
    if options.only_sheets.is_empty() {
        let mut notes: BTreeMap<Aspect, BTreeSet<&str>> = BTreeMap::new();
        let mut pieces: BTreeMap<Aspect, BTreeSet<&Piece>> = BTreeMap::new();
        let mut first: BTreeMap<Aspect, &str> = BTreeMap::new();
        let unsaid = |book: &'_ Workbook, said: &BTreeSet<String>| -> Vec<PartDigest> {
            let parts = book.parts.iter();
            parts.filter(|p| !said.contains(&p.part)).cloned().collect()
        };
        let [was, is] = [unsaid(old, &said[0]), unsaid(new, &said[1])];
        for (was, is) in pairs(&was, &is) {
            let Some(part) = is.or(was) else { continue };
            if options.ignore.contains(&part.aspect) {
                continue;
            }
            if let Some(piece) = &part.piece {
                if is_in_both(piece, [old, new]) {
                    pieces.entry(part.aspect).or_default().insert(piece);
                    first.entry(part.aspect).or_insert(&part.part);
                }
                continue;
            }
            if !changed(was, is, budget, report) {
                notes.entry(part.aspect).or_default().insert(&part.part);
            }
        }
        for (aspect, parts) in notes {
            let first = parts.first().map_or("", |part| part);
            let names = match parts.len() {
                1 => first.to_owned(),
                more => format!("{first} and {} more", more - 1),
            };
            let message = format!("{} changed ({names})", aspect.in_words());
            push(report, aspect, message, None, Some(first.to_owned()));
        }
        for (aspect, pieces) in pieces {
            let part = first.get(&aspect).copied().unwrap_or_default();
            for message in piece_messages(aspect, part, &pieces) {
                push(report, aspect, message, None, Some(part.to_owned()));
            }
        }
    }
    sum_up(report);
}

/// Whether nothing else says that the defined name of a piece came or went.
fn is_in_both(piece: &Piece, books: [&Workbook; 2]) -> bool {
    let Some(name) = piece.name.as_deref().filter(|n| !n.starts_with("_xlnm.")) else {
        return true;
    };
    let has = |book: &Workbook| book.names.iter().any(|n| fold(&n.name) == fold(name));
    books.into_iter().all(has)
}

/// One message on each defined name, and one on all the rest.
fn piece_messages(aspect: Aspect, part: &str, pieces: &BTreeSet<&Piece>) -> Vec<String> {
    let mut by_name: BTreeMap<Option<&str>, BTreeSet<&str>> = BTreeMap::new();
    for piece in pieces {
        let labels = by_name.entry(piece.name.as_deref()).or_default();
        labels.insert(&piece.label);
    }
    let message = |(name, labels): (Option<&str>, BTreeSet<&str>)| {
        let what = listed(labels.into_iter());
        match name {
            Some(name) => format!("the name {name:?} changed beside what it refers to{what}"),
            None => format!("{} changed in {part}{what}", aspect.in_words()),
        }
    };
    by_name.into_iter().map(message).collect()
}

/// Operations for a part that came, went or changed; whether a report can carry it.
fn changed(
    was: Option<&PartDigest>,
    is: Option<&PartDigest>,
    budget: &ReportBudget,
    report: &mut DiffReport,
) -> bool {
    let Some(part) = is.or(was) else { return true };
    let whole = |part: Option<&PartDigest>| part.map(|part| part.carried.clone());
    let (from, to) = match (whole(was), whole(is)) {
        (Some(Some(from)), Some(Some(to))) => (Some(from), Some(to)),
        (Some(Some(from)), None) if !from.stays => (Some(from), None),
        (None, Some(Some(to))) if !to.stays => (None, Some(to)),
        _ => return false,
    };
    let sides = [from.as_deref(), to.as_deref()];
    for side in sides.into_iter().flatten() {
        budget.spend(side.parts.size());
    }
    let pieces = pieces(sides);
    let listed = !pieces.is_empty();
    for piece in pieces {
        let size = piece.from.iter().chain(&piece.to).map(String::len);
        budget.spend(size.sum::<usize>() as u64);
        report.ops.push(match part.aspect {
            Aspect::Macros => DiffOp::ModuleChanged(piece),
            _ => DiffOp::QueryChanged(piece),
        });
    }
    let said = |side: Option<&Carried>| side.map(|side| side.said.clone());
    let parts = |side: Option<&Carried>| side.map(|side| side.parts.clone());
    report.ops.push(DiffOp::PartChanged(PartChange {
        what: part.aspect.as_str().to_owned(),
        change: ItemChange {
            from: said(sides[0]),
            to: said(sides[1]),
            ..ItemChange::default()
        },
        from_parts: parts(sides[0]),
        to_parts: parts(sides[1]),
        listed,
    }));
    true
}

/// The modules or queries that are not the same in both, by name.
fn pieces([was, is]: [Option<&Carried>; 2]) -> Vec<CodeChange> {
    let all = |side: Option<&Carried>| -> BTreeMap<String, String> {
        side.iter()
            .flat_map(|side| side.pieces.iter().cloned())
            .collect()
    };
    let (was, is) = (all(was), all(is));
    let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    let change = |name: &String| CodeChange {
        name: name.clone(),
        from: was.get(name).cloned(),
        to: is.get(name).cloned(),
    };
    let changes = names.into_iter().map(change);
    changes.filter(|change| change.from != change.to).collect()
}

/// Parts that differ: those of one kind and name, else of one kind, are one.
fn pairs<'p>(
    old: &'p [PartDigest],
    new: &'p [PartDigest],
) -> Vec<(Option<&'p PartDigest>, Option<&'p PartDigest>)> {
    let (gone, came) = one_sided(old, new);
    let mut came: Vec<Option<&PartDigest>> = came.into_iter().map(Some).collect();
    let relation = |part: &PartDigest| {
        let carried = part.carried.as_ref()?;
        Some(carried.parts.relation.clone())
    };
    let mut found: Vec<(Option<&PartDigest>, Option<&PartDigest>)> =
        gone.into_iter().map(|was| (Some(was), None)).collect();
    let same_name =
        |was: &PartDigest, is: &PartDigest| was.part == is.part && was.piece == is.piece;
    let same_kind = |was: &PartDigest, is: &PartDigest| {
        relation(was).is_some_and(|kind| relation(is) == Some(kind))
    };
    for by_name in [true, false] {
        let one = |was: &PartDigest, is: &PartDigest| {
            if by_name {
                same_name(was, is)
            } else {
                same_kind(was, is)
            }
        };
        for (was, is) in &mut found {
            if let (Some(was), None) = (*was, *is) {
                let same = came
                    .iter_mut()
                    .find(|is| is.is_some_and(|is| was.aspect == is.aspect && one(was, is)));
                *is = same.and_then(Option::take);
            }
        }
    }
    found.extend(came.into_iter().flatten().map(|is| (None, Some(is))));
    found
}

/// Those that are in one workbook only.
fn one_sided<'p>(
    old: &'p [PartDigest],
    new: &'p [PartDigest],
) -> (Vec<&'p PartDigest>, Vec<&'p PartDigest>) {
    let same = |a: &PartDigest, b: &PartDigest| (a.aspect, a.digest).cmp(&(b.aspect, b.digest));
    let (mut a, mut b) = (old.iter().peekable(), new.iter().peekable());
    let (mut gone, mut came) = (Vec::new(), Vec::new());
    loop {
        let order = match (a.peek(), b.peek()) {
            (Some(a), Some(b)) => same(a, b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return (gone, came),
        };
        match order {
            Ordering::Equal => {
                a.next();
                b.next();
            }
            Ordering::Less => gone.extend(a.next()),
            Ordering::Greater => came.extend(b.next()),
        }
    }
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
