//! `bench`: the tables of `docs/benchmarks.md`.
#![allow(
    clippy::print_stdout,
    reason = "a program whose answer is what it prints"
)]

use clap::{Parser, Subcommand};
use mvdiff_bench::contenders::{self, Contender, Files};
use mvdiff_bench::inputs::Inputs;
use mvdiff_bench::measure::{Runner, Sample};
use mvdiff_bench::page::Output;
use mvdiff_bench::tables;
use std::path::PathBuf;
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
            tables::table(&inputs, rounds, &runner, &output)
        }
        Task::Twins { output } => tables::twins(&output),
        Task::MovesShare { inputs, output } => tables::moves_share(&inputs, &output),
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
