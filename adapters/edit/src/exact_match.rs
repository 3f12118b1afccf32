//! Places that say the same as a block, but for white space and typography.
//!
//! One walk over the lines: what each says is a sum, sums of neighbours add up,
//! and a stretch whose sum is that of the block is looked at closely. So
//! indentation, blank lines and line breaks cost nothing to look past.

use crate::fold::{self, Sum, Typography};
use crate::match_site::{Pair, Place, Tier};
use crate::problem::is_informative;
use crate::text::Lines;
use std::ops::Range;

/// The sums of all lines of a text.
pub(crate) fn sums(lines: &Lines<'_>) -> Vec<Sum> {
    (0..lines.len()).map(|i| Sum::of(lines.get(i))).collect()
}

/// Places that are listed of so many lines: each costs as many again, and more
/// than one is too many already.
pub(crate) fn most(height: usize) -> usize {
    const LINES: usize = 1 << 21;
    (LINES / height.max(1)).max(16)
}

/// The places of some lines in a text, in order, as many as are listed.
pub(crate) fn places(search: &[Vec<u8>], lines: &Lines<'_>, sums: &[Sum]) -> Vec<Place> {
    let own: Vec<Sum> = search.iter().map(|line| Sum::of(line)).collect();
    let mut wanted = Sum::default();
    for sum in &own {
        wanted.add(*sum);
    }
    let mut found = Vec::new();
    if wanted.len == 0 {
        return found;
    }
    let mut window = Sum::default();
    let mut end = 0;
    for start in 0..sums.len() {
        while end < sums.len() && window.len < wanted.len {
            window.add(sums[end]);
            end += 1;
        }
        // A blank line cannot be the first of a match.
        if window == wanted
            && sums[start].len > 0
            && let Some(place) = look(search, &own, lines, sums, start..end)
        {
            found.push(place);
            if found.len() == most(search.len()) {
                break;
            }
        }
        if end > start {
            window.subtract(sums[start]);
        } else {
            end = start + 1;
        }
    }
    found
}

/// The places among stretches that match letter by letter.
pub(crate) fn places_at(
    search: &[Vec<u8>],
    lines: &Lines<'_>,
    sums: &[Sum],
    stretches: &[(usize, usize)],
) -> Vec<Place> {
    let own: Vec<Sum> = search.iter().map(|line| Sum::of(line)).collect();
    let found = stretches.iter();
    found
        .filter_map(|(start, end)| look(search, &own, lines, sums, *start..*end))
        .take(most(search.len()))
        .collect()
}

/// The place of these lines, if they match. They begin and
/// end with lines that say something.
fn look(
    search: &[Vec<u8>],
    own: &[Sum],
    lines: &Lines<'_>,
    sums: &[Sum],
    inner: Range<usize>,
) -> Option<Place> {
    let same = |typography| {
        let search = search.iter().map(Vec::as_slice);
        fold::same_words(search, lines.range(inner.clone()), typography)
    };
    let typography = if same(Typography::Counts) {
        Typography::Counts
    } else if same(Typography::Folded) {
        Typography::Folded
    } else {
        return None;
    };
    // Blank lines at the ends of the block take blank lines of the text with
    // them, as far as there are any.
    let blanks = |own: &mut dyn Iterator<Item = &Sum>| own.take_while(|s| s.len == 0).count();
    let before = blanks(&mut own.iter());
    let behind = blanks(&mut own.iter().rev());
    let above = sums[..inner.start].iter().rev().take(before);
    let start = inner.start - above.take_while(|s| s.len == 0).count();
    let below = sums[inner.end..].iter().take(behind);
    let end = inner.end + below.take_while(|s| s.len == 0).count();
    let pairs = pair(own, sums, start..end);
    let tier = tier(search, lines, &pairs, typography);
    if tier == Tier::Space && !is_even(search, lines, &pairs) {
        return None;
    }
    Some(Place {
        tier,
        lines: start..end,
        pairs,
        similarity: 1.0,
    })
}

/// Lines that say the same, one by one where they can be, else in groups; blank
/// lines pair in order.
fn pair(own: &[Sum], sums: &[Sum], lines: Range<usize>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let (mut s, mut t) = (0, lines.start);
    while s < own.len() || t < lines.end {
        let blanks = |sums: &[Sum]| sums.iter().take_while(|sum| sum.len == 0).count();
        let (in_block, in_text) = (blanks(&own[s..]), blanks(&sums[t..lines.end]));
        if in_block + in_text > 0 {
            let both = in_block.min(in_text);
            for i in 0..both {
                pairs.push(one(s + i..s + i + 1, t + i..t + i + 1));
            }
            if in_block > both {
                pairs.push(one(s + both..s + in_block, t + both..t + both));
            }
            if in_text > both {
                pairs.push(one(s + both..s + both, t + both..t + in_text));
            }
            (s, t) = (s + in_block, t + in_text);
            continue;
        }
        let (first_s, first_t) = (s, t);
        let (mut said_s, mut said_t) = (own[s].len, sums[t].len);
        (s, t) = (s + 1, t + 1);
        while said_s != said_t {
            if said_s < said_t && s < own.len() {
                said_s += own[s].len;
                s += 1;
            } else if t < lines.end {
                said_t += sums[t].len;
                t += 1;
            } else {
                break;
            }
        }
        pairs.push(one(first_s..s, first_t..t));
    }
    pairs
}

fn one(search: Range<usize>, text: Range<usize>) -> Pair {
    Pair {
        search,
        text,
        similarity: 1.0,
    }
}

/// The most certain way in which the lines are the same.
fn tier(search: &[Vec<u8>], lines: &Lines<'_>, pairs: &[Pair], typography: Typography) -> Tier {
    if typography == Typography::Folded {
        return Tier::Typographic;
    }
    let single = |pair: &Pair| pair.search.len() == 1 && pair.text.len() == 1;
    if !pairs.iter().all(single) {
        return Tier::Space;
    }
    let both = || {
        pairs.iter().map(|pair| {
            (
                &search[pair.search.start][..],
                lines.get(pair.text.start),
                pair.text.start,
            )
        })
    };
    if both().all(|(own, line, _)| own == line) {
        let plain = |at: usize| lines.end(at) != b"\r\n";
        let plain = both().all(|(_, _, at)| plain(at));
        return if plain { Tier::Exact } else { Tier::LineEnds };
    }
    let trimmed = |line: &'_ [u8]| fold::trimmed_len(line);
    if both().all(|(own, line, _)| own[..trimmed(own)] == line[..trimmed(line)]) {
        return Tier::TrailingSpace;
    }
    if is_shifted(both().map(|(own, line, _)| (own, line))) {
        return Tier::Indent;
    }
    Tier::Space
}

/// Whether lines of nothing but signs are shifted as those that say something, if
/// all of these are shifted alike: a bracket at another depth is another bracket.
/// The first line may have lost its indent.
pub(crate) fn is_even(search: &[Vec<u8>], lines: &Lines<'_>, pairs: &[Pair]) -> bool {
    let Some((words, signs)) = shifts(search, lines, pairs) else {
        return true;
    };
    !all_equal(&words) || words.is_empty() || signs.iter().all(|shift| *shift == words[0])
}

/// Whether all lines that say something are as deep, relative to each other, as in the block.
pub(crate) fn is_level(search: &[Vec<u8>], lines: &Lines<'_>, pairs: &[Pair]) -> bool {
    shifts(search, lines, pairs).is_none_or(|(words, _)| all_equal(&words))
}

/// Whether all lines are as deep as in the block, as far as that can be compared.
pub(crate) fn is_as_deep(search: &[Vec<u8>], lines: &Lines<'_>, pairs: &[Pair]) -> bool {
    let shifts = shifts(search, lines, pairs);
    shifts.is_none_or(|(words, signs)| words.iter().chain(&signs).all(|shift| *shift == 0))
}

fn all_equal(shifts: &[i64]) -> bool {
    shifts.windows(2).all(|two| two[0] == two[1])
}

/// By how much lines with words, and lines of signs, are indented more than in the block.
/// `None` if one has tabs where the other has blanks: depths cannot be compared by length.
fn shifts(search: &[Vec<u8>], lines: &Lines<'_>, pairs: &[Pair]) -> Option<(Vec<i64>, Vec<i64>)> {
    let single = |pair: &&Pair| (pair.search.len(), pair.text.len()) == (1, 1);
    let (mut words, mut signs) = (Vec::new(), Vec::new());
    for pair in pairs.iter().filter(single) {
        let (own, there) = (&search[pair.search.start], lines.get(pair.text.start));
        let depths = [&own[..], there].map(fold::leading_space);
        let stripped = pair.search.start == 0 && depths[0] == 0;
        if fold::is_blank(own) || fold::is_blank(there) || stripped {
            continue;
        }
        let tabs = |line: &[u8], depth| depth > 0 && line[..depth].contains(&b'\t');
        let blanks = |line: &[u8], depth| depth > 0 && !line[..depth].contains(&b'\t');
        let turned = |a: (&[u8], usize), b: (&[u8], usize)| tabs(a.0, a.1) && blanks(b.0, b.1);
        let (mine, other) = ((&own[..], depths[0]), (there, depths[1]));
        if turned(mine, other) || turned(other, mine) {
            return None;
        }
        let shift = depths[1] as i64 - depths[0] as i64;
        if own.iter().any(|b| is_informative(*b)) {
            words.push(shift);
        } else {
            signs.push(shift);
        }
    }
    Some((words, signs))
}

/// Whether all lines that say something are indented by the same more, or less.
fn is_shifted<'l>(both: impl Iterator<Item = (&'l [u8], &'l [u8])>) -> bool {
    let mut shift = None;
    for (own, line) in both {
        if fold::trim(own) != fold::trim(line) {
            return false;
        }
        if fold::is_blank(own) {
            continue;
        }
        let own = &own[..fold::leading_space(own)];
        let line = &line[..fold::leading_space(line)];
        let this = match (line.strip_prefix(own), own.strip_prefix(line)) {
            (Some(more), _) => (more, &b""[..]),
            (_, Some(less)) => (&b""[..], less),
            _ => return false,
        };
        if *shift.get_or_insert(this) != this {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(search: &str, text: &str) -> Vec<(Range<usize>, Tier)> {
        let lines = Lines::new(text.as_bytes());
        let search: Vec<Vec<u8>> = search.split('\n').map(|l| l.as_bytes().to_vec()).collect();
        places(&search, &lines, &sums(&lines))
            .into_iter()
            .map(|place| (place.lines, place.tier))
            .collect()
    }

    #[test]
    fn every_tier_is_told() {
        assert_eq!(found("b\nc", "a\nb\nc\n"), [(1..3, Tier::Exact)]);
        assert_eq!(found("b\nc", "a\r\nb\r\nc\r\n"), [(1..3, Tier::LineEnds)]);
        assert_eq!(found("b \nc", "a\nb\nc\n"), [(1..3, Tier::TrailingSpace)]);
        assert_eq!(found("b\n c", "a\n  b\n   c\n"), [(1..3, Tier::Indent)]);
        assert_eq!(found("b\nc", "a\n  b\n c\n"), [(1..3, Tier::Space)]);
        assert_eq!(found("b\nc", "b\n\nc\n"), [(0..3, Tier::Space)]);
        assert_eq!(found("b\n\nc", "b\nc\n"), [(0..2, Tier::Space)]);
        assert_eq!(found("b x\nc", "b\nx c\n"), [(0..2, Tier::Space)]);
        assert_eq!(
            found("\"b\"", "\u{201e}b\u{201c}\n"),
            [(0..1, Tier::Typographic)]
        );
        assert_eq!(found("bx", "b x\n"), []);
    }

    #[test]
    fn repeats_are_all_listed_also_where_they_overlap() {
        assert_eq!(found("a", "a\n\na").len(), 2);
        assert_eq!(found("a\na", "a\na\na\n").len(), 2);
        assert_eq!(found("", "a\n\n"), []);
    }

    #[test]
    fn blank_lines_at_the_ends_belong_to_the_place() {
        assert_eq!(found("b\n", "a\n\nb\n\n\nc\n"), [(2..4, Tier::Exact)]);
        assert_eq!(found("\nb", "a\n\n\nb\n"), [(2..4, Tier::Exact)]);
        assert_eq!(found("\nb", "b\n"), [(0..1, Tier::Space)]);
    }
}
