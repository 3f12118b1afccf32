//! Paths that a patch or a report names, below a directory and never outside.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// `path` below `root`, or why it is not taken: whoever wrote the patch chose
/// the path, and must not choose what is read or written elsewhere.
///
/// Refused are `..`, absolute paths, drives, NUL, `.git` and links to
/// directories on the way; the last component may be a link, which is the
/// caller's to treat.
pub(crate) fn below(root: &Path, path: &[u8]) -> Result<PathBuf, String> {
    // The colon of a drive or a stream, which `components` may overlook.
    let foreign = cfg!(windows) && path.contains(&b':');
    if foreign || path.contains(&0) {
        return Err("the path is none of a file here".into());
    }
    let relative = PathBuf::from(os(path.to_vec())?);
    let mut full = root.to_path_buf();
    let mut parts = relative.components().peekable();
    if parts.peek().is_none() {
        return Err("the path is empty".into());
    }
    while let Some(part) = parts.next() {
        match part {
            Component::Normal(name) if name.eq_ignore_ascii_case(".git") => {
                return Err("the path leads into a repository's own folder".into());
            }
            Component::Normal(name) => full.push(name),
            Component::CurDir => continue,
            _ => return Err("the path leads outside the directory".into()),
        }
        let on_the_way = parts.peek().is_some();
        if on_the_way && std::fs::symlink_metadata(&full).is_ok_and(|m| m.is_symlink()) {
            return Err("the path leads through a link".into());
        }
    }
    Ok(full)
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

/// Bytes as the system's strings are, if they can be.
#[cfg_attr(
    unix,
    expect(clippy::unnecessary_wraps, reason = "elsewhere not all bytes are")
)]
pub(crate) fn os(bytes: Vec<u8>) -> Result<OsString, String> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt as _;
        Ok(OsString::from_vec(bytes))
    }
    #[cfg(not(unix))]
    {
        let text = String::from_utf8(bytes).map_err(|_| "not in UTF-8")?;
        Ok(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::below;
    use std::path::Path;

    #[test]
    fn a_path_stays_below_its_root() {
        let root = Path::new("root");
        assert_eq!(below(root, b"a/b.txt"), Ok(root.join("a/b.txt")));
        assert_eq!(below(root, b"./a"), Ok(root.join("a")));
        for path in [
            &b"../a"[..],
            b"a/../../b",
            b"a/..",
            b"/etc/passwd",
            b"//host/share",
            b"",
            b"a\0b",
            b"sub/.Git/config",
        ] {
            assert!(below(root, path).is_err(), "{path:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_path_leads_through_no_link() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = dir.path().join("root");
        std::fs::create_dir(&root).expect("a folder");
        std::os::unix::fs::symlink("..", root.join("up")).expect("a link");
        assert!(below(&root, b"up/secret").is_err());
        assert_eq!(below(&root, b"up"), Ok(root.join("up")));
    }
}
