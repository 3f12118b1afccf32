//! Writes plain patches for `git apply` and `patch`.

use crate::patch::{HighBytes, LineKind, Numbers, write_git_line, write_line, write_name};
use crate::{Ignore, Lines};
use mvdiff_core::Hunk;
use std::io::{self, Write};
use std::ops::Range;

/// Options for printing a patch.
#[derive(Clone, Debug)]
pub struct UnifiedOptions {
    /// Lines of context around a change. Default 3.
    pub context: u32,
    /// Name of the old file in the `---` line.
    pub old_name: Vec<u8>,
    /// Name of the new file in the `+++` line.
    pub new_name: Vec<u8>,
    /// Differences that the hunks ignore.
    pub ignore: Ignore,
}

impl UnifiedOptions {
    /// The names, if git needs a `diff --git` line: `git apply` takes two
    /// different names for two files unless a line before says otherwise.
    fn git_names(&self) -> Option<[&[u8]; 2]> {
        let names = [&self.old_name[..], &self.new_name[..]];
        let below = names.map(|name| name.splitn(2, |b| *b == b'/').nth(1));
        let there = names.iter().all(|name| *name != b"/dev/null");
        (there && below[0] != below[1]).then_some(names)
    }

    /// Options for a file whose header is written elsewhere.
    pub(crate) fn unnamed(context: u32, ignore: Ignore) -> Self {
        Self {
            context,
            old_name: Vec::new(),
            new_name: Vec::new(),
            ignore,
        }
    }
}

/// Writes the hunks between two texts as a unified diff; nothing if there are no
/// hunks. If white space is ignored, context lines come from the new text.
///
/// # Errors
/// Any error of the writer.
pub fn write_unified(
    out: &mut dyn Write,
    (old, new): (&Lines<'_>, &Lines<'_>),
    hunks: &[Hunk],
    options: &UnifiedOptions,
) -> io::Result<()> {
    let groups = Groups::new((old, new), hunks, options);
    if groups.is_empty() {
        return Ok(());
    }
    if let Some(names) = options.git_names() {
        write_git_line(out, names)?;
    }
    write_name(out, b"--- ", Some(&options.old_name), HighBytes::Plain)?;
    write_name(out, b"+++ ", Some(&options.new_name), HighBytes::Plain)?;
    groups.write(out, (old, new))
}

/// Whether [`write_unified`] would write anything. Hunks of blank lines only do
/// not count if blank lines are ignored.
#[must_use]
pub fn is_worth_a_patch(
    texts: (&Lines<'_>, &Lines<'_>),
    hunks: &[Hunk],
    options: &UnifiedOptions,
) -> bool {
    !Groups::new(texts, hunks, options).is_empty()
}

/// Changes grouped into hunks with their context.
pub(crate) struct Groups<'h>(Vec<Group<'h>>);

struct Group<'h> {
    hunks: &'h [Hunk],
    before: u32,
    after: u32,
}

impl<'h> Groups<'h> {
    pub(crate) fn new(
        (old, new): (&Lines<'_>, &Lines<'_>),
        hunks: &'h [Hunk],
        options: &UnifiedOptions,
    ) -> Self {
        let shown = shown((old, new), hunks, options);
        let context = options.context;
        let mut groups = Vec::new();
        let mut at = 0;
        while let Some(first) = (at..hunks.len()).find(|&h| shown[h]) {
            let mut last = first;
            let near = |a: usize, b: usize| gap(&hunks[a], &hunks[b]) <= u64::from(context) * 2;
            while let Some(next) = (last + 1..hunks.len()).find(|&h| shown[h])
                && near(last, next)
            {
                last = next;
            }
            // Lines are equal up to the next change, shown or not.
            let start = match first.checked_sub(1) {
                Some(before) => hunks[before].old.end,
                None => 0,
            };
            let end = hunks.get(last + 1).map(|next| next.old.start);
            let end = end.unwrap_or(old.len() as u32);
            groups.push(Group {
                hunks: &hunks[first..=last],
                before: context.min(hunks[first].old.start - start),
                after: context.min(end - hunks[last].old.end),
            });
            at = last + 1;
        }
        Self(groups)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn write(
        &self,
        out: &mut dyn Write,
        texts: (&Lines<'_>, &Lines<'_>),
    ) -> io::Result<()> {
        self.0.iter().try_for_each(|group| group.write(out, texts))
    }
}

/// The changes to print. If blank lines are ignored, changes of blank lines only
/// are printed only where they are adjacent to another one, as in git.
fn shown(
    (old, new): (&Lines<'_>, &Lines<'_>),
    hunks: &[Hunk],
    options: &UnifiedOptions,
) -> Vec<bool> {
    let ignore = options.ignore;
    if !ignore.blank_lines {
        return vec![true; hunks.len()];
    }
    let all_blank = |lines: &Lines<'_>, range: &Range<u32>| {
        let mut range = range.start as usize..range.end as usize;
        range.all(|line| ignore.is_blank(lines.get(line)))
    };
    let counts = |hunk: &Hunk| !all_blank(old, &hunk.old) || !all_blank(new, &hunk.new);
    let counting: Vec<bool> = hunks.iter().map(counts).collect();
    let near = |a: usize, b: usize| gap(&hunks[a], &hunks[b]) < u64::from(options.context);
    let mut shown = counting.clone();
    for h in (0..hunks.len().saturating_sub(1)).rev() {
        shown[h] |= shown[h + 1] && near(h, h + 1);
    }
    for h in 1..hunks.len() {
        shown[h] |= counting[h - 1] && near(h - 1, h);
    }
    shown
}

/// Number of lines between two changes.
fn gap(a: &Hunk, b: &Hunk) -> u64 {
    u64::from(b.old.start - a.old.end)
}

impl Group<'_> {
    fn write(&self, out: &mut dyn Write, (old, new): (&Lines<'_>, &Lines<'_>)) -> io::Result<()> {
        let (first, last) = (&self.hunks[0], &self.hunks[self.hunks.len() - 1]);
        let old_range = first.old.start - self.before..last.old.end + self.after;
        let new_range = first.new.start - self.before..last.new.end + self.after;
        writeln!(
            out,
            "@@ -{} +{} @@",
            numbers(&old_range),
            numbers(&new_range)
        )?;
        let mut at = new_range.start;
        for hunk in self.hunks {
            write_lines(out, LineKind::Context, new, at..hunk.new.start)?;
            write_lines(out, LineKind::Removed, old, hunk.old.clone())?;
            write_lines(out, LineKind::Added, new, hunk.new.clone())?;
            at = hunk.new.end;
        }
        write_lines(out, LineKind::Context, new, at..new_range.end)
    }
}

/// A range as diff writes it: one-based, or the line before if empty.
fn numbers(range: &Range<u32>) -> Numbers {
    let count = range.len() as u32;
    Numbers(range.start + u32::from(count > 0), count)
}

fn write_lines(
    out: &mut dyn Write,
    kind: LineKind,
    lines: &Lines<'_>,
    range: Range<u32>,
) -> io::Result<()> {
    range
        .map(|index| lines.get(index as usize))
        .try_for_each(|line| write_line(out, kind, line))
}
