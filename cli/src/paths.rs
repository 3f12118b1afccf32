//! Paths that a patch or a report names: taken below a root, or refused.

pub(crate) use mvdiff_edit::files::parts;

use crate::folder::Folder;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};

/// A path below a root, and what is there, if anything does. No link on the
/// way is followed; what is there may be one.
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
    let parts = parts(path)?;
    let Some((name, folders)) = parts.split_last() else {
        return Err("the path is empty".into());
    };
    // What was seen may be a link by now: it is looked up again from the root on.
    let folder = || Folder::open(root)?.way(folders);
    let bytes = match found {
        None => return Err(format!("there is no such file in {}", root.display())),
        Some(found) if found.is_symlink() => folder().and_then(|folder| folder.read_link(name)),
        Some(found) if found.is_file() => folder().and_then(|folder| folder.read(name)),
        Some(_) => return Err(format!("{} is no file", full.display())),
    };
    bytes.map_err(|error| error.to_string())
}

/// The path that a link names, as git has it.
#[cfg(unix)]
pub(crate) fn link_bytes(link: PathBuf) -> Vec<u8> {
    use std::os::unix::ffi::OsStringExt as _;
    link.into_os_string().into_vec()
}

/// The path that a link names, as git has it.
#[cfg(not(unix))]
pub(crate) fn link_bytes(link: PathBuf) -> Vec<u8> {
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
