//! Paths that a patch or a report names: taken below a root, or refused.

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};

/// The parts of a path that was written with `/`, if it stays below wherever it
/// is put.
///
/// # Errors
/// Why it is refused.
pub(crate) fn parts(path: &[u8]) -> Result<Vec<PathBuf>, &'static str> {
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

fn part(name: &[u8]) -> Result<PathBuf, &'static str> {
    match name {
        b"" | b"." => return Err("the path has an empty part"),
        b".." => return Err("the path leads out of the directory"),
        _ if is_git(name) => return Err("the path leads into a repository's .git"),
        _ => {}
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        Ok(PathBuf::from(std::ffi::OsStr::from_bytes(name)))
    }
    #[cfg(not(unix))]
    {
        let name = std::str::from_utf8(name);
        name.map(PathBuf::from)
            .map_err(|_| "the path is no name on this system")
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

/// A path below a root, and what stands there, if anything does. No link on the
/// way is followed; what stands there may be one.
///
/// # Errors
/// Why it is refused.
pub(crate) fn below(root: &Path, path: &[u8]) -> Result<(PathBuf, Option<Metadata>), String> {
    let parts = parts(path)?;
    let mut full = root.to_path_buf();
    let mut found = None;
    for (i, part) in parts.iter().enumerate() {
        full.push(part);
        found = match std::fs::symlink_metadata(&full) {
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.to_string()),
        };
        let on_the_way = i + 1 < parts.len();
        match &found {
            Some(found) if on_the_way && found.is_symlink() => {
                return Err(format!(
                    "{} is a link, which is not followed",
                    full.display()
                ));
            }
            Some(found) if on_the_way && !found.is_dir() => {
                return Err(format!("{} is no directory", full.display()));
            }
            None => {
                full.extend(&parts[i + 1..]);
                break;
            }
            Some(_) => {}
        }
    }
    Ok((full, found))
}

/// Reads a file below a root; of a link the path that it names, as git does.
///
/// # Errors
/// Why it is refused, or cannot be read.
pub(crate) fn read(root: &Path, path: &[u8]) -> Result<Vec<u8>, String> {
    let (full, found) = below(root, path)?;
    let bytes = match found {
        None => return Err(format!("there is no such file in {}", root.display())),
        Some(found) if found.is_symlink() => std::fs::read_link(&full).map(link_bytes),
        Some(found) if found.is_file() => std::fs::read(&full),
        Some(_) => return Err(format!("{} is no file", full.display())),
    };
    bytes.map_err(|error| error.to_string())
}

#[cfg(unix)]
fn link_bytes(link: PathBuf) -> Vec<u8> {
    use std::os::unix::ffi::OsStringExt as _;
    link.into_os_string().into_vec()
}

#[cfg(not(unix))]
fn link_bytes(link: PathBuf) -> Vec<u8> {
    link.to_string_lossy().replace('\\', "/").into_bytes()
}

/// A path as it is, where the system's paths are bytes.
pub(crate) fn bytes(path: &Path) -> Vec<u8> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        path.as_os_str().as_bytes().to_vec()
    }
    #[cfg(not(unix))]
    {
        path.to_string_lossy().into_owned().into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::parts;

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
        }
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
            "./a",
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
        }
    }
}
