//! Laws of the page: all lines are in it, nothing in it is markup that was text, and
//! it stays small.

use mvdiff_render::view::{Remark, View};
use mvdiff_render::{Names, PageOptions, page};
use mvdiff_text::{Lines, diff_lines};
use proptest::prelude::*;
use scraper::{ElementRef, Html, Selector};
use std::collections::HashSet;

/// The page of two texts, and what was left out of it.
fn made(names: &Names, texts: [&str; 2], options: &PageOptions) -> (String, Option<String>) {
    let settings = mvdiff_text::options().with(|o| o.copies = true);
    let [old, new] = texts.map(str::as_bytes);
    let report = diff_lines(old, new, &settings).expect("small texts");
    let lines = [old, new].map(|text| Lines::new(text).expect("small texts"));
    let view = View::of_lines(names, (&lines[0], &lines[1]), &report);
    let mut out = Vec::new();
    let left_out = page(&mut out, &[view], options).expect("memory takes every byte");
    (String::from_utf8(out).expect("a page is UTF-8"), left_out)
}

fn names() -> Names {
    Names {
        old: "old.py".into(),
        new: "new.py".into(),
    }
}

fn select(css: &str) -> Selector {
    Selector::parse(css).expect("a selector")
}

fn text_of(element: ElementRef<'_>) -> String {
    element.text().collect()
}

/// The texts of all elements that a selector finds.
fn texts(page: &Html, css: &str) -> Vec<String> {
    page.select(&select(css)).map(text_of).collect()
}

/// A pane's lines with their numbers, top to bottom.
fn pane(page: &Html, side: usize) -> Vec<(usize, String)> {
    let cells = select("td");
    let rows = select("main tr:not(.l):not(.w)");
    let mut lines = Vec::new();
    for row in page.select(&rows) {
        let cells: Vec<ElementRef<'_>> = row.select(&cells).collect();
        assert_eq!(cells.len(), 4, "{}", row.html());
        let number: String = text_of(cells[2 * side]);
        let digits: String = number.chars().filter(char::is_ascii_digit).collect();
        let Ok(number) = digits.parse() else {
            assert_eq!(text_of(cells[2 * side + 1]), "");
            continue;
        };
        let text = text_of(cells[2 * side + 1]);
        let text = text.strip_suffix("no newline at the end").unwrap_or(&text);
        lines.push((number, text.to_owned()));
    }
    lines
}

/// What must hold whatever the texts are.
fn check(whole: &str) -> Result<Html, TestCaseError> {
    let parsed = Html::parse_document(whole);
    prop_assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    let mut ids = HashSet::new();
    for element in parsed.select(&select("*")) {
        let name = element.value().name();
        prop_assert!(KNOWN.contains(&name), "<{name}>");
        for (attribute, value) in element.value().attrs() {
            prop_assert!(!attribute.starts_with("on"), "{attribute}");
            prop_assert!(!["src", "style", "srcset"].contains(&attribute));
            if attribute == "id" {
                prop_assert!(ids.insert(value.to_owned()), "{value} twice");
            }
        }
    }
    for link in parsed.select(&select("a[href]")) {
        let target = link
            .value()
            .attr("href")
            .and_then(|href| href.strip_prefix('#'));
        let target = target.expect("links stay in the page");
        prop_assert!(ids.contains(target), "#{target} leads nowhere");
    }
    prop_assert_eq!(parsed.select(&select("script")).count(), 1);
    let is_hidden = |c: char| (c.is_control() && !"\n\t".contains(c)) || c == '\u{202e}';
    prop_assert!(!whole.contains(is_hidden));
    Ok(parsed)
}

const KNOWN: &[&str] = &[
    "html", "head", "meta", "title", "style", "body", "a", "header", "h1", "h2", "h3", "p", "nav",
    "details", "summary", "ul", "li", "b", "i", "del", "ins", "main", "div", "button", "span",
    "input", "kbd", "label", "option", "section", "select", "small", "table", "tbody", "tr", "td",
    "script",
];

/// Paragraphs in some order, some lines edited: moves and copies are common.
fn text() -> impl Strategy<Value = String> {
    let paragraph = (0..6_usize, prop::option::of(0..4_usize)).prop_map(|(which, edit)| {
        let line = |at: usize| {
            let word = if edit == Some(at) { "edited" } else { "stays" };
            format!("\tthe <{which}> paragraph's \"line\" {word} & is ü {at} \n")
        };
        (0..4).map(line).collect::<String>()
    });
    let small = "[ab]\n".prop_map(String::from);
    let run = (2..30_usize).prop_map(|n| {
        let lines: Vec<String> = (0..n).map(|i| format!("run {i}\n")).collect();
        lines.concat()
    });
    let end = prop_oneof![2 => Just(""), 1 => Just("no end")];
    let parts = prop::collection::vec(prop_oneof![2 => paragraph, 1 => small, 1 => run], 0..8);
    (parts, end).prop_map(|(parts, end)| parts.concat() + end)
}

/// Text that would like to be something else.
fn hostile() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "</table></main>",
        "<!--",
        "]]>",
        "\"",
        "'",
        "&lt;",
        "&#x202e;",
        "\u{202e}",
        "\u{2066}",
        "\0",
        "\u{1b}[31m",
        "\r",
        "\n",
        "x",
        " onclick=alert(1) ",
        "\u{ffff}",
    ]);
    prop::collection::vec(parts, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn every_line_stands_once_in_its_pane(old in text(), new in text(), context in 0..4_u32) {
        let options = PageOptions { context, ..PageOptions::default() };
        let (whole, left_out) = made(&names(), [&old, &new], &options);
        prop_assert_eq!(left_out, None);
        let parsed = check(&whole)?;
        for (side, text) in [old, new].iter().enumerate() {
            let lines = text.lines().map(str::to_owned);
            let wanted: Vec<(usize, String)> = (1..).zip(lines).collect();
            prop_assert_eq!(pane(&parsed, side), wanted, "side {}", side);
        }
    }

    #[test]
    fn text_is_never_markup(old in hostile(), new in hostile(), name in hostile()) {
        let names = Names { old: name.clone(), new: format!("{name}.new") };
        let (whole, _) = made(&names, [&old, &new], &PageOptions::default());
        check(&whole)?;
    }

    #[test]
    fn the_same_texts_make_the_same_page(old in text(), new in text()) {
        let make = || made(&names(), [&old, &new], &PageOptions::default()).0;
        prop_assert_eq!(make(), make());
    }

    #[test]
    fn what_does_not_fit_is_left_out_and_links_still_lead_somewhere(
        old in text(), new in text(), more in 0..20_000_u64
    ) {
        let least = made(&names(), ["", ""], &PageOptions::default()).0.len() as u64;
        let limit = least + more;
        let options = PageOptions { limit: Some(limit), ..PageOptions::default() };
        let (whole, left_out) = made(&names(), [&old, &new], &options);
        let parsed = check(&whole)?;
        let notices = parsed.select(&select(".cut")).count();
        prop_assert_eq!(notices > 0, left_out.is_some());
        if let Some(left_out) = left_out {
            prop_assert!(text_of(parsed.root_element()).contains(&left_out));
        }
    }
}

/// Lines as programs have them, each another.
fn program(lines: usize) -> Vec<String> {
    (0..lines)
        .map(|i| {
            format!(
                "    total_{i} = price_of(item_{i}, {}) + tax\n",
                i * 37 % 101
            )
        })
        .collect()
}

/// A thousand lines, three blocks of them elsewhere, one edited on the way.
fn thousand() -> [String; 2] {
    let old = program(1000);
    let mut new = old.clone();
    for (from, to) in [(100, 700), (400, 50), (900, 300)] {
        let block: Vec<String> = new.drain(from..from + 20).collect();
        new.splice(to..to, block);
    }
    new[310] = new[310].replace("tax", "tax_rate");
    new[600] = new[600].replace("price_of", "cost_of");
    [old.concat(), new.concat()]
}

#[test]
fn a_thousand_lines_with_three_moves_take_at_most_200_kb() {
    let [old, new] = thousand();
    let (whole, _) = made(&names(), [&old, &new], &PageOptions::default());
    let parsed = check(&whole).unwrap();
    assert_eq!(parsed.select(&select("li[data-m]")).count(), 3);
    assert!(whole.len() <= 200_000, "{} bytes", whole.len());
}

#[test]
fn folded_runs_are_left_out_before_changes_are() {
    let [old, new] = thousand();
    let make = |limit| {
        let options = PageOptions {
            limit: Some(limit),
            ..PageOptions::default()
        };
        let (whole, left_out) = made(&names(), [&old, &new], &options);
        assert!(whole.len() as u64 <= limit, "{} of {limit}", whole.len());
        let parsed = check(&whole).unwrap();
        (parsed, left_out.expect("it does not fit"))
    };
    let (parsed, said) = make(100_000);
    assert!(
        said.contains("folded run") && !said.contains("changes among them"),
        "{said}"
    );
    let edited = |parsed: &Html| parsed.select(&select("tr.e, tr.z")).count();
    assert_eq!(edited(&parsed), 3);
    let (parsed, said) = make(45_000);
    assert!(said.contains("changes among them"), "{said}");
    assert!(edited(&parsed) < 3);
    assert_eq!(parsed.select(&select("li[data-m]")).count(), 3);
}

#[test]
fn large_pages_are_laid_out_in_groups() {
    let old = program(6000);
    let new: Vec<String> = old.iter().map(|line| line.replace("tax", "vat")).collect();
    let texts = [old.concat(), new.concat()];
    let (whole, _) = made(&names(), [&texts[0], &texts[1]], &PageOptions::default());
    let parsed = check(&whole).unwrap();
    assert_eq!(parsed.select(&select("div.c")).count(), 60);
    assert_eq!(pane(&parsed, 1).len(), 6000);
}

#[test]
fn several_comparisons_share_a_page() {
    let [old, new] = thousand();
    let report = diff_lines(old.as_bytes(), new.as_bytes(), &mvdiff_text::options()).unwrap();
    let lines = [&old, &new].map(|text| Lines::new(text.as_bytes()).unwrap());
    let view = View::of_lines(&names(), (&lines[0], &lines[1]), &report);
    let mut out = Vec::new();
    page(&mut out, &[view.clone(), view], &PageOptions::default()).unwrap();
    let parsed = check(std::str::from_utf8(&out).unwrap()).unwrap();
    assert_eq!(parsed.select(&select("section.set")).count(), 2);
    let ids: HashSet<_> = parsed
        .select(&select("li[data-m]"))
        .filter_map(|entry| entry.value().attr("data-m"))
        .collect();
    assert_eq!(ids.len(), 6);
}

#[test]
fn bytes_that_are_no_text_and_windows_line_ends_are_shown_as_such() {
    let lines = [b"a\xff\r\nb\r\n".as_slice(), b"a\xff\r\nc\r\n"];
    let report = diff_lines(lines[0], lines[1], &mvdiff_text::options()).unwrap();
    let lines = lines.map(|text| Lines::new(text).unwrap());
    let view = View::of_lines(&names(), (&lines[0], &lines[1]), &report);
    let mut out = Vec::new();
    page(&mut out, &[view], &PageOptions::default()).unwrap();
    let parsed = check(std::str::from_utf8(&out).unwrap()).unwrap();
    assert_eq!(
        pane(&parsed, 1),
        [(1, "a\\xff".to_owned()), (2, "c".to_owned())]
    );
}

/// A page about a view of nothing, to which something was added.
fn about(change: impl FnOnce(&mut View<'_>)) -> Html {
    let mut view = View::default();
    change(&mut view);
    let mut out = Vec::new();
    page(&mut out, &[view], &PageOptions::default()).expect("memory takes every byte");
    check(std::str::from_utf8(&out).expect("a page is UTF-8")).expect("the laws hold")
}

#[test]
fn many_notes_are_folded_but_for_those_that_nobody_should_miss() {
    let make = |count: usize| {
        about(|view| {
            let note = |at: usize| Remark {
                text: format!("remark {at}"),
                is_weighty: at + 1 == count,
            };
            view.notes = (0..count).map(note).collect();
        })
    };
    let few = make(3);
    assert_eq!(few.select(&select(".note")).count(), 3);
    assert_eq!(few.select(&select(".notes")).count(), 0);
    let many = make(19);
    assert_eq!(texts(&many, "header > .note"), ["Note: remark 18"]);
    let fold = many.select(&select("details.notes")).next().unwrap();
    assert_eq!(fold.value().attr("open"), None);
    assert_eq!(fold.select(&select(".note")).count(), 18);
    let summary = fold.select(&select("summary")).next().unwrap();
    assert_eq!(text_of(summary), "18 notes");
}

#[test]
fn names_show_what_cannot_be_seen_in_them() {
    let names = Names {
        old: "a\nb\tc".into(),
        new: "\\u{a}\u{202e}".into(),
    };
    let (whole, _) = made(&names, ["a\n", "\u{7}\\u{7}\n"], &PageOptions::default());
    let parsed = check(&whole).unwrap();
    let one = |css: &str| parsed.select(&select(css)).next().unwrap();
    let shown = "a\\u{a}b\\tc → \\u{a}\\u{202e}";
    assert_eq!(text_of(one("title")), shown);
    assert_eq!(text_of(one("h1")), shown);
    assert!(text_of(one("h2")).starts_with(shown));
    assert!(text_of(one(".panes")).contains("old a\\u{a}b\\tc"));
    // What was written out differs from what reads the same.
    assert_eq!(texts(&parsed, "h1 .h"), ["\\u{a}", "\\t", "\\u{202e}"]);
    assert_eq!(texts(&parsed, "td .h"), ["\\u{7}"]);
}

#[test]
fn a_line_that_did_not_follow_its_block_is_said_to() {
    let block = |indent: &str| {
        let lines = (0..8).map(|i| match i {
            4 => "    label_of_all_steps = here\n".to_owned(),
            i => format!("{indent}    step_{i} = compute(value_{i}, {})\n", i * 37),
        });
        lines.collect::<String>()
    };
    let rest = program(20).concat();
    let made = |old: String, new: String| {
        let (whole, _) = made(&names(), [&old, &new], &PageOptions::default());
        texts(&check(&whole).unwrap(), "td > i")
    };
    let (out, inside) = (block("") + &rest, rest.clone() + &block("  "));
    assert_eq!(made(out, inside), ["not indented with its block"; 2]);
    let (inside, out) = (block("  ") + &rest, rest.clone() + &block(""));
    assert_eq!(made(inside, out), ["not dedented with its block"; 2]);
}
