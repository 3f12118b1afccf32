//! A score on a terminal, and where it comes from.

use crate::styles::{FAINT, NAME, visible};
use mvdiff_metrics::{Edits, PairShare, ScoreReport, Shares, split_lines};
use std::io::{self, Write};

/// Prints a score, its parts and variants; with shares, every place that either
/// edit changed and the lines that earned something there.
///
/// # Errors
/// What the writer returns.
pub fn score(out: &mut dyn Write, report: &ScoreReport, edits: &Edits<'_>) -> io::Result<()> {
    let parts = &report.score.parts;
    writeln!(
        out,
        "{NAME}{:.6}{NAME:#}  {FAINT}{}{FAINT:#}",
        report.score.score, report.signature
    )?;
    writeln!(
        out,
        "  changed {} lines   {} of the base, {} inserted",
        parts.union(),
        parts.u_base,
        parts.u_inserts
    )?;
    writeln!(
        out,
        "  alike   {}   {} deleted by both, {} in place, {} inserted",
        amount(parts.earned()),
        parts.i_base_delete,
        amount(parts.a_blocks),
        amount(parts.a_inserts)
    )?;
    writeln!(out, "  changing nothing would score {:.6}", report.noop)?;
    variants(out, report)?;
    match &report.shares {
        Some(found) => shares(out, found, edits),
        None => Ok(()),
    }
}

fn variants(out: &mut dyn Write, report: &ScoreReport) -> io::Result<()> {
    if let Some(found) = &report.variants.symmetric {
        writeln!(
            out,
            "  symmetric      {:.6}   as given {:.6}, swapped {:.6}",
            found.score, found.a_b, found.b_a
        )?;
    }
    if let Some(found) = &report.variants.noop_adjusted {
        writeln!(out, "  noop-adjusted  {:.6}", found.score)?;
    }
    if let Some(found) = &report.variants.move_aware {
        let blocks = match found.moves {
            0 => "no block moved by both".to_owned(),
            1 => "1 block moved by both".to_owned(),
            n => format!("{n} blocks moved by both"),
        };
        let cut = if found.complete {
            ""
        } else {
            "; the search for moves was cut short"
        };
        writeln!(out, "  move-aware     {:.6}   {blocks}{cut}", found.score)?;
    }
    Ok(())
}

fn shares(out: &mut dyn Write, shares: &Shares, edits: &Edits<'_>) -> io::Result<()> {
    let texts = [edits.base, edits.a, edits.b].map(split_lines);
    // They are in the order of the places they belong to.
    let mut pairs = shares.pairs.iter().peekable();
    for (number, block) in (0..).zip(&shares.blocks) {
        let [first, last] = block.base;
        let lines = if first == last {
            format!("line {first}")
        } else {
            format!("lines {first}-{last}")
        };
        head(
            out,
            &format!("{lines} of the base"),
            block.earned,
            block.union,
            block.share,
        )?;
        while let Some(here) = pairs.next_if(|pair| pair.block == Some(number)) {
            pair(out, here, &texts)?;
        }
    }
    for (number, slot) in (0..).zip(&shares.slots) {
        let place = match slot.before {
            Some(line) => format!("inserted before line {line} of the base"),
            None => "inserted at the end of the base".to_owned(),
        };
        head(out, &place, slot.earned, slot.union, slot.share)?;
        while let Some(here) = pairs.next_if(|pair| pair.slot == Some(number)) {
            pair(out, here, &texts)?;
        }
    }
    Ok(())
}

fn head(out: &mut dyn Write, place: &str, earned: f64, union: u64, share: f64) -> io::Result<()> {
    let earned = amount(earned);
    writeln!(
        out,
        "\n{NAME}{place}{NAME:#}   {earned} of {union} alike, {share:.6} of the score"
    )
}

fn pair(out: &mut dyn Write, pair: &PairShare, texts: &[Vec<&str>; 3]) -> io::Result<()> {
    let line = |side: usize, number: u32| {
        let text = texts[side].get(number as usize - 1).copied();
        visible(text.unwrap_or_default())
    };
    if let Some(base) = pair.base {
        let text = line(0, base);
        return writeln!(
            out,
            "  1.000  {FAINT}both deleted base {base} │{FAINT:#} {text}"
        );
    }
    let (Some(a), Some(b)) = (pair.a, pair.b) else {
        return Ok(());
    };
    let (of_a, of_b) = (line(1, a), line(2, b));
    let earned = pair.earned;
    if of_a == of_b {
        return writeln!(out, "  {earned:.3}  {FAINT}a {a} = b {b} │{FAINT:#} {of_a}");
    }
    writeln!(out, "  {earned:.3}  {FAINT}a {a} │{FAINT:#} {of_a}")?;
    writeln!(out, "         {FAINT}b {b} │{FAINT:#} {of_b}")
}

/// A count that need not be whole.
fn amount(value: f64) -> String {
    if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}
