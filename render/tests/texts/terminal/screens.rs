//! Screens as they should be, to the last blank.

use super::{beside, narrow, print, shown};
use mvdiff_render::view::{FileInput, MoveInput, View};
use mvdiff_render::{Colours, Screen};
use mvdiff_text::{Lines, MovedBlock};

const OLD: &str = "\
one
two = 2
three
four

def the_moved_function(first):
    say(first)
    return first < last_of_all

five
six
seven
eight
";

/// The function moved down and was edited, a line before it was edited, an empty one
/// came.
const NEW: &str = "\
one
two = 3
three
four

five
six
seven
eight

def the_moved_function(first):
    say(first)
    return first <= last_of_all

";

#[test]
fn one_column() {
    assert_eq!(
        shown(OLD.as_bytes(), NEW.as_bytes(), &narrow(80)),
        "\
old → new
  1   1 │  one
  2     │ -two = 2
        │        ~
      2 │ +two = 3
        │        ~
  3   3 │  three
  4   4 │  four
  5   5 │
  M1 →  moved  6-9 → 11-14
      ⋮ │
 11   7 │  six
 12   8 │  seven
 13   9 │  eight
     10 │ +⏎
  M1 ←  moved  6-9 → 11-14   3 of 4 lines unchanged
  6  11 │  def the_moved_function(first):
  8     │ -    return first < last_of_all
     13 │ +    return first <= last_of_all
        │                    ~

1 move. 6 of 11 changed lines only moved; 5 left to read.
"
    );
}

#[test]
fn two_columns() {
    assert_eq!(
        shown(OLD.as_bytes(), NEW.as_bytes(), &beside(80)),
        "\
old → new
  1  one                               │   1  one
  2 -two = 2                           │   2 +two = 3
           ~                           │            ~
  3  three                             │   3  three
  4  four                              │   4  four
  5                                    │   5
     M1 → 11-14   (4 lines)            │
  ⋮                                    │   ⋮
 11  six                               │   7  six
 12  seven                             │   8  seven
 13  eight                             │   9  eight
                                       │  10 +⏎
                                       │      M1 ← 6-9   3 of 4 lines unchanged
                                       │  11  def the_moved_function(first):
                                       │  12      say(first)
  8 -    return first < last_of_all    │  13 +    return first <= last_of_all
                                       │                        ~

1 move. 6 of 11 changed lines only moved; 5 left to read.
"
    );
}

#[test]
fn what_is_too_long_is_wrapped_and_says_so() {
    let old = "a line that is much too long for a terminal of forty columns\n";
    let new = "a line that is much too wide for a terminal of forty columns\n";
    assert_eq!(
        shown(old.as_bytes(), new.as_bytes(), &narrow(40)),
        "\
old → new
  1     │ -a line that is much too long 
        │                          ~~~~
  ↳     │  for a terminal of forty colum
  ↳     │  ns
      1 │ +a line that is much too wide 
        │                          ~~~~
      ↳ │  for a terminal of forty colum
      ↳ │  ns

0 added, 0 deleted, 1 edited.
"
    );
    assert_eq!(
        shown(
            "短い日本語の行です\n".as_bytes(),
            "短い日本語の文です\n".as_bytes(),
            &beside(34)
        ),
        "\
old → new
  1 -短い日本語 │   1 +短い日本語
  ↳  の行です   │   ↳  の文です

0 added, 0 deleted, 1 edited.
"
    );
}

#[test]
fn white_space_that_changed_is_visible() {
    let screen = Screen {
        context: 0,
        ..narrow(80)
    };
    assert_eq!(
        shown(b"one line\nthe end", b"one line \t\nthe end\n\n", &screen),
        "\
old → new
  1     │ -one line
  2     │ -the end (no newline at the end)
      1 │ +one line·→
        │          ~~~~
      2 │ +the end
      3 │ +⏎

1 added, 0 deleted, 2 edited.
"
        .replace("·→", "·→  ")
    );
}

#[test]
fn tabs_are_told_from_blanks_and_a_line_that_became_empty_is_seen() {
    let changed = |old: &[u8], new: &[u8]| {
        let printed = shown(old, new, &narrow(80));
        let lines = printed.lines().filter_map(|line| line.split_once(" │ "));
        let marked = lines.map(|(_, text)| text.trim_end().to_owned());
        marked
            .filter(|text| text.starts_with(['-', '+']))
            .collect::<Vec<String>>()
    };
    assert_eq!(changed(b"a\tb\n", b"a   b\n"), ["-a→  b", "+a···b"]);
    assert_eq!(
        changed(b"\tcall(x)\n", b"    call(x)\n"),
        ["-→   call(x)", "+····call(x)"]
    );
    assert_eq!(
        changed(b"\t\tx\n", b"        x\n"),
        ["-→   →   x", "+········x"]
    );
    assert_eq!(changed(b"a b c\n", b"a new b c\n")[1], "+a new b c");
    assert_eq!(changed(b"  \n", b"\n"), ["-··", "+⏎"]);
    assert_eq!(
        changed(b"caf\xe9 au lait\n", b"caf\xe8 au lait\n"),
        [r"-caf\xe9 au lait", r"+caf\xe8 au lait"]
    );
    assert_eq!(
        changed(b"pass\xc2\xadword = 1\n", b"password = 1\n")[0],
        r"-pass\u{ad}word = 1"
    );
}

#[test]
fn changes_apart_in_a_moved_block_are_set_apart() {
    let block = |edits: [&str; 2]| {
        let lines = (1..=12).map(|at| match at {
            4 => format!("    step four of the block {}\n", edits[0]),
            9 => format!("    step nine of the block {}\n", edits[1]),
            at => format!("    step {at} of the block stays\n"),
        });
        lines.collect::<String>()
    };
    let rest: Vec<String> = (1..=20).map(|at| format!("other line {at}\n")).collect();
    let rest = rest.concat();
    let old = format!("{}{rest}", block(["here", "here"]));
    let new = format!("{rest}{}", block(["there", "there"]));
    let printed = shown(old.as_bytes(), new.as_bytes(), &narrow(80));
    let came = printed.split_once("M1 ←").unwrap().1;
    let marks: String = came
        .lines()
        .filter_map(|line| match line.trim_start() {
            line if line.contains('⋮') => Some('⋮'),
            line => line.split_once(" │ ")?.1.chars().next(),
        })
        .filter(|mark| *mark != ' ')
        .collect();
    assert_eq!(marks, "-+⋮-+", "{printed}");
}

#[test]
fn sums_have_thousands_set_apart() {
    let new = "a line\n".repeat(1234);
    let printed = shown(b"", new.as_bytes(), &narrow(80));
    assert!(printed.ends_with("\n1,234 added, 0 deleted, 0 edited.\n"));
}

#[test]
fn carriage_returns_show_where_they_changed() {
    let both = shown(b"a line\r\nb\r\n", b"a time\r\nb\r\n", &narrow(80));
    assert!(!both.contains("^M") && !both.contains("\\u{d}"), "{both}");
    let came = shown(
        b"a line of text\nb\n",
        b"a time of text\r\nb\n",
        &narrow(80),
    );
    assert!(came.contains("+a time of text^M\n"), "{came}");
    assert!(came.contains("-a line of text\n"), "{came}");
}

#[test]
fn tints_colour_whole_lines_and_stronger_the_words() {
    let screen = |colours| Screen {
        colours,
        ..narrow(80)
    };
    let tinted = |dark, rich| {
        let colours = Colours::Tinted { dark, rich };
        shown(b"a = 1\n", b"a = 2\n", &screen(colours))
    };
    let dark = tinted(true, false);
    assert!(dark.contains("\u{1b}[48;5;52m-\u{1b}[0m"), "{dark:?}");
    assert!(
        dark.contains("\u{1b}[1m\u{1b}[4m\u{1b}[48;5;88m1\u{1b}[0m"),
        "{dark:?}"
    );
    assert!(tinted(false, true).contains("\u{1b}[1m\u{1b}[4m\u{1b}[48;2;166;224;178m2\u{1b}[0m"));
    let plain = shown(b"a = 1\n", b"a = 2\n", &screen(Colours::Plain));
    assert!(
        plain.contains("\u{1b}[1m\u{1b}[4m\u{1b}[32m2\u{1b}[0m"),
        "{plain:?}"
    );
}

#[test]
fn many_files_with_a_move_between_them() {
    let texts: [&[u8]; 4] = [
        b"def f(a):\n    return a\n    # end\nx\n",
        b"x\n",
        b"",
        b"def f(a):\n    return a + 1\n    # end\n",
    ];
    let [old_a, new_a, old_b, new_b] = texts.map(|text| Lines::new(text).unwrap());
    let whole = mvdiff_text::diff_lines(texts[0], texts[3], &mvdiff_text::options()).unwrap();
    let block = MovedBlock {
        id: 1,
        kind: mvdiff_text::MoveKind::Move,
        twins: Vec::new(),
        original_line_start: 1,
        original_line_end: 3,
        modified_line_start: 1,
        modified_line_end: 3,
        similarity: 0.9,
        confidence: 0.9,
        indent: None,
        changes: whole.changes[..1].to_vec(),
        ignored: Vec::new(),
    };
    let file = |old: Option<&str>, new: &str, lines| FileInput {
        old: old.map(str::to_owned),
        new: Some(new.to_owned()),
        facts: old
            .is_none()
            .then(|| "new".to_owned())
            .into_iter()
            .collect(),
        lines,
        changes: &[],
        ignored: &[],
    };
    let files = [
        file(Some("a\u{202e}.py"), "a\u{202e}.py", (&old_a, &new_a)),
        file(None, "b.py", (&old_b, &new_b)),
    ];
    let moves = [MoveInput {
        block: &block,
        files: (0, 1),
        is_copy: false,
    }];
    let view = View::of_files(&files, &moves);
    assert_eq!(
        print(&view, &narrow(80)),
        "\
a\\u{202e}.py
  M1 →  moved  a\\u{202e}.py:1-3 → b.py:1-3   def f(a)

b.py  new
  M1 ←  moved  a\\u{202e}.py:1-3 → b.py:1-3   2 of 3 lines unchanged
  1   1 │  def f(a):
  2     │ -    return a
      2 │ +    return a + 1
        │              ~~~~

"
    );
}

#[test]
fn a_file_that_came_takes_one_column() {
    assert_eq!(
        shown(b"", b"one\n\n", &beside(120)),
        "\
old → new
      1 │ +one
      2 │ +⏎

2 added, 0 deleted, 0 edited.
"
    );
}

#[test]
fn what_follows_a_block_is_set_apart_from_it() {
    let old = "head\nfirst line of what moves\nsecond line of what moves\nkept one\nkept two\n";
    let new =
        "head\nkept one\nkept two\nfirst line of what moves\nsecond line of what moves\ncame\n";
    let screen = Screen {
        context: 0,
        ..narrow(80)
    };
    assert_eq!(
        shown(old.as_bytes(), new.as_bytes(), &screen),
        "\
old → new
  M1 →  moved  2-3 → 4-5

  M1 ←  moved  2-3 → 4-5   2 lines unchanged
  2   4 │  first line of what moves

      6 │ +came

1 move. 4 of 5 changed lines only moved; 1 left to read.
"
    );
}

#[test]
fn a_line_that_did_not_follow_its_block_is_said_to() {
    let rest = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
    let block = |indent: &str| {
        format!(
            "{indent}first_step = compute(1)\n{indent}second_step = compute(2)\nlabel_of_all = here\n{indent}third_step = compute(3)\n{indent}fourth_step = compute(4)\n"
        )
    };
    let (old, new) = (block("") + rest, rest.to_owned() + &block("    "));
    assert_eq!(
        shown(old.as_bytes(), new.as_bytes(), &narrow(80)),
        "\
old → new
  M1 →  moved  1-5 → 11-15

  M1 ←  moved  1-5 → 11-15   4 of 5 lines unchanged, indented by 4
  1  11 │      first_step = compute(1)
  3     │ -label_of_all = here
     13 │ +label_of_all = here  (not indented with its block)

1 move. 8 of 10 changed lines only moved; 2 left to read.
"
    );
    let beside = shown(old.as_bytes(), new.as_bytes(), &beside(120));
    assert!(
        beside.contains("13 +label_of_all = here  (not indented with its block)"),
        "{beside}"
    );
}
