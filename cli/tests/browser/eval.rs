//! The page of an evaluation.

use crate::driver::{Browser, Window};
use assert_cmd::cargo::cargo_bin_cmd;
use std::path::{Path, PathBuf};

/// A row that is far from the truth and whose texts would like to run.
const ROWS: &str = r#"{"name":"<img src=x onerror=alert(1)>","base":"a\n","a":"<script>alert(1)</script>\n","b":"b\n"}
{"name":"whole","base":"a\n","a":"b\n","b":"b\n"}
"#;

fn page(folder: &Path) -> PathBuf {
    let (rows, page) = (folder.join("rows.jsonl"), folder.join("page.html"));
    std::fs::write(&rows, ROWS).expect("the folder is ours");
    let mut command = cargo_bin_cmd!("mvdiff");
    command.arg("eval").arg(&rows).arg("--report").arg(&page);
    command.assert().success();
    page
}

#[test]
fn it_loads_nothing_runs_nothing_and_can_be_read_by_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(folder.path());
    for dark in [false, true] {
        let browser = Browser::start(Window {
            dark,
            ..Window::default()
        });
        browser.open(&page);
        assert_eq!(
            browser.run("return document.querySelectorAll('img').length"),
            0
        );
        assert_eq!(browser.barriers(), [""; 0], "dark: {dark}");
        assert_eq!(browser.complaints(), [""; 0]);
        let asked = browser.requests();
        assert!(
            asked.iter().all(|address| address.starts_with("file://")),
            "{asked:?}"
        );
        assert_eq!(asked.len(), 1, "{asked:?}");
    }
}
