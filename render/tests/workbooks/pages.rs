//! Laws of workbook pages, over all fixtures and both ways.

use mvdiff_grid::{
    Address, Area, Grid, Options, ReadOptions, Sheet, Value, Visibility, Workbook, diff_workbooks,
    open_workbook,
};
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

/// What is between these in the page, each time.
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

/// The one page of these workbooks, which have a sheet of these rows each.
fn page_of(rows: [&[&[Value<&str>]]; 2], change: impl Fn(usize, &mut Sheet)) -> String {
    let mut side = 0;
    let [old, new] = rows.map(|rows| {
        let rows: Vec<Vec<Value<&str>>> = rows.iter().map(|row| row.to_vec()).collect();
        let mut sheet = Sheet::new("Data", Grid::from_rows(rows));
        change(side, &mut sheet);
        side += 1;
        Workbook {
            sheets: vec![sheet],
            ..Workbook::default()
        }
    });
    page(&old, &new, 1 << 30)
}

#[test]
fn regions_that_were_merged_are_marked_and_linked() {
    let rows: &[&[Value<&str>]] = &[&[Value::Text("a")], &[Value::Text("foot")]];
    let merged = Area {
        first: Address::new(1, 0),
        last: Address::new(1, 4),
    };
    let told = |when: usize| {
        page_of([rows, rows], |side, sheet| {
            if side == when {
                sheet.merges.push(merged);
            }
        })
    };
    let page = told(1);
    assert!(
        page.contains("foot <small>merged A2:E2</small></td>"),
        "{page}"
    );
    assert!(
        page.contains("<a href=\"#s1-1\">merged A2:E2</a>"),
        "{page}"
    );
    let page = told(0);
    assert!(
        page.contains("foot <small>was merged A2:E2</small></td>"),
        "{page}"
    );
    assert!(
        page.contains("<a href=\"#s1-1\">unmerged A2:E2</a>"),
        "{page}"
    );
}

#[test]
fn hidden_sheets_are_called_hidden() {
    let rows: [&[&[Value<&str>]]; 2] = [&[&[Value::Text("a")]], &[&[Value::Text("b")]]];
    let page = page_of(rows, |_, sheet| sheet.visibility = Visibility::Hidden);
    assert!(page.contains("Data <small>hidden</small><span"), "{page}");
    assert!(page.contains("1 × 1, hidden</span></h2>"), "{page}");
}

#[test]
fn formulas_without_values_are_shown_themselves() {
    let book = |times: u32| {
        let mut book = rust_xlsxwriter::Workbook::new();
        let sheet = book.add_worksheet();
        sheet.set_formula_result_default("");
        for row in 0..4 {
            sheet.write_number(row, 0, row).unwrap();
            let times = if row == 2 { times } else { 1 };
            let formula = format!("=A{}*{times}", row + 1);
            sheet.write_formula(row, 1, formula.as_str()).unwrap();
        }
        let bytes = book.save_to_buffer().unwrap();
        mvdiff_grid::read_workbook(&bytes, None, &ReadOptions::default()).unwrap()
    };
    let page = page(&book(1), &book(2), 1 << 30);
    let shown = "<i class=\"u\" title=\"no stored value\">=A1*1</i>";
    assert!(page.contains(shown), "{page}");
    assert!(page.contains("=A3*<mark>2</mark></ins></td>"), "{page}");
    assert!(!page.contains("comes to"));
}

#[test]
fn rows_of_a_moved_rectangle_say_so() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/grid/rect_moved");
    let read = |name: &str| open_workbook(folder.join(name), &ReadOptions::default()).unwrap();
    let page = page(&read("old.xlsx"), &read("new.xlsx"), 1 << 30);
    let rows = all(&page, "<tr", "</tr>").filter(|row| row.contains("<td class=\"m"));
    let rows: Vec<&str> = rows.collect();
    assert!(rows.len() > 1);
    for row in rows {
        assert!(row.contains("<span class=\"s\">M1</span>"), "{row}");
    }
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
        let alone = [
            "tab-mark added",
            "tab-mark removed",
            "the page reached its limit",
        ];
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
