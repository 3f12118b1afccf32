//! Connectors join the rows of both ends, whatever happens to the page.

use super::{Folder, misplaced, program, refactoring, start, three_moves, turned_round};

#[test]
fn they_follow_scrolling_folding_wrapping_and_the_window() {
    let folder = Folder::new();
    let [old, new] = three_moves();
    let browser = start();
    browser.open(&folder.diff(&old, &new, &[]));
    assert_eq!(misplaced(&browser), (3, vec![]), "as opened");
    for top in [500, 3000, 100_000, 0] {
        browser.run(&format!("scrollTo({{top: {top}, behavior: 'instant'}})"));
        assert_eq!(misplaced(&browser), (3, vec![]), "scrolled to {top}");
    }
    browser.click(".file details summary");
    assert_eq!(
        browser.run("return document.querySelectorAll('.file details[open]').length"),
        1
    );
    assert_eq!(misplaced(&browser), (3, vec![]), "a fold open");
    browser.click(".file details summary");
    assert_eq!(misplaced(&browser), (3, vec![]), "and closed again");
    for (width, height) in [(700, 900), (1000, 500), (1900, 1000)] {
        browser.size(width, height);
        assert_eq!(misplaced(&browser), (3, vec![]), "{width} wide");
    }
    for toggle in ["wrap", "unfold", "wrap", "unfold", "blanks"] {
        browser.click(&format!("[data-toggle={toggle}]"));
        assert_eq!(misplaced(&browser), (3, vec![]), "{toggle}");
    }
}

#[test]
fn a_few_are_curves_and_many_run_on_tracks_of_their_own() {
    let folder = Folder::new();
    let browser = start();
    let [old, new] = three_moves();
    browser.open(&folder.diff(&old, &new, &[]));
    browser.settle();
    let lines =
        "return [...document.querySelectorAll('.joins .line')].map(l => l.getAttribute('d'))";
    let curves = browser.run(lines);
    let curves = curves.as_array().expect("a list");
    assert!(
        curves
            .iter()
            .all(|d| d.as_str().is_some_and(|d| d.contains('C'))),
        "{curves:?}"
    );
    let [old, new] = turned_round();
    browser.open(&folder.diff(&old, &new, &[]));
    assert_eq!(misplaced(&browser), (11, vec![]));
    // Where a track runs: the first vertical stretch of each.
    let tracks = browser.run(
        "return [...document.querySelectorAll('.joins .line')].map(l => /H[^V]* (\\S+) \\S+V/.exec(l.getAttribute('d'))?.[1])",
    );
    let mut tracks: Vec<String> = tracks
        .as_array()
        .expect("a list")
        .iter()
        .map(ToString::to_string)
        .collect();
    tracks.sort();
    tracks.dedup();
    // Eight, which more than eight connectors share; fewer in a small window.
    assert_eq!(tracks.len(), 8, "{tracks:?}");
    assert_eq!(gap(&browser), 108);
    browser.size(700, 900);
    assert_eq!(misplaced(&browser), (11, vec![]));
    assert_eq!(gap(&browser), 58);
}

/// How far the panes are apart.
fn gap(browser: &crate::driver::Browser) -> u64 {
    let script = "const [old, number] = ['td:nth-child(2)', 'td:nth-child(3)'].map(css => document.querySelector(`main tr:not(.l) ${css}`));
        return Math.round(parseFloat(getComputedStyle(number).borderLeftWidth) + number.getBoundingClientRect().left - old.getBoundingClientRect().right)";
    browser.run(script).as_u64().expect("a number")
}

#[test]
fn without_them_the_panes_move_together() {
    let folder = Folder::new();
    let browser = start();
    let [old, new] = turned_round();
    browser.open(&folder.diff(&old, &new, &[]));
    browser.settle();
    for toggle in ["lines", "moves"] {
        for wanted in [16, 108] {
            browser.click(&format!("[data-toggle={toggle}]"));
            browser.settle();
            assert_eq!(gap(&browser), wanted, "{toggle}");
        }
    }
}

#[test]
fn they_run_from_file_to_file() {
    let folder = Folder::new();
    let browser = start();
    browser.open(&refactoring(&folder));
    assert_eq!(misplaced(&browser), (1, vec![]));
    let files = browser.run(
        "return ['o', 'n'].map(side => document.querySelector(`main [data-${side}='0']`).closest('section').querySelector('h2').textContent.split(' ')[0])",
    );
    assert_eq!(files, serde_json::json!(["orders.py", "prices.py"]));
}

#[test]
fn an_end_that_is_folded_or_left_out_is_joined_where_it_would_be() {
    let folder = Folder::new();
    let browser = start();
    let old = program(200);
    let mut new = old.clone();
    let copied = new[20..35].to_vec();
    new.splice(150..150, copied);
    let (old, new) = (old.concat(), new.concat());
    browser.open(&folder.diff(&old, &new, &["--copies"]));
    assert_eq!(
        browser.run("return document.querySelector('main [data-o]').closest('details').open"),
        false
    );
    assert_eq!(misplaced(&browser), (1, vec![]), "folded");
    browser.click("li[data-m] a");
    assert_eq!(
        browser.run("return document.querySelector('main [data-o]').closest('details').open"),
        true,
        "a link opens the fold"
    );
    assert_eq!(misplaced(&browser), (1, vec![]), "unfolded");
    browser.open(&folder.diff(&old, &new, &["--copies", "--page-limit", "40K"]));
    assert!(super::text_of(&browser, ".cut").contains("left out"));
    assert_eq!(misplaced(&browser), (1, vec![]), "left out");
}

#[test]
fn on_a_page_that_is_laid_out_piece_by_piece_they_are_right_where_one_is() {
    let folder = Folder::new();
    let old = program(5000);
    let mut new = old.clone();
    for line in new.iter_mut().step_by(3) {
        *line = line.replace("price_of", "cost_of");
    }
    for (from, to) in [(700, 4200), (3100, 90)] {
        let block: Vec<String> = new.drain(from..from + 12).collect();
        new.splice(to..to, block);
    }
    let browser = start();
    browser.open(&folder.diff(&old.concat(), &new.concat(), &[]));
    browser.settle();
    assert_ne!(
        browser.run("return document.querySelectorAll('.c').length"),
        0
    );
    for place in 0..4 {
        browser.press("N");
        browser.settle();
        let laid_out = "return document.activeElement.matches('tr.l a') && document.activeElement.checkVisibility({contentVisibilityAuto: true})";
        assert_eq!(browser.run(laid_out), true, "{place}");
        assert_eq!(misplaced(&browser), (2, vec![]), "{place}");
    }
}

#[test]
fn the_one_under_the_mouse_is_lit_with_both_its_ends() {
    let folder = Folder::new();
    let browser = start();
    let [old, new] = three_moves();
    browser.open(&folder.diff(&old, &new, &[]));
    browser.settle();
    let lit = "return [document.querySelectorAll('main tr.on').length > 20,
        [...document.querySelectorAll('main tr.on')].every(row => (row.dataset.o ?? row.dataset.n) === '1'),
        document.querySelectorAll('.joins g.on').length,
        document.querySelector('.joins g.on')?.dataset.m,
        document.querySelector('li.on')?.dataset.m]";
    let wanted = serde_json::json!([true, true, 1, "1", "1"]);
    for css in [
        "main tr.o[data-o='1'] td:nth-child(2)",
        "li[data-m='1']",
        "main tr.n[data-n='1'] td:nth-child(4)",
    ] {
        browser.hover("h1");
        browser.hover(css);
        assert_eq!(browser.run(lit), wanted, "{css}");
    }
    browser.hover("h1");
    assert_eq!(
        browser.run("return document.querySelectorAll('.on').length"),
        0
    );
    browser.run("document.querySelector('#n1').focus()");
    assert_eq!(browser.run(lit), wanted, "focus");
}
