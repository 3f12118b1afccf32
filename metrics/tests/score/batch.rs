//! Batches: output independent of threads, bad rows reported, constant memory.

use mvdiff_metrics::Variant;
use mvdiff_metrics::batch::{Batch, Summary, run};
use serde_json::{Value, json};
use std::io::{self, Read, Write};
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};

fn batch(threads: usize) -> Batch {
    Batch {
        threads: NonZero::new(threads).unwrap(),
        ..Batch::default()
    }
}

fn answers(rows: &[u8], batch: &Batch) -> (Vec<Value>, Summary, Vec<u8>) {
    let mut out = Vec::new();
    let summary = run(rows, &mut out, batch, &mut |_| ()).unwrap();
    let lines = out.split(|b| *b == b'\n').filter(|line| !line.is_empty());
    (
        lines
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect(),
        summary,
        out,
    )
}

/// A row that differs from its neighbours, also in the time it takes.
fn row(number: u64) -> Value {
    let line = |i: u64| format!("line {}\n", i * number % 97);
    let base: String = (0..number % 50 * 4).map(line).collect();
    json!({
        "name": format!("row-{number}"),
        "base": base,
        "a": base.replace("line 1", "other 1"),
        "b": base.replace("line 1", "another 1"),
    })
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_threads() {
    let rows: String = (0..3000).map(|n| format!("{}\n", row(n))).collect();
    let (one, summary, bytes) = answers(rows.as_bytes(), &batch(1));
    assert_eq!((one.len(), summary.rows, summary.bad), (3000, 3000, 0));
    assert!(
        one.iter()
            .enumerate()
            .all(|(i, row)| row["name"] == format!("row-{i}"))
    );
    for threads in [2, 3, 16] {
        let (_, several, other) = answers(rows.as_bytes(), &batch(threads));
        assert_eq!(summary, several);
        assert!(bytes == other, "{threads} threads");
    }
}

#[test]
fn a_bad_row_is_named_and_stops_nobody() {
    let rows = b"{\"name\":\"good\",\"base\":\"\",\"a\":\"x\",\"b\":\"x\"}\n\
        \n\
        {\"name\":\"lacking\",\"base\":\"\"}\n\
        not json\n\
        {\"name\":\"\xff\"}\n\
        {\"name\":7,\"base\":\"\",\"a\":\"x\",\"b\":\"y\",\"levenshtein\":false}\n\
        [1]\n\
        {\"name\":\"last\",\"base\":\"\",\"a\":\"x\",\"b\":\"\",\"more\":[]}";
    for threads in [1, 4] {
        let (found, summary, _) = answers(rows, &batch(threads));
        assert_eq!((summary.rows, summary.bad), (7, 4));
        assert_eq!(found[0]["score"], 1.0);
        assert_eq!(found[1]["name"], "lacking");
        assert!(
            found[1]["error"].as_str().unwrap().starts_with("row 3: "),
            "{}",
            found[1]
        );
        assert!(
            found[1]["error"]
                .as_str()
                .unwrap()
                .contains("missing field `a`")
        );
        assert_eq!(found[2]["name"], Value::Null);
        assert!(
            found[3]["error"]
                .as_str()
                .unwrap()
                .contains("row 5: byte 10 is not UTF-8")
        );
        assert_eq!(
            (&found[4]["name"], &found[4]["score"]),
            (&json!(7), &json!(0.0))
        );
        assert_eq!(found[6]["score"], 0.0);
        let numbers: Vec<u64> = summary.complaints.iter().map(|(row, _)| *row).collect();
        assert_eq!(numbers, [3, 4, 5, 7]);
        assert_eq!(summary.mean(), Some(1.0 / 3.0));
    }
}

#[test]
fn a_row_chooses_how_its_lines_are_compared() {
    let row = |more: &str| format!("{{\"base\":\"ab\",\"a\":\"abc\",\"b\":\"abd\"{more}}}\n");
    let rows = row("") + &row(",\"levenshtein\":true") + &row(",\"levenshtein\":false");
    let exact = Batch {
        options: mvdiff_metrics::Options { similarity: false },
        ..batch(1)
    };
    let scores = |batch: &Batch| -> Vec<f64> {
        let (found, ..) = answers(rows.as_bytes(), batch);
        found
            .iter()
            .map(|row| row["score"].as_f64().unwrap())
            .collect()
    };
    let alike = 2.0 / 3.0;
    assert!(
        scores(&batch(1))
            .iter()
            .zip([alike, alike, 0.0])
            .all(|(a, b)| (a - b).abs() < 1e-12)
    );
    assert!(
        scores(&exact)
            .iter()
            .zip([0.0, alike, 0.0])
            .all(|(a, b)| (a - b).abs() < 1e-12)
    );
}

#[test]
fn variants_stand_beside_the_score() {
    let rows = format!("{}\n", row(30));
    let wanted = Batch {
        variants: Variant::ALL.to_vec(),
        ..batch(1)
    };
    let (found, ..) = answers(rows.as_bytes(), &wanted);
    let (plain, ..) = answers(rows.as_bytes(), &batch(1));
    assert_eq!(found[0]["score"], plain[0]["score"]);
    for key in ["symmetric", "noop_adjusted", "move_aware"] {
        assert!(found[0][key]["score"].is_f64(), "{key}");
        assert!(plain[0].get(key).is_none());
    }
}

/// Endless rows, counted as they are read.
struct Endless<'c> {
    row: Vec<u8>,
    at: usize,
    left: u64,
    read: &'c AtomicU64,
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Ok(0);
        }
        let some = self.row.len().min(self.at + buffer.len()) - self.at;
        buffer[..some].copy_from_slice(&self.row[self.at..self.at + some]);
        self.at += some;
        if self.at == self.row.len() {
            (self.at, self.left) = (0, self.left - 1);
            self.read.fetch_add(1, Ordering::SeqCst);
        }
        Ok(some)
    }
}

/// Checks at every write how far ahead the reader is.
struct Watching<'c> {
    written: u64,
    furthest: u64,
    read: &'c AtomicU64,
}

impl Write for Watching<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let ahead = self.read.load(Ordering::SeqCst) - self.written;
        self.furthest = self.furthest.max(ahead);
        self.written += bytes.iter().filter(|b| **b == b'\n').count() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn no_more_is_read_than_can_be_answered_soon() {
    let read = AtomicU64::new(0);
    let row = format!("{}\n", row(40)).into_bytes();
    let size = row.len() as u64;
    let input = Endless {
        row,
        at: 0,
        left: 10_000,
        read: &read,
    };
    let mut output = Watching {
        written: 0,
        furthest: 0,
        read: &read,
    };
    let summary = run(input, &mut output, &batch(4), &mut |_| ()).unwrap();
    assert_eq!((summary.rows, summary.bytes), (10_000, 10_000 * size));
    assert!(
        output.furthest * size < 16 << 20,
        "{} rows ahead",
        output.furthest
    );
}

/// Fails like a full disk or a closed pipe.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_cannot_be_written_ends_the_batch() {
    let read = AtomicU64::new(0);
    for threads in [1, 4] {
        let row = format!("{}\n", row(40)).into_bytes();
        let input = Endless {
            row,
            at: 0,
            left: u64::MAX,
            read: &read,
        };
        let error = run(input, &mut Full, &batch(threads), &mut |_| ()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}

/// Fails after a while.
struct Broken<'r>(&'r [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::ErrorKind::TimedOut.into()),
            some => Ok(some),
        }
    }
}

#[test]
fn what_cannot_be_read_ends_the_batch_after_what_was_read() {
    let rows: String = (0..100).map(|n| format!("{}\n", row(n))).collect();
    for threads in [1, 4] {
        let mut out = Vec::new();
        let error = run(
            Broken(rows.as_bytes()),
            &mut out,
            &batch(threads),
            &mut |_| (),
        )
        .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(
            out.iter().filter(|b| **b == b'\n').count(),
            100,
            "{threads}"
        );
    }
}
