//! Checks laws on mutated inputs, on the stable toolchain.
//!
//! `cargo run -p mvdiff-fuzz` runs every target a fixed number of times;
//! `--profile fuzz` is optimised and still checks overflows. An input that
//! breaks a law is written to a file, which `--input FILE TARGET` tries again.

mod corpus;
mod mutate;
mod random;
mod targets;

use anyhow::{Context as _, bail};
use clap::Parser;
use corpus::Corpus;
use random::Random;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use targets::{TARGETS, Target};

/// Check laws on mutated inputs
#[derive(Parser)]
struct Args {
    /// The targets; all if none is named
    targets: Vec<String>,
    /// Executions of each target
    #[arg(long, default_value_t = 2000)]
    runs: u64,
    /// Seed of the mutations: the same number gives the same inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Try one input instead
    #[arg(long)]
    input: Option<PathBuf>,
    /// Where to write inputs that break a law
    #[arg(long, default_value = "target/fuzz")]
    findings: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let chosen: Vec<&Target> = if args.targets.is_empty() {
        TARGETS.iter().collect()
    } else {
        let find = |name: &String| {
            let found = TARGETS.iter().find(|target| target.name == name);
            found.with_context(|| format!("{name}: no such target"))
        };
        args.targets.iter().map(find).collect::<Result<_, _>>()?
    };
    if let Some(path) = &args.input {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        for target in chosen {
            (target.law)(&bytes);
        }
        return Ok(());
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let mut found = 0;
    for target in chosen {
        let corpus = Corpus::read(&fixtures, target.seeds)?;
        found += run(&args, target, &corpus)?;
    }
    if found > 0 {
        bail!("{found} inputs break a law");
    }
    Ok(())
}

/// Runs one target. How many inputs broke its law.
fn run(args: &Args, target: &Target, corpus: &Corpus) -> anyhow::Result<u32> {
    let mut found = 0;
    for run in 0..args.runs {
        // Each run has its own numbers, so that it can be repeated alone.
        let mut random = Random::new(args.seed, target.name, run);
        let input = mutate::input(corpus, &mut random);
        if catch_unwind(AssertUnwindSafe(|| (target.law)(&input))).is_ok() {
            continue;
        }
        found += 1;
        std::fs::create_dir_all(&args.findings)?;
        let name = format!("{}-{}-{run}", target.name, args.seed);
        let path = args.findings.join(name);
        std::fs::write(&path, &input)?;
        say(&format!("{}: {} breaks a law", target.name, path.display()));
    }
    let seeds = corpus.seeds.len();
    say(&format!(
        "{}: {} executions, {seeds} seeds, {found} findings",
        target.name, args.runs
    ));
    Ok(found)
}

fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(findings: &Path) -> Args {
        let findings = findings.display().to_string();
        Args::parse_from(["fuzz", "--runs", "300", "--findings", &findings])
    }

    #[test]
    fn a_broken_law_is_found_and_can_be_tried_again() {
        let folder = std::env::temp_dir().join(format!("mvdiff-fuzz-{}", std::process::id()));
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
        let target = Target {
            name: "broken",
            seeds: (&[".diff"], &[]),
            law: |input| assert!(!input.windows(9).any(|w| w == b"--- a/f\n+"), "found"),
        };
        let corpus = Corpus::read(&fixtures, target.seeds).expect("the fixtures");
        let found = run(&args(&folder), &target, &corpus).expect("a place for findings");
        let kept = std::fs::read_dir(&folder).expect("findings").count();
        assert!(found > 0 && kept == found as usize);
        std::fs::remove_dir_all(folder).expect("it was made here");
    }

    #[test]
    fn the_same_numbers_give_the_same_inputs() {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
        let corpus = Corpus::read(&fixtures, (&[".diff"], &[])).expect("the fixtures");
        let input = |seed, run| mutate::input(&corpus, &mut Random::new(seed, "t", run));
        assert_eq!(input(1, 7), input(1, 7));
        assert!((0..20).any(|run| input(1, run) != input(2, run)));
    }
}
