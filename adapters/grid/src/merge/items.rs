//! Comments, links, rules and all else that a sheet has besides its cells.

use super::Work;
use super::conflict::{Conflict, ConflictKind};
use super::lines_of::{areas, common, sqref};
use super::sheet::SheetMerge;
use crate::cell_map::CellMap;
use crate::extras::Payload;
use crate::formula::Formula;
use crate::workbook_map::WorkbookMap;
use crate::{Address, Area, Aspect, Comment, DiffOp, Element, ItemChange, Placed};
use serde_json::json;

/// A comment before and after, with its places in the base and in a side.
struct Remark<'r> {
    from: Option<(Address, &'r Comment)>,
    to: Option<(Address, &'r Comment)>,
}

fn remark(op: &DiffOp) -> Option<Remark<'_>> {
    Some(match op {
        DiffOp::CommentAdded { addr, comment, .. } => Remark {
            from: None,
            to: Some((addr.0, comment)),
        },
        DiffOp::CommentRemoved { addr, comment, .. } => Remark {
            from: Some((addr.0, comment)),
            to: None,
        },
        DiffOp::CommentEdited {
            addr,
            from_addr,
            from,
            to,
            ..
        } => Remark {
            from: Some((from_addr.0, from)),
            to: Some((addr.0, to)),
        },
        _ => return None,
    })
}

/// Whether two comments cannot both be in one cell: two notes, or two threads.
fn exclude(a: &Comment, b: &Comment) -> bool {
    match (&a.thread, &b.thread) {
        (None, None) => true,
        (Some(a), Some(b)) => a.id == b.id || (a.parent.is_none() && b.parent.is_none()),
        // A thread has a note for programs that know none.
        _ => false,
    }
}

/// The change of an item, whatever it is.
fn item(op: &DiffOp) -> Option<&ItemChange> {
    Some(match op {
        DiffOp::HyperlinkChanged(change)
        | DiffOp::ValidationChanged(change)
        | DiffOp::ConditionalFormatChanged(change)
        | DiffOp::ProtectionChanged(change) => change,
        DiffOp::TableAdded(table) | DiffOp::TableRemoved(table) | DiffOp::TableChanged(table) => {
            &table.change
        }
        DiffOp::PartChanged(part) => &part.change,
        _ => return None,
    })
}

fn with_item(op: &DiffOp, change: ItemChange) -> DiffOp {
    match op {
        DiffOp::HyperlinkChanged(_) => DiffOp::HyperlinkChanged(change),
        DiffOp::ValidationChanged(_) => DiffOp::ValidationChanged(change),
        DiffOp::ConditionalFormatChanged(_) => DiffOp::ConditionalFormatChanged(change),
        DiffOp::TableAdded(_) | DiffOp::TableRemoved(_) | DiffOp::TableChanged(_) => {
            DiffOp::of_table(change)
        }
        DiffOp::PartChanged(part) => DiffOp::PartChanged(crate::PartChange {
            to_parts: part.to_parts.clone().filter(|_| change.to.is_some()),
            change,
            ..part.clone()
        }),
        _ => DiffOp::ProtectionChanged(change),
    }
}

/// What an element is, of which a sheet has one in a place.
fn what(element: &Element) -> (&str, Option<&str>) {
    let is_named = matches!(&element.name[..], "definedName" | "table");
    let name = element.get("name").filter(|_| is_named);
    (&element.name, name)
}

/// An element whose formulas followed their cells.
fn follow(element: &Element, map: &WorkbookMap, sheet: &str) -> Element {
    let mut now = element.clone();
    let is_formula = matches!(
        &now.name[..],
        "formula"
            | "formula1"
            | "formula2"
            | "f"
            | "definedName"
            | "calculatedColumnFormula"
            | "totalsRowFormula"
    );
    if is_formula {
        let places = map.seen_from(Some(sheet));
        now.text = Formula::parse(&element.text).follow(&places).into_owned();
    }
    let children = now.children.iter();
    now.children = children.map(|child| follow(child, map, sheet)).collect();
    now
}

/// Whether two operations on one thing leave it with the same parts, whatever those are
/// called.
fn shows_the_same(ours: &DiffOp, theirs: &DiffOp) -> bool {
    let (DiffOp::PartChanged(ours), DiffOp::PartChanged(theirs)) = (ours, theirs) else {
        return true;
    };
    let shown = |part: &crate::PartChange| {
        let parts = part.to_parts.as_ref()?;
        let xml = parts.named_by.as_ref().map(|by| by.xml.clone());
        let contents = parts.parts.iter().map(|part| part.content.clone());
        Some((xml, contents.collect::<Vec<_>>()))
    };
    shown(ours) == shown(theirs)
}

fn moved(range: Option<&String>, map: &CellMap) -> Option<Vec<Area>> {
    let all = areas(range?).into_iter();
    Some(all.filter_map(|area| map.area(area)).collect())
}

impl<'a> SheetMerge<'a> {
    /// Brings a comment over; whether it was one. `new` ones come with lines that ours
    /// does not have.
    pub(super) fn comment(&self, work: &mut Work<'a>, at: Option<usize>, op: &DiffOp) -> bool {
        let Some(theirs) = remark(op) else {
            return false;
        };
        let to = theirs
            .to
            .and_then(|(at, comment)| Some((self.place(at)?.0, comment)));
        let mut twin: Option<Option<(Address, &Comment)>> = None;
        for (_, own) in &self.ops[0] {
            let Some(ours) = remark(own) else { continue };
            let now = ours
                .to
                .and_then(|(at, comment)| Some((self.of_ours(at)?, comment)));
            let one = match (ours.from, theirs.from) {
                (Some(a), Some(b)) => a == b,
                (None, None) => match (now, to) {
                    (Some(a), Some(b)) => a.0 == b.0 && exclude(a.1, b.1),
                    _ => false,
                },
                _ => false,
            };
            if one {
                twin = Some(now);
            }
        }
        if let Some(ours) = twin {
            let same = ours == to;
            if let Some(at) = at {
                let fate = &mut work.theirs.fates[at];
                (fate.same, fate.conflict) = (same, !same);
            }
            if !same {
                let place = ours.or(to).map(|(at, _)| at);
                work.conflict(Conflict {
                    sheet: Some(self.name.clone()),
                    addr: place.map(|at| at.to_string()),
                    base: json!(theirs.from.map(|(_, comment)| comment)),
                    ours: json!(ours.map(|(_, comment)| comment)),
                    theirs: json!(to.map(|(_, comment)| comment)),
                    ..Conflict::new(
                        ConflictKind::Comment,
                        "ours and theirs say different things in a comment; it is as in ours",
                    )
                });
            }
            return true;
        }
        if let Some(at) = at {
            work.theirs.fates[at].done = true;
        }
        let sheet = self.name.clone();
        let from = theirs
            .from
            .and_then(|(at, c)| Some((self.maps[0].get(at)?, c)));
        let now = match (from, to) {
            (None, None) => None,
            (None, Some((at, comment))) => Some(DiffOp::CommentAdded {
                sheet,
                addr: Placed(at),
                comment: comment.clone(),
            }),
            (Some((at, comment)), None) => Some(DiffOp::CommentRemoved {
                sheet,
                addr: Placed(at),
                comment: comment.clone(),
            }),
            (Some((was, from)), Some((is, to))) => Some(DiffOp::CommentEdited {
                sheet,
                addr: Placed(is),
                from_addr: Placed(was),
                from: from.clone(),
                to: to.clone(),
            }),
        };
        work.out.ops.extend(now);
        true
    }

    /// Brings an item over; whether it was one.
    pub(super) fn item(
        &self,
        work: &mut Work<'a>,
        at: Option<usize>,
        op: &DiffOp,
        tm: &WorkbookMap,
    ) -> bool {
        let Some(theirs) = item(op) else {
            return false;
        };
        let (om, to_result) = (self.ours_map(), self.theirs_map());
        let range = moved(theirs.range.as_ref(), to_result);
        let to = theirs.to.as_ref().map(|to| follow(to, tm, &self.names[1]));
        if let Some((own, ours)) = self.twin(op, theirs, range.as_deref()) {
            let own_range = moved(ours.range.as_ref(), om);
            let alike = |a: &Option<Element>, b: &Option<Element>| match (a, b) {
                (Some(a), Some(b)) => a == b,
                (None, None) => true,
                _ => false,
            };
            let same = (alike(&ours.to, &to) || alike(&ours.to, &theirs.to))
                && own_range == range
                && shows_the_same(own, op);
            if let Some(at) = at {
                let fate = &mut work.theirs.fates[at];
                (fate.same, fate.conflict) = (same, !same);
            }
            if !same {
                let place = own_range.or(range).filter(|areas| !areas.is_empty());
                work.conflict(Conflict {
                    sheet: Some(self.name.clone()),
                    addr: place.map(|areas| sqref(&areas)),
                    base: json!(theirs.from),
                    ours: json!(ours.to),
                    theirs: json!(to),
                    ..Conflict::new(
                        ConflictKind::Item,
                        "ours and theirs changed the same thing in different ways; it is as in ours",
                    )
                });
            }
            return true;
        }
        if let Some(at) = at {
            work.theirs.fates[at].done = true;
        }
        let from_areas = moved(theirs.from_range.as_ref(), &self.maps[0]);
        let print = |areas: Option<Vec<Area>>| {
            areas
                .filter(|areas| !areas.is_empty())
                .map(|areas| sqref(&areas))
        };
        let lost = range.as_ref().is_some_and(Vec::is_empty);
        let change = ItemChange {
            sheet: self.name.clone(),
            from: theirs
                .from
                .as_ref()
                .map(|from| self.as_in_ours(from, from_areas.as_deref())),
            from_range: print(from_areas),
            range: print(range),
            to: to.filter(|_| !lost),
        };
        let mut op = with_item(op, change);
        if let DiffOp::PartChanged(part) = &mut op
            && let Some(parts) = &mut part.to_parts
        {
            crate::package::follow_charts(parts, &tm.seen_from(Some(&self.names[1])));
        }
        work.out.ops.push(op);
        true
    }

    /// What ours did to the same thing.
    fn twin(
        &self,
        op: &DiffOp,
        theirs: &ItemChange,
        range: Option<&[Area]>,
    ) -> Option<(&'a DiffOp, &'a ItemChange)> {
        let kind = std::mem::discriminant(op);
        let is_table = op.aspect() == Some(Aspect::Tables);
        let om = self.ours_map();
        let own = self.ops[0]
            .iter()
            .filter(|(_, own)| own.aspect() == op.aspect())
            .filter(|(_, own)| is_table || std::mem::discriminant(*own) == kind);
        let mut own = own.filter_map(|(_, own)| Some((*own, item(own)?)));
        own.find(|(_, ours)| {
            if ours.from.is_some() || theirs.from.is_some() {
                return (&ours.from, &ours.from_range) == (&theirs.from, &theirs.from_range);
            }
            let (Some(a), Some(b)) = (&ours.to, &theirs.to) else {
                return false;
            };
            if what(a) != what(b) {
                return false;
            }
            let own = moved(ours.range.as_ref(), om);
            match (own.as_deref(), range) {
                (None, None) => true,
                (Some(own), Some(range)) if matches!(op, DiffOp::ConditionalFormatChanged(_)) => {
                    own == range && a == b
                }
                (Some(own), Some(range)) => own
                    .iter()
                    .any(|a| range.iter().any(|b| common(*a, *b).is_some())),
                _ => false,
            }
        })
    }

    /// An element of the base as ours has it, after its formulas followed.
    fn as_in_ours(&self, from: &Element, areas: Option<&[Area]>) -> Element {
        let mut sorted = areas.unwrap_or_default().to_vec();
        sorted.sort_unstable();
        let items = self.ours.extras.items.iter();
        let mut found = items.filter_map(|item| {
            let mut own = item.areas.clone();
            own.sort_unstable();
            match item.payload.as_deref() {
                Some(Payload::Element(element)) if own == sorted => Some(element),
                _ => None,
            }
        });
        let same = found.clone().find(|element| *element == from);
        let like = |element: &&Element| {
            what(element) == what(from) && element.attributes == from.attributes
        };
        same.or_else(|| found.find(like)).unwrap_or(from).clone()
    }
}
