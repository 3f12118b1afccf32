//! `edits`: how long it takes to find and read blocks, beside the limit and a
//! plain search like that of Roo Code.
#![allow(
    clippy::print_stdout,
    reason = "a program whose answer is what it prints"
)]

use clap::{Parser, Subcommand};
use mvdiff_bench::measure::{Sample, Who, time};
use mvdiff_bench::page::{Output, Table, machine};
use mvdiff_bench::random::Random;
use mvdiff_edit::blocks::{Block, Dialect, parse};
use mvdiff_edit::{Edits, Options, Status, edit_compat, plan};
use std::hint::black_box;
use std::time::Duration;

/// Measures finding and reading blocks
#[derive(Parser)]
#[command(after_help = "\
Examples:
  edits locate -o docs/benchmarks.md     a block of 30 lines in up to 100,000
  edits parse -o docs/benchmarks.md      blocks of nothing but blank lines")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// A block of 30 lines without a start line: exact, with typos, absent
    Locate {
        /// Rounds; the least time counts
        #[arg(long, default_value_t = 15)]
        rounds: usize,
        #[command(flatten)]
        output: Output,
    },
    /// Blocks of nothing but blank lines
    Parse {
        /// Rounds; the least time counts
        #[arg(long, default_value_t = 15)]
        rounds: usize,
        #[command(flatten)]
        output: Output,
    },
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Locate { rounds, output } => locate(rounds, &output),
        Task::Parse { rounds, output } => parse_blank(rounds, &output),
    }
}

const WORDS: [&str; 14] = [
    "alpha", "beta", "gamma", "delta", "order", "total", "price", "index", "value", "result",
    "field", "cloud", "stone", "river",
];

/// A line like those of programs.
fn line(random: &mut Random) -> String {
    let indent = "    ".repeat(random.below(4));
    let [name, function, text] = [0; 3].map(|_| *random.pick(&WORDS));
    let (id, number) = (random.below(9999), random.below(999));
    format!("{indent}{name}_{id} = {function}({number}, \"{text}\")")
}

/// A line of which every tenth letter is another one.
fn with_typos(random: &mut Random, line: &str) -> String {
    let other = |c: char, random: &mut Random| match c {
        ' ' => c,
        _ if random.below(10) == 0 => char::from(b'a' + random.below(26) as u8),
        _ => c,
    };
    line.chars().map(|c| other(c, random)).collect()
}

/// The least CPU time of several rounds.
fn least(rounds: usize, mut work: impl FnMut()) -> anyhow::Result<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..rounds.max(1) {
        let sample = time(Who::Me, || {
            work();
            Ok(Sample::default())
        })?;
        best = best.min(Duration::from_nanos(sample.cpu_ns));
    }
    Ok(best)
}

fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn block(search: &[String]) -> Block {
    let lines = |lines: &[String]| lines.iter().map(|l| l.clone().into_bytes()).collect();
    let mut replace = search.to_vec();
    replace.insert(10, "    inserted()".into());
    Block {
        search: lines(search),
        replace: lines(&replace),
        ..Block::default()
    }
}

fn as_text(block: &Block) -> Vec<u8> {
    let [search, replace] = [&block.search, &block.replace].map(|lines| lines.join(&b'\n'));
    [
        b"<<<<<<< SEARCH\n",
        &search[..],
        b"\n=======\n",
        &replace,
        b"\n>>>>>>> REPLACE\n",
    ]
    .concat()
}

fn locate(rounds: usize, output: &Output) -> anyhow::Result<()> {
    let mut table = Table::new(&[
        "lines",
        "block",
        "found",
        "ours",
        "limit",
        "ours / limit",
        "every window",
        "ours faster by",
    ]);
    for count in [1_000, 10_000, 100_000] {
        let random = &mut Random::new(5);
        let lines: Vec<String> = (0..count).map(|_| line(random)).collect();
        let text = lines.join("\n").into_bytes();
        let there = lines[count * 7 / 10..][..30].to_vec();
        let typos: Vec<String> = there.iter().map(|l| with_typos(random, l)).collect();
        let absent: Vec<String> = (0..30).map(|_| line(random)).collect();
        let limit = least(rounds, || {
            let lines = black_box(&text).split(|b| *b == b'\n');
            let hash = |sum: u64, line: &[u8]| sum ^ xxhash_rust::xxh3::xxh3_64(line);
            black_box(lines.fold(0, hash));
        })?;
        for (name, search) in [("exact", there), ("10 % typos", typos), ("absent", absent)] {
            let block = block(&search);
            // As low as a user would go; the search also reports what it finds.
            let options = Options::default().with(|o| o.threshold = 0.8);
            let blocks = [block];
            let done = plan(&text, &blocks, &options);
            let found = match done.blocks[0].status {
                Status::Applied => format!("line {}", done.blocks[0].line.unwrap_or(0)),
                _ => "no".to_owned(),
            };
            let ours = least(rounds, || {
                black_box(plan(black_box(&text), &blocks, &options));
            })?;
            let (plain, faster) = if count <= 10_000 {
                let edits = Edits::Text(as_text(&blocks[0]));
                let plain = least(1, || {
                    black_box(edit_compat(black_box(&text), &edits, &options)).ok();
                })?;
                let ratio = plain.as_secs_f64() / ours.as_secs_f64();
                (millis(plain), format!("{ratio:.0} ×"))
            } else {
                ("–".to_owned(), "–".to_owned())
            };
            let share = ours.as_secs_f64() / limit.as_secs_f64();
            table.push(vec![
                count.to_string(),
                name.to_owned(),
                found,
                millis(ours),
                millis(limit),
                format!("{share:.1}"),
                plain,
                faster,
            ]);
        }
    }
    let body = format!("{}\n\n{}", machine(), table.markdown());
    output.write("edits-locate", &body)
}

fn parse_blank(rounds: usize, output: &Output) -> anyhow::Result<()> {
    let mut table = Table::new(&["blank lines", "time", "time a line"]);
    for count in [20_000, 40_000, 80_000, 160_000] {
        let blanks = "\n".repeat(count);
        let text = format!("<<<<<<< SEARCH\n{blanks}x\n=======\n{blanks}y\n>>>>>>> REPLACE\n");
        let least = least(rounds, || {
            black_box(parse(black_box(text.as_bytes()), Dialect::Single)).ok();
        })?;
        let each = least.as_secs_f64() * 1e9 / (2 * count) as f64;
        table.push(vec![
            (2 * count).to_string(),
            millis(least),
            format!("{each:.0} ns"),
        ]);
    }
    output.write("edits-parse", &table.markdown())
}
