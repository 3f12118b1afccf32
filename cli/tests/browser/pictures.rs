//! Pictures for the documentation.

use crate::driver::Browser;
use crate::text::{Folder, examples, refactoring, start, turned_round};
use std::path::Path;

fn keep(browser: &Browser, name: &str) {
    browser.settle();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
    std::fs::create_dir_all(&folder).expect("the folder is ours");
    std::fs::write(folder.join(name), browser.picture()).expect("the folder is ours");
}

/// `docs/pictures/pages.sh` runs this.
#[test]
#[ignore = "writes the pictures in docs/pictures"]
fn pictures() {
    let folder = Folder::new();
    let browser = start();
    browser.size(1200, 820);
    for name in ["old.py", "new.py"] {
        let text = std::fs::read_to_string(examples().join(name)).expect("the example");
        folder.write(name, &text);
    }
    browser.open(&folder.page(&["diff", "old.py", "new.py"]));
    keep(&browser, "page.png");
    browser.size(620, 820);
    keep(&browser, "page-narrow.png");
    browser.size(1200, 820);
    browser.dark(true);
    browser.open(&refactoring(&folder));
    browser.settle();
    browser.press("NN");
    keep(&browser, "page-files-dark.png");
    browser.dark(false);
    let [old, new] = turned_round();
    browser.open(&folder.diff(&old, &new, &[]));
    browser.settle();
    browser.press("NNNNNN");
    keep(&browser, "page-tracks.png");
    for name in ["prices_old.xlsx", "prices_new.xlsx"] {
        let bytes = std::fs::read(examples().join(name)).expect("the example");
        folder.write(name, bytes);
    }
    browser.size(1000, 900);
    browser.open(&folder.page(&["diff", "prices_old.xlsx", "prices_new.xlsx"]));
    browser.settle();
    browser.hover("tbody tr[data-m]");
    keep(&browser, "workbook-page.png");
}
