//! Defined names.

use super::Work;
use super::conflict::{Conflict, ConflictKind};
use crate::diff::follow_name;
use crate::formula::same;
use crate::workbook_map::{WorkbookMap, fold};
use crate::{DiffOp, Name};
use serde_json::json;
use std::collections::HashMap;

type Key = (Option<String>, String);

/// Names by what they are called in the result, as they are spelled, with what they refer
/// to there.
fn named(names: &[Name], map: &WorkbookMap) -> HashMap<Key, (String, String)> {
    let names = names.iter().map(|name| {
        let sheet = name.sheet.as_deref();
        let sheet = sheet.map(|sheet| map.name(sheet).unwrap_or(sheet));
        let key = (sheet.map(fold), fold(&name.name));
        (key, (name.name.clone(), follow_name(name, map)))
    });
    names.collect()
}

impl Work<'_> {
    /// Brings over what theirs did to names.
    #[allow(clippy::too_many_lines, reason = "one case after the other")]
    pub(super) fn names(&mut self, om: &WorkbookMap, tm: &WorkbookMap) {
        let mine = named(&self.ours.book.names, om);
        let (ours, theirs) = (self.ours.report, self.theirs.report);
        let changed: Vec<Key> = ours
            .ops
            .iter()
            .filter_map(|op| match op {
                DiffOp::NameAdded { name, sheet, .. } | DiffOp::NameChanged { name, sheet, .. } => {
                    let sheet = sheet
                        .as_deref()
                        .map(|sheet| om.name(sheet).unwrap_or(sheet));
                    Some((sheet.map(fold), fold(name)))
                }
                _ => None,
            })
            .collect();
        for (at, op) in theirs.ops.iter().enumerate() {
            let respelled = matches!(
                op,
                DiffOp::NameChanged {
                    from_name: Some(_),
                    ..
                }
            );
            let (name, sheet, from, to) = match op {
                DiffOp::NameAdded {
                    name,
                    sheet,
                    refers_to,
                } => (name, sheet, None, Some(refers_to)),
                DiffOp::NameChanged {
                    name,
                    sheet,
                    from,
                    to,
                    ..
                } => (name, sheet, Some(from), Some(to)),
                DiffOp::NameRemoved {
                    name,
                    sheet,
                    refers_to,
                } => (name, sheet, Some(refers_to), None),
                _ => continue,
            };
            // A removed name is reported with its sheet in the base.
            let by_base = |sheet: &str| -> String {
                let at = self
                    .base
                    .sheets
                    .iter()
                    .position(|s| fold(&s.name) == fold(sheet));
                let now = |sheets: &[(usize, String, _)]| {
                    let mut own = sheets.iter().filter(|own| Some(own.0) == at);
                    own.next().map(|own| own.1.clone())
                };
                let own = now(&self.ours.applied.sheets);
                let own = own.map(|own| om.name(&own).map_or(own.clone(), str::to_owned));
                own.unwrap_or_else(|| sheet.to_owned())
            };
            let home = sheet.as_deref().map(|sheet| match to {
                Some(_) => tm.name(sheet).unwrap_or(sheet).to_owned(),
                None => by_base(sheet),
            });
            let key: Key = (home.as_deref().map(fold), fold(name));
            let now = to.map(|to| {
                let whole = Name {
                    name: name.clone(),
                    sheet: sheet.clone(),
                    refers_to: to.clone(),
                };
                follow_name(&whole, tm)
            });
            let own = mine.get(&key).map(|(_, refers_to)| refers_to);
            let spelled = mine.get(&key).map(|(spelled, _)| spelled);
            let respelled = respelled && spelled != Some(name);
            let fate = &mut self.theirs.fates[at];
            let alike = match (own, &now) {
                (Some(own), Some(now)) => same(own, now) && !respelled,
                (None, None) => true,
                _ => false,
            };
            if alike {
                fate.same = true;
                continue;
            }
            let both = changed.contains(&key) || (own.is_none() && from.is_some());
            if both {
                fate.conflict = true;
                self.conflicts.push(Conflict {
                    sheet: home,
                    addr: None,
                    base: json!(from),
                    ours: json!(own),
                    theirs: json!(now),
                    ..Conflict::new(
                        ConflictKind::Name,
                        format!("ours and theirs changed the name {name:?}; it is as in ours"),
                    )
                });
                continue;
            }
            fate.done = true;
            let op = match (own, now) {
                (Some(own), Some(to)) => DiffOp::NameChanged {
                    name: name.clone(),
                    from_name: spelled.filter(|_| respelled).cloned(),
                    sheet: home,
                    from: own.clone(),
                    to,
                },
                (None, Some(refers_to)) => DiffOp::NameAdded {
                    name: name.clone(),
                    sheet: home,
                    refers_to,
                },
                (_, None) => DiffOp::NameRemoved {
                    name: name.clone(),
                    sheet: self.name_in_ours(home.as_deref(), om),
                    refers_to: own.cloned().unwrap_or_default(),
                },
            };
            self.out.ops.push(op);
        }
    }

    /// What ours calls a sheet of the result.
    fn name_in_ours(&self, name: Option<&str>, om: &WorkbookMap) -> Option<String> {
        let sheets = self.ours.book.sheets.iter();
        let mut own = sheets.filter(|sheet| om.name(&sheet.name) == name);
        let own = own.next().map(|sheet| sheet.name.clone());
        name.map(|name| own.unwrap_or_else(|| name.to_owned()))
    }
}
