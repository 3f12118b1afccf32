//! Many scores: JSON lines in, JSON lines out, in order, on several threads, in
//! fixed memory, and the same bytes whatever the number of threads.
//!
//! ```
//! use mvdiff_metrics::batch::{Batch, run};
//!
//! let rows = r#"{"name": "one", "base": "a\n", "a": "b\n", "b": "b\n"}"#;
//! let mut out = Vec::new();
//! let summary = run(rows.as_bytes(), &mut out, &Batch::default(), &mut |_| ())?;
//! assert_eq!((summary.rows, summary.bad), (1, 0));
//! assert!(out.starts_with(br#"{"name":"one","score":1.0,"#));
//! # Ok::<(), std::io::Error>(())
//! ```

mod queue;
mod row;

use crate::{Options, Scorer, Variant};
use queue::Queue;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::num::NonZero;
use std::sync::Mutex;

/// How to score the rows.
#[derive(Clone, Debug)]
pub struct Batch {
    /// For rows that do not say it themselves with `"levenshtein"`.
    pub options: Options,
    /// What to say beside the score.
    pub variants: Vec<Variant>,
    /// How many rows are scored at once. Default 1.
    pub threads: NonZero<usize>,
}

impl Default for Batch {
    fn default() -> Self {
        let (options, variants) = (Options::default(), Vec::new());
        Self {
            options,
            variants,
            threads: NonZero::<usize>::MIN,
        }
    }
}

/// What came of a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Rows answered, bad ones included.
    pub rows: u64,
    /// Rows that could not be scored.
    pub bad: u64,
    /// The first few of them: row, from one and with blank rows counted, and what
    /// is wrong with it.
    pub complaints: Vec<(u64, String)>,
    /// The sum of all scores.
    pub sum: f64,
    /// Bytes read.
    pub bytes: u64,
}

impl Summary {
    /// The mean score; none without a score.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let scored = self.rows - self.bad;
        (scored > 0).then(|| self.sum / scored as f64)
    }

    fn add(&mut self, more: Answers) {
        self.rows += more.rows;
        self.bad += more.complaints.len() as u64;
        let room = MOST_COMPLAINTS.saturating_sub(self.complaints.len());
        self.complaints
            .extend(more.complaints.into_iter().take(room));
        // In order of the rows, for the last bit of a sum depends on it.
        more.scores.iter().for_each(|score| self.sum += score);
        self.bytes += more.bytes;
    }
}

/// Bad rows that are kept to be told.
const MOST_COMPLAINTS: usize = 10;
/// Bytes that are read at once.
const BUFFER: usize = 1 << 18;

/// Some rows that follow each other.
#[derive(Debug, Default)]
struct Rows {
    /// Row numbers and rows.
    rows: Vec<(u64, Vec<u8>)>,
    bytes: u64,
}

/// The answers to some rows.
#[derive(Debug, Default)]
struct Answers {
    out: Vec<u8>,
    rows: u64,
    scores: Vec<f64>,
    complaints: Vec<(u64, String)>,
    bytes: u64,
}

/// Rows as they are read.
struct Reader<R> {
    input: BufReader<R>,
    row: u64,
}

impl<R: Read> Reader<R> {
    /// The rows that are at hand, one at least; none at the end. Rows that have
    /// yet to arrive are not waited for, so that a slow writer gets its answers.
    fn next(&mut self) -> io::Result<Option<Rows>> {
        let mut found = Rows::default();
        let mut row = Vec::new();
        loop {
            let buffer = self.input.fill_buf()?;
            let end = memchr::memchr(b'\n', buffer);
            if end.is_none() && !buffer.is_empty() && !found.rows.is_empty() {
                break;
            }
            let some = end.map_or(buffer.len(), |at| at + 1);
            let is_end = buffer.is_empty();
            row.extend_from_slice(&buffer[..some]);
            self.input.consume(some);
            found.bytes += some as u64;
            if end.is_none() && !is_end {
                continue;
            }
            self.row += 1;
            if !row.trim_ascii().is_empty() {
                found.rows.push((self.row, std::mem::take(&mut row)));
            }
            row.clear();
            if is_end || self.input.buffer().is_empty() && !found.rows.is_empty() {
                break;
            }
        }
        Ok((found.bytes > 0).then_some(found))
    }
}

fn answer(rows: &Rows, scorer: &mut Scorer, batch: &Batch) -> Answers {
    let mut answers = Answers {
        bytes: rows.bytes,
        ..Answers::default()
    };
    for (number, row) in &rows.rows {
        answers.rows += 1;
        match row::answer(row, scorer, batch, &mut answers.out) {
            Ok(score) => answers.scores.push(score),
            Err(wrong) => {
                row::complain(row, *number, &wrong, &mut answers.out);
                answers.complaints.push((*number, wrong));
            }
        }
    }
    answers
}

/// Answers every row of `input`, in order.
///
/// `progress` is told the summary so far, now and then. A row that cannot be
/// scored is answered with `{"name", "error"}` and does not stop the others.
///
/// # Errors
/// What reading and writing give.
pub fn run(
    input: impl Read + Send,
    output: &mut dyn Write,
    batch: &Batch,
    progress: &mut dyn FnMut(&Summary),
) -> io::Result<Summary> {
    let mut reader = Reader {
        input: BufReader::with_capacity(BUFFER, input),
        row: 0,
    };
    let mut summary = Summary::default();
    let mut write = |answers: Answers| -> io::Result<()> {
        output.write_all(&answers.out)?;
        output.flush()?;
        summary.add(answers);
        progress(&summary);
        Ok(())
    };
    if batch.threads.get() == 1 {
        let mut scorer = Scorer::default();
        while let Some(rows) = reader.next()? {
            write(answer(&rows, &mut scorer, batch))?;
        }
        return Ok(summary);
    }
    let reader = Mutex::new(reader);
    let queue = Queue::new(batch.threads.get() as u64 * 4);
    std::thread::scope(|scope| {
        for _ in 0..batch.threads.get() {
            scope.spawn(|| {
                let mut scorer = Scorer::default();
                queue.work(
                    || queue::lock(&reader).next(),
                    |rows| answer(&rows, &mut scorer, batch),
                );
            });
        }
        queue.drain(&mut write)
    })?;
    Ok(summary)
}
