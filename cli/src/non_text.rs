//! Changes in files that a patch only names: to the cells of workbooks,
//! and which commits a submodule went over.

use crate::contents::Place;
use crate::file_kind::{self, DetectedKind};
use crate::git::Repo;
use crate::{output, paths};
use anyhow::anyhow;
use mvdiff_files::Found;
use mvdiff_grid::{
    DiffReport, Note, Options, ReadError, ReadOptions, Workbook, diff_workbooks, read_pair,
    read_workbook,
};
use mvdiff_render::view::{NonTextChange, View};
use mvdiff_text::effective::is_submodule;
use mvdiff_text::patch::{Changeset, FilePatch, LineKind};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A version of a file: its name and its bytes.
pub(crate) type Version<'v> = Option<(&'v [u8], &'v [u8])>;

/// The changes found, by the index of the file.
#[derive(Default)]
pub(crate) struct NonTextChanges(Vec<(usize, NonTextChange)>);

impl NonTextChanges {
    /// Looks into the files of a changeset that have no lines.
    pub(crate) fn of(changeset: &Changeset<'_>, place: &mut Place) -> Self {
        let is_closed = |file: &FilePatch<'_>| file.is_binary() || is_submodule(file);
        if !changeset.files.iter().any(is_closed) {
            return Self::default();
        }
        // Contents may be left aside, where they do not fit a patch without white space.
        let mut around;
        let place = match place {
            Place::Nowhere => {
                around = Place::around(std::slice::from_ref(changeset));
                &mut around
            }
            place => place,
        };
        let mut insides = Self::default();
        for (at, file) in changeset.files.iter().enumerate() {
            let inside = if is_submodule(file) {
                commits(file, place)
            } else if file.is_binary() {
                workbook(file, place)
            } else {
                None
            };
            insides.0.extend(inside.map(|inside| (at, inside)));
        }
        insides
    }

    /// Adds what happened to a file, if it is a workbook.
    pub(crate) fn compare(
        &mut self,
        at: usize,
        old: Version<'_>,
        new: Version<'_>,
        options: &Options,
    ) {
        let inside = compare(old, new, options);
        self.0.extend(inside.map(|inside| (at, inside)));
    }

    /// Puts it into the view of the same files.
    pub(crate) fn show(self, view: &mut View<'_>) {
        for (at, inside) in self.0 {
            let Some(file) = view.files.get_mut(at) else {
                continue;
            };
            if let NonTextChange::Workbook(_) = inside {
                for fact in file.facts.iter_mut().filter(|fact| *fact == "binary") {
                    "workbook".clone_into(fact);
                }
            }
            file.non_text = inside;
        }
    }

    /// The reports on workbooks, for programs; `paths` names the files.
    pub(crate) fn books(
        &self,
        paths: impl Fn(usize) -> [Option<mvdiff_text::Text>; 2],
    ) -> Vec<Book<'_>> {
        let books = self.0.iter().filter_map(|(at, inside)| match inside {
            NonTextChange::Workbook(report) => {
                let [old, new] = paths(*at);
                Some(Book { old, new, report })
            }
            _ => None,
        });
        books.collect()
    }
}

/// What happened to one workbook among other files.
#[derive(Serialize)]
pub(crate) struct Book<'i> {
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<mvdiff_text::Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<mvdiff_text::Text>,
    report: &'i DiffReport,
}

/// A report with those on the workbooks among its files.
#[derive(Serialize)]
pub(crate) struct WithBooks<'r, R> {
    #[serde(flatten)]
    pub report: &'r R,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub workbooks: Vec<Book<'r>>,
}

fn workbook(file: &FilePatch<'_>, place: &mut Place) -> Option<NonTextChange> {
    let [old, new] = place.both(file)?;
    compare(
        version(file.old_path.as_deref(), old.as_ref()),
        version(file.new_path.as_deref(), new.as_ref()),
        &Options::default(),
    )
}

fn version<'v>(path: Option<&'v [u8]>, bytes: Option<&'v Vec<u8>>) -> Version<'v> {
    Some((path?, &bytes?[..]))
}

/// What happened to a workbook; `None` if it is none.
fn compare(old: Version<'_>, new: Version<'_>, options: &Options) -> Option<NonTextChange> {
    let is_book = |(name, bytes): (&[u8], &[u8])| {
        let name = String::from_utf8_lossy(name);
        file_kind::guess(Path::new(&*name), bytes) == DetectedKind::Workbook
    };
    let mut versions = [old, new].into_iter().flatten().peekable();
    versions.peek()?;
    if !versions.all(is_book) {
        return None;
    }
    let report = || -> anyhow::Result<DiffReport> {
        let (old, new) = read_both(old, new)?;
        Ok(diff_workbooks(&old, &new, options)?)
    };
    Some(match report() {
        Ok(report) if report.ops.is_empty() => {
            let notes = report.notes.iter().map(|note: &Note| note.message.clone());
            let mut lines: Vec<String> = notes.collect();
            if lines.is_empty() {
                lines.push("nothing that is compared differs".to_owned());
            }
            NonTextChange::Lines(lines)
        }
        Ok(report) => NonTextChange::Workbook(Box::new(report)),
        Err(error) => {
            let what = output::visible(&format!("{error:#}"));
            NonTextChange::Lines(vec![format!("cannot be read as a workbook: {what}")])
        }
    })
}

/// Two versions of a workbook with all that is compared besides cells; an empty workbook
/// where there is none.
pub(crate) fn read_both(
    old: Version<'_>,
    new: Version<'_>,
) -> anyhow::Result<(Workbook, Workbook)> {
    let options = ReadOptions::default();
    let named = |version: Version<'_>| {
        version.map(|(name, _)| PathBuf::from(String::from_utf8_lossy(name).into_owned()))
    };
    let (was, is) = (named(old), named(new));
    let read = |version: Version<'_>, name: Option<&Path>| match version {
        Some((_, bytes)) => read_workbook(bytes, name, &options),
        None => Ok(Workbook::default()),
    };
    let (first, second) = if let (Some((_, old)), Some((_, new))) = (old, new) {
        read_pair((old, was.as_deref()), (new, is.as_deref()), &options)
    } else {
        (read(old, was.as_deref()), read(new, is.as_deref()))
    };
    let because = |error: ReadError, name: Option<&Path>| match name {
        Some(name) => anyhow!("{}: {error}", name.display()),
        None => anyhow!("{error}"),
    };
    Ok((
        first.map_err(|error| because(error, was.as_deref()))?,
        second.map_err(|error| because(error, is.as_deref()))?,
    ))
}

/// Commits that are named one by one.
const NAMED: usize = 20;

/// The commits that a submodule went forward or back over, as far as they are here.
fn commits(file: &FilePatch<'_>, place: &mut Place) -> Option<NonTextChange> {
    let [old, new] = [LineKind::Removed, LineKind::Added].map(|kind| commit(file, kind));
    let (old, new) = (old?, new?);
    let top = place.repository()?.top()?;
    let (folder, found) = paths::below(&top, file.path()).ok()?;
    let is_here = found == Found::Folder && folder.join(".git").exists();
    if !is_here {
        return None;
    }
    let listed = Repo::at(&folder).ok()?.between(&old, &new, NAMED + 1)?;
    let mut lines: Vec<String> = listed.iter().take(NAMED).cloned().collect();
    if listed.len() > NAMED {
        lines.push(format!("… more than {NAMED} commits"));
    }
    (!lines.is_empty()).then_some(NonTextChange::Lines(lines))
}

/// The commit that a patch of a submodule names on one side.
fn commit(file: &FilePatch<'_>, kind: LineKind) -> Option<String> {
    let lines = file.hunks().iter().flat_map(|hunk| &hunk.lines);
    let mut text = lines.filter(|line| line.kind == kind).map(|line| line.text);
    let id = text
        .next_back()?
        .strip_prefix(b"Subproject commit ")?
        .trim_ascii();
    let id = id.strip_suffix(b"-dirty").unwrap_or(id);
    let is_id = id.len() >= 7 && id.iter().all(u8::is_ascii_hexdigit);
    is_id.then(|| String::from_utf8_lossy(id).into_owned())
}
