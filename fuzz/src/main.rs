//! Checks laws on mutated inputs, on the stable toolchain.
//!
//! `cargo run -p mvdiff-fuzz` runs every target a fixed number of times;
//! `--profile fuzz` is optimised and still checks overflows. An input that
//! breaks a law is written to a file, which `--input FILE TARGET` tries again.

use anyhow::{Context as _, bail};
use clap::Parser;
use mvdiff_fuzz::{Corpus, Random, TARGETS, Target, input};
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// An input that takes longer is a finding: something loops, or grows too fast.
const TOO_LONG: Duration = Duration::from_secs(20);

/// Check laws on mutated inputs
#[derive(Parser)]
struct Args {
    /// The targets; all if none is named
    targets: Vec<String>,
    /// Executions of each target
    #[arg(long, default_value_t = 1000)]
    runs: u64,
    /// Number of the first execution: to repeat one, with --runs 1
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Seed of the mutations: the same number gives the same inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Try one input instead
    #[arg(long)]
    input: Option<PathBuf>,
    /// Where to write inputs that break a law
    #[arg(long, default_value = "target/findings")]
    findings: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let chosen: Vec<&'static Target> = if args.targets.is_empty() {
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
    mvdiff_grid::keep_caught_panics_quiet();
    let mut found = 0;
    for target in chosen {
        let corpus = Corpus::new(target)?;
        found += run(&args, target, &corpus)?;
    }
    if found > 0 {
        bail!("{found} inputs break a law");
    }
    Ok(())
}

/// Runs one target. How many inputs broke its law.
fn run(args: &Args, target: &'static Target, corpus: &Corpus) -> anyhow::Result<u32> {
    let mut found = 0;
    // The slowest input is worth a look, too: its number, and how long it took.
    let mut slowest = (0, Duration::ZERO);
    let begun = Instant::now();
    let watch = watch(args, target)?;
    for run in args.first..args.first.saturating_add(args.runs) {
        // Each run has its own numbers, so that it can be repeated alone.
        let mut random = Random::new(args.seed, target.name, run);
        let bytes = input(corpus, &mut random);
        watch.store(run, Ordering::Relaxed);
        let start = Instant::now();
        let holds = catch_unwind(AssertUnwindSafe(|| (target.law)(&bytes))).is_ok();
        let taken = start.elapsed();
        if taken > slowest.1 {
            slowest = (run, taken);
        }
        if holds {
            continue;
        }
        found += 1;
        let path = keep(&args.findings, target, (args.seed, run), &bytes)?;
        say(&format!("{}: {} breaks a law", target.name, path.display()));
    }
    say(&format!(
        "{}: {} executions, {} seeds, {found} findings, {:.0} s, slowest {:.0} ms (run {})",
        target.name,
        args.runs,
        corpus.seeds.len(),
        begun.elapsed().as_secs_f64(),
        slowest.1.as_secs_f64() * 1000.0,
        slowest.0,
    ));
    Ok(found)
}

/// Writes an input for trying it again.
fn keep(
    findings: &Path,
    target: &Target,
    (seed, run): (u64, u64),
    bytes: &[u8],
) -> anyhow::Result<PathBuf> {
    std::fs::create_dir_all(findings)?;
    let path = findings.join(format!("{}-{seed}-{run}", target.name));
    std::fs::write(&path, bytes)?;
    Ok(path)
}

/// Ends the process if a run takes too long: a loop without an end cannot be caught as a
/// panic is. The returned number is that of the run; once it is dropped, nothing is watched.
fn watch(args: &Args, target: &'static Target) -> anyhow::Result<Arc<AtomicU64>> {
    let running = Arc::new(AtomicU64::new(args.first));
    let watched = Arc::downgrade(&running);
    let (seed, findings) = (args.seed, args.findings.clone());
    let corpus = Corpus::new(target)?;
    std::thread::spawn(move || {
        let (mut last, mut since) = (None, Instant::now());
        while let Some(now) = watched.upgrade().map(|run| run.load(Ordering::Relaxed)) {
            if last != Some(now) {
                (last, since) = (Some(now), Instant::now());
            } else if since.elapsed() > TOO_LONG {
                let bytes = input(&corpus, &mut Random::new(seed, target.name, now));
                let place = keep(&findings, target, (seed, now), &bytes);
                let place = place.map_or_else(|e| e.to_string(), |p| p.display().to_string());
                say(&format!("{}: {place} takes too long", target.name));
                std::process::exit(1);
            }
            std::thread::sleep(Duration::from_millis(500));
        }
    });
    Ok(running)
}

fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROKEN: Target = Target {
        name: "broken",
        endings: &[".diff"],
        made: Vec::new,
        longest: 1024,
        law: |input| assert!(!input.windows(9).any(|w| w == b"--- a/f\n+"), "found"),
    };

    #[test]
    fn a_broken_law_is_found_and_can_be_tried_again() {
        let folder = std::env::temp_dir().join(format!("mvdiff-fuzz-{}", std::process::id()));
        let findings = folder.display().to_string();
        let args = Args::parse_from(["fuzz", "--runs", "300", "--findings", &findings]);
        let corpus = Corpus::new(&BROKEN).expect("the fixtures");
        let found = run(&args, &BROKEN, &corpus).expect("a place for findings");
        let kept = std::fs::read_dir(&folder).expect("findings").count();
        assert!(found > 0 && kept == found as usize);
        std::fs::remove_dir_all(folder).expect("it was made here");
    }

    #[test]
    fn the_same_numbers_give_the_same_inputs() {
        let corpus = Corpus::new(&BROKEN).expect("the fixtures");
        let make = |seed, run| input(&corpus, &mut Random::new(seed, "t", run));
        assert_eq!(make(1, 7), make(1, 7));
        assert!((0..20).any(|run| make(1, run) != make(2, run)));
    }
}
