//! One pane or two, files by name and kind, and what was viewed.

use super::{Folder, start, three_moves};
use crate::driver::Browser;
use serde_json::json;
use std::path::PathBuf;

/// The page of two trees: a file with moves, and two with edits.
fn trees(folder: &Folder) -> PathBuf {
    let [old, new] = three_moves();
    for (tree, moved, edited) in [("old", &old, "one\n"), ("new", &new, "two\n")] {
        std::fs::create_dir(folder.path(tree)).expect("the folder is ours");
        folder.write(&format!("{tree}/moved.py"), moved);
        folder.write(&format!("{tree}/first.txt"), edited);
        folder.write(&format!("{tree}/second.txt"), edited);
    }
    folder.page(&["diff", "old", "new"])
}

/// The names of the files that can be seen, and of those whose lines can.
fn shown(browser: &Browser) -> serde_json::Value {
    browser.run(
        "const names = (files) => files.map(file => file.firstElementChild.firstChild.textContent.trim());
        const files = [...document.querySelectorAll('.file')].filter(file => file.getClientRects().length);
        const open = files.filter(file => [...file.querySelectorAll('table')].some(table => table.getClientRects().length));
        return [names(files), names(open)];",
    )
}

#[test]
fn one_pane_is_a_switch_and_all_there_is_room_for_in_a_narrow_window() {
    let folder = Folder::new();
    let browser = start();
    browser.open(&folder.diff("one\ntwo\nthree\n", "one\nzwei\nthree\n", &[]));
    browser.settle();
    let script = "
        const line = (text) => [...document.querySelectorAll('td')].find(td => td.textContent.includes(text)).getBoundingClientRect();
        const pressed = document.querySelector('[data-toggle=one]').getAttribute('aria-pressed');
        return [pressed, line('two').bottom <= line('zwei').top + 1, document.documentElement.scrollWidth <= innerWidth];";
    let two = json!(["false", false, true]);
    let one = json!(["true", true, true]);
    assert_eq!(browser.run(script), two);
    browser.click("[data-toggle=one]");
    browser.settle();
    assert_eq!(browser.run(script), one);
    browser.click("[data-toggle=one]");
    browser.settle();
    assert_eq!(browser.run(script), two);
    browser.size(650, 900);
    browser.settle();
    assert_eq!(browser.run(script), one);
    browser.size(1400, 900);
    browser.settle();
    assert_eq!(browser.run(script), two);
}

#[test]
fn files_are_found_by_name_and_kind() {
    let folder = Folder::new();
    let browser = start();
    browser.open(&trees(&folder));
    browser.settle();
    let all = json!(["first.txt", "moved.py", "second.txt"]);
    assert_eq!(shown(&browser)[0], all);
    let by = |name: &str, kind: &str| {
        browser.run(&format!(
            "const say = (css, value, event) => {{ const field = document.querySelector(css); field.value = value; field.dispatchEvent(new Event(event)); }};
            say('[data-filter]', '{name}', 'input');
            const kinds = document.querySelector('[data-kind]');
            say('[data-kind]', [...kinds.options].find(kind => kind.textContent === '{kind}').value, 'change');"
        ));
        browser.settle();
        shown(&browser)[0].clone()
    };
    assert_eq!(by("TXT", "all files"), json!(["first.txt", "second.txt"]));
    assert_eq!(by("sec", "with changes"), json!(["second.txt"]));
    assert_eq!(by("", "with moves"), json!(["moved.py"]));
    assert_eq!(by("txt", "with moves"), json!([]));
    assert_eq!(by("", "all files"), all);
}

#[test]
fn what_was_viewed_folds_and_is_kept_in_the_address() {
    let folder = Folder::new();
    let browser = start();
    let page = trees(&folder);
    browser.open(&page);
    browser.settle();
    browser.click("#f1 [data-viewed], [data-viewed='1']");
    browser.settle();
    let seen = json!([
        ["first.txt", "moved.py", "second.txt"],
        ["first.txt", "second.txt"]
    ]);
    assert_eq!(shown(&browser), seen);
    let address = browser.run("return location.hash");
    assert_eq!(address, "#&viewed=1");
    // A link inside the page keeps it, and so does another window.
    browser.run("location.hash = '#f0'");
    browser.settle();
    assert_eq!(browser.run("return location.hash"), "#f0&viewed=1");
    browser.run("window.before = true; location.reload()");
    browser.settle();
    assert_eq!(browser.run("return window.before ?? null"), json!(null));
    assert_eq!(shown(&browser), seen);
    browser.click("[data-viewed='1']");
    browser.settle();
    assert_eq!(shown(&browser)[1], seen[0]);
    assert_eq!(browser.run("return location.hash"), "#f0");
}

#[test]
fn a_block_that_only_moved_takes_few_rows() {
    let folder = Folder::new();
    let browser = start();
    let line = |i: u32| format!("    value_{i} = read({i})\n");
    let block = (0..400).map(line).collect::<Vec<_>>().concat();
    let other = |i: u32| format!("def other_{i}(): return {i}\n");
    let rest = (0..60).map(other).collect::<Vec<_>>().concat();
    let old = format!("def block():\n{block}\n{rest}");
    let new = format!("{rest}\ndef block():\n{block}");
    browser.open(&folder.diff(&old, &new, &[]));
    browser.settle();
    let height = browser.run("return document.documentElement.scrollHeight");
    assert!(
        height.as_u64().is_some_and(|height| height < 2_000),
        "{height}"
    );
}
