//! `bench`: the tables of `docs/benchmarks.md`.
#![allow(
    clippy::print_stdout,
    reason = "a program whose answer is what it prints"
)]

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use mvdiff_bench::contenders::{self, Contender, Files};
use mvdiff_bench::measure::{Runner, Sample};
use mvdiff_bench::page::{self, Table};
use mvdiff_bench::trees;
use mvdiff_bench::workloads::{Pair, WORKLOADS, Workload};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Measures mvdiff beside its limit and its peers
#[derive(Parser)]
#[command(after_help = "\
Examples:
  bench table                              all generated workloads
  bench table --only T3 --only T4 --rounds 3
  bench table --t6 sympy/old sympy/new -o docs/benchmarks.md
  bench twins -o docs/benchmarks.md        instructions at n and 10 n lines
  bench moves-share                        what looking for moves costs
  bench write /tmp/t3 --only T3            keep the inputs
  bench one ours old.txt new.txt           one contender, one line of JSON")]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// CPU time of every contender as a multiple of the limit
    Table {
        #[command(flatten)]
        inputs: Inputs,
        /// Rounds; the least time of a contender counts
        #[arg(long, default_value_t = 7)]
        rounds: usize,
        /// The mvdiff program, measured as a process
        #[arg(long, value_name = "PATH")]
        bin: Option<PathBuf>,
        /// Seconds after which a run is given up
        #[arg(long, default_value_t = 60)]
        timeout: u64,
        #[command(flatten)]
        output: Output,
    },
    /// Instructions at n and 10 n lines (needs valgrind)
    Twins {
        #[command(flatten)]
        output: Output,
    },
    /// Instructions with and without moves (needs valgrind)
    MovesShare {
        #[command(flatten)]
        inputs: Inputs,
        #[command(flatten)]
        output: Output,
    },
    /// Writes the inputs into a folder, as T1.old, T1.new and so on
    Write {
        /// The folder
        dir: PathBuf,
        #[command(flatten)]
        inputs: Inputs,
    },
    /// Runs one contender in this process and prints its cost as JSON
    One {
        /// What to run
        contender: Contender,
        /// The old file
        old: PathBuf,
        /// The new file
        new: PathBuf,
        /// Runs; the least time counts
        #[arg(long, default_value_t = 1)]
        repeat: usize,
        /// The mvdiff program
        #[arg(long, value_name = "PATH")]
        bin: Option<PathBuf>,
    },
}

#[derive(Args)]
struct Inputs {
    /// Only the workloads of these names
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Two versions of a package, for T6 (concatenated) and T7 (shuffled)
    #[arg(long, num_args = 2, value_names = ["OLDDIR", "NEWDIR"])]
    t6: Vec<PathBuf>,
}

#[derive(Args)]
struct Output {
    /// The page in which to replace this command's part
    #[arg(short, long, value_name = "PAGE")]
    output: Option<PathBuf>,
}

impl Output {
    fn write(&self, part: &str, body: &str) -> anyhow::Result<()> {
        println!("{body}");
        self.output
            .as_deref()
            .map_or(Ok(()), |page| page::write_part(page, part, body))
    }
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Task::Table {
            inputs,
            rounds,
            bin,
            timeout,
            output,
        } => {
            let runner = Runner {
                program: bin.as_deref(),
                timeout: Duration::from_secs(timeout),
            };
            table(&inputs, rounds, &runner, &output)
        }
        Task::Twins { output } => twins(&output),
        Task::MovesShare { inputs, output } => moves_share(&inputs, &output),
        Task::Write { dir, inputs } => {
            std::fs::create_dir_all(&dir)?;
            inputs.write(&dir)?;
            Ok(())
        }
        Task::One {
            contender,
            old,
            new,
            repeat,
            bin,
        } => {
            let files = Files { old, new };
            let mut best: Option<Sample> = None;
            for _ in 0..repeat.max(1) {
                let sample = contenders::run(contender, &files, bin.as_deref())?;
                if best.as_ref().is_none_or(|best| sample.cpu_ns < best.cpu_ns) {
                    best = Some(sample);
                }
            }
            println!("{}", serde_json::to_string(&best)?);
            Ok(())
        }
    }
}

/// An input that stands in files.
struct Input {
    name: String,
    about: String,
    goal: Option<f64>,
    files: Files,
    bytes: usize,
    lines: usize,
}

impl Input {
    fn write(
        dir: &Path,
        name: &str,
        about: &str,
        goal: Option<f64>,
        pair: &Pair,
    ) -> anyhow::Result<Self> {
        let files = Files {
            old: dir.join(format!("{name}.old")),
            new: dir.join(format!("{name}.new")),
        };
        std::fs::write(&files.old, &pair.old)?;
        std::fs::write(&files.new, &pair.new)?;
        let lines = memchr::memchr_iter(b'\n', &pair.old).count();
        let bytes = pair.old.len() + pair.new.len();
        Ok(Self {
            name: name.to_owned(),
            about: about.to_owned(),
            goal,
            files,
            bytes,
            lines,
        })
    }

    fn generate(dir: &Path, workload: &Workload, lines: usize) -> anyhow::Result<Self> {
        Self::write(
            dir,
            workload.name,
            workload.about,
            workload.goal,
            &workload.make(lines),
        )
    }
}

impl Inputs {
    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    fn write(&self, dir: &Path) -> anyhow::Result<Vec<Input>> {
        let mut inputs = Vec::new();
        for workload in WORKLOADS
            .iter()
            .filter(|workload| self.wants(workload.name))
        {
            inputs.push(Input::generate(dir, workload, workload.lines)?);
        }
        if let [old, new] = self.t6.as_slice() {
            let (old, new) = (trees::read(old)?, trees::read(new)?);
            let about = "two versions of a package, files concatenated";
            if self.wants("T6") {
                inputs.push(Input::write(
                    dir,
                    "T6",
                    about,
                    Some(3.0),
                    &trees::concatenated(&old, &new),
                )?);
            }
            let about = "the same, files of the new version shuffled";
            if self.wants("T7") {
                inputs.push(Input::write(
                    dir,
                    "T7",
                    about,
                    Some(3.0),
                    &trees::shuffled(&old, &new),
                )?);
            }
        }
        Ok(inputs)
    }
}

/// Groups of three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn ratio(part: u64, whole: u64) -> String {
    let ratio = part as f64 / whole.max(1) as f64;
    if ratio < 10.0 {
        format!("{ratio:.2}")
    } else {
        format!("{ratio:.0}")
    }
}

/// Runs that take longer than this are not repeated every round.
const LONG: Duration = Duration::from_secs(2);

fn table(
    inputs: &Inputs,
    rounds: usize,
    runner: &Runner<'_>,
    output: &Output,
) -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let inputs = inputs.write(dir.path())?;
    let mut contenders = vec![
        (Contender::Limit, "limit"),
        (Contender::Similar, "similar, histogram"),
        (Contender::Ours, "ours"),
        (Contender::OursPlain, "ours, no moves"),
        (Contender::Git, "git diff"),
        (Contender::GitMoved, "git --color-moved"),
    ];
    if runner.program.is_some() {
        contenders.push((Contender::Mvdiff, "mvdiff diff"));
    }
    let mut head = vec!["workload", "old lines", "limit, ms", "goal"];
    head.extend(contenders.iter().map(|(_, title)| *title));
    head.extend([
        "peak, MiB",
        "peak / input",
        "moves",
        "lines kept",
        "budgets spent",
    ]);
    let mut table = Table::new(&head);
    for input in &inputs {
        let contenders: Vec<Contender> =
            contenders.iter().map(|(contender, _)| *contender).collect();
        let best = interleave(&contenders, input, rounds, runner)?;
        let limit = best[0]
            .as_ref()
            .context("the limit itself took too long")?
            .cpu_ns;
        let given_up = format!("> {} s", runner.timeout.as_secs());
        let mut row = vec![
            format!("{} {}", input.name, input.about),
            grouped(input.lines),
            format!("{:.1}", limit as f64 / 1e6),
            input.goal.map_or(String::new(), |goal| format!("{goal}")),
        ];
        let cell = |sample: &Option<Sample>| {
            sample
                .as_ref()
                .map_or(given_up.clone(), |s| ratio(s.cpu_ns, limit))
        };
        row.extend(best.iter().map(cell));
        row.extend(found(best[2].as_ref(), input.bytes));
        eprintln!("{}", row.join(" | "));
        table.push(row);
    }
    let body = format!(
        "{}\nCPU time from the files to the finished script, as multiples of the limit: read both files, find the \
         lines, hash each with xxh3. Every run in a process of its own, all contenders in turn, the least of \
         {rounds} rounds. similar: `capture_diff_slices`, Histogram, over the tokens of ours. git: the whole \
         process, output to /dev/null. Peak: resident memory of the process of ours.\n\n\
         Machine: {}.\n",
        table.markdown(),
        page::machine()
    );
    output.write("speed", &body)
}

/// The least sample of each contender; `None` for those that were given up.
fn interleave(
    contenders: &[Contender],
    input: &Input,
    rounds: usize,
    runner: &Runner<'_>,
) -> anyhow::Result<Vec<Option<Sample>>> {
    let mut best: Vec<Option<Sample>> = vec![None; contenders.len()];
    let mut given_up = vec![false; contenders.len()];
    for round in 0..rounds {
        for (slot, &contender) in contenders.iter().enumerate() {
            let long = |sample: &Sample| Duration::from_nanos(sample.cpu_ns) > LONG;
            if given_up[slot] || (round > 1 && best[slot].as_ref().is_some_and(long)) {
                continue;
            }
            match runner.sample(contender, &input.files)? {
                None => given_up[slot] = true,
                Some(sample) if best[slot].as_ref().is_none_or(|b| sample.cpu_ns < b.cpu_ns) => {
                    best[slot] = Some(sample);
                }
                Some(_) => {}
            }
        }
    }
    Ok(best)
}

/// Peak memory, peak as a multiple of the input, moves, lines kept, budgets.
fn found(ours: Option<&Sample>, bytes: usize) -> Vec<String> {
    let Some(ours) = ours else {
        return vec![String::new(); 5];
    };
    vec![
        format!("{:.0}", ours.peak_kib as f64 / 1024.0),
        ratio(ours.peak_kib * 1024, bytes as u64),
        grouped(ours.moves),
        grouped(ours.kept),
        if ours.limits.is_empty() {
            "none".to_owned()
        } else {
            ours.limits.join(", ")
        },
    ]
}

/// Everything under valgrind may take this long.
const PATIENT: Runner<'static> = Runner {
    program: None,
    timeout: Duration::from_secs(600),
};

/// Workloads whose cost must grow with the lines, and the smaller size.
const TWINS: &[(&str, usize)] = &[("T2", 20_000), ("T3", 10_000), ("T4", 20_000)];

fn twins(output: &Output) -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let mut table = Table::new(&[
        "workload",
        "lines",
        "instructions",
        "10x lines",
        "instructions",
        "ratio (goal 11)",
    ]);
    for &(name, lines) in TWINS {
        let workload = Workload::named(name).context("no such workload")?;
        let mut counts = Vec::new();
        for lines in [lines, 10 * lines] {
            let input = Input::generate(dir.path(), workload, lines)?;
            counts.push((
                input.lines,
                PATIENT.instructions(Contender::Ours, &input.files)?,
            ));
        }
        let [(few, small), (many, large)] = counts[..] else {
            unreachable!("two sizes were counted")
        };
        let row = vec![
            format!("{name} {}", workload.about),
            grouped(few),
            grouped(small as usize),
            grouped(many),
            grouped(large as usize),
            ratio(large, small),
        ];
        eprintln!("{}", row.join(" | "));
        table.push(row);
    }
    let body = format!(
        "{}\nInstructions of ours counted by callgrind, from the files to the finished script, without starting the \
         process.\n",
        table.markdown()
    );
    output.write("twins", &body)
}

fn moves_share(inputs: &Inputs, output: &Output) -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let mut table = Table::new(&[
        "workload",
        "limit",
        "ours, no moves",
        "ours",
        "moves add",
        "ours / limit",
    ]);
    for input in inputs.write(dir.path())? {
        let count = |contender| PATIENT.instructions(contender, &input.files);
        let (limit, plain, ours) = (
            count(Contender::Limit)?,
            count(Contender::OursPlain)?,
            count(Contender::Ours)?,
        );
        let row = vec![
            format!("{} {}", input.name, input.about),
            grouped(limit as usize),
            grouped(plain as usize),
            grouped(ours as usize),
            format!("{:+.1}%", 100.0 * (ours as f64 / plain as f64 - 1.0)),
            ratio(ours, limit),
        ];
        eprintln!("{}", row.join(" | "));
        table.push(row);
    }
    let body = format!(
        "{}\nInstructions counted by callgrind; the goal for what moves add is 15%. T1 is judged here: its limit is \
         less than starting a process.\n",
        table.markdown()
    );
    output.write("moves", &body)
}
