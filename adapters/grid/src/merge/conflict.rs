//! Where both sides did something else.

use crate::{Address, CellData, Workbook};
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::{HashMap, HashSet};

/// What a conflict is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConflictKind {
    /// A sheet: its name, whether it is shown, whether it is there.
    Sheet,
    /// Rows that both moved.
    Rows,
    /// Columns that both moved.
    Columns,
    /// What a cell holds.
    Cell,
    /// Merged cells.
    Merge,
    /// A comment.
    Comment,
    /// How cells look, or how large or hidden lines are.
    Look,
    /// A link, a rule, a format, protection.
    Item,
    /// A defined name.
    Name,
    /// A part of the file that cannot be carried over.
    Part,
}

/// One place where both sides did something else.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Conflict {
    /// What it is about.
    pub kind: ConflictKind,
    /// The sheet, by its name in the result.
    pub sheet: Option<String>,
    /// The cell or the range in the result.
    pub addr: Option<String>,
    /// What the base has; null where there is nothing.
    pub base: Json,
    /// What ours has; null where it was removed.
    pub ours: Json,
    /// What theirs has; null where it was removed.
    pub theirs: Json,
    /// What happened, in words.
    pub message: String,
    /// The part of the file, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Whether the result has a line or a sheet that one side removed.
    #[serde(skip)]
    pub(super) keeps_removed: bool,
}

impl Conflict {
    pub(super) fn new(kind: ConflictKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            sheet: None,
            addr: None,
            base: Json::Null,
            ours: Json::Null,
            theirs: Json::Null,
            message: message.into(),
            part: None,
            keeps_removed: false,
        }
    }

    /// The cell that it is about, if it is about one.
    #[must_use]
    pub fn cell(&self) -> Option<Address> {
        let is_cell = self.kind == ConflictKind::Cell;
        self.addr.as_ref().filter(|_| is_cell)?.parse().ok()
    }
}

/// A cell as a conflict carries it.
pub(super) fn json(cell: Option<CellData>) -> Json {
    let value = cell.map(serde_json::to_value);
    value.and_then(Result::ok).unwrap_or_default()
}

/// Orders conflicts by sheet and cell, and keeps each once.
pub(super) fn sort(conflicts: &mut Vec<Conflict>, book: &Workbook) {
    let mut last: HashMap<(Option<String>, String, String), usize> = HashMap::new();
    for (at, conflict) in conflicts.iter().enumerate() {
        if let (ConflictKind::Cell, Some(addr)) = (conflict.kind, &conflict.addr) {
            let theirs = conflict.theirs.to_string();
            last.insert((conflict.sheet.clone(), addr.clone(), theirs), at);
        }
    }
    let keep: HashSet<usize> = last.into_values().collect();
    let mut at = 0..;
    conflicts.retain(|conflict| {
        let at = at.next().unwrap_or(usize::MAX);
        conflict.cell().is_none() || keep.contains(&at)
    });
    conflicts.sort_by_cached_key(|conflict| {
        let sheet = conflict.sheet.as_deref();
        let at = book
            .sheets
            .iter()
            .position(|other| Some(&other.name[..]) == sheet);
        let first = conflict.addr.as_deref();
        let first = first.and_then(|addr| addr.split([':', ' ']).next());
        let cell: Option<Address> = first.and_then(|addr| addr.parse().ok());
        (
            sheet.is_none(),
            at.unwrap_or(usize::MAX),
            sheet.map(str::to_owned),
            conflict.kind.min(ConflictKind::Cell),
            cell.map(|cell| (cell.row, cell.col)),
            conflict.kind,
        )
    });
}
