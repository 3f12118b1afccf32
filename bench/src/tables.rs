//! The tables of `docs/benchmarks.md` that are about cost.

use crate::contenders::Contender;
use crate::inputs::{Input, Inputs};
use crate::measure::{Runner, Sample};
use crate::page::{self, Output, Table};
use crate::workloads::Workload;
use anyhow::Context;
use std::time::Duration;

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

/// CPU time of every contender as a multiple of the limit.
///
/// # Errors
/// If something could not be run, read or written.
pub fn table(
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
    timeout: Duration::from_secs(300),
};

/// Workloads whose cost must grow with the lines, and the smaller size.
const TWINS: &[(&str, usize)] = &[("T2", 20_000), ("T3", 10_000), ("T4", 20_000)];

fn count(instructions: Option<u64>) -> String {
    instructions.map_or("given up".to_owned(), |count| grouped(count as usize))
}

/// `part` as a multiple of `whole`, if both were counted.
fn multiple(part: Option<u64>, whole: Option<u64>) -> Option<f64> {
    part.zip(whole)
        .map(|(part, whole)| part as f64 / whole.max(1) as f64)
}

/// Instructions at n and 10 n lines.
///
/// # Errors
/// If something could not be run, read or written.
pub fn twins(output: &Output) -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let head = [
        "workload",
        "lines",
        "instructions",
        "10x lines",
        "instructions",
        "ratio (goal 11)",
    ];
    let mut table = Table::new(&head);
    for &(name, lines) in TWINS {
        let workload = Workload::named(name).context("no such workload")?;
        let few = Input::generate(dir.path(), workload, lines)?;
        let small = PATIENT.instructions(Contender::Ours, &few.files)?;
        let many = Input::generate(dir.path(), workload, 10 * lines)?;
        let large = PATIENT.instructions(Contender::Ours, &many.files)?;
        let ratio = multiple(large, small).map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let about = format!("{name} {}", workload.about);
        table.push(vec![
            about,
            grouped(few.lines),
            count(small),
            grouped(many.lines),
            count(large),
            ratio,
        ]);
    }
    let body = format!(
        "{}\nInstructions of ours counted by callgrind, from the files to the finished script, without starting the \
         process.\n",
        table.markdown()
    );
    output.write("twins", &body)
}

/// Instructions with and without moves.
///
/// # Errors
/// If something could not be run, read or written.
pub fn moves_share(inputs: &Inputs, output: &Output) -> anyhow::Result<()> {
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
        // Moves are not what the inputs without a cliff are about.
        if input.name.starts_with('N') && inputs.only.is_empty() {
            continue;
        }
        let run = |contender| PATIENT.instructions(contender, &input.files);
        let (limit, plain, ours) = (
            run(Contender::Limit)?,
            run(Contender::OursPlain)?,
            run(Contender::Ours)?,
        );
        let adds =
            multiple(ours, plain).map_or(String::new(), |m| format!("{:+.1}%", 100.0 * (m - 1.0)));
        let ratio = multiple(ours, limit).map_or(String::new(), |m| format!("{m:.2}"));
        let row = vec![
            format!("{} {}", input.name, input.about),
            count(limit),
            count(plain),
            count(ours),
            adds,
            ratio,
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
