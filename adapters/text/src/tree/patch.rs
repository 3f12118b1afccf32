//! Two trees as a plain patch, with headers as git writes them.

use super::pairs::{Pair, Pairs};
use super::texts::Comparison;
use super::{Entry, TreeOptions, Trees};
use crate::patch::{HighBytes, quote_path, write_git_line, write_name};
use crate::unified::Groups;
use crate::{Error, Ignore, LineProblem, Lines, Note, UnifiedOptions};
use mvdiff_core::Hunk;
use sha1::{Digest as _, Sha1};
use std::fmt::Write as _;
use std::io::{self, Write};

/// The patch between two trees. Moves appear as deletions and additions.
pub struct TreePatch<'t> {
    trees: &'t Trees<'t>,
    files: Vec<FilePatch>,
    notes: Vec<Note>,
}

struct FilePatch {
    pair: Pair,
    kind: Comparison,
    hunks: Vec<Hunk>,
    /// Differences that the hunks ignore.
    ignore: Ignore,
}

impl<'t> TreePatch<'t> {
    /// Compares two trees file by file.
    ///
    /// # Errors
    /// [`Error`] if a text is too large or an option is out of range.
    pub fn new(trees: &'t Trees<'t>, options: &TreeOptions) -> Result<Self, Error> {
        let pairs = Pairs::new(trees, options);
        let lines = options.lines.clone().with(|o| {
            o.moves = false;
            o.edits = false;
            o.copies = false;
        });
        let mut notes = pairs.notes();
        let mut files = Vec::with_capacity(pairs.list.len());
        for pair in pairs.list {
            let kind = Comparison::of(trees, pair);
            let ignore = match kind {
                Comparison::Link => Ignore::default(),
                _ => options.ignore,
            };
            let hunks = match kind {
                Comparison::Lines { .. } | Comparison::Link => {
                    let (old, new) = pair.entries(trees);
                    let problem = LineProblem::ignoring(bytes(old), bytes(new), ignore)?;
                    let diff = mvdiff_core::diff(&problem, &lines)?;
                    notes.extend(crate::report::budget_notes(&diff.outcome));
                    mvdiff_core::plain(&problem, &diff.script, &lines)
                }
                Comparison::Whole | Comparison::Same => Vec::new(),
            };
            let file = FilePatch {
                pair,
                kind,
                hunks,
                ignore,
            };
            if !file.is_spotless(trees)? {
                files.push(file);
            }
        }
        notes.dedup();
        Ok(Self {
            trees,
            files,
            notes,
        })
    }

    /// Notes on exhausted budgets.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Whether the trees are equal, apart from ignored differences.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Number of files that the patch only names, because they are binary. Git
    /// rejects such a patch, and it does not contain their bytes.
    #[must_use]
    pub fn only_named(&self) -> usize {
        let whole = self
            .files
            .iter()
            .filter(|file| file.kind == Comparison::Whole);
        let differs = |file: &&FilePatch| {
            let (old, new) = file.pair.entries(self.trees);
            old.map(|e| e.bytes) != new.map(|e| e.bytes)
        };
        whole.filter(differs).count()
    }

    /// The files in the patch, as indices into the two trees.
    pub fn changed(&self) -> impl Iterator<Item = (Option<usize>, Option<usize>)> {
        self.files.iter().map(|file| (file.pair.old, file.pair.new))
    }

    /// Writes the patch, with this many lines of context.
    ///
    /// # Errors
    /// Any error of the writer.
    pub fn write(&self, out: &mut dyn Write, context: u32) -> io::Result<()> {
        let mut files = self.files.iter();
        files.try_for_each(|file| file.write(out, self.trees, context))
    }
}

fn bytes<'t>(entry: Option<&Entry<'t>>) -> &'t [u8] {
    entry.map_or(&[], |entry| entry.bytes)
}

impl FilePatch {
    /// Whether a file at the same path has nothing to report.
    fn is_spotless(&self, trees: &Trees<'_>) -> Result<bool, Error> {
        let (Some(old), Some(new)) = self.pair.entries(trees) else {
            return Ok(false);
        };
        let changed = matches!(self.kind, Comparison::Whole) || self.pair.renamed.is_some();
        if changed || old.mode != new.mode {
            return Ok(false);
        }
        let texts = (Lines::new(old.bytes)?, Lines::new(new.bytes)?);
        let options = UnifiedOptions::unnamed(0, self.ignore);
        Ok(Groups::new((&texts.0, &texts.1), &self.hunks, &options).is_empty())
    }

    fn write(&self, out: &mut dyn Write, trees: &Trees<'_>, context: u32) -> io::Result<()> {
        let (old, new) = self.pair.entries(trees);
        let path = |entry: Option<&Entry<'_>>| entry.or(old).or(new).map(|e| e.path.clone());
        let named = |prefix: &[u8], entry| [prefix, &path(entry).unwrap_or_default()].concat();
        let (a, b) = (named(b"a/", old), named(b"b/", new));
        write_git_line(out, [&a, &b])?;
        match (old, new) {
            (None, Some(new)) => writeln!(out, "new file mode {:06o}", new.mode)?,
            (Some(old), None) => writeln!(out, "deleted file mode {:06o}", old.mode)?,
            (Some(old), Some(new)) if old.mode != new.mode => {
                writeln!(out, "old mode {:06o}\nnew mode {:06o}", old.mode, new.mode)?;
            }
            _ => {}
        }
        if let Some(share) = self.pair.renamed {
            writeln!(out, "similarity index {}%", share.percent())?;
            for (mark, entry) in [(&b"rename from "[..], old), (b"rename to ", new)] {
                out.write_all(mark)?;
                out.write_all(&quote_path(&path(entry).unwrap_or_default()))?;
                out.write_all(b"\n")?;
            }
        }
        write_ids(out, old, new)?;
        let (a, b) = (old.map(|_| &a[..]), new.map(|_| &b[..]));
        if self.kind == Comparison::Whole {
            let name = |name| quote_path(Option::unwrap_or(name, b"/dev/null"));
            out.write_all(b"Binary files ")?;
            out.write_all(&name(a))?;
            out.write_all(b" and ")?;
            out.write_all(&name(b))?;
            return out.write_all(b" differ\n");
        }
        let lines = |entry| Lines::new(bytes(entry)).map_err(io::Error::other);
        let texts = (lines(old)?, lines(new)?);
        let options = UnifiedOptions::unnamed(context, self.ignore);
        let groups = Groups::new((&texts.0, &texts.1), &self.hunks, &options);
        if groups.is_empty() {
            return Ok(());
        }
        write_name(out, b"--- ", a, HighBytes::Octal)?;
        write_name(out, b"+++ ", b, HighBytes::Octal)?;
        groups.write(out, (&texts.0, &texts.1))
    }
}

/// Writes the line with the ids of both contents, which `patch` needs to
/// recognise a symbolic link or a deleted empty file.
fn write_ids(
    out: &mut dyn Write,
    old: Option<&Entry<'_>>,
    new: Option<&Entry<'_>>,
) -> io::Result<()> {
    if let (Some(old), Some(new)) = (old, new)
        && old.bytes == new.bytes
    {
        return Ok(());
    }
    write!(out, "index {}..{}", id(old), id(new))?;
    match (old, new) {
        (Some(old), Some(new)) if old.mode == new.mode => writeln!(out, " {:06o}", new.mode),
        _ => writeln!(out),
    }
}

/// The abbreviated git id of a content; zeros for none.
fn id(entry: Option<&Entry<'_>>) -> String {
    let Some(entry) = entry else {
        return "0".repeat(ID);
    };
    let mut hasher = Sha1::new();
    hasher.update(format!("blob {}\0", entry.bytes.len()));
    hasher.update(entry.bytes);
    let digest = hasher.finalize();
    let hex: String = digest.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    hex[..ID].to_owned()
}

/// Number of digits of an id.
const ID: usize = 7;
