//! Where the cells of all sheets went, for formulas that name other sheets.

use crate::cell_map::CellMap;
use crate::formula::{Places, Where};
use std::collections::HashMap;

/// What became of every sheet of a workbook, by its name in it.
#[derive(Debug, Default)]
pub(crate) struct WorkbookMap {
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    /// New numbers of other workbooks, where they are not the old ones.
    links: HashMap<u32, u32>,
}

#[derive(Debug)]
struct Entry {
    /// The name that it has now; none if it is gone.
    name: Option<String>,
    map: CellMap,
}

impl WorkbookMap {
    /// Adds a sheet: the name it had, the name it has, if it is still there, and
    /// where its cells went.
    pub fn add(&mut self, was: &str, is: Option<&str>, map: CellMap) {
        self.by_name.insert(fold(was), self.entries.len());
        self.entries.push(Entry {
            name: is.map(str::to_owned),
            map,
        });
    }

    /// Takes the new numbers of other workbooks.
    pub fn renumber(&mut self, links: impl IntoIterator<Item = (u32, u32)>) {
        self.links.extend(links);
    }

    /// What the sheet that had this name is called now.
    pub fn name(&self, was: &str) -> Option<&str> {
        self.entries[*self.by_name.get(&fold(was))?].name.as_deref()
    }

    /// Whether no formula has anything to follow.
    pub fn is_identity(&self) -> bool {
        let stays = |(was, at): (&String, &usize)| {
            let entry = &self.entries[*at];
            entry.name.as_deref().map(fold).as_ref() == Some(was) && entry.map.is_identity()
        };
        self.links.is_empty() && self.by_name.iter().all(stays)
    }

    /// As a formula in this sheet sees it.
    pub fn seen_from(&self, sheet: Option<&str>) -> SeenFrom<'_> {
        let home = sheet.and_then(|was| self.by_name.get(&fold(was)).copied());
        SeenFrom {
            workbook_map: self,
            home,
        }
    }
}

/// The map of a workbook, and the sheet that is meant where none is named.
pub(crate) struct SeenFrom<'a> {
    workbook_map: &'a WorkbookMap,
    home: Option<usize>,
}

impl Places for SeenFrom<'_> {
    fn link(&self, number: u32) -> u32 {
        self.workbook_map
            .links
            .get(&number)
            .copied()
            .unwrap_or(number)
    }

    fn place(&self, sheet: Option<&str>) -> Where<'_> {
        let at = match sheet {
            None => self.home,
            Some(name) => self.workbook_map.by_name.get(&fold(name)).copied(),
        };
        match at.map(|at| &self.workbook_map.entries[at]) {
            None => Where::Unknown,
            Some(Entry { name: None, .. }) => Where::Gone,
            Some(Entry {
                name: Some(name),
                map,
            }) => Where::Mapped { map, name },
        }
    }
}

/// Names of sheets differ without case.
pub(crate) fn fold(name: &str) -> String {
    name.to_lowercase()
}
