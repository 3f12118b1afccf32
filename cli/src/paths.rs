//! Resolves paths of patches and reports below a root, or refuses them.

use mvdiff_files::{Content, Found, Root};
use std::path::{Path, PathBuf};

/// A path below a root, and what it leads to. No link on the way is followed; the
/// last part of the path may be one.
///
/// # Errors
/// Why it is refused.
pub(crate) fn below(root: &Path, path: &[u8]) -> Result<(PathBuf, Found), String> {
    let parts = mvdiff_files::parts(path)?;
    let full = root.join(parts.iter().collect::<PathBuf>());
    let found = open(root)?.look(path).map_err(|error| error.message)?;
    Ok((full, found))
}

/// Reads a file below a root, or the path that a link names, as git does; `None` if
/// there is nothing.
///
/// # Errors
/// Why it is refused, or cannot be read.
pub(crate) fn read(root: &Path, path: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let source = open(root)?.read_any(path).map_err(|error| error.message)?;
    Ok(source.into_content().map(Content::into_bytes))
}

fn open(root: &Path) -> Result<Root, String> {
    let here = Path::new(".");
    let root = if root.as_os_str().is_empty() {
        here
    } else {
        root
    };
    Root::open(root).map_err(|error| error.to_string())
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
    mvdiff_files::bytes_of(path.as_os_str())
}
