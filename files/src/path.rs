//! Resolves paths of an input below a root, or refuses them.

use std::ffi::{OsStr, OsString};

/// The parts of a path with `/` between them, if it stays below wherever it is put.
///
/// # Errors
/// Why it is refused.
pub fn parts(path: &[u8]) -> Result<Vec<OsString>, &'static str> {
    if path.is_empty() {
        return Err("the path is empty");
    }
    if path.contains(&0) {
        return Err("the path has a NUL in it");
    }
    if path[0] == b'/' {
        return Err("the path is absolute");
    }
    let drive = path[0].is_ascii_alphabetic() && path.get(1) == Some(&b':');
    if drive && (cfg!(windows) || matches!(path.get(2), Some(b'/' | b'\\'))) {
        return Err("the path names a drive");
    }
    if cfg!(windows) && path.iter().any(|b| matches!(b, b'\\' | b':')) {
        return Err("the path has a backslash or a colon in it");
    }
    path.split(|b| *b == b'/').map(part).collect()
}

/// As [`parts`], for paths that a model or a stranger wrote: a leading `./` is
/// dropped, and what another system would take for a way out is refused as well.
///
/// # Errors
/// Why it is refused.
pub(crate) fn foreign_parts(path: &[u8]) -> Result<Vec<OsString>, &'static str> {
    let mut path = path;
    while let Some(rest) = path.strip_prefix(b"./") {
        path = rest;
    }
    if path.first() == Some(&b'\\') {
        return Err("the path is absolute");
    }
    let mut names = path.split(|b| matches!(b, b'/' | b'\\'));
    if path.contains(&b'\\') && names.any(|name| name == b".." || is_git(name)) {
        return Err("the path leads out of the directory");
    }
    parts(path)
}

/// Whether the parts of a path stay below wherever it is put.
pub(crate) fn are_below<'p>(mut parts: impl Iterator<Item = &'p [u8]>) -> bool {
    parts.all(|name| !name.contains(&b'/') && !name.contains(&0) && part(name).is_ok())
}

fn part(name: &[u8]) -> Result<OsString, &'static str> {
    match name {
        b"" | b"." => return Err("the path has an empty part"),
        b".." => return Err("the path leads out of the directory"),
        _ if is_git(name) => return Err("the path leads into a repository's .git"),
        _ => {}
    }
    if cfg!(not(unix)) && std::str::from_utf8(name).is_err() {
        return Err("the path is not a name on this system");
    }
    Ok(os_string(name))
}

/// The bytes of a name or path, as the system has them.
#[must_use]
pub fn bytes_of(name: &OsStr) -> Vec<u8> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        name.as_bytes().to_vec()
    }
    #[cfg(not(unix))]
    {
        name.to_string_lossy().into_owned().into_bytes()
    }
}

pub(crate) fn os_string(bytes: &[u8]) -> OsString {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        OsStr::from_bytes(bytes).to_owned()
    }
    #[cfg(not(unix))]
    {
        String::from_utf8_lossy(bytes).into_owned().into()
    }
}

/// Whether some file system takes a name for `.git`: without case, with dots or
/// spaces behind it, by its short name, or with characters that show nothing.
fn is_git(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    let shown = name.chars().filter(|c| {
        !matches!(*c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{206a}'..='\u{206f}' | '\u{feff}')
    });
    let shown: String = shown.collect::<String>().to_ascii_lowercase();
    let shown = shown.trim_end_matches(['.', ' ']);
    // A stream of a file, as some systems have it, is still that file.
    let shown = shown.split(':').next().unwrap_or(shown);
    shown == ".git" || shown == "git~1"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_paths_are_taken() {
        for path in [
            "a",
            "a/b.c",
            ".gitignore",
            "a..b/..c",
            "~",
            "git",
            "a\tb",
            "-x",
        ] {
            assert!(parts(path.as_bytes()).is_ok(), "{path}");
            assert!(foreign_parts(path.as_bytes()).is_ok(), "{path}");
        }
        assert_eq!(foreign_parts(b"././a/b"), parts(b"a/b"));
    }

    #[test]
    fn paths_that_lead_elsewhere_are_refused() {
        let bad = [
            "",
            "/",
            "/etc/x",
            "..",
            "../x",
            "a/../b",
            "a/..",
            "a/./b",
            "a//b",
            "a/",
            "a\0b",
            "C:/x",
            "c:\\x",
            ".git",
            ".git/config",
            "a/.GIT/x",
            ".git./x",
            ".git /x",
            "git~1/x",
            ".g\u{200c}it/config",
            ".git::$INDEX_ALLOCATION/x",
        ];
        for path in bad {
            assert!(parts(path.as_bytes()).is_err(), "{path:?}");
            assert!(foreign_parts(path.as_bytes()).is_err(), "{path:?}");
        }
        for path in [
            "\\\\server\\x",
            "..\\x",
            "a\\..\\x",
            "a\\.git\\x",
            "./../x",
            "./",
        ] {
            assert!(foreign_parts(path.as_bytes()).is_err(), "{path:?}");
        }
    }
}
