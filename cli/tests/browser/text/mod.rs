//! The page of two texts, of trees and of patches.

mod connectors;
mod figures;
mod keys;
mod panes;
mod safety;
mod toggles;

use crate::driver::{Browser, Window};
use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with what is compared and the page about it.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("the folder is ours");
        path
    }

    /// The page that a command makes.
    pub fn page(&self, arguments: &[&str]) -> PathBuf {
        let page = self.0.path().join("page.html");
        let mut command = cargo_bin_cmd!("mvdiff");
        command.current_dir(self.0.path()).args(arguments);
        command.args(["--format", "html", "-o"]).arg(&page);
        let ran = command.output().expect("the program runs");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_ne!(ran.status.code(), Some(2), "{said}");
        page
    }

    /// The page of two texts.
    pub fn diff(&self, old: &str, new: &str, options: &[&str]) -> PathBuf {
        self.write("old.py", old);
        self.write("new.py", new);
        self.page(&[&["diff", "old.py", "new.py"], options].concat())
    }
}

/// The page of a function that went to another file.
pub fn refactoring(folder: &Folder) -> PathBuf {
    let examples = examples();
    let [patch, old, new] =
        ["refactor.patch", "refactor/old", "refactor/new"].map(|name| examples.join(name));
    let [patch, old, new] = [&patch, &old, &new].map(|path| path.to_string_lossy());
    folder.page(&["effective", "--old", &old, "--new", &new, &patch])
}

pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// Lines as programs have them, each another; some too long for a pane.
fn program(lines: usize) -> Vec<String> {
    let line = |i: usize| {
        let mut line = format!("    total_{i} = price_of(item_{i}, {})", i * 37 % 101);
        if i % 25 == 3 {
            let _ = write!(line, " + \"{}\"", "a long text, ".repeat(20));
        }
        line + "\n"
    };
    (0..lines).map(line).collect()
}

/// Three blocks went elsewhere in a text of 400 lines, and a line of one was edited.
fn three_moves() -> [String; 2] {
    let old = program(400);
    let mut new = old.clone();
    for (from, to) in [(40, 200), (160, 20), (380, 90)] {
        let block: Vec<String> = new.drain(from..from + 15).collect();
        new.splice(to..to, block);
    }
    new[95] = new[95].replace("price_of", "cost_of");
    new[300] = new[300].replace("price_of", "cost_of");
    [old.concat(), new.concat()]
}

/// Twelve paragraphs, the other way round: all their connectors overlap.
pub fn turned_round() -> [String; 2] {
    let paragraph = |i: usize| {
        let lines =
            (0..8).map(|j| format!("    step_{i}_{j} = compute(value_{i}, {})\n", i * 9 + j));
        format!("def part_{i}(value_{i}):\n{}\n", lines.collect::<String>())
    };
    let text = |order: Vec<usize>| order.into_iter().map(paragraph).collect::<String>();
    [text((0..12).collect()), text((0..12).rev().collect())]
}

/// What is wrong with the connectors, and how many there are: each must begin and end
/// at the first row of its ends, or at the fold that hides it, beside the pane. Ends
/// that the browser did not lay out, since they are far away, have no place yet.
fn misplaced(browser: &Browser) -> (u64, Vec<String>) {
    browser.settle();
    let found = browser.run(MISPLACED);
    let wrong = found["wrong"].as_array().expect("a list").iter();
    let wrong = wrong.map(Value::to_string).collect();
    (found["count"].as_u64().expect("a number"), wrong)
}

const MISPLACED: &str = r#"
const wrong = [];
const groups = document.querySelectorAll("svg.joins g");
for (const group of groups) {
  const id = group.dataset.m;
  const line = group.querySelector(".line");
  const at = (length) => {
    const point = line.getPointAtLength(length).matrixTransform(line.getScreenCTM());
    return [point.x, point.y];
  };
  const edges = group.querySelector(".edge").getBoundingClientRect();
  const ends = [["o", at(0)], ["n", at(line.getTotalLength())]];
  let top = Infinity, bottom = -Infinity, whole = true;
  for (const [side, [x, y]] of ends) {
    const rows = [...document.querySelectorAll(`main [data-${side}~="${id}"]`)].map(
      (row) => row.closest("details:not([open])")?.querySelector("summary") ?? row);
    if ([rows[0], rows[rows.length - 1]].some((row) => !row.checkVisibility({contentVisibilityAuto: true}))) {
      whole = false;
      continue;
    }
    const first = rows[0].getBoundingClientRect();
    const last = rows[rows.length - 1].getBoundingClientRect();
    top = Math.min(top, first.top);
    bottom = Math.max(bottom, last.bottom);
    if (y < first.top - 1 || y > first.bottom + 1) wrong.push(`${id}${side}: ${y} is not in ${first.top}-${first.bottom}`);
    const probe = [...document.querySelectorAll("main tr")].find((row) => row.offsetParent !== null);
    const pane = side === "o" ? probe.cells[1].getBoundingClientRect().right
      : probe.cells[2].getBoundingClientRect().right - probe.cells[2].clientWidth;
    if (Math.abs(x - pane) > 14) wrong.push(`${id}${side}: ${x} is not beside ${pane}`);
  }
  if (whole && (Math.abs(edges.top - top) > 4 || Math.abs(edges.bottom - bottom) > 4)) {
    wrong.push(`${id}: edges ${edges.top}-${edges.bottom}, rows ${top}-${bottom}`);
  }
}
return {count: groups.length, wrong};
"#;

pub fn start() -> Browser {
    Browser::start(Window::default())
}

fn text_of(browser: &Browser, css: &str) -> String {
    let script = format!("return document.querySelector({css:?}).textContent");
    browser.run(&script).as_str().expect("text").to_owned()
}
