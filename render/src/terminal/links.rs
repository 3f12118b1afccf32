//! Links in a terminal (OSC 8), from file names and line numbers to an editor.

use super::Page;
use crate::view::FileView;
use std::fmt::Write as _;

const END: &str = "\u{1b}]8;;\u{1b}\\";

impl Page<'_, '_> {
    /// The escape codes that make a text a link to a line; nothing where
    /// links are not wanted, or the file is gone.
    pub(super) fn link(&self, file: &FileView<'_>, line: u32) -> (String, &'static str) {
        let Some((template, path)) = self.screen.links.zip(file.new.as_ref()) else {
            return (String::new(), "");
        };
        let address = template
            .replace("{path}", &link_path(path))
            .replace("{line}", &line.to_string());
        (format!("\u{1b}]8;;{address}\u{1b}\\"), END)
    }
}

/// A path as part of an address.
#[must_use]
pub fn link_path(path: &str) -> String {
    let mut address = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            address.push(byte as char);
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::link_path;

    #[test]
    fn nothing_in_a_path_ends_the_link() {
        assert_eq!(link_path("a b/\u{1b}\\ü.rs"), "a%20b/%1B%5C%C3%BC.rs");
    }
}
