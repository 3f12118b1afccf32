//! Keys and links lead from place to place.

use super::{Folder, program, start, text_of, three_moves, turned_round};

/// What the line says that tells where one is.
const WHERE: &str = ".where";

#[test]
fn n_and_p_step_through_changes_and_moves_in_reading_order() {
    let folder = Folder::new();
    let browser = start();
    let [old, new] = three_moves();
    browser.open(&folder.diff(&old, &new, &[]));
    browser.settle();
    // Both ends of three moves, the edit inside of one (at both ends) and one in place.
    let mut heights = Vec::new();
    for place in 1..=9 {
        browser.press("n");
        let said = text_of(&browser, WHERE);
        assert!(said.contains(&format!("place {place} of 9")), "{said}");
        let seen = browser.run(
            "const box = document.activeElement.getBoundingClientRect();
             return [document.activeElement.tagName, box.top > 0 && box.bottom < innerHeight, box.top + scrollY]",
        );
        let tag = if said.starts_with('M') { "A" } else { "TR" };
        assert_eq!(seen[0], tag, "{said}");
        assert_eq!(seen[1], true, "{said}");
        heights.push(seen[2].as_f64().expect("a number"));
    }
    assert!(heights.is_sorted(), "{heights:?}");
    browser.press("n");
    assert_eq!(text_of(&browser, WHERE), "no more below");
    browser.press("p");
    assert!(text_of(&browser, WHERE).contains("place 8 of 9"));
    browser.click("[data-step='-1']");
    assert!(text_of(&browser, WHERE).contains("place 7 of 9"));
}

#[test]
fn capitals_step_through_moves_only_and_o_leads_to_the_other_end() {
    let folder = Folder::new();
    let browser = start();
    let [old, new] = three_moves();
    browser.open(&folder.diff(&old, &new, &[]));
    browser.settle();
    let mut labels = Vec::new();
    for _ in 0..6 {
        browser.press("N");
        let said = text_of(&browser, WHERE);
        assert!(said.contains(" of 3, place"), "{said}");
        labels.push(said.split(' ').next().expect("a label").to_owned());
    }
    labels.sort();
    assert_eq!(labels, ["M1", "M1", "M2", "M2", "M3", "M3"]);
    let place = "return document.activeElement.id";
    let here = browser.run(place);
    browser.press("o");
    let there = browser.run(place);
    browser.press("o");
    assert_eq!(browser.run(place), here);
    let (here, there) = (here.to_string(), there.to_string());
    assert_ne!(here, there);
    assert_eq!(here[2..], there[2..], "the same move");
}

#[test]
fn a_mouse_that_rests_on_the_page_does_not_take_the_keys() {
    let folder = Folder::new();
    let browser = start();
    let [old, new] = turned_round();
    browser.open(&folder.diff(&old, &new, &[]));
    browser.settle();
    browser.press("NNNN");
    // Below the middle, where a step brings its row, so on another block.
    browser.run("document.elementFromPoint(innerWidth / 4, innerHeight * 0.8).id = 'rest'");
    browser.hover("#rest");
    browser.run("window.passed = 0; addEventListener('pointerover', () => ++window.passed)");
    let now = "return [document.activeElement.id.slice(1), document.querySelector('li.on')?.dataset.m, document.activeElement.id]";
    for _ in 0..4 {
        browser.press("N");
        // The browser tells late that other rows are under the mouse.
        std::thread::sleep(std::time::Duration::from_millis(300));
        let before = browser.run(now);
        assert_eq!(before[0], before[1], "the move stepped to is lit");
        let said = text_of(&browser, WHERE);
        assert!(said.contains(" of 11, place"), "{said}");
        browser.press("o");
        let there = browser.run(now);
        assert_eq!(there[0], before[0], "the same move");
        assert_ne!(there[2], before[2], "its other end");
        browser.press("o");
        assert_eq!(browser.run(now)[2], before[2]);
    }
    let passed = browser.run("return window.passed");
    assert!(
        passed.as_u64().expect("a number") > 3,
        "rows passed under it"
    );
    // Once it moves, it counts again.
    browser.run("document.querySelector('#n0').scrollIntoView({block: 'center'})");
    browser.settle();
    browser.hover("main tr.n[data-n='0']:not(.l) td:nth-child(4)");
    assert_eq!(
        browser.run("return document.querySelector('li.on').dataset.m"),
        "0"
    );
}

#[test]
fn keys_with_ctrl_are_the_browsers() {
    let folder = Folder::new();
    let browser = start();
    let [old, new] = three_moves();
    browser.open(&folder.diff(&old, &new, &[]));
    browser.settle();
    let prevented = browser.run(
        "const key = (options) => !dispatchEvent(new KeyboardEvent('keydown', {key: 'n', cancelable: true, ...options}));
         return [key({ctrlKey: true}), key({metaKey: true}), key({altKey: true}), key({})]",
    );
    assert_eq!(prevented, serde_json::json!([false, false, false, true]));
}

#[test]
fn the_list_of_moves_leads_to_both_ends_and_each_end_to_the_other() {
    let folder = Folder::new();
    let browser = start();
    let [old, new] = three_moves();
    browser.open(&folder.diff(&old, &new, &[]));
    browser.settle();
    let is_seen = |id: &str| {
        browser.settle();
        let script = format!(
            "const box = document.querySelector('#{id}').getBoundingClientRect();
             return box.top >= document.querySelector('.bar').getBoundingClientRect().bottom && box.bottom <= innerHeight"
        );
        assert_eq!(browser.run(&script), true, "{id}");
    };
    for (link, id) in [
        ("li[data-m='2'] a:nth-of-type(1)", "o2"),
        ("#o2", "n2"),
        ("li[data-m='0'] a:nth-of-type(2)", "n0"),
        ("#n0", "o0"),
    ] {
        browser.click(link);
        is_seen(id);
    }
}

#[test]
fn links_lead_to_their_rows_on_a_page_that_is_laid_out_piece_by_piece() {
    let folder = Folder::new();
    let browser = start();
    let old = program(6000);
    let mut new = old.clone();
    for line in new.iter_mut().step_by(3) {
        *line = line.replace("price_of", "cost_of");
    }
    for (from, to) in [(100, 5000), (3000, 300)] {
        let block: Vec<String> = new.drain(from..from + 30).collect();
        new.splice(to..to, block);
    }
    browser.open(&folder.diff(&old.concat(), &new.concat(), &[]));
    let links = browser.run("return document.querySelectorAll('li[data-m] a').length");
    assert_eq!(links, 4);
    for link in 0..4 {
        let script = format!(
            "const link = document.querySelectorAll('li[data-m] a')[{link}];
             link.closest('details')?.setAttribute('open', '');
             link.click();
             return link.hash"
        );
        let target = browser.run(&script);
        let target = target.as_str().expect("a link has a target");
        for _ in 0..8 {
            browser.settle();
        }
        let place = browser.run(&format!(
            "const box = document.querySelector('{target}').getBoundingClientRect();
             return [box.top >= 0 && box.bottom <= innerHeight, box.top]"
        ));
        assert_eq!(place[0], true, "{target} is at {}", place[1]);
    }
}

#[test]
fn the_strip_at_the_side_shows_where_changes_are_and_leads_there() {
    let folder = Folder::new();
    let browser = start();
    let [old, new] = three_moves();
    browser.open(&folder.diff(&old, &new, &[]));
    browser.settle();
    let marks = browser.run("return [document.querySelectorAll('.map .m').length, document.querySelectorAll('.map .e').length]");
    assert_eq!(marks, serde_json::json!([6, 3]));
    // A click beside the last mark shows the row that it stands for.
    let seen = browser.run(
        "const marks = [...document.querySelectorAll('.map .m')];
         const last = marks.reduce((a, b) => a.getBoundingClientRect().top > b.getBoundingClientRect().top ? a : b);
         const y = last.getBoundingClientRect().top;
         document.querySelector('.map').dispatchEvent(new MouseEvent('click', {clientY: y, bubbles: true}));
         const rows = [...document.querySelectorAll('main tr.l')];
         const box = rows[rows.length - 1].getBoundingClientRect();
         return box.top > 0 && box.bottom < innerHeight",
    );
    assert_eq!(seen, true);
}
