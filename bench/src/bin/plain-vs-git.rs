//! `plain-vs-git OLDDIR NEWDIR...`: are plain diffs of ours as short as git's,
//! and do they apply?
#![allow(
    clippy::print_stdout,
    reason = "a program whose answer is what it prints"
)]

use anyhow::bail;
use clap::Parser;
use mvdiff_bench::page::{Output, Table};
use mvdiff_bench::versus::{self, Compared};
use std::path::PathBuf;

/// Compares plain diffs of ours with `git diff --histogram` over whole trees
#[derive(Parser)]
#[command(after_help = "\
Examples:
  plain-vs-git sympy/old sympy/new
  plain-vs-git --worst 20 $(bench/corpus.sh /tmp/corpus)
  plain-vs-git -o docs/benchmarks.md $(bench/corpus.sh /tmp/corpus)")]
struct Cli {
    /// Two versions of a package, as often as you like
    #[arg(required = true, value_names = ["OLDDIR", "NEWDIR"], num_args = 2..)]
    trees: Vec<PathBuf>,
    /// List this many files for which ours is longest beside git's
    #[arg(long, default_value_t = 0)]
    worst: usize,
    /// List this many files of equal length whose hunks are elsewhere
    #[arg(long, default_value_t = 0)]
    elsewhere: usize,
    /// Look for moves too, and compare the plain view of that script
    #[arg(long)]
    moves: bool,
    /// Do not check that the patches apply
    #[arg(long)]
    no_apply: bool,
    #[command(flatten)]
    output: Output,
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    if !cli.trees.len().is_multiple_of(2) {
        bail!("trees come in pairs, got {}", cli.trees.len());
    }
    let head = [
        "trees",
        "files",
        "git +/-",
        "ours +/-",
        "ours / git",
        "long files",
        "same hunks",
        "applied",
    ];
    let mut table = Table::new(&head);
    let mut all = Vec::new();
    let mut wrong = Vec::new();
    for pair in cli.trees.chunks_exact(2) {
        let [old, new] = pair else {
            unreachable!("chunks of two")
        };
        let compared = versus::compare(old, new, cli.moves)?;
        let failed = if cli.no_apply {
            Vec::new()
        } else {
            versus::apply(old, new, cli.moves)?
        };
        let applied = applied(&cli, compared.len(), failed.len());
        // The package's folder holds both versions.
        let name = new
            .parent()
            .and_then(|parent| parent.file_name())
            .unwrap_or(new.as_os_str());
        table.push(row(&name.to_string_lossy(), &compared, applied));
        all.extend(compared);
        wrong.extend(failed);
    }
    table.push(row("all", &all, applied(&cli, all.len(), wrong.len())));
    let body = format!(
        "{}\nPlain diffs of changed text files beside `git diff --no-index --histogram`. Long files: ours over 1.1 \
         times git's and 4 lines. Same hunks: of the files with equal counts, those with the same `-U0` positions.\n",
        table.markdown()
    );
    cli.output.write("plain", &body)?;
    list(&cli, all);
    for path in wrong {
        println!("applied, but not to what it should be: {path}");
    }
    Ok(())
}

fn applied(cli: &Cli, files: usize, failed: usize) -> String {
    if cli.no_apply {
        "not tried".to_owned()
    } else {
        format!("{} of {files}", files - failed)
    }
}

fn row(name: &str, files: &[Compared], applied: String) -> Vec<String> {
    let sum = |count: fn(&Compared) -> usize| files.iter().map(count).sum::<usize>();
    let (git, ours) = (sum(|file| file.git), sum(|file| file.ours));
    let long = sum(|file| usize::from(file.is_long()));
    let equal = sum(|file| usize::from(file.ours == file.git));
    let same = sum(|file| usize::from(file.same));
    let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    vec![
        name.to_owned(),
        files.len().to_string(),
        git.to_string(),
        ours.to_string(),
        format!("{:.4}", ours as f64 / git.max(1) as f64),
        format!("{long} ({:.2}%)", percent(long, files.len())),
        format!("{same} of {equal} ({:.1}%)", percent(same, equal)),
        applied,
    ]
}

fn list(cli: &Cli, mut files: Vec<Compared>) {
    files.sort_by_key(|file| std::cmp::Reverse(file.ours.saturating_sub(file.git)));
    for file in files
        .iter()
        .take(cli.worst)
        .filter(|file| file.ours > file.git)
    {
        println!("ours {:>6}  git {:>6}  {}", file.ours, file.git, file.path);
    }
    let elsewhere = files
        .iter()
        .filter(|file| file.ours == file.git && !file.same);
    for file in elsewhere.take(cli.elsewhere) {
        println!("elsewhere, {:>6} lines  {}", file.git, file.path);
    }
}
