//! `mvdiff replay --old DIR --out DIR REPORT`; of two files in [`lines`], of two
//! workbooks in [`workbook`].

mod lines;
mod workbook;

use crate::args::ReplayArgs;
use crate::signals::Hold;
use crate::{input, output};
use anyhow::{Context as _, anyhow, bail};
use mvdiff_files::{
    Change, Content, FileError, Found, Like, Permissions, Root, Source, Store, StoreError,
    write_without_journal,
};
use mvdiff_text::effective::{Rebuilt, RecipeFile, rebuild};
use mvdiff_text::tree::{self, TreeReport};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::Path;

const SCHEMA: &str = "mvdiff.effective/1";
const LINK: u32 = 0o120_000;
const SUBMODULE: &str = "160000";

/// What of a report is needed here.
#[derive(Deserialize)]
struct Report {
    #[serde(default)]
    schema: Option<String>,
    #[serde(default)]
    recipe: Option<Vec<RecipeFile>>,
    #[serde(default)]
    changesets: Option<Vec<Report>>,
}

pub(crate) fn run(args: &ReplayArgs) -> anyhow::Result<u8> {
    match (&args.files[..], &args.old, &args.out, &args.output) {
        ([report], Some(old), Some(out), None) => trees(&Trees { report, old, out }),
        ([old, report], None, None, Some(out)) => {
            let bytes = input::read(report)?;
            match schema_of(&bytes).as_deref() {
                Some(mvdiff_text::SCHEMA) => lines::run(old, (report, &bytes), out),
                _ => workbook::run(old, (report, &bytes), out, &args.limits),
            }
        }
        ([_], None, ..) => bail!(
            "replay: give --old and --out for directories, or OLD REPORT -o NEW for two files or workbooks"
        ),
        ([_, _], None, ..) => bail!("replay: give -o NEW, the file to be written"),
        _ => bail!("replay: --old and --out are for directories and take one report; try --help"),
    }
}

/// The schema that a report names, if it names one.
fn schema_of(report: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        schema: String,
    }
    let mut values = serde_json::Deserializer::from_slice(report).into_iter::<Named>();
    Some(values.next()?.ok()?.schema)
}

/// Old files and where the new ones go.
struct Trees<'a> {
    report: &'a Path,
    old: &'a Path,
    out: &'a Path,
}

fn trees(args: &Trees<'_>) -> anyhow::Result<u8> {
    let bytes = input::read(args.report)?;
    let is_tree = schema_of(&bytes).as_deref() == Some(tree::SCHEMA);
    let recipe = if is_tree {
        Vec::new()
    } else {
        read_recipe(args.report, &bytes)?
    };
    if !args.old.is_dir() {
        bail!(
            "{}: is not a directory; give the old files",
            args.old.display()
        );
    }
    let old = Root::open(args.old).with_context(|| args.old.display().to_string())?;
    let (recipe, submodules): (Vec<_>, Vec<_>) = recipe
        .into_iter()
        .partition(|file| file.mode.as_deref() != Some(SUBMODULE));
    // Everything is made and checked first, so that trouble leaves no traces.
    let look_up = |path: &[u8]| {
        let read = old.read_any(path).map_err(|error| error.message);
        let read = read.and_then(|source| {
            let none = || format!("there is no such file in {}", args.old.display());
            source.into_content().ok_or_else(none)
        });
        read.map(Content::into_bytes).map_err(|why| {
            let name = String::from_utf8_lossy(path);
            anyhow!("{name}: cannot read the old file: {why}; give the old files of this report")
        })
    };
    let made = if is_tree {
        let report = read_tree_report(args.report, &bytes)?;
        let made = report
            .replay(look_up)
            .with_context(|| format!("{}", args.report.display()))?;
        nothing_in_the_way(&old, &made)?;
        made
    } else {
        rebuild(&recipe, look_up)?
    };
    let hold = Hold::new();
    let written = write(args.out, &old, made, &hold);
    hold.report(&written);
    written?;
    for file in submodules {
        let name = String::from_utf8_lossy(&file.file.0).into_owned();
        note(&format!("{name}: is a submodule; left unchanged"));
    }
    Ok(0)
}

/// Writes the new files, all or none. In place they replace the only copy of the old
/// ones, so that a journal is kept, as for `mvdiff apply`, and `mvdiff apply --undo` takes
/// them back.
fn write(out: &Path, old: &Root, made: Vec<Rebuilt>, hold: &Hold) -> anyhow::Result<()> {
    let (out, new_folders) = Root::make(out).map_err(|(path, error)| {
        anyhow!("{}: cannot create the directory: {error}", path.display())
    })?;
    let changes = plan(old, &out, made)?;
    let interrupted = || hold.is_interrupted();
    let in_place = out.path() == old.path() && !changes.is_empty();
    let store = in_place.then(Store::of_user).and_then(Result::ok);
    match store.as_ref().map(Store::begin) {
        Some(Ok(session)) => session.write(&out, changes, &interrupted)?,
        Some(Err(error @ StoreError::Busy { .. })) => return Err(error.into()),
        // Without a place for the journal it is still all or none, unless it is killed.
        None | Some(Err(_)) => write_without_journal(&out, changes, &interrupted)?,
    }
    new_folders.keep();
    Ok(())
}

/// Refuses a report that makes a file anew which is there, and not on its way out.
fn nothing_in_the_way(old: &Root, made: &[Rebuilt]) -> anyhow::Result<()> {
    let gone: BTreeSet<&[u8]> = made
        .iter()
        .filter(|file| file.bytes.is_none())
        .map(|file| &file.path[..])
        .collect();
    let come = made
        .iter()
        .filter(|file| file.bytes.is_some() && file.origin.is_none());
    for file in come.filter(|file| !gone.contains(&file.path[..])) {
        if old
            .look(&file.path)
            .is_ok_and(|found| found != Found::Nothing)
        {
            bail!(
                "{}: is new in the report but exists already; give the old files of this report",
                String::from_utf8_lossy(&file.path)
            );
        }
    }
    Ok(())
}

fn read_tree_report(path: &Path, bytes: &[u8]) -> anyhow::Result<TreeReport> {
    let shown = path.display();
    serde_json::from_slice(bytes).map_err(|error| {
        anyhow!("{shown}: is not a report: {error}; give what --format json printed")
    })
}

fn note(text: &str) {
    let _ = writeln!(io::stderr(), "mvdiff: note: {}", output::visible(text));
}

fn read_recipe(path: &Path, bytes: &[u8]) -> anyhow::Result<Vec<RecipeFile>> {
    let shown = path.display();
    let report: Report = serde_json::from_slice(bytes).map_err(|error| {
        anyhow!("{shown}: is not a report: {error}; give what --format json printed")
    })?;
    match report.schema.as_deref() {
        Some(SCHEMA) => {}
        Some(mvdiff_grid::SCHEMA) => bail!(
            "{shown}: is a report on a workbook; to replay it: mvdiff replay OLD.xlsx REPORT -o NEW.xlsx"
        ),
        Some(mvdiff_text::SCHEMA) => bail!(
            "{shown}: is a report on two files; to replay it: mvdiff replay OLD REPORT -o NEW"
        ),
        Some(other) => bail!(
            "{shown}: is a report of schema {other}; give one of mvdiff effective ({SCHEMA}) or of mvdiff diff on directories ({})",
            tree::SCHEMA
        ),
        None => bail!("{shown}: is not a report; give what mvdiff effective --format json printed"),
    }
    let report = match report.changesets {
        None => report,
        Some(mut changesets) if changesets.len() == 1 => changesets.remove(0),
        Some(changesets) => bail!(
            "{shown}: has {} changesets, and replay takes one; make a report for each commit",
            changesets.len()
        ),
    };
    report.recipe.ok_or_else(|| {
        anyhow!(
            "{shown}: has no recipe; make the report with whole files (--repo, or --old and --new)"
        )
    })
}

/// The changes below the directory, in order: removals, files, and links last, so that
/// nothing is ever written through one.
fn plan(old: &Root, out: &Root, files: Vec<Rebuilt>) -> anyhow::Result<Vec<Change>> {
    let paths = |there: bool| -> BTreeSet<Vec<u8>> {
        let files = files.iter().filter(|file| file.bytes.is_some() == there);
        files.map(|file| file.path.clone()).collect()
    };
    let (come, gone) = (paths(true), paths(false));
    let mut changes = Vec::with_capacity(files.len());
    for file in files {
        // A file that is made anew takes the old one's place.
        if file.bytes.is_none() && come.contains(&file.path) {
            continue;
        }
        let name = String::from_utf8_lossy(&file.path).into_owned();
        let refused = |why: String| anyhow!("{name}: {why}; nothing was written");
        let above = ancestors(&file.path).find(|above| come.contains(*above));
        if let Some(above) = above.filter(|_| file.bytes.is_some()) {
            let above = String::from_utf8_lossy(above);
            return Err(refused(format!("{above} is to be a file and a directory")));
        }
        let Some(source) = place(out, &file, &gone).map_err(refused)? else {
            note(&format!("{name}: is a directory; left unchanged"));
            continue;
        };
        let order = match (&file.bytes, is_link(old, &file)) {
            (None, _) => 0,
            (Some(_), false) => 1,
            (Some(_), true) => 2,
        };
        changes.push((order, change(old, source, file).map_err(refused)?));
    }
    changes.sort_by_key(|(order, _)| *order);
    Ok(changes.into_iter().map(|(_, change)| change).collect())
}

fn change(old: &Root, source: Source, file: Rebuilt) -> Result<Change, String> {
    let is_link = is_link(old, &file);
    let like = match old_version(old, &file) {
        Found::File(like) => Some(like),
        _ => None,
    };
    let permissions = permissions(file.mode, like);
    match file.bytes {
        None => Ok(Change::new(source, None).pruning()),
        Some(target) if is_link => {
            if target.is_empty() || target.contains(&0) {
                return Err("is to be a link to no path".into());
            }
            Ok(Change::new(source, Some(Content::Link(target))))
        }
        Some(bytes) => {
            let change = Change::new(source, Some(Content::File(bytes)));
            Ok(change.with_permissions(permissions))
        }
    }
}

/// The permissions of a new file, from the mode in the report, if it has one, and the
/// old file.
fn permissions(said: Option<u32>, old: Option<Like>) -> Permissions {
    let executable = said.map(|mode| mode & 0o111 != 0);
    match (old.map(|old| old.mode()), executable) {
        (None, Some(true)) => Permissions::New(0o777),
        (None, _) => Permissions::New(0o666),
        (Some(bits), None) => Permissions::Mode(bits & 0o777),
        // Who may read it may run it.
        (Some(bits), Some(true)) => Permissions::Mode(bits & 0o777 | (bits & 0o444) >> 2),
        (Some(bits), Some(false)) => Permissions::Mode(bits & 0o666),
    }
}

/// The directories that a path lies in.
fn ancestors(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = path.iter().enumerate().filter(|(_, b)| **b == b'/');
    ends.map(|(at, _)| &path[..at])
}

/// What a file replaces, if it may go where the report wants it: what is in its way
/// must be on its way out. `None` for a directory that is to be removed, such as a
/// submodule.
fn place(out: &Root, file: &Rebuilt, gone: &BTreeSet<Vec<u8>>) -> Result<Option<Source>, String> {
    let why = |error: FileError| error.message;
    for above in ancestors(&file.path).filter(|above| gone.contains(*above)) {
        if matches!(out.look(above), Ok(Found::File(_) | Found::Link)) {
            return out.absent(&file.path).map(Some).map_err(why);
        }
    }
    if out.look(&file.path).map_err(why)? != Found::Folder {
        return out.read_any(&file.path).map(Some).map_err(why);
    }
    let below = [&file.path[..], b"/"].concat();
    let mut removed = gone.range(below.clone()..);
    let is_emptied = removed.next().is_some_and(|path| path.starts_with(&below));
    match (&file.bytes, is_emptied) {
        (None, _) => Ok(None),
        (Some(_), true) => out.absent(&file.path).map(Some).map_err(why),
        (Some(_), false) => Err("is a directory".into()),
    }
}

/// The file that a file is a version of.
fn old_version(old: &Root, file: &Rebuilt) -> Found {
    let origin = file.origin.as_deref().unwrap_or(&file.path);
    old.look(origin).unwrap_or(Found::Nothing)
}

fn is_link(old: &Root, file: &Rebuilt) -> bool {
    match file.mode {
        Some(mode) => mode == LINK,
        None => old_version(old, file) == Found::Link,
    }
}
