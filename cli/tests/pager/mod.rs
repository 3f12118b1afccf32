//! `mvdiff` as pager and filter: diffs are shown, everything else goes through.

mod compare;
mod filter;
mod recipes;
mod settings;
mod words;

use crate::support::{Ran, Repo, lines};

impl Repo {
    /// `mvdiff` with options and no command, and something piped in.
    fn piped(&self, args: &[&str], input: &[u8]) -> Ran {
        self.run(&self.path(""), args, input, &[])
    }
}

/// Text without escape codes.
fn plain(text: &[u8]) -> String {
    let mut plain = String::new();
    let text = String::from_utf8_lossy(text);
    let mut rest = &text[..];
    while let Some((before, behind)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        let end = match behind.as_bytes().first() {
            Some(b'[') => behind.find(|c: char| c.is_ascii_alphabetic()).unwrap() + 1,
            _ => behind.find('\\').unwrap() + 1,
        };
        rest = &behind[end..];
    }
    plain + rest
}

/// A repository in which a function moved, and a line elsewhere was edited.
fn moved() -> Repo {
    let function = "def total(items):\n    result = 0\n    for item in items:\n        result += item.price\n    return result\n";
    let rest = lines(1, 30);
    let repo = Repo::of(&[("a.py", &format!("{function}\n{rest}"))]);
    let rest = rest.replace("line number 12\n", "line number twelve\n");
    repo.write("a.py", format!("{rest}\n{function}"));
    repo
}
