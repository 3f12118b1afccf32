//! `mvdiff-fixture-gen`: writes the workbooks of fixtures/grid, and others on demand.

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum as _};
use mvdiff_fixture_gen::random::{self, Kind, Request};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Writes workbook pairs whose differences are known.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Makes pairs with changes of many kinds drawn at random, each with its truth
    Random {
        /// What everything is drawn from
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Pairs of each kind
        #[arg(long, default_value_t = 5)]
        count: usize,
        /// Only these kinds
        #[arg(long, value_enum, num_args = 1.., value_name = "KIND")]
        kinds: Vec<Kind>,
        /// Where they go, a folder each
        dir: PathBuf,
    },
}

fn run(args: Args) -> Result<String> {
    match args.command {
        Command::Random {
            seed,
            count,
            kinds,
            dir,
        } => {
            let all = kinds.is_empty();
            let kinds = if all {
                Kind::value_variants().to_vec()
            } else {
                kinds
            };
            let request = Request { seed, count, kinds };
            let made = random::write(&request, &dir)?;
            Ok(format!("{made} pairs in {}", dir.display()))
        }
    }
}

fn main() -> ExitCode {
    match run(Args::parse()) {
        Ok(said) => {
            let _ = writeln!(std::io::stdout(), "{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "mvdiff-fixture-gen: {error:#}");
            ExitCode::from(2)
        }
    }
}
