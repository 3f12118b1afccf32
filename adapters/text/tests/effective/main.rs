//! The effective diff as a library: its parts one by one, and laws that hold for
//! every patch.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod common;
mod damage;
mod edges;
mod gaps;
mod git;
mod indents;
mod laws;
mod left;
mod matching;
mod notes;
mod scoring;
mod spoilt;
mod statements;
mod trees;
mod unread;

use mvdiff_core::plain;
use mvdiff_text::effective::{
    Contents, EffectiveOptions, EffectiveReport, FileContents, MoveDetail, MoveKind, Source,
    effective, rebuild,
};
use mvdiff_text::patch::{parse, write_header};
use mvdiff_text::verify::verify;
use mvdiff_text::{Error, LineProblem, Lines, UnifiedOptions, options, write_unified};

/// A method of six informative lines.
const TOTAL: &str = "\
fn total(order: &Order) -> Money {
    let sum = order.items.iter().map(Item::price).sum();
    let tax = sum * rate_of(order.country);
    let shipping = shipping_for(order.weight);
    sum + tax + shipping
}
";

/// Another one.
const GREET: &str = "\
fn greet(customer: &Customer) -> String {
    let title = customer.title.unwrap_or_default();
    let name = capitalised(&customer.name);
    format!(\"Dear {title} {name}\")
}
";

/// Lines that stay in place.
const AROUND: &str = "\
use crate::orders::Order;
use crate::customers::Customer;
static REGISTRY: Registry = Registry::new();
const LARGEST_ORDER: usize = 4096;
const SMALLEST_ORDER: usize = 1;
type Answer = Result<Money, Refusal>;
enum Currency { Euro, Dollar, Yen }
struct Ledger { entries: Vec<Entry> }
trait Auditable { fn audit(&self); }
mod archive;
";

/// A patch between old and new files, and these files.
#[derive(Default)]
struct Change {
    patch: Vec<u8>,
    files: Vec<(String, Side, Side)>,
}

/// The bytes of a file, if it exists.
type Side = Option<Vec<u8>>;

impl Change {
    /// A file with three lines of context around changes.
    fn file(path: &str, old: impl AsRef<[u8]>, new: impl AsRef<[u8]>) -> Self {
        Self::default().and(path, Some(old.as_ref()), Some(new.as_ref()), 3)
    }

    fn and_file(self, path: &str, old: impl AsRef<[u8]>, new: impl AsRef<[u8]>) -> Self {
        self.and(path, Some(old.as_ref()), Some(new.as_ref()), 3)
    }

    fn and(mut self, path: &str, old: Option<&[u8]>, new: Option<&[u8]>, context: u32) -> Self {
        let name = |side: Option<&[u8]>| side.map(|_| path.as_bytes());
        write_header(&mut self.patch, name(old), name(new)).unwrap();
        let hunks = hunks(old.unwrap_or_default(), new.unwrap_or_default(), context);
        self.patch.extend(hunks);
        let owned = |side: Option<&[u8]>| side.map(<[u8]>::to_vec);
        self.files.push((path.to_owned(), owned(old), owned(new)));
        self
    }

    /// The report with file contents. It must pass the check, and its recipe must
    /// build the files.
    #[track_caller]
    fn ask(&self, options: &EffectiveOptions) -> EffectiveReport {
        let files = self.files.iter().map(|(_, old, new)| FileContents {
            old: old.as_deref(),
            new: new.as_deref(),
        });
        let contents = Contents {
            source: Source::Dirs,
            files: files.collect(),
            others: Vec::new(),
        };
        let report = asked(&self.patch, &contents, options);
        let find = |wanted: &[u8]| {
            let (_, old, _) = self
                .files
                .iter()
                .find(|f| f.0.as_bytes() == wanted)
                .unwrap();
            Ok::<_, Error>(old.clone().unwrap())
        };
        let rebuilt = rebuild(report.recipe.as_deref().unwrap(), find).unwrap();
        for (path, _, new) in &self.files {
            let mut rebuilt = rebuilt.iter().rev();
            let made = rebuilt.find(|file| file.path == path.as_bytes()).unwrap();
            assert_eq!(made.bytes, *new, "{path}");
        }
        report
    }

    #[track_caller]
    fn report(&self) -> EffectiveReport {
        self.ask(&EffectiveOptions::default())
    }

    /// The report from the patch alone.
    #[track_caller]
    fn hunks_alone(&self) -> EffectiveReport {
        let options = EffectiveOptions::default();
        asked(&self.patch, &Contents::default(), &options)
    }
}

/// The report of a patch of one changeset. It must pass the check.
#[track_caller]
fn asked(patch: &[u8], contents: &Contents<'_>, options: &EffectiveOptions) -> EffectiveReport {
    let changesets = parse(patch).unwrap();
    assert_eq!(changesets.len(), 1);
    let report = effective(&changesets[0], contents, options).unwrap();
    assert_eq!(verify(&changesets[0], contents, &report), Ok(()));
    assert!(kinds(&report).iter().all(|kind| kind != "check"));
    report
}

/// The hunks between two texts.
fn hunks(old: &[u8], new: &[u8], context: u32) -> Vec<u8> {
    let problem = LineProblem::of_texts(old, new).unwrap();
    let plainly = options().with(|o| o.moves = false);
    let script = mvdiff_core::diff(&problem, &plainly).unwrap().script;
    let hunks = plain(&problem, &script, &plainly);
    let printing = UnifiedOptions {
        context,
        old_name: b"x".to_vec(),
        new_name: b"x".to_vec(),
        ignore: mvdiff_text::Ignore::default(),
    };
    let (old, new) = (Lines::new(old).unwrap(), Lines::new(new).unwrap());
    let mut out = Vec::new();
    write_unified(&mut out, (&old, &new), &hunks, &printing).unwrap();
    let heads = out.split_inclusive(|b| *b == b'\n').take(2);
    out[heads.map(<[u8]>::len).sum::<usize>()..].to_vec()
}

fn kinds(report: &EffectiveReport) -> Vec<String> {
    report.notes.iter().map(|n| n.kind.to_string()).collect()
}

/// The remaining changes.
fn left(report: &EffectiveReport) -> String {
    String::from_utf8_lossy(&report.effective_diff.0).into_owned()
}

/// The remaining `+` and `-` lines.
fn changes(report: &EffectiveReport) -> Vec<String> {
    let left = left(report);
    let lines = left.lines().filter(|line| {
        let head = line.starts_with("+++ ") || line.starts_with("--- ");
        !head && line.starts_with(['+', '-'])
    });
    lines.map(str::to_owned).collect()
}

/// The one move of a report.
#[track_caller]
/// Old and new lines that stayed but are shown.
fn stayed(report: &EffectiveReport) -> Vec<[u32; 2]> {
    let stayed = report.moves.iter().filter(|m| m.kind == MoveKind::Stay);
    stayed.flat_map(|m| m.edited_pairs.clone()).collect()
}

fn only(report: &EffectiveReport) -> &MoveDetail {
    assert_eq!(report.moves.len(), 1, "{}", left(report));
    &report.moves[0]
}

fn with(set: impl FnOnce(&mut EffectiveOptions)) -> EffectiveOptions {
    let mut options = EffectiveOptions::default();
    set(&mut options);
    options
}

fn indented(text: &str, by: &str) -> String {
    each_line(text, |line| format!("{by}{line}"))
}

fn each_line(text: &str, change: impl Fn(&str) -> String) -> String {
    let lines: Vec<String> = text.lines().map(change).collect();
    lines.join("\n") + "\n"
}
