//! `kills`: ends `mvdiff apply` with -9 at random moments and looks at what the
//! next run makes of it.
#![allow(
    clippy::print_stdout,
    reason = "a program whose answer is what it prints"
)]

use anyhow::{Context, ensure};
use clap::Parser;
use mvdiff_bench::page::{Output, Table};
use mvdiff_bench::random::Random;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Kills mvdiff apply while it writes, and checks what the next run leaves
#[derive(Parser)]
#[command(after_help = "\
Example:
  kills --bin target/release/mvdiff -o docs/benchmarks.md")]
struct Cli {
    /// The mvdiff program
    #[arg(long, value_name = "PATH")]
    bin: PathBuf,
    /// How often
    #[arg(long, default_value_t = 1000)]
    kills: usize,
    /// How many files are written
    #[arg(long, default_value_t = 60)]
    files: usize,
    /// How large each is, in KB
    #[arg(long, default_value_t = 300)]
    size: usize,
    /// Where to work; in memory it is faster, and a kill is a kill
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// A tree, the blocks that turn it from old to new and back, and a store.
struct Bench<'b> {
    cli: &'b Cli,
    dir: tempfile::TempDir,
    /// Every file, old and new.
    contents: Vec<[String; 2]>,
}

const VERSIONS: [&str; 2] = ["old", "new"];

fn content(cli: &Cli, index: usize, version: &str) -> String {
    let line = |i: usize| format!("file {index} line {i} stays as it is\n");
    let lines = cli.size * 1000 / line(1000).len();
    let half: String = (0..lines / 2).map(line).collect();
    let rest: String = (lines / 2..lines).map(line).collect();
    format!("{half}version = {version}\n{rest}")
}

impl Bench<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn file(&self, index: usize) -> PathBuf {
        self.path("tree")
            .join(format!("part{}/f{index}.txt", index % 7))
    }

    fn blocks(&self, name: &str, from: &str, to: &str) -> anyhow::Result<()> {
        let block = |from: &str, to: &str| {
            format!("<<<<<<< SEARCH\nversion = {from}\n=======\nversion = {to}\n>>>>>>> REPLACE\n")
        };
        let file = |index: usize| {
            serde_json::json!({
                "path": format!("part{}/f{index}.txt", index % 7),
                "diffs": [{ "content": block(from, to) }],
            })
        };
        let files: Vec<_> = (0..self.cli.files).map(file).collect();
        let form = serde_json::json!({ "files": files });
        Ok(std::fs::write(self.path(name), form.to_string())?)
    }

    fn apply(&self, blocks: &str, dry: bool) -> Command {
        let mut command = Command::new(&self.cli.bin);
        command.args(["apply", "--root"]).arg(self.path("tree"));
        command
            .args(dry.then_some("--dry-run"))
            .arg(self.path(blocks));
        command.env("XDG_STATE_HOME", self.path("state"));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Which version all files have.
    fn version(&self) -> anyhow::Result<&'static str> {
        let mut found = None;
        for index in 0..self.cli.files {
            let text = std::fs::read_to_string(self.file(index))?;
            let versions = VERSIONS.iter().zip(&self.contents[index]);
            let version = versions
                .filter(|(_, c)| **c == text)
                .map(|(v, _)| *v)
                .next();
            let version = version.with_context(|| format!("file {index} is torn"))?;
            ensure!(
                *found.get_or_insert(version) == version,
                "file {index} is {version}"
            );
        }
        found.context("no files")
    }

    fn leftovers(&self) -> anyhow::Result<()> {
        let mut found = 0;
        for part in std::fs::read_dir(self.path("tree"))? {
            found += std::fs::read_dir(part?.path())?.count();
        }
        ensure!(found == self.cli.files, "{found} files in the tree");
        let pending = std::fs::read_dir(self.path("state/mvdiff/pending"))?.count();
        ensure!(pending == 0, "{pending} journals are left");
        Ok(())
    }
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    let bench = Bench {
        cli: &cli,
        dir: match &cli.dir {
            Some(dir) => tempfile::tempdir_in(dir)?,
            None => tempfile::tempdir()?,
        },
        contents: (0..cli.files)
            .map(|index| VERSIONS.map(|version| content(&cli, index, version)))
            .collect(),
    };
    for index in 0..cli.files {
        let path = bench.file(index);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        std::fs::write(path, &bench.contents[index][0])?;
    }
    bench.blocks("forward", "old", "new")?;
    bench.blocks("back", "new", "old")?;
    // How long a whole run takes, so that kills fall everywhere in it.
    let mut times = Vec::new();
    for blocks in ["forward", "back"].into_iter().cycle().take(7) {
        let start = Instant::now();
        let done = bench.apply(blocks, false).status()?;
        ensure!(done.success(), "a plain run failed");
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let whole = times[times.len() / 2];
    let random = &mut Random::new(11);
    let mut version = bench.version()?;
    let (mut stayed, mut went, mut in_time) = (0, 0, 0);
    for kill in 0..cli.kills {
        let blocks = if version == "old" { "forward" } else { "back" };
        let mut child = bench.apply(blocks, false).spawn()?;
        let micros = whole.as_micros() as usize;
        std::thread::sleep(Duration::from_micros(random.below(micros.max(1)) as u64));
        let running = child.try_wait()?.is_none();
        child.kill()?;
        child.wait()?;
        in_time += usize::from(running);
        // The next run, which itself would change nothing.
        bench.apply(blocks, true).status()?;
        let now = bench
            .version()
            .with_context(|| format!("after kill {kill}"))?;
        bench
            .leftovers()
            .with_context(|| format!("after kill {kill}"))?;
        if now == version {
            stayed += 1;
        } else {
            went += 1;
        }
        version = now;
    }
    let mut table = Table::new(&[
        "kills",
        "while it ran",
        "all old",
        "all new",
        "mixed",
        "torn",
        "left over",
    ]);
    let row = [cli.kills, in_time, stayed, went, 0, 0, 0];
    table.push(row.iter().map(ToString::to_string).collect());
    let body = format!(
        "{} files of {} KB each.\n\n{}",
        cli.files,
        cli.size,
        table.markdown()
    );
    cli.output.write("edits-kills", &body)
}
