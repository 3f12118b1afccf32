//! What a change is in: the line above it that is less deep, such as the head of a
//! function. A copy that was adapted has another one.

use crate::anchored::{Anchor, Finder};
use crate::evidence::{letters, words};
use crate::fold::{self, Sum};
use crate::ground::is_comment;
use crate::indent;

/// Letters and digits from which on a line can be a head.
const LEAST: usize = 3;
/// Letters and digits of a head that says what it is the head of; `try` and `else` do not.
const SAYS: usize = 6;
/// Lines of the text in which a head is looked for.
const FAR: usize = 4096;

/// The head that a block names, and the one of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// The block names none, or the one of the place was edited.
    Unknown,
    /// The same: this line of the block.
    Same(usize),
    /// The longest word of the block's head is not in the one of the place.
    Other,
}

/// What the first change is in for which the block says so.
pub(crate) fn head(finder: &Finder<'_>, anchors: &[Anchor]) -> Head {
    let heads = anchors.iter().map(|anchor| head_of(finder, anchor));
    heads.flatten().next().unwrap_or(Head::Unknown)
}

fn head_of(finder: &Finder<'_>, anchor: &Anchor) -> Option<Head> {
    let depth = |line: &[u8]| indent::of(line).len();
    let told = |line: &&Vec<u8>| !fold::is_blank(line);
    let old = finder.search[anchor.old()].iter().filter(told);
    let new = finder.replace[anchor.comes()].iter().filter(told);
    let change = if anchor.old().is_empty() {
        depth(new.clone().next()?)
    } else {
        old.chain(new).map(|line| depth(line)).min()?
    };
    let opens = |line: &[u8], inner: usize| {
        let told = letters(line) >= LEAST && !is_comment(line);
        told && depth(line) < inner
    };
    let text = &finder.ground.lines;
    let mut above = (0..anchor.old().start).rev();
    let lines = (0..anchor.gone().start).rev().take(FAR);
    let mut lines = lines.map(|line| text.get(line));
    let mut inner = change;
    let (mut own, mut there) = (None, None);
    // Up to the first that says something.
    while let Some(next) = above.find(|own| opens(&finder.search[*own], inner)) {
        own = Some(next);
        there = lines.find(|line| opens(line, inner));
        let line = &finder.search[next];
        let same = there.is_some_and(|there| Sum::of(there) == Sum::of(line));
        if letters(line) >= SAYS || !same {
            break;
        }
        inner = depth(line);
    }
    let own = own?;
    let line = &finder.search[own];
    let named = words(line);
    let longest = named.iter().rev().max_by_key(|word| word.len());
    Some(match there {
        Some(there) if Sum::of(there) == Sum::of(line) => Head::Same(own),
        Some(there) if longest.is_none_or(|word| words(there).contains(word)) => Head::Unknown,
        _ => Head::Other,
    })
}
