//! `mvdiff-fixture-gen`: writes the workbooks of fixtures/grid, and others on demand.

use anyhow::{Result, bail};
use clap::{Parser, Subcommand, ValueEnum as _};
use mvdiff_fixture_gen::fixtures;
use mvdiff_fixture_gen::random::{self, RandomKind, Request};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Writes workbook pairs whose differences are known.
///
/// Without a command, writes fixtures/grid as fixtures/manifest.yaml says.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Args {
    /// Writes nothing and fails unless fixtures/grid is what the manifest makes
    #[arg(long)]
    check: bool,
    /// The repository [default: the one that this program was built from]
    #[arg(long, value_name = "DIR", global = true)]
    root: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Makes the nine pairs that workbook diffs are measured on, large ones among them
    Pairs {
        /// Where they go, a folder each, beside ideal.json with the fewest operations
        dir: PathBuf,
    },
    /// Makes pairs with changes of many kinds drawn at random, each with its truth
    Random {
        /// What everything is drawn from
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Pairs of each kind
        #[arg(long, default_value_t = 5)]
        count: usize,
        /// Only these kinds, separated by commas
        #[arg(long, value_enum, value_delimiter = ',', value_name = "KIND")]
        kinds: Vec<RandomKind>,
        /// Where they go, a folder each
        dir: PathBuf,
    },
}

const EXAMPLES: &str = "\
Examples:
  mvdiff-fixture-gen                              write fixtures/grid
  mvdiff-fixture-gen --check                      prove that it is what is checked in
  mvdiff-fixture-gen pairs /tmp/pairs             the pairs of the benchmarks
  mvdiff-fixture-gen random --seed 7 /tmp/pairs   five pairs of every kind";

fn run(args: Args) -> Result<String> {
    let built_from = || Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = args.root.unwrap_or_else(built_from);
    match args.command {
        Some(_) if args.check => bail!("--check cannot be combined with a command"),
        None if args.check => {
            let files = fixtures::check(&root)?;
            Ok(format!(
                "fixtures/grid: {files} files are what the manifest makes"
            ))
        }
        None => {
            let files = fixtures::write(&root)?;
            Ok(format!(
                "fixtures/grid: {files} files written, the others were right"
            ))
        }
        Some(Command::Pairs { dir }) => {
            let made = fixtures::write_pairs(&root, &dir)?;
            Ok(format!("{made} pairs in {}", dir.display()))
        }
        Some(Command::Random {
            seed,
            count,
            kinds,
            dir,
        }) => {
            let all = kinds.is_empty();
            let kinds = if all {
                RandomKind::value_variants().to_vec()
            } else {
                kinds
            };
            let made = random::write(&Request { seed, count, kinds }, &dir)?;
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
