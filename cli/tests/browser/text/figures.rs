//! How long large pages take: the figures of docs/benchmarks.md.

use super::{Folder, start};
use serde_json::{Value, json};
use std::time::Instant;

/// Lines, ten blocks that moved, and every so many lines an edit.
fn pair(lines: usize, edited: usize) -> [String; 2] {
    let line = |i: usize| {
        format!(
            "    total_{i} = price_of(item_{i}, {}) + tax\n",
            i * 37 % 101
        )
    };
    let old: Vec<String> = (0..lines).map(line).collect();
    let mut new = old.clone();
    for line in new.iter_mut().step_by(edited) {
        *line = line.replace("tax", "vat");
    }
    for block in 1..=10 {
        let from = block * lines / 12;
        let moved: Vec<String> = new.drain(from..from + 20).collect();
        let to = lines - from - 50;
        new.splice(to..to, moved);
    }
    [old.concat(), new.concat()]
}

/// `cargo test -p mvdiff --features browser --test browser figures -- --ignored --nocapture`
#[test]
#[ignore = "takes long, and prints what docs/benchmarks.md says"]
fn figures() {
    for (name, lines, edited) in [
        ("1,000 lines, 10 edits", 1_000, 100),
        ("50,000 lines, 50 edits", 50_000, 1_000),
        ("50,000 lines, 16,667 edits", 50_000, 3),
    ] {
        let folder = Folder::new();
        let [old, new] = pair(lines, edited);
        let page = folder.diff(&old, &new, &[]);
        let bytes = std::fs::metadata(&page).expect("the page is there").len();
        let browser = start();
        browser.devtools("Performance.enable", &json!({}));
        browser.open(&page);
        browser.settle();
        let load = browser.run("return performance.getEntriesByType('navigation')[0].loadEventEnd");
        let metrics = browser.devtools("Performance.getMetrics", &json!({}));
        let metric = |name: &str| {
            let all = metrics["metrics"].as_array().expect("a list");
            let found = all.iter().find(|metric| metric["name"] == name);
            found
                .and_then(|metric| metric["value"].as_f64())
                .expect("a metric")
        };
        let timed = |script: &str| {
            let start = Instant::now();
            let answer = browser.run(script);
            browser.settle();
            (start.elapsed().as_millis(), answer)
        };
        let (to_end, _) =
            timed("scrollTo({top: document.documentElement.scrollHeight, behavior: 'instant'})");
        let (to_start, _) = timed("scrollTo({top: 0, behavior: 'instant'})");
        let start = Instant::now();
        browser.press("n");
        let step = start.elapsed().as_millis();
        let (unfold, open) = timed(
            "document.querySelector('[data-toggle=unfold]').click(); return document.querySelectorAll('.file details[open]').length",
        );
        assert_ne!(open, Value::Null);
        let (moves, wrong) = super::misplaced(&browser);
        assert_eq!(moves, 10);
        assert!(wrong.is_empty(), "{wrong:?}");
        eprintln!(
            "{name}: {bytes} bytes, load event {load} ms, layout {:.0} ms, style {:.0} ms, script {:.0} ms, heap {:.1} MB, \
             to the end {to_end} ms, back {to_start} ms, n {step} ms, unfold all {unfold} ms",
            metric("LayoutDuration") * 1e3,
            metric("RecalcStyleDuration") * 1e3,
            metric("ScriptDuration") * 1e3,
            metric("JSHeapUsedSize") / 1e6,
        );
    }
}
