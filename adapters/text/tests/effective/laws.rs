//! Laws that hold for every patch, with and without file contents.
//!
//! `MVDIFF_CASES=10000` runs more cases, `MVDIFF_SEED` others.

use crate::damage::{Damage, damage};
use crate::git;
use crate::trees::{Tree, Trees, trees, trees_with_binaries};
use mvdiff_core::plain;
use mvdiff_text::effective::{
    Contents, EffectiveOptions, EffectiveReport, FileContents, OtherFile, Source, effective,
    rebuild,
};
use mvdiff_text::patch::{Changeset, LineKind, Status, parse};
use mvdiff_text::verify::verify;
use mvdiff_text::{Error, LineProblem, Lines, UnifiedOptions, options, write_unified};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub type Law = Result<(), String>;

/// Number of patches per git process.
const BATCH: usize = 400;

fn number(name: &str) -> Option<u32> {
    let value = std::env::var(name).ok()?;
    value.parse().ok()
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: number("MVDIFF_CASES").unwrap_or(128),
        // A fixed seed: a failure is then due to the change, not to chance.
        rng_seed: RngSeed::Fixed(number("MVDIFF_SEED").unwrap_or(0).into()),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Two trees, the patch between them, and options.
pub struct Case<'c> {
    pub trees: &'c Trees,
    pub patch: &'c [u8],
    pub options: &'c EffectiveOptions,
    pub damages: &'c [Damage],
}

type Value = (Trees, EffectiveOptions, Vec<Damage>);

/// Checks a law on many pairs of trees, and shrinks a failing case.
pub fn hold(trees: impl Strategy<Value = Trees>, ways: &[&[&str]], law: impl Fn(&Case<'_>) -> Law) {
    let config = config();
    let mut left = config.cases as usize;
    let mut runner = TestRunner::new(config);
    let strategy = (trees, any_options(), prop::collection::vec(damage(), 0..4));
    while left > 0 {
        let cases: Vec<_> = (0..left.min(BATCH))
            .map(|_| strategy.new_tree(&mut runner).unwrap())
            .collect();
        left -= cases.len();
        let values: Vec<Value> = cases.iter().map(ValueTree::current).collect();
        let trees: Vec<Trees> = values.iter().map(|(trees, ..)| trees.clone()).collect();
        let patches = git::patches(&trees, ways);
        let cases = cases.into_iter().zip(ways.iter().cycle());
        for (((case, way), value), patch) in cases.zip(&values).zip(&patches) {
            if let Err(broken) = judge(value, patch, &law) {
                smallest(case, broken, way, &law);
            }
        }
    }
}

fn judge((trees, options, damages): &Value, patch: &[u8], law: &impl Fn(&Case<'_>) -> Law) -> Law {
    let case = Case {
        trees,
        patch,
        options,
        damages,
    };
    catch_unwind(AssertUnwindSafe(|| law(&case))).unwrap_or_else(|_| Err("a panic".into()))
}

fn smallest<T: ValueTree<Value = Value>>(
    mut case: T,
    mut broken: String,
    way: &[&str],
    law: &impl Fn(&Case<'_>) -> Law,
) {
    let mut worst = case.current();
    let mut more = case.simplify();
    for _ in 0..3000 {
        if !more {
            break;
        }
        let value = case.current();
        let patch = git::patches(std::slice::from_ref(&value.0), &[way]).remove(0);
        match judge(&value, &patch, law) {
            Ok(()) => more = case.complicate(),
            Err(why) => {
                (broken, worst) = (why, value);
                more = case.simplify();
            }
        }
    }
    let patch = git::patches(std::slice::from_ref(&worst.0), &[way]).remove(0);
    let patch = patch.escape_ascii().to_string().replace("\\n", "\n");
    panic!("{broken}\n{worst:?}\ngit diff {way:?}\n{patch}");
}

pub fn any_options() -> impl Strategy<Value = EffectiveOptions> {
    let engine = (
        0.0..=1.0f32,
        0..6u32,
        any::<bool>(),
        prop::bool::weighted(0.9),
    );
    let around = (0..25u32, 0..5u32, 0.0..0.9f32, any::<bool>(), 0..4u32);
    let of = |(threshold, gap, copies, moves), (extend, trim, min_score, white, context)| {
        EffectiveOptions {
            engine: options().with(|o| {
                o.threshold = threshold;
                o.gap = gap;
                o.copies = copies;
                o.moves = moves;
            }),
            extend,
            trim,
            min_score,
            show_whitespace: white,
            context,
        }
    };
    (engine, around).prop_map(move |(engine, around)| of(engine, around))
}

/// Whole files, by path.
pub struct Files {
    pub old: BTreeMap<Vec<u8>, Vec<u8>>,
    pub new: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Files {
    pub fn new(trees: &Trees) -> Self {
        let bytes = |tree: &Tree| {
            let files = tree.iter();
            files
                .map(|(path, file)| (path.as_bytes().to_vec(), file.bytes()))
                .collect()
        };
        Self {
            old: bytes(&trees.old),
            new: bytes(&trees.new),
        }
    }

    /// The contents of a changeset's files, and the old files that it does not
    /// touch.
    pub fn contents(&self, changeset: &Changeset<'_>) -> Contents<'_> {
        let known = |files: &'_ BTreeMap<Vec<u8>, Vec<u8>>, path: Option<&[u8]>| {
            let path = path?.to_vec();
            files.contains_key(&path).then_some(path)
        };
        let files = changeset.files.iter().map(|file| FileContents {
            old: known(&self.old, file.old_path.as_deref()).map(|p| &self.old[&p][..]),
            new: known(&self.new, file.new_path.as_deref()).map(|p| &self.new[&p][..]),
        });
        let untouched = self.old.iter().filter(|(path, _)| {
            let mut files = changeset.files.iter();
            !files.any(|file| file.old_path.as_deref() == Some(&path[..]))
        });
        Contents {
            source: Source::Dirs,
            files: files.collect(),
            others: untouched
                .map(|(path, text)| OtherFile { path, text })
                .collect(),
        }
    }
}

/// Reports on the single changeset of a patch: with and without contents, with
/// default options and with those of the case.
fn each_report(
    case: &Case<'_>,
    law: impl Fn(&Changeset<'_>, &Contents<'_>, &EffectiveOptions, &EffectiveReport) -> Law,
) -> Law {
    let changesets = parse(case.patch).map_err(|error| error.to_string())?;
    let files = Files::new(case.trees);
    for changeset in &changesets {
        for contents in [files.contents(changeset), Contents::default()] {
            for options in [&EffectiveOptions::default(), case.options] {
                let report = effective(changeset, &contents, options).unwrap();
                law(changeset, &contents, options, &report).map_err(|broken| {
                    let diff = report.effective_diff.0.escape_ascii().to_string();
                    format!(
                        "{broken}\ncontents {:?}, options {options:?}\nmoves {:?}\nkept {:?}\nleft\n{}",
                        contents.source,
                        report.moves,
                        report.kept,
                        diff.replace("\\n", "\n")
                    )
                })?;
            }
        }
    }
    Ok(())
}

fn ensure(holds: bool, broken: impl FnOnce() -> String) -> Law {
    if holds { Ok(()) } else { Err(broken()) }
}

/// The `+` and `-` lines of a patch, in order.
fn changes(patch: &[u8]) -> Result<Vec<(LineKind, Vec<u8>)>, String> {
    let changesets = parse(patch).map_err(|error| format!("{error}: {}", patch.escape_ascii()))?;
    let files = changesets.iter().flat_map(|changeset| &changeset.files);
    let lines = files.flat_map(|file| file.hunks().iter().flat_map(|hunk| &hunk.lines));
    Ok(lines
        .filter(|line| line.kind != LineKind::Context)
        .map(|line| (line.kind, line.text.to_vec()))
        .collect())
}

/// Nothing is hidden, and no result had to be discarded for that.
pub fn true_and_not_taken_back(
    changeset: &Changeset<'_>,
    contents: &Contents<'_>,
    report: &EffectiveReport,
) -> Law {
    if let Some(note) = report.notes.iter().find(|note| note.kind == "check") {
        return Err(note.message.clone());
    }
    verify(changeset, contents, report).map_err(|hidden| format!("hidden: {hidden}"))
}

/// The remaining changes are a patch of the stated length.
pub fn left_is_a_patch(report: &EffectiveReport) -> Law {
    let changed = match &report.effective_diff.0[..] {
        [] => 0,
        diff => changes(diff)?.len(),
    };
    ensure(
        changed == report.total_lines_effectively_changed as usize,
        || format!("{changed} lines changed"),
    )
}

/// The effective diff is never longer than the input.
fn never_longer(report: &EffectiveReport) -> Law {
    let before = report.input.added + report.input.removed;
    let after = report.total_lines_effectively_changed;
    ensure(after <= before, || format!("{before} lines became {after}"))
}

fn numbers_are_shares(report: &EffectiveReport) -> Law {
    for m in &report.moves {
        let e = &m.evidence;
        let mut parts = vec![m.score, e.size, e.uniqueness, e.consistency, e.distance];
        parts.extend(e.runner_up);
        ensure(parts.iter().all(|part| (0.0..=1.0).contains(part)), || {
            format!("{parts:?}")
        })?;
    }
    Ok(())
}

fn survives_json(report: &EffectiveReport) -> Law {
    let json = serde_json::to_string(report).map_err(|error| error.to_string())?;
    let back: EffectiveReport = serde_json::from_str(&json).map_err(|e| format!("{e}: {json}"))?;
    ensure(back == *report, || json)
}

/// The recipe builds the new tree from the old one.
fn rebuilds(trees: &Trees, report: &EffectiveReport) -> Law {
    let Some(recipe) = &report.recipe else {
        return ensure(report.contents == Source::None, || "no recipe".into());
    };
    let Files { old, new } = Files::new(trees);
    let look_up = |path: &[u8]| {
        let bytes = old.get(path).cloned();
        bytes.ok_or_else(|| Error::BadRecipe {
            file: String::from_utf8_lossy(path).into_owned(),
            what: "no such old file".into(),
        })
    };
    let mut modes: BTreeMap<Vec<u8>, bool> = BTreeMap::new();
    for (path, file) in &trees.old {
        modes.insert(path.as_bytes().to_vec(), file.executable);
    }
    let mut made = old.clone();
    let rebuilt = rebuild(recipe, look_up).map_err(|error: Error| error.to_string())?;
    for file in rebuilt.iter().filter(|file| file.bytes.is_none()) {
        made.remove(&file.path);
    }
    for file in rebuilt {
        if let Some(bytes) = file.bytes {
            if let Some(mode) = file.mode {
                modes.insert(file.path.clone(), mode == 0o100_755);
            }
            made.insert(file.path, bytes);
        }
    }
    for path in old.keys().chain(new.keys()) {
        let [made, new] = [&made, &new].map(|files| files.get(path).map(|b| b.escape_ascii()));
        let [made, new] = [made, new].map(|bytes| bytes.map(|bytes| bytes.to_string()));
        ensure(made == new, || {
            format!("{}: {made:?}, not {new:?}", path.escape_ascii())
        })?;
    }
    for (path, file) in &trees.new {
        let renamed = !trees.old.contains_key(path);
        ensure(renamed || modes[path.as_bytes()] == file.executable, || {
            format!("{path}: mode")
        })?;
    }
    Ok(())
}

#[test]
fn no_answer_has_to_be_taken_back() {
    hold(trees(), &git::WAYS, |case| {
        each_report(case, |changeset, contents, _, report| {
            true_and_not_taken_back(changeset, contents, report)
        })
    });
}

#[test]
fn the_new_files_can_be_rebuilt() {
    hold(trees(), &git::WAYS, |case| {
        each_report(case, |_, _, _, report| rebuilds(case.trees, report))
    });
}

#[test]
fn the_new_files_can_be_rebuilt_where_some_are_binary() {
    hold(trees_with_binaries(), &git::WAYS, |case| {
        each_report(case, |changeset, contents, _, report| {
            true_and_not_taken_back(changeset, contents, report)?;
            rebuilds(case.trees, report)
        })
    });
}

#[test]
fn what_is_left_is_a_patch_that_counts_right() {
    hold(trees(), &git::WAYS, |case| {
        each_report(case, |_, _, _, report| left_is_a_patch(report))
    });
}

#[test]
fn what_is_left_is_never_longer() {
    hold(trees(), &git::WAYS, |case| {
        each_report(case, |_, _, _, report| never_longer(report))
    });
}

#[test]
fn what_is_left_is_shorter_on_the_whole() {
    let total = std::cell::Cell::new([0u64; 2]);
    hold(trees(), &git::WAYS, |case| {
        each_report(case, |_, _, _, report| {
            let [before, after] = total.get();
            total.set([
                before + u64::from(report.input.added + report.input.removed),
                after + u64::from(report.total_lines_effectively_changed),
            ]);
            Ok(())
        })
    });
    let [before, after] = total.get();
    assert!(after < before, "{before} lines became {after}");
}

#[test]
fn parts_of_the_evidence_are_shares() {
    hold(trees(), &git::WAYS, |case| {
        each_report(case, |_, _, _, report| numbers_are_shares(report))
    });
}

#[test]
fn reports_survive_json() {
    hold(trees(), &git::WAYS, |case| {
        each_report(case, |_, _, _, report| survives_json(report))
    });
}

#[test]
fn the_same_question_has_the_same_answer() {
    hold(trees(), &git::WAYS, |case| {
        each_report(case, |changeset, contents, options, report| {
            let again = effective(changeset, contents, options).unwrap();
            ensure(again == *report, || format!("{again:?}"))
        })
    });
}

#[test]
fn without_moves_the_patch_is_given_back() {
    hold(trees(), &git::WAYS, |case| {
        let mut plain = case.options.clone();
        plain.engine.moves = false;
        plain.engine.copies = false;
        let case = Case {
            options: &plain,
            ..*case
        };
        each_report(&case, |_, _, options, report| {
            if options.engine.moves {
                return Ok(());
            }
            ensure(report.moves.is_empty(), || "moves".into())?;
            let changed = changes(case.patch)?;
            let left = match &report.effective_diff.0[..] {
                [] => Vec::new(),
                diff => changes(diff)?,
            };
            ensure(left == changed, || "not what came".into())
        })
    });
}

/// The files that exist on both sides, as `mvdiff diff` prints them.
fn own_patch(trees: &Trees, context: u32) -> Vec<u8> {
    let mut out = Vec::new();
    for (path, old) in &trees.old {
        let Some(new) = trees.new.get(path) else {
            continue;
        };
        let [old, new] = [old, new].map(super::trees::File::bytes);
        let problem = LineProblem::of_texts(&old, &new).unwrap();
        let script = mvdiff_core::diff(&problem, &options()).unwrap().script;
        let hunks = plain(&problem, &script, &options());
        let printing = UnifiedOptions {
            context,
            old_name: format!("a/{path}").into_bytes(),
            new_name: format!("b/{path}").into_bytes(),
            ignore: mvdiff_text::Ignore::default(),
        };
        let (old, new) = (Lines::new(&old).unwrap(), Lines::new(&new).unwrap());
        write_unified(&mut out, (&old, &new), &hunks, &printing).unwrap();
    }
    out
}

#[test]
fn patches_of_our_own_are_answered_as_truly() {
    let config = config();
    proptest!(config, |(trees in trees(), options in any_options(), context in 0..5u32)| {
        let mut trees = trees;
        trees.old.retain(|path, _| trees.new.contains_key(path));
        trees.new.retain(|path, _| trees.old.contains_key(path));
        for (path, file) in &mut trees.new {
            file.executable = trees.old[path].executable;
        }
        let patch = own_patch(&trees, context);
        let case = Case { trees: &trees, patch: &patch, options: &options, damages: &[] };
        let law = each_report(&case, |changeset, contents, _, report| {
            true_and_not_taken_back(changeset, contents, report)?;
            rebuilds(case.trees, report)?;
            left_is_a_patch(report)
        });
        law.map_err(TestCaseError::fail)?;
    });
}

/// Every file in a patch exists in one of the trees.
#[test]
fn git_is_read_as_it_is_meant() {
    hold(trees(), &git::WAYS, |case| {
        let changesets = parse(case.patch).map_err(|error| error.to_string())?;
        for file in changesets.iter().flat_map(|changeset| &changeset.files) {
            let known = |tree: &Tree, path: Option<&[u8]>| {
                path.is_none_or(|path| tree.keys().any(|known| known.as_bytes() == path))
            };
            ensure(
                known(&case.trees.old, file.old_path.as_deref())
                    && known(&case.trees.new, file.new_path.as_deref()),
                || format!("{file:?}"),
            )?;
            ensure(
                (file.status == Status::Added) == file.old_path.is_none(),
                || format!("{file:?}"),
            )?;
        }
        Ok(())
    });
}
