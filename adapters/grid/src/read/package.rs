//! The archive around the parts of a workbook, looked over before a part is read.

use super::error::{ReadError, within};
use super::limits::{Limit, Limits};
use std::collections::{HashMap, HashSet};
use std::io::{Cursor, Read};
use xxhash_rust::xxh3::xxh3_64_with_seed;
use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

/// Parts below this size may be packed as tightly as they like.
const RATIO_FROM: u64 = 1 << 20;

/// An archive that has passed the preflight: what its parts say of their size is
/// within the limits, and they cannot unpack to more than they say.
pub(crate) struct Package<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    bytes: &'b [u8],
    /// Index by name in lower case with `/`: writers differ in both.
    names: HashMap<String, usize>,
}

/// A part as it lies in the archive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packed<'b> {
    crc: u32,
    size: u64,
    bytes: &'b [u8],
}

impl Packed<'_> {
    /// A number for its bytes.
    pub fn hash(&self) -> u64 {
        xxh3_64_with_seed(self.bytes, u64::from(self.crc) ^ self.size)
    }

    /// How many bytes it unpacks to.
    pub fn size(&self) -> u64 {
        self.size
    }
}

impl<'b> Package<'b> {
    /// Opens the archive and looks it over.
    pub fn open(bytes: &'b [u8], limits: &Limits) -> Result<Self, ReadError> {
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|e| damaged("the file", &e))?;
        let whole = "the archive";
        within(limits, Limit::Entries, whole, zip.len() as u64)?;
        let mut names = HashMap::with_capacity(zip.len());
        let mut total = 0u64;
        for index in 0..zip.len() {
            let entry = zip
                .entry_of(index)
                .map_err(|e| damaged(&format!("file {index} of the archive"), &e))?;
            if entry.encrypted {
                return Err(ReadError::Password);
            }
            within(limits, Limit::Part, &entry.name, entry.size)?;
            if entry.size > RATIO_FROM {
                let ratio = entry.size / entry.packed.max(1);
                within(limits, Limit::Ratio, &entry.name, ratio)?;
            }
            total = total.saturating_add(entry.size);
            within(limits, Limit::Inflated, whole, total)?;
            if names.insert(normal(&entry.name), index).is_some() {
                return Err(ReadError::DuplicatePart { part: entry.name });
            }
        }
        if zip.has_duplicate_names() {
            let part = twice(&bytes[zip.central_directory_start() as usize..]);
            return Err(ReadError::DuplicatePart { part });
        }
        let shared = zip
            .has_overlapping_files()
            .map_err(|e| damaged(whole, &e))?;
        if shared {
            return Err(ReadError::archive(whole, "parts of it share their bytes"));
        }
        Ok(Self { zip, bytes, names })
    }

    /// The names of all parts, in lower case and in order.
    pub fn part_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.names.keys().cloned().collect();
        names.sort_unstable();
        names
    }

    /// Whether the part is there.
    pub fn has(&self, part: &str) -> bool {
        self.names.contains_key(&normal(part))
    }

    /// The part as it lies in the archive.
    pub fn packed(&mut self, part: &str) -> Option<Packed<'b>> {
        let index = *self.names.get(&normal(part))?;
        let file = self.zip.by_index_raw(index).ok()?;
        let start = usize::try_from(file.data_start()?).ok()?;
        let length = usize::try_from(file.compressed_size()).ok()?;
        Some(Packed {
            crc: file.crc32(),
            size: file.size(),
            bytes: self.bytes.get(start..start.checked_add(length)?)?,
        })
    }

    /// A reader of the part, which ends with an error if the part is damaged.
    pub fn reader(&mut self, part: &str) -> Result<PartReader<impl Read + '_>, ReadError> {
        let index = *self
            .names
            .get(&normal(part))
            .ok_or_else(|| ReadError::missing(part))?;
        let file = self.zip.by_index(index).map_err(|e| damaged(part, &e))?;
        let size = file.size();
        Ok(PartReader {
            part: part.to_owned(),
            size,
            read: 0,
            // One byte more than announced tells a part that lies about its size.
            inner: file.take(size + 1),
        })
    }

    /// Gives every file of the archive as it is packed, in order, with its name.
    pub fn each_raw<E: From<ZipError>>(
        &mut self,
        mut each: impl FnMut(&str, ZipFile<'_, Cursor<&'b [u8]>>) -> Result<(), E>,
    ) -> Result<(), E> {
        for index in 0..self.zip.len() {
            let file = self.zip.by_index_raw(index)?;
            let name = String::from_utf8_lossy(file.name_raw()).into_owned();
            each(&name, file)?;
        }
        Ok(())
    }

    /// All of the part.
    pub fn read(&mut self, part: &str) -> Result<Vec<u8>, ReadError> {
        let mut reader = self.reader(part)?;
        let mut bytes = Vec::with_capacity(usize::try_from(reader.size).unwrap_or(0) + 1);
        while reader.fill(&mut bytes, 1 << 20)? {}
        Ok(bytes)
    }
}

/// Reads one part and knows its name.
pub(crate) struct PartReader<R> {
    part: String,
    size: u64,
    read: u64,
    inner: R,
}

impl<R: Read> PartReader<R> {
    /// Adds up to about `want` bytes to `buffer`; false at the end.
    pub fn fill(&mut self, buffer: &mut Vec<u8>, want: u64) -> Result<bool, ReadError> {
        let before = buffer.len();
        let got = (&mut self.inner).take(want).read_to_end(buffer);
        got.map_err(|e| ReadError::archive(&self.part, e))?;
        let got = (buffer.len() - before) as u64;
        self.read += got;
        if self.read > self.size {
            let what = format!("it announces {} bytes and holds more", self.size);
            return Err(ReadError::archive(&self.part, what));
        }
        if got == 0 && self.read < self.size {
            let what = format!("it announces {} bytes and ends at {}", self.size, self.read);
            return Err(ReadError::archive(&self.part, what));
        }
        Ok(got > 0)
    }
}

/// What the preflight asks of a file in an archive.
struct Entry {
    name: String,
    size: u64,
    packed: u64,
    encrypted: bool,
}

trait Entries {
    fn entry_of(&mut self, index: usize) -> Result<Entry, ZipError>;
}

impl Entries for ZipArchive<Cursor<&[u8]>> {
    fn entry_of(&mut self, index: usize) -> Result<Entry, ZipError> {
        let file = self.by_index_raw(index)?;
        Ok(Entry {
            name: String::from_utf8_lossy(file.name_raw()).into_owned(),
            size: file.size(),
            packed: file.compressed_size(),
            encrypted: file.encrypted(),
        })
    }
}

/// The first name that the directory of an archive lists again.
fn twice(directory: &[u8]) -> String {
    let mut seen = HashSet::new();
    let mut rest = directory;
    // Lengths of the name, of what is extra, and of the comment.
    let length =
        |entry: &[u8], at: usize| usize::from(u16::from_le_bytes([entry[at], entry[at + 1]]));
    while rest.len() >= 46 && rest.starts_with(b"PK\x01\x02") {
        let (name, extra, comment) = (length(rest, 28), length(rest, 30), length(rest, 32));
        let Some(found) = rest.get(46..46 + name) else {
            break;
        };
        if !seen.insert(found) {
            return String::from_utf8_lossy(found).into_owned();
        }
        rest = rest.get(46 + name + extra + comment..).unwrap_or_default();
    }
    "a part".to_owned()
}

/// A name as it is looked up.
pub(crate) fn normal(part: &str) -> String {
    let mut name = part.replace('\\', "/");
    name.make_ascii_lowercase();
    name
}

fn damaged(part: &str, error: &ZipError) -> ReadError {
    let what = match error {
        ZipError::InvalidArchive(what) => what.to_string(),
        ZipError::UnsupportedArchive(what) => (*what).to_owned(),
        ZipError::CompressionMethodNotSupported(method) => {
            format!("it is packed by method {method}, and only deflate is known")
        }
        error => error.to_string(),
    };
    ReadError::archive(part, what)
}
