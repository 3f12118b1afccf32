//! Conflicts marked in the workbook, so that somebody can choose: a colour and a note on
//! every cell, and a sheet that lists them all.

use super::{Conflict, Merged};
use crate::workbook_map::fold;
use crate::{
    Address, ApplyError, CellData, Comment, DiffOp, DiffReport, Placed, PlacedCell, Value,
    Visibility, Workbook, apply,
};
use serde_json::Value as Json;
use std::collections::{BTreeMap, HashSet};

/// The sheet that lists conflicts.
const LIST: &str = "Merge conflicts";
/// Who notes are from.
const AUTHOR: &str = "mvdiff merge";
/// A light red, under black text.
const COLOUR: &str = "FFFFC7CE";
/// Notes beyond this many make a sheet unreadable, and programs slow.
const MOST_NOTES: usize = 10_000;

impl Merged {
    /// The report on ours that makes the result with its conflicts marked.
    ///
    /// # Errors
    /// [`ApplyError`] if the report is not about `ours`.
    pub fn marked(&self, ours: &Workbook) -> Result<DiffReport, ApplyError> {
        let mut report = self.report.clone();
        if self.conflicts.is_empty() {
            return Ok(report);
        }
        let made = apply(ours, &report)?;
        let mut cells: BTreeMap<&str, BTreeMap<Address, &Conflict>> = BTreeMap::new();
        for conflict in &self.conflicts {
            if let (Some(sheet), Some(at)) = (conflict.sheet.as_deref(), conflict.cell()) {
                cells.entry(sheet).or_default().insert(at, conflict);
            }
        }
        let noted = self.noted(ours);
        let mut left = MOST_NOTES;
        for (sheet, cells) in cells {
            let range: Vec<String> = cells.keys().map(ToString::to_string).collect();
            report
                .ops
                .push(DiffOp::filled(sheet, range.join(" "), COLOUR));
            for (at, conflict) in cells {
                if left > 0 && !noted.contains(&(sheet.to_owned(), at)) {
                    left -= 1;
                    report.ops.push(note(sheet, at, conflict));
                }
            }
        }
        let names: HashSet<String> = made.sheets.iter().map(|s| fold(&s.name)).collect();
        let name = (1..=u32::MAX)
            .map(|number| match number {
                1 => LIST.to_owned(),
                number => format!("{LIST} {number}"),
            })
            .find(|name| !names.contains(&fold(name)));
        report.ops.push(DiffOp::SheetAdded {
            sheet: name.unwrap_or_else(|| LIST.to_owned()),
            position: made.sheets.len() as u32,
            visibility: Visibility::Visible,
            cells: self.list(),
            merges: Vec::new(),
            whole: None,
        });
        Ok(report)
    }

    /// Cells of the result that have a note or a thread already.
    fn noted(&self, ours: &Workbook) -> HashSet<(String, Address)> {
        let mut noted = HashSet::new();
        for sheet in &ours.sheets {
            let entry = self.report.sheets.iter();
            let mut entry = entry.filter(|told| told.old_sheet == sheet.name);
            let Some(told) = entry.next() else { continue };
            let map = crate::SheetMap::new(&self.report, told);
            for at in sheet.commented() {
                let now = map.as_ref().ok().and_then(|map| map.new_cell(at));
                noted.insert((told.sheet.clone(), now.unwrap_or(at)));
            }
        }
        for op in self.report.ops.iter().chain(&self.report.with_added) {
            if let DiffOp::CommentAdded { sheet, addr, .. }
            | DiffOp::CommentEdited { sheet, addr, .. } = op
            {
                noted.insert((sheet.clone(), addr.0));
            }
        }
        noted
    }

    /// The cells of the sheet that lists all conflicts.
    fn list(&self) -> Vec<PlacedCell> {
        let head = ["Sheet", "Cell", "Base", "Ours", "Theirs", "What happened"];
        let mut rows = vec![head.map(str::to_owned)];
        rows.extend(self.conflicts.iter().map(|conflict| {
            [
                conflict.sheet.clone().unwrap_or_default(),
                conflict.addr.clone().unwrap_or_default(),
                in_words(&conflict.base),
                in_words(&conflict.ours),
                in_words(&conflict.theirs),
                conflict.message.clone(),
            ]
        }));
        let cells = (0..).zip(rows).flat_map(|(row, texts)| {
            let cell = move |(col, text): (u32, String)| PlacedCell {
                addr: Placed(Address::new(row, col)),
                cell: CellData {
                    value: Value::Text(text.chars().take(32_000).collect()),
                    ..CellData::default()
                },
            };
            let texts = (0..).zip(texts);
            texts.filter(|(_, text)| !text.is_empty()).map(cell)
        });
        cells.collect()
    }
}

impl Conflict {
    /// What base, ours and theirs have, each in a few words.
    #[must_use]
    pub fn in_words(&self) -> [String; 3] {
        [&self.base, &self.ours, &self.theirs].map(in_words)
    }
}

/// A value in a few words: a formula or what a cell shows; nothing for what is not there.
fn in_words(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Object(fields) if fields.contains_key("type") => {
            let formula = fields.get("formula").and_then(Json::as_str);
            match formula {
                Some(formula) => formula.to_owned(),
                None => fields.get("value").map(in_words).unwrap_or_default(),
            }
        }
        Json::Object(fields) if fields.get("text").is_some_and(Json::is_string) => {
            fields.get("text").map(in_words).unwrap_or_default()
        }
        other => other.to_string(),
    }
}

fn note(sheet: &str, at: Address, conflict: &Conflict) -> DiffOp {
    let [base, ours, theirs] = conflict.in_words().map(|said| {
        let said = if said.is_empty() { "(nothing)" } else { &said };
        said.chars().take(8_000).collect::<String>()
    });
    let text = format!(
        "Merge conflict: {}\nbase: {base}\nours: {ours}\ntheirs: {theirs}",
        conflict.message
    );
    DiffOp::CommentAdded {
        sheet: sheet.to_owned(),
        addr: Placed(at),
        comment: Comment {
            author: AUTHOR.to_owned(),
            text,
            thread: None,
        },
    }
}
