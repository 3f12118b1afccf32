//! Lines that stand for others: `...`, `// ... existing code ...`.

use crate::already::is_told;
use crate::blocks::Block;
use crate::change::Change;
use crate::fold;
use crate::fuzzy_match::{self, Near};
use crate::ground::Ground;
use crate::match_site::{Pair, Place, Tier};
use crate::readings::Reading;
use crate::resolve::{Found, Missed, Sought, Target};
use std::ops::Range;

/// What comments begin and end with.
const OPEN: [&[u8]; 10] = [
    b"{/*", b"/*", b"//", b"<!--", b"--", b"#", b";", b"%", b"*", b"\"\"\"",
];
const CLOSE: [&[u8]; 4] = [b"*/}", b"*/", b"-->", b"\"\"\""];

/// What a line says between the signs of a comment, and whether it has them.
fn bare(line: &[u8]) -> (&[u8], bool) {
    let mut text = fold::trim(line);
    let mut comment = false;
    while let Some(rest) = OPEN.iter().find_map(|open| text.strip_prefix(*open)) {
        (text, comment) = (rest.trim_ascii_start(), true);
    }
    while let Some(rest) = CLOSE.iter().find_map(|close| text.strip_suffix(*close)) {
        text = rest.trim_ascii_end();
    }
    (text, comment)
}

fn without_dots(text: &[u8]) -> Option<&[u8]> {
    let rest = text
        .strip_prefix(b"...")
        .or_else(|| text.strip_prefix("\u{2026}".as_bytes()))?;
    Some(rest.strip_prefix(b".").unwrap_or(rest).trim_ascii())
}

/// Whether a line stands for others.
pub(crate) fn is_elision(line: &[u8]) -> bool {
    let (text, comment) = bare(line);
    let Some(words) = without_dots(text) else {
        return false;
    };
    let closed = words.ends_with(b"...") || words.ends_with("\u{2026}".as_bytes());
    words.is_empty() || comment || closed
}

/// Whether a line says in words that something was left out there.
fn is_lazy(line: &[u8]) -> bool {
    const SAID: [&str; 14] = [
        "keep existing",
        "keep the existing",
        "keep the rest",
        "other methods",
        "other functions",
        "other code",
        "existing code",
        "rest of the",
        "rest of code",
        "remaining code",
        "unchanged",
        "same as before",
        "previous code",
        "code remains",
    ];
    const ENDS: [&str; 6] = [
        "unchanged",
        "the same",
        "as before",
        "code",
        "here",
        "omitted",
    ];
    let (text, comment) = bare(line);
    let words = String::from_utf8_lossy(text).to_ascii_lowercase();
    if without_dots(text).is_some() {
        return comment && SAID.iter().any(|said| words.contains(said));
    }
    // What is between brackets as a whole is a remark, too.
    let brackets = [("(", ")"), ("[", "]"), ("<", ">")];
    let enclosed = |(a, b): &(&str, &str)| words.starts_with(a) && words.ends_with(b);
    let remark = comment || brackets.iter().any(enclosed);
    // Dots behind it may end a sentence that is about something.
    let words = words.trim_matches(|c: char| c.is_whitespace() || "()[]<>".contains(c));
    let open = words.ends_with("...") || words.ends_with('\u{2026}');
    let words = words.trim_end_matches('.');
    let closed = ENDS.iter().any(|end| words.ends_with(end));
    let words = words.strip_prefix("the ").unwrap_or(words);
    let begins = words.starts_with("rest of") || SAID.iter().any(|s| words.starts_with(s));
    remark && begins && (open || closed)
}

/// The first new line of a block that says that something was left out, where
/// no old line does: it would be written as it is. Counted from zero.
pub(crate) fn leftover(block: &Block, ground: &Ground<'_>) -> Option<usize> {
    let new = |line: &&Vec<u8>| {
        let known = |other: &Vec<u8>| fold::trim(other) == fold::trim(line);
        is_lazy(line) && !block.search.iter().any(known)
    };
    let at = block.replace.iter().position(|line| new(&line))?;
    let there = ground.places(&block.replace[at..=at]);
    there.is_empty().then_some(at)
}

/// A block whose new lines say in other words than the old ones that lines were left out,
/// with those of the old ones.
pub(crate) fn paired(block: &Block, ground: &Ground<'_>) -> Option<Block> {
    let old: Vec<usize> = positions(&block.search, is_elision);
    let new = positions(&block.replace, |line| is_elision(line) || is_lazy(line));
    let differs = |(old, new): (&usize, &usize)| block.search[*old] != block.replace[*new];
    let is_there = |at: &usize| !ground.places(&block.search[*at..=*at]).is_empty();
    if old.len() != new.len() || !old.iter().zip(&new).any(differs) || old.iter().any(is_there) {
        return None;
    }
    let mut block = block.clone();
    for (old, new) in old.into_iter().zip(new) {
        block.replace[new].clone_from(&block.search[old]);
    }
    Some(block)
}

fn positions(lines: &[Vec<u8>], is: impl Fn(&[u8]) -> bool) -> Vec<usize> {
    (0..lines.len()).filter(|at| is(&lines[*at])).collect()
}

/// Where a block is whose new lines leave something out.
pub(crate) fn place(block: &Block, ground: &Ground<'_>) -> Option<Range<usize>> {
    if let Some(place) = ground.places(&block.search).into_iter().next() {
        return Some(place.lines);
    }
    let near = ground
        .spend()
        .then(|| fuzzy_match::near(&block.search, &ground.lines, &ground.sums));
    let best = near?.into_iter().next()?.lines;
    (!best.is_empty()).then_some(best)
}

/// Looks for a block in which lines stand for others.
pub(crate) fn elided(reading: &Reading, ground: &Ground<'_>) -> Option<Sought> {
    let search = &reading.search;
    if !search.iter().any(|line| is_elision(line)) {
        return None;
    }
    let change = Change::new(search, &reading.replace);
    let gap = |index: &usize| is_elision(&search[*index]);
    // What stands for others must stand for them on both sides.
    if (0..search.len())
        .filter(gap)
        .any(|index| change.kept[index].is_none())
    {
        return None;
    }
    let segments = segments(search);
    let touched = |segment: &Range<usize>| {
        let hunk = change.hunks().into_iter();
        let mut hunks = hunk.filter(|hunk| hunk.old.start <= segment.end);
        hunks.any(|hunk| segment.start <= hunk.old.end)
    };
    let anchor = segments.iter().position(touched)?;
    let places: Vec<Vec<Place>> = segments
        .iter()
        .map(|segment| ground.places(&search[segment.clone()]))
        .collect();
    let mut chains = Vec::new();
    for place in &places[anchor] {
        if let Some(chain) = chain(&places, anchor, place) {
            chains.push(chain);
        }
    }
    if let Some(hint) = reading.hint {
        let at = |chain: &Vec<&Place>| chain[0].lines.start == hint as usize - 1;
        if chains.iter().any(at) {
            chains.retain(at);
        }
    }
    match &chains[..] {
        [] => None,
        [chain] => Some(Sought::Found(Found {
            search: search.clone(),
            replace: reading.replace.clone(),
            place: Target::Lines(whole(search.len(), &segments, chain)),
            already: None,
            runner_up: None,
        })),
        several => {
            let near = |chain: &Vec<&Place>| {
                let lines = chain[0].lines.start..chain[chain.len() - 1].lines.end;
                let near = Near {
                    lines,
                    similarity: 1.0,
                };
                (near, Tier::Fuzzy)
            };
            let places = several.iter().map(near).collect();
            Some(Sought::Missed(Missed::ambiguous(places)))
        }
    }
}

/// What is between lines that stand for others, and is not blank.
fn segments(search: &[Vec<u8>]) -> Vec<Range<usize>> {
    let mut segments = Vec::new();
    let mut start = 0;
    let ends = (0..search.len()).filter(|index| is_elision(&search[*index]));
    for end in ends.chain([search.len()]) {
        if is_told(search[start..end].iter().map(Vec::as_slice)) {
            segments.push(start..end);
        }
        start = end + 1;
    }
    segments
}

/// The segments around one of them: each the nearest on its side.
fn chain<'p>(places: &'p [Vec<Place>], anchor: usize, at: &'p Place) -> Option<Vec<&'p Place>> {
    let mut chain = vec![at];
    for before in places[..anchor].iter().rev() {
        let first = chain[0].lines.start;
        let mut above = before.iter().rev();
        chain.insert(0, above.find(|place| place.lines.end <= first)?);
    }
    for behind in &places[anchor + 1..] {
        let last = chain[chain.len() - 1].lines.end;
        let mut below = behind.iter();
        chain.push(below.find(|place| place.lines.start >= last)?);
    }
    Some(chain)
}

/// The place of all segments and of what lies between them.
fn whole(height: usize, segments: &[Range<usize>], chain: &[&Place]) -> Place {
    let lines = chain[0].lines.start..chain[chain.len() - 1].lines.end;
    let mut pairs = Vec::new();
    let (mut own, mut line) = (0, lines.start);
    let between = |own: Range<usize>, text: Range<usize>, pairs: &mut Vec<Pair>| {
        if !own.is_empty() || !text.is_empty() {
            pairs.push(Pair {
                search: own,
                text,
                similarity: 0.0,
            });
        }
    };
    for (segment, place) in segments.iter().zip(chain) {
        between(own..segment.start, line..place.lines.start, &mut pairs);
        pairs.extend(place.pairs.iter().map(|pair| Pair {
            search: pair.search.start + segment.start..pair.search.end + segment.start,
            ..pair.clone()
        }));
        (own, line) = (segment.end, place.lines.end);
    }
    between(own..height, line..line, &mut pairs);
    Place {
        tier: Tier::Fuzzy,
        lines,
        pairs,
        similarity: 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_stand_for_others_are_told_from_code() {
        for line in [
            "...",
            "    ...",
            "# ...",
            "// ... existing code ...",
            "{/* ... */}",
            "<!-- ... rest of the page ... -->",
            "\u{2026}",
            "... (unchanged) ...",
        ] {
            assert!(is_elision(line.as_bytes()), "{line}");
        }
        for line in [
            "...props,",
            "def f(): ...",
            "// so on...",
            "a...b",
            "[...xs]",
        ] {
            assert!(!is_elision(line.as_bytes()), "{line}");
        }
        assert!(is_lazy(b"# ... rest of the function ..."));
        assert!(is_lazy(b"// (rest of methods ...)") && is_lazy(b"# existing code..."));
        assert!(is_lazy(b"(rest of methods ...)") && is_lazy(b"[existing code unchanged]"));
        assert!(is_lazy(b"// Keep existing code") && is_lazy(b"# other methods unchanged"));
        assert!(!is_lazy(b"Rest of the story...") && !is_lazy(b"// keep existing values"));
        assert!(!is_lazy(b"(existing, code)") && !is_lazy(b"<rest of={here} />"));
        assert!(!is_lazy(b"# ...") && !is_lazy(b"print('unchanged')"));
        assert!(!is_lazy(b"// skip the rest of the line..."));
    }
}
