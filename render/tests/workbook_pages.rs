//! Laws of workbook pages, over all fixtures and both ways.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

use mvdiff_grid::{Options, ReadOptions, Workbook, diff_workbooks, open_workbook};
use mvdiff_render::WorkbookView;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn page(old: &Workbook, new: &Workbook, limit: u64) -> String {
    let report = diff_workbooks(old, new, &Options::default()).unwrap();
    let view = WorkbookView::new(("old.xlsx", "new.xlsx"), old, new, &report).unwrap();
    let mut bytes = Vec::new();
    view.write_html(&mut bytes, limit).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Calls `check` with every page, in full and cut short.
fn every_page(check: impl Fn(&str, &str)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/grid");
    let folders = std::fs::read_dir(folder).unwrap();
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.unwrap().path()).collect();
    folders.retain(|path| path.join("old.xlsx").exists());
    folders.sort();
    assert!(folders.len() > 90, "{}", folders.len());
    for path in folders {
        let read = |name: &str| open_workbook(path.join(name), &ReadOptions::default()).unwrap();
        let (old, new) = (read("old.xlsx"), read("new.xlsx"));
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for limit in [1 << 30, 3_000] {
            check(&name, &page(&old, &new, limit));
            check(&name, &page(&new, &old, limit));
        }
    }
}

/// What stands between these in the page, each time.
fn all<'p>(page: &'p str, begin: &'p str, end: &'p str) -> impl Iterator<Item = &'p str> {
    let parts = page.split(begin).skip(1);
    parts.filter_map(move |part| part.split(end).next())
}

#[test]
fn every_link_leads_to_one_place() {
    every_page(|name, page| {
        let ids: Vec<&str> = all(page, " id=\"", "\"").collect();
        let distinct: HashSet<&&str> = ids.iter().collect();
        assert_eq!(ids.len(), distinct.len(), "{name}: an id is there twice");
        for link in all(page, "href=\"#", "\"") {
            assert!(distinct.contains(&link), "{name}: #{link} leads nowhere");
        }
    });
}

#[test]
fn every_row_has_as_many_cells_as_there_are_columns() {
    every_page(|name, page| {
        for table in all(page, "<table>", "</table>") {
            let widths: HashSet<usize> = all(table, "<tr", "</tr>")
                .map(|row| {
                    let cells = row.matches("<td").count() + row.matches("<th").count();
                    let spans = all(row, "colspan=\"", "\"");
                    cells
                        + spans
                            .map(|span| span.parse::<usize>().unwrap() - 1)
                            .sum::<usize>()
                })
                .collect();
            assert_eq!(widths.len(), 1, "{name}: {widths:?}");
        }
    });
}

/// How many of something the sentence counts: `2` of `2 rows added`.
fn counted(summary: &str, what: [&str; 2]) -> usize {
    let parts = summary.split([',', ';']).map(str::trim);
    let found = parts.filter_map(|part| {
        let (count, rest) = part.split_once(' ')?;
        let mine = what.iter().any(|what| rest.starts_with(what));
        mine.then(|| count.parse::<usize>().ok()).flatten()
    });
    found.sum()
}

#[test]
fn as_much_is_marked_as_happened() {
    every_page(|name, page| {
        let summary = all(page, "<p class=\"summary\">", "</p>").next().unwrap();
        // Rows of whole sheets are not counted one by one.
        let alone = ["tab-mark added", "tab-mark removed", "the page is full"];
        if alone.iter().any(|mark| page.contains(mark)) {
            return;
        }
        let added = page.matches("<tr class=\"a\"").count();
        let removed = page.matches("<tr class=\"d\"").count();
        assert_eq!(
            added,
            counted(summary, ["row added", "rows added"]),
            "{name}: {summary}"
        );
        assert_eq!(
            removed,
            counted(summary, ["row removed", "rows removed"]),
            "{name}: {summary}"
        );
        let edited = all(page, "<td class=\"e", "\"").count();
        assert_eq!(edited, counted(summary, ["edit"; 2]), "{name}: {summary}");
    });
}
