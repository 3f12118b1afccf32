//! Reads files and detects what they are.

use crate::file_kind;
use anyhow::{Context as _, bail};
use std::io::Read as _;
use std::path::Path;

/// Reads a file, or standard input for `-`.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .context("-: cannot read standard input")?;
        return Ok(bytes);
    }
    if path.is_dir() {
        bail!("{}: is a directory; give a file", path.display());
    }
    std::fs::read(path).with_context(|| format!("{}: cannot read", path.display()))
}

/// Whether bytes look like no text: by git's rule of a NUL near the start, or
/// an archive, whose first bytes need not have one.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(8000)].contains(&0) || file_kind::is_container(bytes)
}
