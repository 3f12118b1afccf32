//! Workbooks among other files: in the diff of a repository, and in trees.

use super::{prices, xlsx};
use crate::support::{Ran, Repo};

const MOVED: &str = "    moved    rows 5-8 → 13-16 ";
const EDITED: &str = "edited   C14   42 → 43";

fn changed() -> Repo {
    let repo = Repo::new();
    let [old, new] = prices::workbooks().unwrap();
    repo.write("prices.xlsx", old);
    repo.write("notes.bin", b"a\0b");
    repo.commit(&[("a.txt", "one\n")]);
    repo.write("prices.xlsx", new);
    repo.write("notes.bin", b"a\0c");
    repo.write("a.txt", "two\n");
    repo
}

fn run(repo: &Repo, args: &[&str]) -> Ran {
    let ran = repo.run(&repo.path(""), args, b"", &[]);
    assert!(ran.code < 2, "{args:?}: {}", ran.err);
    ran
}

#[track_caller]
fn shows_cells(ran: &Ran) {
    let text = ran.text();
    assert!(text.contains("prices.xlsx  workbook\n"), "{text}");
    assert!(text.contains(MOVED) && text.contains(EDITED), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn a_change_shows_the_cells_of_its_workbooks() {
    let repo = changed();
    let reading = ["git", "--format=terminal"];
    let ran = run(&repo, &reading);
    shows_cells(&ran);
    assert!(ran.text().contains("notes.bin  binary\n"), "{}", ran.text());
    // From the index, and where the patch leaves white space out.
    repo.git(&["add", "--all"]);
    shows_cells(&run(&repo, &["git", "--format=terminal", "--staged"]));
    shows_cells(&run(&repo, &["git", "--format=terminal", "--staged", "-w"]));
    repo.commit(&[]);
    shows_cells(&run(&repo, &["git", "show", "--format=terminal"]));
    shows_cells(&run(&repo, &["git", "log", "-n1", "--format=terminal"]));
    let back = run(&repo, &["git", "--format=terminal", "-R", "HEAD~1", "HEAD"]);
    assert!(back.text().contains("43 → 42"), "{}", back.text());
}

#[test]
fn what_is_piped_in_shows_cells_too() {
    let repo = changed();
    for args in [
        &["diff"][..],
        &["diff", "--color=always"],
        &["diff", "--full-index"],
    ] {
        let patch = repo.git(args);
        let ran = repo.run(&repo.path(""), &["--color=never"], &patch, &[]);
        shows_cells(&ran);
    }
    // Bytes that are not those of the patch are not shown for them.
    let patch = repo.git(&["diff"]);
    repo.write("prices.xlsx", xlsx(&[("Other", &["1|2"])]));
    let ran = repo.run(&repo.path(""), &["--color=never"], &patch, &[]);
    assert!(
        ran.text().contains("prices.xlsx  binary\n"),
        "{}",
        ran.text()
    );
}

#[test]
fn a_new_workbook_and_one_that_is_gone() {
    let repo = changed();
    repo.commit(&[]);
    repo.git(&["mv", "prices.xlsx", "moved.xlsx"]);
    repo.write("new.xlsx", xlsx(&[("Fresh", &["1|2", "3|4"])]));
    repo.git(&["add", "--all"]);
    let ran = run(&repo, &["git", "--format=terminal", "--staged"]);
    assert!(
        ran.text().contains("new.xlsx  new  workbook\n"),
        "{}",
        ran.text()
    );
    assert!(ran.text().contains("Sheet Fresh"), "{}", ran.text());
    repo.git(&["rm", "--quiet", "-f", "moved.xlsx"]);
    let ran = run(&repo, &["git", "--format=terminal", "HEAD"]);
    assert!(
        ran.text().contains("prices.xlsx  deleted  workbook\n"),
        "{}",
        ran.text()
    );
}

#[test]
fn a_damaged_workbook_is_said_to_be_one() {
    let repo = changed();
    repo.write("prices.xlsx", b"PK\x03\x04 xl/workbook.xml \0");
    let ran = run(&repo, &["git", "--format=terminal"]);
    assert!(
        ran.text().contains("  cannot be read as a workbook: "),
        "{}",
        ran.text()
    );
}

#[test]
fn trees_show_the_cells_of_their_workbooks() {
    let repo = Repo::none();
    let [old, new] = prices::workbooks().unwrap();
    repo.write("a/sub/prices.xlsx", old);
    repo.write("b/sub/prices.xlsx", new);
    repo.write("a/text", "one\n");
    repo.write("b/text", "two\n");
    let ran = run(&repo, &["diff", "--format=terminal", "a", "b"]);
    shows_cells(&ran);
    assert_eq!((ran.code, &ran.err[..]), (1, ""));
    let page = run(&repo, &["diff", "--format=html", "a", "b"]);
    assert!(page.text().contains("rows 5-8 → 13-16"));
    let report = run(&repo, &["diff", "--format=json", "a", "b"]);
    let report: serde_json::Value = serde_json::from_slice(&report.out).unwrap();
    super::schema::is_valid("tree.json", &report);
    let books = report["workbooks"].as_array().unwrap();
    assert_eq!(books.len(), 1);
    assert_eq!(books[0]["new"], "sub/prices.xlsx");
    super::schema::is_valid("workbook.json", &books[0]["report"]);
    // A patch cannot hold it, and says how to see it.
    let patch = run(&repo, &["diff", "--format=unified", "a", "b"]);
    assert!(patch.err.contains("compares its cells"), "{}", patch.err);
}

#[test]
fn programs_get_the_reports_of_workbooks() {
    let repo = changed();
    let report = run(&repo, &["git", "--format=json"]).json();
    super::schema::is_valid("effective.json", &report);
    let books = report["workbooks"].as_array().unwrap();
    assert_eq!(books.len(), 1);
    assert_eq!(books[0]["old"], "prices.xlsx");
    assert_eq!(books[0]["new"], "prices.xlsx");
    super::schema::is_valid("workbook.json", &books[0]["report"]);
    let page = run(&repo, &["git", "--format=html"]);
    assert!(
        page.text().contains("<pre class=\"inside\">"),
        "no cells on the page"
    );
}

#[test]
fn submodules_say_which_commits_they_went_over() {
    let inner = Repo::of(&[("lib.txt", "one\n")]);
    let repo = Repo::of(&[("a.txt", "one\n")]);
    let from = inner.path("").display().to_string();
    let allow = ["-c", "protocol.file.allow=always"];
    repo.git(&[&allow[..], &["submodule", "--quiet", "add", &from, "sub"]].concat());
    repo.commit(&[]);
    let below = repo.path("sub");
    let git_below = |args: &[&str]| {
        let output = repo
            .git_command()
            .current_dir(&below)
            .args(args)
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    git_below(&["commit", "--quiet", "--allow-empty", "-m", "A second one"]);
    git_below(&["commit", "--quiet", "--allow-empty", "-m", "A third one"]);
    let ran = run(&repo, &["git", "--format=terminal"]);
    let text = ran.text();
    assert!(text.contains("sub  submodule\n"), "{text}");
    assert!(text.contains("-Subproject commit "), "{text}");
    let said = text
        .lines()
        .filter(|line| line.starts_with("  > "))
        .collect::<Vec<_>>();
    assert_eq!(said.len(), 2, "{text}");
    assert!(
        said[0].ends_with("A third one") && said[1].ends_with("A second one"),
        "{text}"
    );
    // Back again, and as git lists them.
    let back = run(&repo, &["git", "--format=terminal", "-R"]);
    assert_eq!(back.text().matches("\n  < ").count(), 2, "{}", back.text());
    let gits = repo.git(&["diff", "--submodule=log"]);
    let gits = String::from_utf8_lossy(&gits).into_owned();
    for line in gits.lines().filter_map(|line| line.strip_prefix("  > ")) {
        assert!(text.contains(line), "{gits}{text}");
    }
}

/// A workbook of which only a comment is new.
fn commented() -> Repo {
    let repo = Repo::new();
    let book = |comment: Option<&str>| {
        let mut book = rust_xlsxwriter::Workbook::new();
        let sheet = book.add_worksheet();
        sheet.write(0, 0, "price").unwrap();
        if let Some(comment) = comment {
            let note = rust_xlsxwriter::Note::new(comment);
            sheet.insert_note(0, 0, &note).unwrap();
        }
        book.save_to_buffer().unwrap()
    };
    repo.write("book.xlsx", book(None));
    repo.commit(&[]);
    repo.write("book.xlsx", book(Some("net or gross?")));
    repo
}

#[test]
fn more_than_cells_is_compared_inside_of_a_change() {
    let repo = commented();
    let asked = run(&repo, &["git", "--format=terminal"]);
    assert!(asked.text().contains("net or gross?"), "{}", asked.text());
    assert!(!asked.text().contains("Nothing moved"), "{}", asked.text());
    let piped = repo.run(
        &repo.path(""),
        &["--color=never"],
        &repo.git(&["diff"]),
        &[],
    );
    assert!(piped.text().contains("net or gross?"), "{}", piped.text());
}

#[test]
fn more_than_cells_is_compared_for_gits_driver() {
    let repo = commented();
    let driver = format!("diff.external={}", env!("CARGO_BIN_EXE_mvdiff"));
    for is_paged in [false, true] {
        let mut git = repo.git_command();
        if is_paged {
            git.env("GIT_PAGER_IN_USE", "1");
        }
        let shown = Ran::of(git.args(["-c", &driver, "diff"]).output().unwrap());
        assert!(shown.text().contains("net or gross?"), "{}", shown.text());
        assert!(!shown.text().contains("unchanged"), "{}", shown.text());
    }
}
