//! `mvdiff replay --old DIR --out DIR REPORT`; of two files in [`lines`], of two
//! workbooks in [`workbook`].

mod lines;
mod workbook;
mod write;

use crate::args::ReplayArgs;
use crate::{input, output, paths};
use anyhow::{Context as _, anyhow, bail};
use mvdiff_text::effective::{Rebuilt, RecipeFile, rebuild};
use mvdiff_text::tree::{self, TreeReport};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::Path;
use write::{Kind, Mode, Task};

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
    let (recipe, submodules): (Vec<_>, Vec<_>) = recipe
        .into_iter()
        .partition(|file| file.mode.as_deref() != Some(SUBMODULE));
    // Everything is made and checked first, so that trouble leaves no traces.
    let look_up = |path: &[u8]| {
        paths::read(args.old, path).map_err(|why| {
            let name = String::from_utf8_lossy(path);
            anyhow!("{name}: cannot read the old file: {why}; give the tree the report is about")
        })
    };
    let made = if is_tree {
        let report = read_tree_report(args.report, &bytes)?;
        let made = report
            .replay(look_up)
            .with_context(|| format!("{}", args.report.display()))?;
        nothing_in_the_way(args, &made)?;
        made
    } else {
        rebuild(&recipe, look_up)?
    };
    let tasks = plan(args, made)?;
    for name in write::carry_out(args.out, &tasks)? {
        note(&format!("{name}: is a directory; left as it is"));
    }
    for file in submodules {
        let name = String::from_utf8_lossy(&file.file.0).into_owned();
        note(&format!("{name}: a submodule; left as it is"));
    }
    Ok(0)
}

/// Refuses a report that makes a file anew which is there, and not on its way out.
fn nothing_in_the_way(args: &Trees<'_>, made: &[Rebuilt]) -> anyhow::Result<()> {
    let gone: BTreeSet<&[u8]> = made
        .iter()
        .filter(|file| file.bytes.is_none())
        .map(|file| &file.path[..])
        .collect();
    let come = made
        .iter()
        .filter(|file| file.bytes.is_some() && file.origin.is_none());
    for file in come.filter(|file| !gone.contains(&file.path[..])) {
        if paths::below(args.old, &file.path).is_ok_and(|(_, found)| found.is_some()) {
            bail!(
                "{}: is new in the report, and there already; give the tree the report is about",
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
            "{shown}: is a report {other}; give one of mvdiff effective ({SCHEMA}) or of mvdiff diff on directories ({})",
            tree::SCHEMA
        ),
        None => bail!("{shown}: is not a report; give what mvdiff effective --format json printed"),
    }
    let report = match report.changesets {
        None => report,
        Some(mut changesets) if changesets.len() == 1 => changesets.remove(0),
        Some(changesets) => bail!(
            "{shown}: is about {} changesets, and replay takes one; make a report for each commit",
            changesets.len()
        ),
    };
    report.recipe.ok_or_else(|| {
        anyhow!(
            "{shown}: has no recipe; make the report with contents at hand (--repo, or --old and --new)"
        )
    })
}

/// What to do below the directory, in order: files go, files come, links come
/// last, so that nothing is ever written through one.
fn plan(args: &Trees<'_>, files: Vec<Rebuilt>) -> anyhow::Result<Vec<Task>> {
    let paths = |there: bool| -> BTreeSet<Vec<u8>> {
        let files = files.iter().filter(|file| file.bytes.is_some() == there);
        files.map(|file| file.path.clone()).collect()
    };
    let (come, gone) = (paths(true), paths(false));
    let mut tasks = Vec::with_capacity(files.len());
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
        tasks.push(task(args, file, &gone).map_err(refused)?);
    }
    tasks.sort_by_key(|task| match task.kind {
        Kind::Delete => 0,
        Kind::File { .. } => 1,
        Kind::Link { .. } => 2,
    });
    Ok(tasks)
}

fn task(args: &Trees<'_>, file: Rebuilt, gone: &BTreeSet<Vec<u8>>) -> Result<Task, String> {
    place(args.out, &file, gone)?;
    let parts = paths::parts(&file.path)?;
    let origin = file.origin.as_deref().unwrap_or(&file.path);
    let old = old_mode(args.old, origin);
    let is_link = file.mode.or(old) == Some(LINK);
    let kind = match file.bytes {
        None => Kind::Delete,
        Some(target) if is_link => {
            if target.is_empty() || target.contains(&0) {
                return Err("is to be a link to no path".into());
            }
            Kind::Link { target }
        }
        Some(bytes) => Kind::File {
            bytes,
            mode: Mode::of(file.mode, old.filter(|mode| *mode != LINK)),
        },
    };
    Ok(Task {
        path: file.path,
        parts,
        kind,
    })
}

/// The directories that a path lies in.
fn ancestors(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = path.iter().enumerate().filter(|(_, b)| **b == b'/');
    ends.map(|(at, _)| &path[..at])
}

/// Whether a file may go where it shall. What stands in its way must be on its
/// way out.
fn place(out: &Path, file: &Rebuilt, gone: &BTreeSet<Vec<u8>>) -> Result<(), String> {
    if ancestors(&file.path).any(|above| gone.contains(above)) {
        return Ok(());
    }
    let (full, found) = paths::below(out, &file.path)?;
    let below = [&file.path[..], b"/"].concat();
    let empties = || {
        gone.range(below.clone()..)
            .next()
            .is_some_and(|g| g.starts_with(&below))
    };
    if found.is_some_and(|found| found.is_dir()) && file.bytes.is_some() && !empties() {
        return Err(format!("{} is a directory", full.display()));
    }
    Ok(())
}

/// The mode that the old file has, if there is one.
fn old_mode(old: &Path, path: &[u8]) -> Option<u32> {
    let (_, found) = paths::below(old, path).ok()?;
    let found = found?;
    if found.is_symlink() {
        return Some(LINK);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        Some(found.permissions().mode())
    }
    #[cfg(not(unix))]
    None
}
