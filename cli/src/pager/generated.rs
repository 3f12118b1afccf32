//! Files written by programs and rarely read: named and counted, not shown.

use mvdiff_render::view::{Row, View};
use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Names of lock files.
const LOCKS: [&str; 17] = [
    "Cargo.lock",
    "Gemfile.lock",
    "Package.resolved",
    "Pipfile.lock",
    "Podfile.lock",
    "bun.lock",
    "bun.lockb",
    "composer.lock",
    "deno.lock",
    "flake.lock",
    "go.sum",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "poetry.lock",
    "uv.lock",
    "yarn.lock",
];

/// Endings of what is made from other files.
const MADE: [&str; 4] = [".min.js", ".min.css", ".js.map", ".css.map"];

/// Takes the lines of generated files out of a view, and says how many there are.
pub(crate) fn fold(view: &mut View<'_>) {
    let names: Vec<String> = view
        .files
        .iter()
        .map(|file| file.new.clone().or(file.old.clone()).unwrap_or_default())
        .collect();
    let said = said_by_attributes(&names);
    for (file, name) in view.files.iter_mut().zip(&names) {
        let what = match kind(name) {
            Some(kind) => kind,
            None if said.contains(name) => "generated",
            None => continue,
        };
        let changed = |row: &Row<'_>| match row {
            Row::Lines { old, new } if !row.is_quiet() => {
                usize::from(old.is_some()) + usize::from(new.is_some())
            }
            _ => 0,
        };
        let lines: usize = file.rows.iter().map(changed).sum();
        if lines == 0 {
            continue;
        }
        file.rows.clear();
        let count = if lines == 1 {
            "1 line".to_owned()
        } else {
            format!("{lines} lines")
        };
        file.facts.push(format!(
            "{what}, {count} changed; --show-generated shows them"
        ));
    }
}

fn kind(name: &str) -> Option<&'static str> {
    let file = name.rsplit('/').next().unwrap_or(name);
    match () {
        () if LOCKS.contains(&file) => Some("lock file"),
        () if MADE.iter().any(|ending| file.ends_with(ending)) => Some("generated"),
        () => None,
    }
}

/// The files that the attributes call generated. Git is only asked if a file of
/// attributes above says the word.
fn said_by_attributes(names: &[String]) -> HashSet<String> {
    let says = |path: &Path| {
        std::fs::read_to_string(path).is_ok_and(|text| text.contains("linguist-generated"))
    };
    let here = std::env::current_dir().unwrap_or_default();
    let top = here.ancestors().find(|folder| folder.join(".git").exists());
    let Some(top) = top.filter(|top| says(&top.join(".gitattributes"))) else {
        return HashSet::new();
    };
    asked(top, names).unwrap_or_default()
}

fn asked(top: &Path, names: &[String]) -> Option<HashSet<String>> {
    let mut git = Command::new("git");
    git.arg("-C").arg(top);
    git.args(["check-attr", "-z", "--stdin", "linguist-generated"]);
    git.stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = git.spawn().ok()?;
    let mut stdin = child.stdin.take()?;
    let question: String = names.iter().flat_map(|name| [&name[..], "\0"]).collect();
    // Both pipes may fill up, so somebody must read while we write.
    let writer = std::thread::spawn(move || stdin.write_all(question.as_bytes()));
    let answer = child.wait_with_output().ok()?;
    let _ = writer.join();
    let text = String::from_utf8_lossy(&answer.stdout);
    let fields: Vec<&str> = text.split('\0').collect();
    let set = |entry: &&[&str]| matches!(entry, [_, _, "set" | "true"]);
    let entries = fields.chunks_exact(3).filter(set);
    Some(entries.map(|entry| entry[0].to_owned()).collect())
}
