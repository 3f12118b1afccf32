//! What can be switched, is.

use super::{Folder, start, three_moves};
use serde_json::{Value, json};

/// A page with three moves, and a function that reads a value from it.
fn open() -> (Folder, crate::driver::Browser) {
    let folder = Folder::new();
    let browser = start();
    let [old, new] = three_moves();
    browser.open(&folder.diff(&old, &new, &[]));
    browser.settle();
    (folder, browser)
}

/// Switches twice; what a script says before, between and after.
fn around(toggle: &str, script: &str) -> [Value; 3] {
    let (_folder, browser) = open();
    let button = format!("[data-toggle={toggle}]");
    let pressed = format!("return document.querySelector('{button}').getAttribute('aria-pressed')");
    let mut said = Vec::new();
    let mut states = Vec::new();
    for round in 0..3 {
        if round > 0 {
            browser.click(&button);
            browser.settle();
        }
        said.push(browser.run(script));
        states.push(browser.run(&pressed));
    }
    assert_eq!(states[0], states[2]);
    assert_ne!(states[0], states[1]);
    said.try_into().expect("three answers")
}

#[test]
fn without_moves_moved_lines_are_removed_and_added_ones() {
    let script = "
        const back = (css) => getComputedStyle(document.querySelector(css)).backgroundColor;
        const colour = (name) => { const i = document.createElement('i'); i.style.color = `var(${name})`; document.body.append(i);
            const found = getComputedStyle(i).color; i.remove(); return found; };
        const mark = (css) => getComputedStyle(document.querySelector(css), '::before').content;
        return [back('tr.o:not(.l):not(.z) td') === colour('--old'), back('tr.n:not(.l):not(.w) td:nth-child(4)') === colour('--new'),
            mark('tr.o:not(.l) b'), mark('tr.n:not(.l):not(.w) b'),
            getComputedStyle(document.querySelector('tr.l')).display, document.querySelectorAll('.joins g').length,
            document.querySelectorAll('.map .m').length,
            [...document.querySelectorAll('.map i:not(.seen)')].every(mark => mark.getBoundingClientRect().height < innerHeight / 4)]";
    let [before, between, after] = around("moves", script);
    assert_eq!(
        before,
        json!([false, false, "none", "none", "table-row", 3, 6, true])
    );
    assert_eq!(
        between,
        json!([true, true, "\"-\"", "\"+\"", "none", 0, 0, true])
    );
    assert_eq!(after, before);
}

#[test]
fn without_moves_nothing_speaks_of_them() {
    let script = "return ['nav.moves', '.file h2 .moved'].map(css => document.querySelector(css).checkVisibility())";
    let [before, between, after] = around("moves", script);
    assert_eq!(before, json!([true, true]));
    assert_eq!(between, json!([false, false]));
    assert_eq!(after, before);
}

#[test]
fn connectors_go_and_come_back() {
    let [before, between, after] = around(
        "lines",
        "return document.querySelectorAll('.joins g').length",
    );
    assert_eq!([before, between, after], [json!(3), json!(0), json!(3)]);
}

#[test]
fn blanks_are_shown_and_texts_stay_as_they_are() {
    let script = "
        const cell = document.querySelector('tr.e td:nth-child(2)');
        const blank = cell.querySelector('.s');
        const range = document.createRange();
        range.selectNodeContents(cell);
        return [blank && getComputedStyle(blank, '::before').content, cell.textContent, Math.round(range.getBoundingClientRect().width)]";
    let [before, between, after] = around("blanks", script);
    assert_eq!(before[0], Value::Null);
    assert_eq!(between[0], "\"····\"");
    assert_eq!(after[0], "none");
    for same in [1, 2] {
        assert_eq!(before[same], between[same]);
        assert_eq!(before[same], after[same]);
    }
}

#[test]
fn the_blanks_of_the_pages_own_words_are_not_shown() {
    let folder = Folder::new();
    let browser = start();
    browser.open(&folder.diff("a b\n", "a c", &[]));
    browser.settle();
    browser.click("[data-toggle=blanks]");
    let found = browser.run(
        "return [document.querySelectorAll('td .s').length, document.querySelectorAll('td > i .s').length, document.querySelector('td > i').textContent]",
    );
    assert_eq!(found, json!([2, 0, "no newline at the end"]));
}

#[test]
fn unwrapped_lines_scroll_sideways_in_both_panes() {
    let (_folder, browser) = open();
    browser.click("[data-toggle=wrap]");
    browser.settle();
    browser.run("document.querySelector('.sideways').scrollLeft = 200");
    browser.settle();
    let found = browser.run(
        "const cells = [2, 4].map(n => document.querySelector(`tr:not([class]) td:nth-child(${n})`));
         return [...cells.map(cell => getComputedStyle(cell).whiteSpace), ...cells.map(cell => getComputedStyle(cell).textIndent),
             document.documentElement.scrollWidth <= innerWidth]",
    );
    assert_eq!(found, json!(["pre", "pre", "-200px", "-200px", true]));
    // The end of the longest line can be reached.
    let reached = browser.run(
        "const sideways = document.querySelector('.sideways');
         sideways.scrollLeft = 1e6;
         const cells = [...document.querySelectorAll('main td:nth-child(2)')].filter(cell => cell.offsetParent);
         const long = cells.find(cell => cell.textContent.length > 250);
         const range = document.createRange();
         range.selectNodeContents(long);
         document.documentElement.style.setProperty('--x', `${sideways.scrollLeft}px`);
         return range.getBoundingClientRect().right <= long.getBoundingClientRect().right",
    );
    assert_eq!(reached, true);
}

#[test]
fn all_folds_open_and_close() {
    let [before, between, after] = around(
        "unfold",
        "return [document.querySelectorAll('.file details[open]').length, document.querySelectorAll('.file details').length]",
    );
    assert_eq!(before, json!([0, before[1]]));
    assert_eq!(between, json!([before[1], before[1]]));
    assert_eq!(after, before);
    assert!(before[1].as_u64().expect("a number") > 3);
}

#[test]
fn light_becomes_dark() {
    let (_folder, browser) = open();
    let back = "return getComputedStyle(document.body).backgroundColor";
    assert_eq!(browser.run(back), "rgb(255, 255, 255)");
    browser.click("[data-theme-toggle]");
    assert_eq!(browser.run(back), "rgb(13, 17, 23)");
    browser.click("[data-theme-toggle]");
    assert_eq!(browser.run(back), "rgb(255, 255, 255)");
}
