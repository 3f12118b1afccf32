//! The page and the tests for CI servers.

use super::fixtures;
use crate::support::Repo;

/// Rows with everything that could be mistaken for markup, or worse.
const NASTY: &str = r#"{"family":"<b>","name":"a\"b'&<script>alert(1)</script>","base":"x","a":"<img src=x onerror=alert(1)>","b":"</pre><script>alert(2)</script>\u001b[31m\u202e"}
{"family":"<b>","name":"fine","base":"x","a":"y","b":"y","why":"<i>because</i>"}
{"family":"<b>","name":"gap","base":"x","a":"y","b":"z","known_gap":true}
{"family":"<b>","name":"late","error":"no such file\u0007 <here>"}
"#;

fn written(rows: &str, more: &[&str]) -> (Repo, String, String) {
    let dir = Repo::none();
    dir.write("rows.jsonl", rows);
    let args = [
        &[
            "rows.jsonl",
            "--report",
            "page.html",
            "--junit",
            "junit.xml",
        ],
        more,
    ]
    .concat();
    let ran = dir.eval(&args);
    assert_eq!((ran.code, &ran.err[..]), (1, ""), "{}", ran.text());
    let read = |name: &str| std::fs::read_to_string(dir.path(name)).unwrap();
    let (page, junit) = (read("page.html"), read("junit.xml"));
    (dir, page, junit)
}

#[test]
fn the_page_stands_alone_and_runs_nothing_but_its_own_script() {
    let (_dir, page, _) = written(NASTY, &["--fail-case-under", "0.5"]);
    assert!(page.contains("default-src 'none'; style-src 'sha256-"));
    assert!(!page.contains("'unsafe-inline'"));
    assert_eq!(page.matches("<script").count(), 1);
    for markup in [
        "<img", "<i>", "<b>\"", "</pre><s", "http:", "https:", "src=\"", "href", "\u{1b}",
        "\u{202e}",
    ] {
        assert!(!page.contains(markup), "{markup}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    // As many ends as beginnings.
    for tag in [
        "details", "div", "pre", "mark", "table", "tr", "p", "h2", "h3", "ul", "li",
    ] {
        let opened =
            page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn the_worst_case_comes_first_with_its_three_texts() {
    let rows = "{\"name\":\"middling\",\"base\":\"x\",\"a\":\"abcd\",\"b\":\"abcx\"}\n\
                {\"name\":\"worst\",\"base\":\"was there\",\"a\":\"was wanted\",\"b\":\"\"}\n\
                {\"name\":\"whole\",\"base\":\"x\",\"a\":\"y\",\"b\":\"y\"}\n";
    let (_dir, page, _) = written(rows, &["--fail-under", "1"]);
    let at = |what: &str| page.find(what).unwrap_or_else(|| panic!("{what}"));
    assert!(
        at("results/worst") < at("results/middling")
            && at("results/middling") < at("results/whole")
    );
    assert!(at("<h3>before</h3><pre>was there") < at("<mark class=\"lost\">was wanted</mark>"));
    assert!(page.contains("Gate missed."));
}

#[test]
fn ci_servers_can_read_the_tests() {
    let (_dir, _, junit) = written(NASTY, &["--fail-case-under", "0.5"]);
    let document = roxmltree::Document::parse(&junit).unwrap();
    let suites = document.root_element();
    assert_eq!(suites.tag_name().name(), "testsuites");
    let all: Vec<_> = suites
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
        .collect();
    let named = |name: &str| {
        *all.iter()
            .find(|node| node.attribute("name") == Some(name))
            .unwrap()
    };
    assert_eq!(all.len(), 6); // four cases and two checks
    assert!(
        named("gap")
            .children()
            .any(|node| node.has_tag_name("skipped"))
    );
    assert!(
        named("fine")
            .children()
            .any(|node| node.has_tag_name("system-out"))
    );
    let late = named("late")
        .children()
        .find(|node| node.has_tag_name("error"))
        .unwrap();
    assert_eq!(late.attribute("message"), Some("no such file\\u{7} <here>"));
    assert!(
        named("case")
            .children()
            .any(|node| node.has_tag_name("failure"))
    );
    let nasty = all[0].attribute("name").unwrap();
    assert_eq!(nasty, "a\"b'&<script>alert(1)</script>");
    let suite = suites.first_element_child().unwrap();
    let count = |name: &str| suite.attribute(name).unwrap().parse::<usize>().unwrap();
    assert_eq!(
        (count("tests"), count("errors"), count("skipped")),
        (4, 1, 1)
    );
}

#[test]
fn the_pages_of_the_fixtures_are_the_same_every_time() {
    let dir = Repo::none();
    let page = || {
        let path = dir.path("page.html");
        let ran = fixtures(&["--report", path.to_str().unwrap()]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        std::fs::read(path).unwrap()
    };
    assert_eq!(page(), page());
}
