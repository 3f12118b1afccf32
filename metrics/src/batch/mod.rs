//! Batch scoring: JSON lines in, JSON lines out, in order, on several threads, in
//! constant memory, with output that does not depend on the number of threads.
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

/// Options for scoring rows.
#[derive(Clone, Debug)]
pub struct Batch {
    /// For rows that do not set `"levenshtein"` themselves.
    pub options: Options,
    /// Variants to report along with the score.
    pub variants: Vec<Variant>,
    /// Number of worker threads. Default 1.
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

/// Summary of a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Rows answered, including bad ones.
    pub rows: u64,
    /// Rows that could not be scored.
    pub bad: u64,
    /// The first few bad rows: the row number, one-based and counting blank rows,
    /// and what is wrong with it.
    pub complaints: Vec<(u64, String)>,
    /// The sum of all scores.
    pub sum: f64,
    /// Bytes read.
    pub bytes: u64,
}

impl Summary {
    /// The mean score; `None` if there are no scores.
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
        // In row order: floating-point sums depend on it.
        more.scores.iter().for_each(|score| self.sum += score);
        self.bytes += more.bytes;
    }
}

/// Most bad rows that are listed.
const MOST_COMPLAINTS: usize = 10;
/// Size of the read buffer.
const BUFFER: usize = 1 << 18;

/// Consecutive rows.
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

/// Reads rows.
struct Reader<R> {
    input: BufReader<R>,
    row: u64,
}

impl<R: Read> Reader<R> {
    /// The available rows, at least one; `None` at the end. Does not wait for
    /// rows that have yet to arrive, so that a slow writer gets its answers.
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
/// `progress` is called with the summary from time to time. A row that cannot be
/// scored is answered with `{"name", "error"}` and does not stop the others.
///
/// # Errors
/// Any error of reading or writing.
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
