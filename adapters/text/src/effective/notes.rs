//! Notes on a report: exhausted budgets, ambiguities and missing contents.

use super::Input;
use super::windows::Untouchable;
use crate::Note;
use crate::patch::Changeset;
use mvdiff_core::{Guard, Limit, Outcome};
use std::ops::Range;

/// Most notes of one kind listed individually; further ones are only counted.
const TOLD: usize = 100;

pub(super) fn notes(input: &Input<'_, '_>, outcome: &Outcome) -> Vec<Note> {
    let Input {
        changeset, windows, ..
    } = *input;
    let mut notes = Vec::new();
    let mut limits = outcome.limits().to_vec();
    if windows.sifted && !limits.contains(&Limit::Featured) {
        limits.push(Limit::Featured);
    }
    for limit in limits {
        notes.push(note("budget", spent(limit)));
    }
    for (number, file) in changeset.files.iter().enumerate() {
        let view = &windows.files[number];
        let path = String::from_utf8_lossy(file.path());
        if view.untouchable == Some(Untouchable::Unclear) {
            notes.push(note(
                "hunks",
                format!(
                    "{path}: its hunks contradict each other or another file's: shown as they came"
                ),
            ));
        } else if was_given(input, number) && view.contents.is_none() && !file.is_binary() {
            notes.push(note(
                "contents",
                format!("{path}: the contents do not fit the diff: only its hunks were looked at"),
            ));
        }
    }
    unread(changeset, &mut notes);
    let ambiguous = outcome
        .refusals()
        .iter()
        .filter(|refusal| refusal.guard == Guard::Ambiguous);
    let place = |side: usize, range: &Range<u32>| {
        let window = windows.window_of(side, range.start);
        let path = changeset
            .files
            .get(window.file)
            .map_or(&[][..], |file| match side {
                0 => file.old_path.as_deref().unwrap_or_default(),
                _ => file.new_path.as_deref().unwrap_or_default(),
            });
        let first = window.line(side, range.start) + 1;
        let path = String::from_utf8_lossy(path).into_owned();
        match range.len() {
            0 | 1 => format!("{path}:{first}"),
            len => format!("{path}:{first}-{}", first + len as u32 - 1),
        }
    };
    for refusal in ambiguous.clone().take(TOLD) {
        let (old, new) = (place(0, &refusal.old), place(1, &refusal.new));
        let rival = refusal.rival.as_ref().map_or_else(String::new, |rival| {
            format!(" and {} -> {}", place(0, &rival.0), place(1, &rival.1))
        });
        notes.push(note(
            "ambiguous",
            format!("{old} -> {new}{rival} are as good as each other: not called a move"),
        ));
    }
    let more = ambiguous.count().saturating_sub(TOLD);
    if more > 0 {
        notes.push(note(
            "ambiguous",
            format!("{more} more blocks could have come from several places"),
        ));
    }
    notes
}

/// Most characters of a line that a note quotes.
const REPEATED: usize = 120;

/// Notes text around the files that may be a change.
fn unread(changeset: &Changeset<'_>, notes: &mut Vec<Note>) {
    let remarks = changeset.remarks();
    for remark in remarks.iter().take(TOLD) {
        let line = String::from_utf8_lossy(remark.first_line());
        let mut told: String = line.chars().take(REPEATED).collect();
        if told.len() < line.len() {
            told.push('…');
        }
        notes.push(note(
            "unread",
            format!("not understood, shown unchanged: {told}"),
        ));
    }
    let more = remarks.len().saturating_sub(TOLD);
    if more > 0 {
        notes.push(note(
            "unread",
            format!("{more} more places were not understood, and are shown as they came"),
        ));
    }
}

/// Describes an exhausted budget to the reader.
fn spent(limit: Limit) -> String {
    let what = match limit {
        Limit::Featured | Limit::FeaturePairs => {
            "blocks of which every line was edited were not looked for everywhere"
        }
        Limit::Candidates => "blocks of often repeated lines were not looked for everywhere",
        _ => "the alignment is coarser than it could be",
    };
    format!("very much changed: {what} ({limit:?})")
}

/// Whether the contents of a file were supplied.
fn was_given(input: &Input<'_, '_>, number: usize) -> bool {
    let given = input.contents.files.get(number);
    given.is_some_and(|given| given.old.is_some() || given.new.is_some())
}

pub(super) fn note(kind: &'static str, message: String) -> Note {
    Note {
        kind: kind.into(),
        message,
    }
}
