//! Detects whether a file is text or a workbook.

use crate::input;
use anyhow::Context as _;
use memchr::memmem;
use std::io::Read as _;
use std::path::Path;

/// The detected kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DetectedKind {
    /// A workbook, by its content or because its name promises one.
    Workbook,
    /// Text with columns, by its name.
    Table,
    /// Anything else.
    Other,
}

/// A file, read as far as was needed to tell what it is.
pub(crate) struct Sniffed<'p> {
    pub path: &'p Path,
    pub guess: DetectedKind,
    bytes: Option<Vec<u8>>,
}

impl<'p> Sniffed<'p> {
    /// Looks at a file, or at standard input for `-`.
    pub(crate) fn open(path: &'p Path) -> anyhow::Result<Self> {
        let piped = path.as_os_str() == "-";
        let by_name = by_name(path);
        if !piped && !path.is_dir() {
            let mut head = Vec::new();
            let cannot = || format!("{}: cannot read", path.display());
            let file = std::fs::File::open(path).with_context(cannot)?;
            // A pipe can be read once only.
            let regular = file.metadata().with_context(cannot)?.is_file();
            if regular {
                file.take(HEAD)
                    .read_to_end(&mut head)
                    .with_context(cannot)?;
                if by_name == DetectedKind::Workbook || !is_container(&head) {
                    return Ok(Self {
                        path,
                        guess: by_name,
                        bytes: None,
                    });
                }
            }
        }
        let bytes = input::read(path)?;
        Ok(Self {
            path,
            guess: guess(path, &bytes),
            bytes: Some(bytes),
        })
    }

    /// Whether its bytes were read to tell what it is.
    pub(crate) fn is_read(&self) -> bool {
        self.bytes.is_some()
    }

    /// All its bytes.
    pub(crate) fn bytes(self) -> anyhow::Result<Vec<u8>> {
        match self.bytes {
            Some(bytes) => Ok(bytes),
            None => input::read(self.path),
        }
    }
}

const HEAD: u64 = 4096;

/// What bytes are that go by this name.
pub(crate) fn guess(name: &Path, bytes: &[u8]) -> DetectedKind {
    if holds_workbook(bytes) {
        return DetectedKind::Workbook;
    }
    by_name(name)
}

fn by_name(path: &Path) -> DetectedKind {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    match extension.to_ascii_lowercase().as_str() {
        "xlsx" | "xlsm" | "xltx" | "xltm" | "xlam" | "xlsb" | "xls" | "ods" => {
            DetectedKind::Workbook
        }
        "csv" | "tsv" | "tab" => DetectedKind::Table,
        _ => DetectedKind::Other,
    }
}

const OLE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Whether the bytes begin like a file of files.
pub(crate) fn is_container(head: &[u8]) -> bool {
    head.starts_with(OLE) || head.starts_with(b"PK\x03\x04")
}

/// Whether a file of files holds a workbook, as far as the names in it tell: what
/// is wrong with it, the reader says.
fn holds_workbook(bytes: &[u8]) -> bool {
    if bytes.starts_with(OLE) {
        let named = |name: &str| {
            let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
            memmem::find(bytes, &name).is_some()
        };
        return ["Workbook\0", "Book\0", "EncryptedPackage\0"]
            .into_iter()
            .any(named);
    }
    is_container(bytes)
        && [&b"xl/workbook"[..], b"opendocument.spreadsheet"]
            .into_iter()
            .any(|name| memmem::find(bytes, name).is_some())
}

#[cfg(test)]
mod tests {
    use super::{DetectedKind, by_name, holds_workbook};
    use std::path::Path;

    #[test]
    fn names_promise_workbooks_without_case() {
        for (name, guess) in [
            ("a.XLSX", DetectedKind::Workbook),
            ("a.ods", DetectedKind::Workbook),
            ("a.b.tsv", DetectedKind::Table),
            ("xlsx", DetectedKind::Other),
            ("a.xlsx.bak", DetectedKind::Other),
        ] {
            assert_eq!(by_name(Path::new(name)), guess, "{name}");
        }
    }

    #[test]
    fn other_archives_are_no_workbooks() {
        assert!(!holds_workbook(b"PK\x03\x04 word/document.xml"));
        assert!(!holds_workbook(b"text about xl/workbook.xml"));
        assert!(holds_workbook(b"PK\x03\x04 xl/workbook.bin"));
    }
}
