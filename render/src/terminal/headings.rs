//! Hunk headings: the function or section around a hunk.

use super::{Page, Screen};
use crate::enclosing::Rule;
use crate::styles::{decode, visible_name};
use crate::view::{FileView, Line, Row};

impl Page<'_, '_> {
    /// The function or section around rows that follow a gap, as it begins.
    pub(super) fn heading(
        &self,
        file: &FileView<'_>,
        first: usize,
        rows: &[Row<'_>],
    ) -> Option<String> {
        let Screen { git_headings, .. } = self.screen;
        let said = || {
            let before = file.headings.iter().rev().find(|(at, _)| *at <= first);
            before
                .map(|(_, said)| said.clone())
                .filter(|said| !said.is_empty())
        };
        let found = match said() {
            Some(said) if git_headings => Some(said),
            // With all lines at hand, no function around is an answer.
            said => around(file, first, rows).or(said.filter(|_| !is_settled(file))),
        };
        found.map(|text| visible_name(text.trim_end_matches(['{', ' ', '\t'])))
    }
}

/// Whether our own rules have all they need: the whole file, in a language they know.
fn is_settled(file: &FileView<'_>) -> bool {
    let name = file.new.as_ref().or(file.old.as_ref());
    let is_known = |row: &Row<'_>| matches!(row, Row::Lines { .. });
    let is_whole = || !file.lines.is_empty() || file.rows.iter().all(is_known);
    name.is_some_and(|name| Rule::of(name).is_known) && is_whole()
}

/// The definition around the first line that changed, among the lines at hand.
fn around(file: &FileView<'_>, first: usize, rows: &[Row<'_>]) -> Option<String> {
    let changed = rows.iter().position(|row| !row.is_quiet())?;
    let inside = rows[changed..].iter().filter_map(line);
    let inside = inside.map(|line| line.text);
    let inside = inside.clone().find(|text| !text.trim_ascii().is_empty())?;
    let name = file.new.as_ref().or(file.old.as_ref())?;
    let rule = Rule::of(name);
    let is_known = |row: &&Row<'_>| !file.lines.is_empty() || matches!(row, Row::Lines { .. });
    let above = file.rows[..first + changed].iter().rev();
    let above = above.take_while(is_known).flat_map(|row| {
        let far = match row {
            Row::Lines { .. } => None,
            Row::Unknown { new, .. } => {
                file.lines.get(new.start as usize - 1..new.end as usize - 1)
            }
        };
        let near = line(row).map(|line| line.text);
        near.into_iter()
            .chain(far.unwrap_or_default().iter().rev().copied())
    });
    let found = rule.enclosing(inside, above)?;
    // What can be read in the hunk itself needs no head.
    let is_shown = rows[..changed]
        .iter()
        .filter_map(line)
        .any(|line| line.text.trim_ascii() == found);
    (!is_shown).then(|| decode(found))
}

/// The new line of a row, else the old one.
fn line<'r, 't>(row: &'r Row<'t>) -> Option<&'r Line<'t>> {
    match row {
        Row::Lines { old, new } => new.as_ref().or(old.as_ref()),
        Row::Unknown { .. } => None,
    }
}
