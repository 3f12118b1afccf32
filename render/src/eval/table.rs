//! The table on a terminal.

use super::shown;
use crate::styles::{FAINT, NAME, NEW, OLD, visible};
use mvdiff_metrics::eval::{CaseResult, Report, Summary};
use std::io::{self, Write};

/// Cases that are named below the table, of each kind.
const NAMED: usize = 10;

/// Prints a line for each family and one for all, what got worse, the known gaps,
/// and the gate.
///
/// # Errors
/// What the writer returns.
pub fn table(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let mut rows: Vec<[String; 5]> = report.families.iter().map(row).collect();
    if rows.len() != 1 {
        rows.push(row(&report.total));
    }
    let compared = report.comparison.is_some();
    let mut head = ["family", "cases", "mean", "worst", "vs baseline"].map(str::to_owned);
    if !compared {
        head[4].clear();
    }
    let widths: Vec<usize> = (0..5)
        .map(|column| {
            let cells = rows
                .iter()
                .chain([&head])
                .map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        })
        .collect();
    let line = |row: &[String; 5]| {
        let [family, cases, mean, worst, baseline] = row;
        let line = format!(
            "{family:<0$}  {cases:>1$}  {mean:>2$}  {worst:<3$}  {baseline}",
            widths[0], widths[1], widths[2], widths[3]
        );
        line.trim_end().to_owned()
    };
    writeln!(out, "{FAINT}{}{FAINT:#}", line(&head))?;
    for (number, row) in rows.iter().enumerate() {
        if number == report.families.len() {
            writeln!(out, "{NAME}{}{NAME:#}", line(row))?;
        } else {
            writeln!(out, "{}", line(row))?;
        }
    }
    worse(out, report)?;
    gaps(out, &report.known_gaps)?;
    gate(out, report)
}

fn row(summary: &Summary) -> [String; 5] {
    let worst = summary.worst.as_ref().map_or_else(
        || "-".to_owned(),
        |worst| format!("{} {}", visible(&worst.name), shown(worst.score)),
    );
    let baseline = summary.baseline.map_or_else(String::new, |found| {
        let [low, high] = found.interval;
        if found.difference == 0.0 && low == 0.0 && high == 0.0 {
            return "=".to_owned();
        }
        format!("{:+.3}  [{low:.3}, {high:.3}]", found.difference)
    });
    [
        visible(&summary.family),
        summary.cases.to_string(),
        summary.mean.map_or_else(|| "-".to_owned(), shown),
        worst,
        baseline,
    ]
}

/// What is lost since the baseline.
fn worse(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let Some(found) = &report.comparison else {
        return Ok(());
    };
    let style = OLD.1;
    for case in found.regressed.iter().take(NAMED) {
        writeln!(
            out,
            "{style}worse{style:#}    {}/{}  {} was {}",
            visible(&case.family),
            visible(&case.name),
            shown(case.score),
            shown(case.baseline)
        )?;
    }
    more(out, found.regressed.len())?;
    for name in found.missing.iter().take(NAMED) {
        writeln!(out, "{style}missing{style:#}  {}", visible(name))?;
    }
    more(out, found.missing.len())?;
    if found.new > 0 {
        writeln!(out, "not in the baseline: {}", found.new)?;
    }
    Ok(())
}

fn gaps(out: &mut dyn Write, gaps: &[CaseResult]) -> io::Result<()> {
    if gaps.is_empty() {
        return Ok(());
    }
    let mean = gaps.iter().map(|case| case.score).sum::<f64>() / gaps.len() as f64;
    let count = gaps.len();
    writeln!(
        out,
        "known gaps, not counted above: {count}, mean {}",
        shown(mean)
    )?;
    for case in gaps.iter().take(NAMED) {
        let (family, name) = (visible(&case.family), visible(&case.name));
        writeln!(out, "  {family}/{name}  {}", shown(case.score))?;
    }
    more(out, count)
}

fn more(out: &mut dyn Write, count: usize) -> io::Result<()> {
    match count.saturating_sub(NAMED) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more; --format json has them all"),
    }
}

fn gate(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let checks = &report.gate.checks;
    if checks.is_empty() {
        return Ok(());
    }
    let told: Vec<String> = checks.iter().map(|check| visible(&check.message)).collect();
    let (style, word) = if report.gate.passed {
        (NEW.1, "passed")
    } else {
        (OLD.1, "missed")
    };
    writeln!(out, "gate: {}: {style}{word}{style:#}", told.join(", "))
}
