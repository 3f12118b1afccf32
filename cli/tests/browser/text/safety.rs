//! The page loads nothing, runs nothing that a file holds, and can be read by all.

use super::{Folder, examples, refactoring, start, three_moves, turned_round};
use crate::driver::{Browser, Window};
use serde_json::json;
use std::path::PathBuf;

const NAME: &str = "<img src=x onerror=hacked=1>\u{202e}.py";

/// Lines that would like to run.
fn hostile(folder: &Folder) -> PathBuf {
    let line = "<script>hacked = 1</script><img src=\"https://example.org/x.png\" onerror=\"hacked = 1\">\u{202e}evil\n";
    let rest = "</td></table><style>body { display: none }</style><link rel=stylesheet href=https://example.org/x.css>\n";
    folder.write("old.py", format!("same\n{line}{rest}"));
    folder.write(NAME, format!("same\n{rest}{line}more\n"));
    folder.page(&["diff", "old.py", NAME])
}

#[test]
fn what_files_hold_does_nothing() {
    let folder = Folder::new();
    let browser = start();
    browser.open(&hostile(&folder));
    browser.settle();
    assert_eq!(
        browser.run("return [typeof hacked, document.querySelectorAll('img, link').length, document.scripts.length]"),
        json!(["undefined", 0, 1])
    );
    let text = browser.run("return document.body.innerText");
    let text = text.as_str().expect("text");
    assert!(text.contains("<script>hacked = 1</script>"), "{text}");
    assert!(text.contains("\\u{202e}") && !text.contains('\u{202e}'));
    assert!(text.contains("<img src=x onerror=hacked=1>\\u{202e}.py"));
    assert_eq!(browser.complaints(), [""; 0]);
    let asked = browser.requests();
    assert_eq!(asked.len(), 1, "{asked:?}");
    assert!(asked[0].starts_with("file://"), "{asked:?}");
}

#[test]
fn a_script_that_got_in_would_not_run() {
    let folder = Folder::new();
    let page = hostile(&folder);
    let text = std::fs::read_to_string(&page).expect("the page");
    let spoilt = text.replace(
        "</main>",
        "<script>hacked = 1</script><p onclick='hacked = 1'>x</p></main>",
    );
    assert_ne!(text, spoilt);
    let browser = start();
    browser.open(&folder.write("spoilt.html", &spoilt));
    browser.run("document.querySelector('main > p').click()");
    assert_eq!(browser.run("return typeof hacked"), "undefined");
}

/// A stream of two commits, without files at hand.
fn stream(folder: &Folder) -> PathBuf {
    let patch = std::fs::read_to_string(examples().join("refactor.patch")).expect("the example");
    let commit = |id: char, subject: &str| {
        let id = id.to_string().repeat(40);
        format!("commit {id}\nAuthor: A <a@example.org>\n\n    {subject}\n\n{patch}\n")
    };
    let stream = commit('1', "Prices") + &commit('2', "Again");
    folder.write("stream.patch", &stream);
    folder.page(&["effective", "stream.patch"])
}

#[test]
fn a_stream_of_commits_is_one_page() {
    let folder = Folder::new();
    let browser = start();
    browser.open(&stream(&folder));
    assert_eq!(super::misplaced(&browser), (2, vec![]));
    let heads =
        browser.run("return [...document.querySelectorAll('h1, h2')].map(h => h.textContent)");
    assert_eq!(
        heads,
        json!(["2 changesets", "111111111111 Prices", "222222222222 Again"])
    );
}

#[test]
fn axe_finds_no_barriers() {
    type Make = fn(&Folder) -> PathBuf;
    let pages: [(&str, Make); 7] = [
        ("two texts", |folder| {
            let [old, new] = three_moves();
            folder.diff(&old, &new, &[])
        }),
        ("many moves", |folder| {
            let [old, new] = turned_round();
            folder.diff(&old, &new, &[])
        }),
        ("files", refactoring),
        ("commits", stream),
        ("trees with a workbook and a lock file", |folder| {
            for side in ["old", "new"] {
                std::fs::create_dir(folder.path(side)).expect("the folder is ours");
                let book = std::fs::read(examples().join(format!("prices_{side}.xlsx")));
                folder.write(&format!("{side}/prices.xlsx"), book.expect("the example"));
                folder.write(&format!("{side}/Cargo.lock"), format!("{side}\n"));
                folder.write(
                    &format!("{side}/a.py"),
                    format!("def {side}():\n    pass\n"),
                );
            }
            folder.page(&["diff", "old", "new"])
        }),
        ("nothing", |folder| folder.diff("same\n", "same\n", &[])),
        ("cut", |folder| {
            let [old, new] = three_moves();
            folder.diff(&old, &new, &["--page-limit", "50K"])
        }),
    ];
    let browser = start();
    for (name, make) in pages {
        let folder = Folder::new();
        browser.open(&make(&folder));
        for dark in [false, true] {
            browser.dark(dark);
            browser.settle();
            assert_eq!(browser.barriers(), [""; 0], "{name}, dark: {dark}");
        }
        browser.size(600, 900);
        browser.settle();
        assert_eq!(browser.barriers(), [""; 0], "{name}, narrow and dark");
        browser.size(1400, 900);
        browser.dark(false);
        browser.settle();
        for toggle in ["one", "unfold", "blanks", "wrap", "lines", "moves"] {
            browser.click(&format!("[data-toggle={toggle}]"));
            browser.settle();
            assert_eq!(browser.barriers(), [""; 0], "{name}, {toggle}");
        }
        browser.press("n");
        assert_eq!(browser.barriers(), [""; 0], "{name}, stepped");
    }
}

#[test]
fn it_reads_and_unfolds_without_scripts() {
    let folder = Folder::new();
    let [old, new] = three_moves();
    let browser = Browser::start(Window {
        scripts: false,
        ..Window::default()
    });
    browser.open(&folder.diff(&old, &new, &[]));
    let found = browser.run(
        "return [document.documentElement.classList.contains('scripted'), document.querySelectorAll('svg').length,
            getComputedStyle(document.querySelector('.bar')).display, document.querySelectorAll('li[data-m]').length,
            document.querySelector('#n1').getAttribute('href')]",
    );
    assert_eq!(found, json!([false, 0, "none", 3, "#o1"]));
    browser.click(".file details summary");
    let open = "return document.querySelector('.file details').open && document.querySelector('.file details tr').getBoundingClientRect().height > 0";
    assert_eq!(browser.run(open), true);
}

#[test]
fn on_paper_there_are_no_tools_and_the_marks_stay() {
    let folder = Folder::new();
    let [old, new] = three_moves();
    let browser = start();
    browser.open(&folder.diff(&old, &new, &[]));
    browser.settle();
    browser.click("[data-theme-toggle]");
    browser.devtools("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    let found = browser.run(
        "return [...['.bar', '.map', 'svg.joins', '.where'].map(css => getComputedStyle(document.querySelector(css)).display),
            getComputedStyle(document.body).backgroundColor, document.querySelector('tr.e b').textContent]",
    );
    assert_eq!(
        found,
        json!(["none", "none", "none", "none", "rgb(255, 255, 255)", "~"])
    );
}
