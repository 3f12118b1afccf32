//! Names that were defined, removed, or refer to something else.

use crate::formula::{Formula, same};
use crate::report::DiffReport;
use crate::workbook_map::{WorkbookMap, fold};
use crate::{DiffOp, Name, Workbook};
use std::collections::BTreeMap;

/// A name and the sheet that it holds in, both without case.
type Key = (Option<String>, String);

/// Compares all names. One that only followed its cells did not change.
pub(crate) fn diff(
    [old, new]: [&Workbook; 2],
    [workbook_map, back]: [&WorkbookMap; 2],
    report: &mut DiffReport,
) {
    let was: BTreeMap<Key, &Name> = old
        .names
        .iter()
        .map(|name| {
            let sheet = name.sheet.as_deref();
            let sheet = sheet.map(|sheet| fold(workbook_map.name(sheet).unwrap_or(sheet)));
            ((sheet, fold(&name.name)), name)
        })
        .collect();
    let is: BTreeMap<Key, &Name> = new
        .names
        .iter()
        .map(|name| ((name.sheet.as_deref().map(fold), fold(&name.name)), name))
        .collect();
    for (key, old) in &was {
        let followed = follow(old, workbook_map);
        match is.get(key) {
            None => report.ops.push(DiffOp::NameRemoved {
                name: old.name.clone(),
                sheet: old.sheet.clone(),
                refers_to: old.refers_to.clone(),
            }),
            Some(new) => {
                let from_name = (old.name != new.name).then(|| old.name.clone());
                let respelled = from_name.is_some();
                let changed = DiffOp::NameChanged {
                    name: new.name.clone(),
                    from_name,
                    sheet: new.sheet.clone(),
                    from: old.refers_to.clone(),
                    to: new.refers_to.clone(),
                };
                if respelled || !same(&followed, &new.refers_to) {
                    report.ops.push(changed);
                } else if !same(&follow(new, back), &old.refers_to) {
                    report.followed.push(changed);
                }
            }
        }
    }
    for (key, new) in &is {
        if !was.contains_key(key) {
            report.ops.push(DiffOp::NameAdded {
                name: new.name.clone(),
                sheet: new.sheet.clone(),
                refers_to: new.refers_to.clone(),
            });
        }
    }
}

/// What a name refers to after its cells moved.
pub(crate) fn follow(name: &Name, workbook_map: &WorkbookMap) -> String {
    let places = workbook_map.seen_from(name.sheet.as_deref());
    Formula::parse(&name.refers_to).follow(&places).into_owned()
}
