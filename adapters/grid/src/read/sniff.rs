//! What a file is, by its first bytes and not by its name.

use super::book;
use super::error::ReadError;
use super::package::Package;
use memchr::memmem;
use std::path::Path;

/// The outermost format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    /// `.xlsx`, `.xlsm`, `.xlsb`, `.ods`
    Zip,
    /// `.xls`
    Ole,
    /// `.csv`, `.tsv`
    Text {
        /// Columns end at tabs, whatever else there is.
        tabs: bool,
    },
}

/// The format inside an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Xlsx,
    Xlsb,
    Ods,
}

/// Names that end like this promise a workbook and no text.
const WORKBOOKS: [&str; 9] = [
    "xlsx", "xlsm", "xltx", "xltm", "xlam", "xlsb", "xls", "ods", "fods",
];

/// Finds out what the file is; the name only helps with texts.
pub(super) fn container(bytes: &[u8], name: Option<&Path>) -> Result<Container, ReadError> {
    let extension = name.and_then(Path::extension).and_then(|e| e.to_str());
    let extension = extension.map(str::to_ascii_lowercase).unwrap_or_default();
    let extension = extension.as_str();
    let no = |found, advice| Err(ReadError::NotAWorkbook { found, advice });
    if bytes.is_empty() && !matches!(extension, "csv" | "tsv" | "tab") {
        return Err(ReadError::Empty);
    }
    if bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
        return if utf16_in(bytes, "EncryptedPackage") {
            Err(ReadError::Password)
        } else {
            Ok(Container::Ole)
        };
    }
    // Something may be before an archive, and texts do not hold its mark.
    if bytes.starts_with(b"PK")
        || memmem::find(&bytes[..bytes.len().min(4096)], b"PK\x03\x04").is_some()
    {
        return Ok(Container::Zip);
    }
    if bytes.starts_with(b"%PDF") {
        return no(
            "a PDF",
            "export the table from the program that made it as .xlsx or .csv",
        );
    }
    if bytes.starts_with(&[0x1F, 0x8B]) {
        return no("a gzip archive", "unpack it first");
    }
    if bytes.starts_with(&[9, 8]) || bytes.starts_with(&[9, 4]) || bytes.starts_with(&[9, 2]) {
        return no(
            "a worksheet of Excel 4 or older",
            "open it in a spreadsheet program and save it as .xlsx",
        );
    }
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).to_ascii_lowercase();
    let start = start.trim_start_matches('\u{feff}').trim_start();
    let resave = "open it in a spreadsheet program and save it as .xlsx";
    if start.starts_with("<!doctype html")
        || start.starts_with("<html")
        || start.starts_with("<table")
    {
        return no("a web page (HTML), whatever its name says", resave);
    }
    if start.starts_with("<?xml") && start.contains("urn:schemas-microsoft-com:office:spreadsheet")
    {
        return no("a workbook in the XML of Excel 2003", resave);
    }
    if start.starts_with("<?xml") && start.contains("opendocument") {
        return no("a flat OpenDocument file", resave);
    }
    let utf16 = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    if !utf16 && bytes[..bytes.len().min(8192)].contains(&0) {
        return no(
            "neither an archive nor text",
            "is it a download that broke off?",
        );
    }
    if WORKBOOKS.contains(&extension) {
        return no(
            "plain text, whatever its name says",
            "if it is a table, name it .csv or .tsv",
        );
    }
    Ok(Container::Text {
        tabs: matches!(extension, "tsv" | "tab"),
    })
}

/// Whether the parts of an `OpenDocument` are encrypted: its list of parts says how.
fn is_locked(package: &mut Package<'_>) -> Result<bool, ReadError> {
    const LIST: &str = "META-INF/manifest.xml";
    if !package.has(LIST) {
        return Ok(false);
    }
    let list = package.read(LIST)?;
    Ok(memmem::find(&list, b":encryption-data").is_some())
}

/// Finds out what an archive holds.
pub(super) fn inside(package: &mut Package<'_>) -> Result<Inside, ReadError> {
    let no = |found, advice| Err(ReadError::NotAWorkbook { found, advice });
    if package.has("mimetype") {
        let kind = package.read("mimetype")?;
        if memmem::find(&kind, b"opendocument.spreadsheet").is_some() {
            if is_locked(package)? {
                return Err(ReadError::Password);
            }
            return Ok(Inside::Ods);
        }
        if memmem::find(&kind, b"opendocument").is_some() {
            return no(
                "an OpenDocument file without sheets",
                "is it the right file?",
            );
        }
    }
    let binary = |part: String| Path::new(&part).extension().is_some_and(|e| e == "bin");
    if package.has("xl/workbook.bin") || book::workbook_part(package).is_ok_and(binary) {
        return Ok(Inside::Xlsb);
    }
    let office = package.has("_rels/.rels") || package.has("[Content_Types].xml");
    if package.has("word/document.xml") || package.has("ppt/presentation.xml") {
        return no("a text document or a presentation", "is it the right file?");
    }
    if package.has("Index/Document.iwa") {
        return no("a Numbers document", "export it as .xlsx");
    }
    if !office && !package.has("xl/workbook.xml") {
        return no("an archive without a workbook", "is it the right file?");
    }
    Ok(Inside::Xlsx)
}

/// Whether an OLE file has an entry of this name.
fn utf16_in(bytes: &[u8], name: &str) -> bool {
    let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    memmem::find(bytes, &name).is_some()
}

#[cfg(test)]
mod tests {
    use super::{Container, container};
    use crate::read::error::ReadError;
    use std::path::Path;

    fn of(bytes: &[u8], name: &str) -> Result<Container, ReadError> {
        container(bytes, Some(Path::new(name)))
    }

    #[test]
    fn the_content_decides_and_not_the_name() {
        assert_eq!(of(b"PK\x03\x04", "a.csv").unwrap(), Container::Zip);
        assert_eq!(
            of(b"a,b\n", "a.csv").unwrap(),
            Container::Text { tabs: false }
        );
        assert_eq!(
            of(b"a\tb\n", "A.TSV").unwrap(),
            Container::Text { tabs: true }
        );
        assert_eq!(of(b"", "a.csv").unwrap(), Container::Text { tabs: false });
        assert!(matches!(of(b"", "a.xlsx"), Err(ReadError::Empty)));
    }

    #[test]
    fn what_is_no_workbook_is_called_what_it_is() {
        for (bytes, name, says) in [
            (&b"\n <HTML><table>"[..], "a.xlsx", "HTML"),
            (b"%PDF-1.7", "a.xlsx", "PDF"),
            (b"a,b\n1,2\n", "a.xlsx", "name it .csv"),
            (b"\x1f\x8b\x08", "a.csv", "gzip"),
            (b"a\0b", "a.csv", "neither"),
        ] {
            let error = of(bytes, name).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
