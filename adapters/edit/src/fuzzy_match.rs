//! Places that are like what a block looks for.

use crate::fold::Sum;
use crate::match_site::{Pair, Place, Tier};
use crate::problem::{LineProblem, SAME_LINE, Side};
use crate::similarity::{Measure, Windows};
use crate::text::Lines;
use mvdiff_core::{Options, Script};
use std::ops::Range;

/// A stretch of lines and how alike it is, 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Near {
    pub lines: Range<usize>,
    pub similarity: f64,
}

/// By how much the best of several similar places must be better than the next.
pub(crate) const MARGIN: f64 = 0.05;
/// Places that are kept.
const MOST: usize = 4;
/// Units of text up to which every window is considered; in longer ones only
/// those that share lines or words with the block.
const EVERY_WINDOW: usize = 1 << 19;
/// Steps of the edit distance that are spent on windows.
const STEPS: usize = 1 << 22;

/// The places most like some lines, the best first, none on top of another.
pub(crate) fn near(search: &[Vec<u8>], lines: &Lines<'_>, sums: &[Sum]) -> Vec<Near> {
    let measure = Measure::of_lines(search);
    let mut found = Vec::new();
    for site in sites(search, lines, sums, measure.is_long()) {
        let similarity = if measure.is_long() {
            by_line(search, lines, site.clone(), sums)
        } else {
            measure.of(&joined(lines, site.clone()))
        };
        add(
            &mut found,
            Near {
                lines: site,
                similarity,
            },
        );
    }
    if lines.bytes.len() <= EVERY_WINDOW && !measure.is_long() {
        windows(search, lines, &measure, &mut found);
    }
    found.retain(|near| near.similarity > 0.0);
    found
}

/// How alike some lines and a stretch of a text are.
pub(crate) fn similarity(
    search: &[Vec<u8>],
    lines: &Lines<'_>,
    range: Range<usize>,
    sums: &[Sum],
) -> f64 {
    let measure = Measure::of_lines(search);
    if measure.is_long() {
        by_line(search, lines, range, sums)
    } else {
        measure.of(&joined(lines, range))
    }
}

/// The same of long texts, by the lines that correspond.
fn by_line(search: &[Vec<u8>], lines: &Lines<'_>, range: Range<usize>, sums: &[Sum]) -> f64 {
    let said = |sums: &[Sum]| -> f64 { sums.iter().map(|sum| f64::from(sum.len)).sum() };
    let there = said(&sums[range.clone()]);
    let near = Near {
        lines: range,
        similarity: 0.0,
    };
    let own: Vec<Sum> = search.iter().map(|line| Sum::of(line)).collect();
    let place = aligned(search, lines, &near, sums);
    let pairs = place.pairs.iter().filter(|pair| !pair.search.is_empty());
    let common: f64 = pairs
        .map(|pair| said(&own[pair.search.clone()]) * pair.similarity)
        .sum();
    (common / said(&own).max(there).max(1.0)).min(1.0)
}

fn joined(lines: &Lines<'_>, range: Range<usize>) -> Vec<u8> {
    lines.range(range).collect::<Vec<_>>().join(&b'\n')
}

/// Keeps a place, unless it lies on a better one.
fn add(found: &mut Vec<Near>, new: Near) {
    let lies_on = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
    let better = |a: &Near, b: &Near| {
        let order = b.similarity.total_cmp(&a.similarity);
        order.then(a.lines.start.cmp(&b.lines.start)).is_le()
    };
    if found
        .iter()
        .any(|known| lies_on(&known.lines, &new.lines) && better(known, &new))
    {
        return;
    }
    found.retain(|known| !lies_on(&known.lines, &new.lines));
    let at = found.partition_point(|known| better(known, &new));
    found.insert(at, new);
    found.truncate(MOST);
}

/// Places that share lines or words, as the core finds them; more lines or
/// fewer than the block has, too.
fn sites(search: &[Vec<u8>], lines: &Lines<'_>, sums: &[Sum], few: bool) -> Vec<Range<usize>> {
    let own: Vec<Sum> = search.iter().map(|line| Sum::of(line)).collect();
    let problem = LineProblem::of_words(
        (Side::Block(search), &own),
        (Side::Text(lines, 0..lines.len()), sums),
    );
    let mut ranges = Vec::new();
    // Positions that do not fit are not searched.
    for site in
        mvdiff_core::locate(&problem, &options(), if few { 2 } else { MOST }).unwrap_or_default()
    {
        let (Some(first), Some(last)) = (site.pairs.first(), site.pairs.last()) else {
            continue;
        };
        let found = site.new.start as usize..site.new.end as usize;
        let before = first.0 as usize;
        let behind = search.len() - 1 - last.0 as usize;
        let start = found.start.saturating_sub(before);
        let end = (found.end + behind).min(lines.len());
        if few {
            ranges.push(start..end);
            continue;
        }
        ranges.extend([
            found.clone(),
            start..found.end,
            found.start..end,
            start..end,
        ]);
    }
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    ranges.dedup();
    ranges
}

fn options() -> Options {
    Options::default().with(|o| {
        o.moves = false;
        o.edit_similarity = SAME_LINE;
    })
}

/// Every window as high as the block, the most promising first.
fn windows(search: &[Vec<u8>], lines: &Lines<'_>, measure: &Measure, found: &mut Vec<Near>) {
    let windows = Windows::of_text(lines);
    let height = search.len();
    let last = windows.len().saturating_sub(height).max(windows.len() / 2);
    let bounds = windows.bounds(measure, height);
    let mut order: Vec<usize> = (0..bounds.len().min(last + 1)).collect();
    order.sort_by(|a, b| bounds[*b].0.total_cmp(&bounds[*a].0).then(a.cmp(b)));
    let mut steps = 0;
    for start in order {
        let (bound, cost) = bounds[start];
        // The best and the next best are reported; what can be neither is not
        // measured.
        let mut floor = found.get(1).map_or(0.0, |near| near.similarity);
        if steps > STEPS / 16 {
            // It gets expensive: only rivals of the best are worth it.
            floor = floor.max(found.first().map_or(0.0, |near| near.similarity - MARGIN));
        }
        if bound < floor || steps > STEPS {
            break;
        }
        steps += cost;
        let range = start..(start + height).min(lines.len());
        let below = (floor - 1e-9).max(0.0);
        if let Some(similarity) = windows.above(measure, start..start + height, below)
            && !range.is_empty()
        {
            add(
                found,
                Near {
                    lines: range,
                    similarity,
                },
            );
        }
    }
}

/// How the lines of a block correspond to those of a place that is like it.
pub(crate) fn aligned(search: &[Vec<u8>], lines: &Lines<'_>, near: &Near, sums: &[Sum]) -> Place {
    let own: Vec<Sum> = search.iter().map(|line| Sum::of(line)).collect();
    let there = near.lines.clone();
    let problem = LineProblem::of_words(
        (Side::Block(search), &own),
        (Side::Text(lines, there.clone()), &sums[there.clone()]),
    );
    let mut pairs = Vec::new();
    let (mut s, mut t) = (0, there.start);
    let mut up_to = |search: usize, text: usize, pairs: &mut Vec<Pair>| {
        let mut push = |search: Range<usize>, text: Range<usize>| {
            if !search.is_empty() || !text.is_empty() {
                pairs.push(Pair {
                    search,
                    text,
                    similarity: 0.0,
                });
            }
        };
        push(s..search, t..t);
        push(search..search, t..text);
        (s, t) = (search + 1, text + 1);
    };
    let script = mvdiff_core::diff(&problem, &options()).map(|diff| diff.script);
    for run in script.iter().flat_map(Script::runs) {
        for i in 0..run.len {
            let (search, text) = ((run.old + i) as usize, there.start + (run.new + i) as usize);
            up_to(search, text, &mut pairs);
            pairs.push(Pair {
                search: search..search + 1,
                text: text..text + 1,
                similarity: f64::from(run.relation.similarity()),
            });
        }
    }
    up_to(search.len(), there.end, &mut pairs);
    Place {
        tier: Tier::Fuzzy,
        lines: there,
        pairs,
        similarity: near.similarity,
    }
}
