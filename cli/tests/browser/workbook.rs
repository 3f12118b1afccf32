//! The page of two workbooks.

use crate::driver::{Browser, Window};
use assert_cmd::cargo::cargo_bin_cmd;
use rust_xlsxwriter::{Formula, Workbook};
use std::path::{Path, PathBuf};

/// A sheet whose name would like to be markup.
const NAME: &str = "<img src=x onerror=bad()>";

/// Ids of the rows: 30 that stay, four of them moved, one came, one went.
fn ids(new: bool) -> Vec<u32> {
    let mut ids: Vec<u32> = (1..=60).collect();
    if new {
        let block: Vec<u32> = ids.drain(4..8).collect();
        ids.splice(16..16, block);
        ids.retain(|id| *id != 30);
        ids.insert(40, 99);
    }
    ids
}

fn book(new: bool) -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet().set_name(NAME).expect("a name");
    for (col, text) in (0..).zip(["id", "name", "price", "twice"]) {
        sheet.write_string(0, col, text).expect("a head");
    }
    for (row, id) in (1..).zip(ids(new)) {
        let name = match (id, new) {
            (12, _) => "<script>bad()</script>".to_owned(),
            (13, _) => "\u{202e}turned".to_owned(),
            (6, false) => "birch of the north".to_owned(),
            (6, true) => "birch of the south".to_owned(),
            _ => format!("wood {}", id * 7919 % 1000),
        };
        sheet.write_number(row, 0, id).expect("an id");
        sheet.write_string(row, 1, name).expect("a name");
        sheet.write_number(row, 2, id * 3).expect("a price");
        let twice = Formula::new(format!("=C{}*2", row + 1)).set_result((id * 6).to_string());
        sheet.write_formula(row, 3, twice).expect("a formula");
    }
    let other = book.add_worksheet().set_name("Notes").expect("a name");
    other.write_string(0, 0, "note").expect("a text");
    if new {
        other.write_string(1, 0, "another").expect("a text");
    }
    book.save_to_buffer().expect("a workbook")
}

fn page(folder: &Path) -> PathBuf {
    let page = folder.join("page.html");
    for (name, new) in [("old.xlsx", false), ("new.xlsx", true)] {
        std::fs::write(folder.join(name), book(new)).expect("the folder is ours");
    }
    let mut command = cargo_bin_cmd!("mvdiff");
    command.current_dir(folder);
    command.args(["diff", "--format", "html", "-o", "page.html"]);
    command.args(["old.xlsx", "new.xlsx"]).assert().code(1);
    page
}

/// A page that is open.
fn opened(window: Window) -> (Browser, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let browser = Browser::start(window);
    browser.open(&page(folder.path()));
    (browser, folder)
}

/// How many elements are seen.
fn seen(browser: &Browser, css: &str) -> u64 {
    let script = format!(
        "return [...document.querySelectorAll({css:?})].filter(e => e.checkVisibility()).length"
    );
    browser.run(&script).as_u64().expect("a count")
}

#[test]
fn it_loads_nothing_runs_nothing_and_can_be_read_by_all() {
    for dark in [false, true] {
        let (browser, _folder) = opened(Window {
            dark,
            ..Window::default()
        });
        assert_eq!(browser.run("return document.images.length"), 0);
        assert_eq!(browser.run("return document.scripts.length"), 1);
        let text = browser.run("return document.querySelector('#s1 table').textContent");
        let text = text.as_str().expect("text");
        assert!(text.contains("<script>bad()</script>"));
        assert!(text.contains("\\u{202e}turned") && !text.contains('\u{202e}'));
        assert_eq!(browser.barriers(), [""; 0], "dark: {dark}");
        // With everything open, too.
        browser.run("document.querySelectorAll('details').forEach(d => d.open = true); document.querySelectorAll('.fold input').forEach(i => i.checked = true)");
        browser.hover("[data-m]");
        assert_eq!(browser.barriers(), [""; 0], "dark: {dark}, all open");
        assert_eq!(browser.complaints(), [""; 0]);
        let asked = browser.requests();
        assert!(
            asked.len() == 1 && asked[0].starts_with("file://"),
            "{asked:?}"
        );
    }
}

#[test]
fn it_reads_without_scripts() {
    // Nothing can be asked of such a page but how it looks, so the script is taken out.
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(folder.path());
    let html = std::fs::read_to_string(&page).expect("the page");
    let start = html.find("<script>\n").expect("a script");
    let end = html.rfind("</script>").expect("its end");
    std::fs::write(&page, [&html[..start], &html[end + 9..]].concat()).expect("the page");
    let browser = Browser::start(Window::default());
    browser.open(&page);
    assert_eq!(seen(&browser, "section.sheet"), 2);
    assert_eq!(seen(&browser, ".needs-script button"), 0);
    let before = seen(&browser, "#s1 tbody tr");
    browser.click(".fold input");
    assert!(seen(&browser, "#s1 tbody tr") > before + 2);
    assert_eq!(seen(&browser, ".f"), 0);
    browser.click("#formulas");
    assert!(seen(&browser, ".f") > 10);
    assert_eq!(seen(&browser, ".v"), 0);
    assert_eq!(browser.barriers(), [""; 0]);
}

#[test]
fn tabs_are_changed_by_mouse_and_keys() {
    let (browser, _folder) = opened(Window::default());
    let open = |browser: &Browser| {
        let script = "return [...document.querySelectorAll('.sheet')].filter(e => e.checkVisibility()).map(e => e.id).join()";
        browser.run(script).as_str().expect("ids").to_owned()
    };
    assert_eq!(open(&browser), "s1");
    browser.click("#t2");
    assert_eq!(open(&browser), "s2");
    assert_eq!(
        browser.run("return document.querySelector('#t2').getAttribute('aria-selected')"),
        "true"
    );
    browser.run("document.querySelector('#t2').focus()");
    browser.press("\u{e014}"); // the right arrow
    assert_eq!(open(&browser), "s1");
    assert_eq!(browser.run("return document.activeElement.id"), "t1");
    // A link leads into the other sheet.
    browser.run("location.hash = '#s2-1'");
    browser.settle();
    assert_eq!(open(&browser), "s2");
}

#[test]
fn filters_hide_what_nobody_asked_for() {
    let (browser, _folder) = opened(Window::default());
    assert_eq!(seen(&browser, "#s1 tr.d"), 1);
    browser.click("[data-filter=removed]");
    assert_eq!(seen(&browser, "#s1 tr.d"), 0);
    assert_eq!(seen(&browser, "#s1 .list .k-removed"), 0);
    // What is hidden leaves a line, and the heading says how much is shown.
    let text = |css: &str| {
        let script = format!("return document.querySelector({css:?}).textContent");
        browser.run(&script).as_str().expect("text").to_owned()
    };
    assert_eq!(text("#s1 .hid"), "… 1 row hidden by filter");
    let listed = seen(&browser, "#s1 .list li");
    assert!(text("#s1 .list summary").ends_with(&format!(", {listed} shown")));
    assert_eq!(seen(&browser, "#s1 tr.a"), 1);
    // The row that moved and was edited stays until neither is asked for.
    assert_eq!(seen(&browser, "#s1 tr.m"), 4);
    browser.click("[data-filter=moved]");
    assert_eq!(seen(&browser, "#s1 tr.m"), 1);
    browser.click("[data-filter=edited]");
    assert_eq!(seen(&browser, "#s1 tr.m"), 0);
    browser.click("[data-filter=moved]");
    assert_eq!(seen(&browser, "#s1 tr.m"), 4);
    browser.click("[data-filter=removed]");
    browser.click("[data-filter=edited]");
    assert_eq!(seen(&browser, ".hid"), 0);
    assert!(!text("#s1 .list summary").contains("shown"));
}

#[test]
fn the_tab_of_a_sheet_comes_into_sight_with_it() {
    let (browser, _folder) = opened(Window {
        width: 300,
        ..Window::default()
    });
    // Sheets with long names, so that one tab fills the window.
    browser.run("document.querySelectorAll('.tabs a').forEach(a => a.style.minWidth = '220px')");
    browser.run("location.hash = '#s2-1'");
    browser.settle();
    let script = "const box = document.querySelector('#t2').getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth";
    assert_eq!(browser.run(script), true);
    assert_eq!(browser.run("return scrollX"), 0);
}

#[test]
fn paper_shows_the_list_and_all_columns() {
    let (browser, _folder) = opened(Window::default());
    browser.run("document.querySelectorAll('.list').forEach(list => list.open = false)");
    browser.run("dispatchEvent(new Event('beforeprint'))");
    assert!(seen(&browser, "#s1 .list li") > 3);
    browser.run("dispatchEvent(new Event('afterprint'))");
    assert_eq!(seen(&browser, "#s1 .list li"), 0);
    // As on paper of this width, with a text that is far wider.
    browser.run("document.querySelector('#s1 tbody td').textContent = 'x'.repeat(900)");
    let media = serde_json::json!({ "media": "print" });
    browser.devtools("Emulation.setEmulatedMedia", &media);
    browser.size(700, 900);
    browser.settle();
    let cut = "return [...document.querySelectorAll('table')].some(table => table.getBoundingClientRect().right > innerWidth)";
    assert_eq!(browser.run(cut), false);
}

#[test]
fn keys_step_from_change_to_change() {
    let (browser, _folder) = opened(Window::default());
    let at = |browser: &Browser| {
        let script = "const e = document.querySelector('.current'); const box = e.getBoundingClientRect(); return e.id + (box.top >= 0 && box.bottom <= innerHeight ? ' seen' : ' not seen')";
        browser.run(script).as_str().expect("an id").to_owned()
    };
    let mut steps = Vec::new();
    for _ in 0..6 {
        browser.press("n");
        steps.push(at(&browser));
    }
    let places = ["s1-18", "s1-19-1", "s1-31", "s1-43", "s2-1", "s1-18"];
    assert_eq!(steps, places.map(|id| format!("{id} seen")));
    browser.press("p");
    assert_eq!(at(&browser), "s2-1 seen");
    assert_eq!(
        browser.run("return document.querySelector('#said').textContent"),
        "Change 5 of 5"
    );
}

/// How far the ends of the line lie from the rows that they should be at.
fn off_by(browser: &Browser) -> f64 {
    let script = "
        const svg = document.querySelector('.join');
        const path = svg.querySelector('path');
        const at = (length) => path.getPointAtLength(length).matrixTransform(path.getScreenCTM()).y;
        const middle = (id) => {
            const box = document.getElementById(id).closest('tr').getBoundingClientRect();
            return box.top + box.height / 2;
        };
        return Math.max(Math.abs(at(0) - middle('m1-from')), Math.abs(at(path.getTotalLength()) - middle('m1')));";
    browser.run(script).as_f64().expect("a distance")
}

#[test]
fn pointing_at_one_end_of_a_move_shows_both() {
    let (browser, _folder) = opened(Window {
        height: 500,
        ..Window::default()
    });
    assert_eq!(seen(&browser, ".lit"), 0);
    browser.hover("h1");
    let before = browser.picture();
    browser.hover("#m1-from");
    assert!(before != browser.picture(), "it is seen, not only there");
    // The place that it left, and four rows.
    assert_eq!(seen(&browser, "tr.lit"), 5);
    assert_eq!(seen(&browser, ".join"), 1);
    assert!(off_by(&browser) < 3.0, "{}", off_by(&browser));
    browser.hover("h1");
    assert_eq!(seen(&browser, ".lit, .join"), 0);
    // After scrolling and unfolding the ends are elsewhere.
    browser.run("document.querySelectorAll('.fold input').forEach(i => i.click()); document.querySelector('#s1 .scroll').scrollTop = 120");
    browser.settle();
    browser.run("document.getElementById('m1').focus()");
    browser.settle();
    assert_eq!(seen(&browser, "tr.lit"), 5);
    assert!(off_by(&browser) < 3.0, "{}", off_by(&browser));
    assert_eq!(
        browser.run("return document.getElementById('m1').textContent"),
        "M1 from 6-9"
    );
}

#[test]
fn the_line_of_a_rectangle_keeps_off_its_labels_and_the_row_numbers() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/grid/rect_moved");
    for sides in [["old.xlsx", "new.xlsx"], ["new.xlsx", "old.xlsx"]] {
        let folder = tempfile::tempdir().expect("a folder");
        let page = folder.path().join("page.html");
        let mut command = cargo_bin_cmd!("mvdiff");
        command.args(["diff", "--format", "html", "-o"]).arg(&page);
        command.args(sides.map(|side| fixture.join(side)));
        command.assert().code(1);
        let browser = Browser::start(Window::default());
        browser.open(&page);
        browser.hover("#m1");
        let script = "
            const path = document.querySelector('.join path');
            const labels = ['m1', 'm1-from'].map((id) => document.getElementById(id).getBoundingClientRect());
            const length = path.getTotalLength();
            return [...Array(101).keys()].filter((i) => {
                const at = path.getPointAtLength(length * i / 100).matrixTransform(path.getScreenCTM());
                return labels.some((box) => at.x > box.left && at.x < box.right && at.y > box.top && at.y < box.bottom);
            }).length";
        assert_eq!(browser.run(script), 0, "{sides:?}");
        let clip = "const corner = document.querySelector('.corner').getBoundingClientRect(); const clip = getComputedStyle(document.querySelector('.join')).clipPath; return Math.abs(parseFloat(clip.split(' ').pop()) - corner.width) < 1";
        assert_eq!(browser.run(clip), true);
    }
}
