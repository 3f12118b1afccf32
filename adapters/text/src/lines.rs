//! Splits bytes into lines and maps lines to tokens.

use crate::Error;
use crate::ignore::Ignore;
use crate::line;
use crate::table::Table;
use mvdiff_core::{Problem, Side, Token};
use std::borrow::Cow;
use std::ops::Range;

/// A text split at `\n` only: carriage returns stay in their lines, and a last
/// line without a newline differs from one with it.
#[derive(Clone, Debug, Default)]
pub struct Lines<'t> {
    pub(crate) bytes: &'t [u8],
    /// The end of each line, including its newline.
    pub(crate) ends: Vec<u32>,
}

impl<'t> Lines<'t> {
    /// Splits `bytes`.
    ///
    /// # Errors
    /// [`Error::TooLarge`] from 4 GiB up.
    pub fn new(bytes: &'t [u8]) -> Result<Self, Error> {
        check_size(bytes)?;
        let mut ends: Vec<u32> = Vec::with_capacity(bytes.len() / 32);
        ends.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at as u32 + 1));
        if ends.last().copied().unwrap_or(0) as usize != bytes.len() {
            ends.push(bytes.len() as u32);
        }
        Ok(Self { bytes, ends })
    }

    /// Number of lines.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One line, including its newline.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> &'t [u8] {
        &self.bytes[self.start(index)..self.ends[index] as usize]
    }

    /// Several lines, verbatim.
    #[must_use]
    pub fn range(&self, range: Range<usize>) -> &'t [u8] {
        if range.is_empty() {
            return &[];
        }
        &self.bytes[self.start(range.start)..self.ends[range.end - 1] as usize]
    }

    /// Whether there is a last line and it has no newline.
    #[must_use]
    pub fn lacks_newline(&self) -> bool {
        !self.bytes.is_empty() && !self.bytes.ends_with(b"\n")
    }

    /// The offset of a line.
    #[inline]
    pub(crate) fn start(&self, index: usize) -> usize {
        index
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] as usize)
    }

    /// All lines in order.
    pub fn iter(&self) -> impl Iterator<Item = &'t [u8]> {
        (0..self.len()).map(|i| self.get(i))
    }
}

/// Rejects a text whose offsets do not fit.
pub(crate) fn check_size(bytes: &[u8]) -> Result<(), Error> {
    if bytes.len() >= u32::MAX as usize - 1 {
        return Err(Error::TooLarge { bytes: bytes.len() });
    }
    Ok(())
}

/// Two sets of files as lines, as a problem for the core. Identity is the line's
/// bytes; coarser identity ignores white space at its ends.
pub struct LineProblem<'t> {
    sides: [Files<'t>; 2],
    partners: Vec<(u32, u32)>,
    ignore: Ignore,
}

/// The files of one side.
pub(crate) struct Files<'t> {
    pub texts: Vec<Lines<'t>>,
    /// The first line of each file; the last entry is the number of lines.
    pub starts: Vec<u32>,
    pub tokens: Vec<Token>,
}

impl Files<'_> {
    /// The file of an element, and its line in the file.
    pub(crate) fn place(&self, index: u32) -> (usize, usize) {
        let file = match self.starts.len() {
            2 => 0,
            _ => self.starts.partition_point(|&start| start <= index) - 1,
        };
        (file, (index - self.starts[file]) as usize)
    }
}

impl<'t> LineProblem<'t> {
    /// Two versions of one text.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if a side has 4 GiB or more.
    pub fn of_texts(old: &'t [u8], new: &'t [u8]) -> Result<Self, Error> {
        Self::of_files(&[old], &[new], vec![(0, 0)])
    }

    /// Two versions of one text, ignoring some differences.
    ///
    /// # Errors
    /// As [`of_texts`](Self::of_texts).
    pub fn ignoring(old: &'t [u8], new: &'t [u8], ignore: Ignore) -> Result<Self, Error> {
        Self::of_files_ignoring(&[old], &[new], vec![(0, 0)], ignore)
    }

    /// Two sets of texts, with the pairs (old, new) that are versions of each
    /// other.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if a text has 4 GiB or a side 2 billion lines.
    pub fn of_files(
        old: &[&'t [u8]],
        new: &[&'t [u8]],
        partners: Vec<(u32, u32)>,
    ) -> Result<Self, Error> {
        let (mut table, old) = Table::read_old(old)?;
        let new = table.read_new(new, &old, &partners)?;
        Ok(Self {
            sides: [old, new],
            partners,
            ignore: Ignore::default(),
        })
    }

    /// Two sets of texts, ignoring some differences.
    ///
    /// # Errors
    /// As [`of_files`](Self::of_files).
    pub fn of_files_ignoring(
        old: &[&'t [u8]],
        new: &[&'t [u8]],
        partners: Vec<(u32, u32)>,
        ignore: Ignore,
    ) -> Result<Self, Error> {
        if ignore.is_exact() {
            let problem = Self::of_files(old, new, partners)?;
            return Ok(Self { ignore, ..problem });
        }
        let split = |texts: &[&'t [u8]]| -> Result<Vec<Lines<'t>>, Error> {
            texts.iter().map(|text| Lines::new(text)).collect()
        };
        let texts = [split(old)?, split(new)?];
        // Compare normalised copies of the texts; line numbers stay the same.
        let selves: [Vec<Vec<u8>>; 2] = texts.each_ref().map(|texts| {
            let selves = texts.iter().map(|text| ignore.normalised(text));
            selves.collect()
        });
        let slices = selves
            .each_ref()
            .map(|texts| texts.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let (mut table, old) = Table::read_old(&slices[0])?;
        let new = table.read_new(&slices[1], &old, &partners)?;
        let [old_texts, new_texts] = texts;
        let of = |files: Files<'_>, texts| Files {
            texts,
            starts: files.starts,
            tokens: files.tokens,
        };
        Ok(Self {
            sides: [of(old, old_texts), of(new, new_texts)],
            partners,
            ignore,
        })
    }

    /// The ignored differences.
    #[must_use]
    pub fn ignore(&self) -> Ignore {
        self.ignore
    }

    /// The file of an element, and its line in the file.
    #[must_use]
    pub fn place(&self, side: Side, index: u32) -> (usize, usize) {
        self.side(side).place(index)
    }

    /// The bytes of an element, including its newline.
    #[must_use]
    pub fn line(&self, side: Side, index: u32) -> &'t [u8] {
        let (file, line) = self.place(side, index);
        self.side(side).texts[file].get(line)
    }

    /// The lines of a file.
    #[must_use]
    pub fn file(&self, side: Side, file: usize) -> &Lines<'t> {
        &self.side(side).texts[file]
    }

    /// The elements that are the lines of a file.
    pub(crate) fn range(&self, side: Side, file: usize) -> Range<u32> {
        let starts = &self.side(side).starts;
        starts[file]..starts[file + 1]
    }

    /// Whether an old and a new line are equal, apart from ignored differences.
    pub(crate) fn is_same(&self, old: u32, new: u32) -> bool {
        let [a, b] = [(Side::Old, old), (Side::New, new)];
        self.side(a.0).tokens[a.1 as usize] == self.side(b.0).tokens[b.1 as usize]
    }

    /// A line without white space at its ends and without ignored parts.
    fn core(&self, side: Side, index: u32) -> Cow<'t, [u8]> {
        let line = self.line(side, index).trim_ascii();
        if self.ignore.is_exact() {
            return Cow::Borrowed(line);
        }
        Cow::Owned(self.ignore.folded(line))
    }

    fn side(&self, side: Side) -> &Files<'t> {
        &self.sides[side as usize]
    }
}

impl Problem for LineProblem<'_> {
    fn tokens(&self, side: Side) -> &[Token] {
        &self.side(side).tokens
    }

    fn segments(&self, side: Side) -> Vec<Range<u32>> {
        self.side(side)
            .starts
            .windows(2)
            .map(|w| w[0]..w[1])
            .collect()
    }

    fn partners(&self) -> Vec<(u32, u32)> {
        self.partners.clone()
    }

    line::knowledge!();
}
