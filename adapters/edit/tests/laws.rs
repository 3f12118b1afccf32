//! Laws that hold for every text and every block, not examples.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use mvdiff_edit::blocks::{Block, Dialect, parse};
use mvdiff_edit::{Edits, Options, Status, edit, edit_compat, plan};
use proptest::prelude::*;

/// How many cases; `MVDIFF_CASES` for more.
fn cases() -> ProptestConfig {
    let cases = std::env::var("MVDIFF_CASES");
    let cases = cases.ok().and_then(|cases| cases.parse().ok());
    ProptestConfig::with_cases(cases.unwrap_or(400))
}

/// Few distinct lines with all kinds of ends, so that repeats are common.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        3 => "[a-d]{1,2}",
        1 => "( |\t){0,2}[a-d]{1,3} ?",
        1 => Just(String::new()),
        1 => Just("let total = price * quantity;".to_owned()),
    ];
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n")];
    let lines = prop::collection::vec((line, end), 0..24);
    (lines, any::<bool>(), any::<bool>()).prop_map(|(lines, open, bom)| {
        let mut text = if bom {
            b"\xef\xbb\xbf".to_vec()
        } else {
            Vec::new()
        };
        for (line, end) in lines {
            text.extend([line.as_bytes(), end.as_bytes()].concat());
        }
        if open {
            while text.last().is_some_and(|b| b"\r\n".contains(b)) {
                text.pop();
            }
        }
        text
    })
}

/// Lines of a block.
fn side() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let line = prop_oneof![
        4 => "[a-d]{1,2}",
        1 => " {0,2}[a-e]{1,3} ?",
        1 => Just(String::new()),
        1 => "[xyz]{4,8}",
    ];
    prop::collection::vec(line.prop_map(String::into_bytes), 0..5)
}

fn blocks() -> impl Strategy<Value = Vec<Block>> {
    let block = (side(), side(), prop::option::of(1u32..30));
    let block = block.prop_map(|(search, replace, start_line)| Block {
        search,
        replace,
        start_line,
        ..Block::default()
    });
    prop::collection::vec(block, 1..4)
}

fn options() -> impl Strategy<Value = Options> {
    prop_oneof![Just(1.0), Just(0.7), Just(0.0)]
        .prop_map(|threshold| Options::default().with(|o| o.threshold = threshold))
}

/// The lines of a text with their ends, the mark at its start aside.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    text.split_inclusive(|b| *b == b'\n').collect()
}

/// A line without its end.
fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// How many lines two texts share at the start, and then at the end.
fn common(old: &[&[u8]], new: &[&[u8]]) -> (usize, usize) {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - start;
    let ends = old.iter().rev().zip(new.iter().rev()).take(rest);
    (start, ends.take_while(|(a, b)| a == b).count())
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn blocks_that_fail_change_nothing(text in text(), blocks in blocks(), options in options()) {
        let done = plan(&text, &blocks, &options);
        prop_assert_eq!(done.blocks.len(), blocks.len());
        if !done.blocks.iter().any(|block| block.status == Status::Applied) {
            prop_assert_eq!(&*done.text, &text[..]);
        }
        for block in &done.blocks {
            prop_assert_eq!(block.status == Status::Failed, block.error_kind.is_some());
        }
    }

    #[test]
    fn bytes_outside_of_the_edit_stay(text in text(), blocks in blocks()) {
        let block = &blocks[..1];
        let done = plan(&text, block, &Options::default());
        prop_assert_eq!(
            done.text.starts_with(b"\xef\xbb\xbf"),
            text.starts_with(b"\xef\xbb\xbf")
        );
        if done.blocks[0].status != Status::Applied {
            return Ok(());
        }
        let (old, new) = (lines(&text), lines(&done.text));
        let (start, end) = common(&old, &new);
        // What went is no more than what was looked for, blank lines and the
        // newline of a last line aside.
        let told = |lines: &[&[u8]]| lines.iter().filter(|l| !bare(l).trim_ascii().is_empty()).count();
        let gone = told(&old[start..old.len() - end]);
        let sought = block[0].search.iter().filter(|l| !l.trim_ascii().is_empty()).count();
        prop_assert!(gone <= sought + 1, "{gone} of {sought}");
        // The text ends as it did; a blank last line without an end looks like
        // an end of the line before.
        let blank = block[0].replace.iter().any(Vec::is_empty)
            || old.iter().any(|line| bare(line).is_empty());
        if !old.is_empty() && !new.is_empty() && !blank {
            prop_assert_eq!(text.ends_with(b"\n"), done.text.ends_with(b"\n"));
        }
    }

    #[test]
    fn applying_again_what_no_longer_occurs_is_no_second_edit(
        text in text(), search in "[a-d]{2}", replace in "[v-z]{5,9}",
    ) {
        let blocks = [Block {
            search: vec![search.into_bytes()],
            replace: vec![replace.into_bytes()],
            ..Block::default()
        }];
        let options = Options::default();
        let once = plan(&text, &blocks, &options);
        if once.blocks[0].status == Status::Applied {
            let twice = plan(&once.text, &blocks, &options);
            prop_assert_ne!(twice.blocks[0].status, Status::Applied);
            prop_assert_eq!(&*twice.text, &*once.text);
        }
    }

    #[test]
    fn the_inverse_restores(text in text(), at in any::<prop::sample::Index>(), new in "[v-z]{5,9}") {
        let old = lines(&text);
        if old.is_empty() {
            return Ok(());
        }
        let at = at.index(old.len());
        if bare(old[at]).trim_ascii().is_empty() {
            return Ok(());
        }
        let block = |search: &[u8], replace: &[u8]| [Block {
            search: vec![search.to_vec()],
            replace: vec![replace.to_vec()],
            start_line: Some(at as u32 + 1),
            literal: true,
            ..Block::default()
        }];
        let options = Options::default();
        let there = plan(&text, &block(bare(old[at]), new.as_bytes()), &options);
        prop_assert_eq!(there.blocks[0].status, Status::Applied);
        let back = plan(&there.text, &block(new.as_bytes(), bare(old[at])), &options);
        prop_assert_eq!(&*back.text, &text[..]);
    }

    #[test]
    fn nothing_panics_on_any_bytes(
        text in prop::collection::vec(any::<u8>(), 0..200),
        input in prop::collection::vec(any::<u8>(), 0..200),
        options in options(),
    ) {
        let edits = Edits::Text(input.clone());
        let _ = edit(&text, &edits, &options);
        let _ = edit_compat(&text, &edits, &options);
        let block = Block {
            search: input.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect(),
            replace: text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect(),
            ..Block::default()
        };
        let _ = plan(&text, &[block], &options);
    }

    #[test]
    fn markers_in_any_order_are_read_or_refused(
        parts in prop::collection::vec(prop_oneof![
            Just("<<<<<<< SEARCH"), Just("======="), Just(">>>>>>> REPLACE"), Just(":start_line:2"),
            Just("-------"), Just("a"), Just(""), Just("\\======="), Just("  ======="),
            Just("<<<<<<<< SEARCH"), Just(">>>>>>> REPLACE "), Just("3 | a"), Just(":end_line: 1"),
        ], 0..14),
        text in text(),
        options in options(),
    ) {
        let input = parts.join("\n").into_bytes();
        let edits = Edits::Text(input.clone());
        let ours = edit(&text, &edits, &options);
        let theirs = edit_compat(&text, &edits, &options);
        // What we read, they read or find no blocks in; what they refuse for
        // its markers, we refuse.
        if let (Err(ours), Err(theirs)) = (&ours, &theirs) {
            prop_assert_eq!(ours.kind, theirs.kind);
        }
        if let Ok(blocks) = parse(&input, Dialect::Single) {
            let markers = parts.iter().filter(|part| part.trim() == "<<<<<<< SEARCH").count();
            prop_assert_eq!(blocks.len(), markers);
        }
    }
}
