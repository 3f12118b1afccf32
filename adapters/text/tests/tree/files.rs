//! Changes to whole files: modes, symbolic links, binary files, moves between
//! files.

use crate::{Files, LINK, PLAIN, SCRIPT, block, files, replayed, report, trees};
use mvdiff_text::tree::{FileStatus, TreeOptions, TreeReport};
use mvdiff_text::{Ignore, Space, Text};

fn text(text: &str) -> Text {
    Text(text.into())
}

#[test]
fn a_block_that_went_to_another_file_is_one_move() {
    let (head, tail, moved) = (block("head"), block("tail"), block("moved"));
    let old = files(&[
        ("a.txt", &[&head[..], &moved, &tail].concat()),
        ("b.txt", &block("other")),
    ]);
    let new = files(&[
        ("a.txt", &[&head[..], &tail].concat()),
        ("b.txt", &[&block("other")[..], &moved].concat()),
    ]);
    let report = report(&old, &new);
    assert_eq!(report.moves.len(), 1);
    let m = &report.moves[0];
    assert_eq!(
        (&m.original_path, &m.modified_path),
        (&text("a.txt"), &text("b.txt"))
    );
    let lines = (m.block.original_line_start, m.block.modified_line_start);
    assert_eq!(lines, (7, 7));
    assert_eq!(report.files.len(), 2, "both ends are told");
    assert!(report.files.iter().all(|file| file.changes.is_empty()));
    assert_eq!(
        [0, 1].map(|file: usize| report.files[file].stats.moved),
        [6, 0]
    );
}

#[test]
fn what_is_the_same_is_counted_and_not_told() {
    let old = files(&[("a", "x\n"), ("b", "y\n"), ("c", "z\n")]);
    let mut new = old.clone();
    assert!(report(&old, &new).is_empty());
    new.insert(b"c".to_vec(), (PLAIN, b"zz\n".to_vec()));
    let mut trees = trees(&old, &new);
    trees.same = 40;
    let report = TreeReport::new(&trees, &TreeOptions::default()).unwrap();
    assert_eq!(report.stats.files.unchanged, 42);
    assert_eq!(report.files.len(), 1);
}

#[test]
fn modes_are_told_where_they_changed() {
    let old = files(&[("run", "x\n")]);
    let mut new = old.clone();
    new.insert(b"run".to_vec(), (SCRIPT, b"x\n".to_vec()));
    new.insert(b"more".to_vec(), (SCRIPT, b"y\n".to_vec()));
    let report = report(&old, &new);
    let modes = report.files.iter().map(|file| {
        let mode = |mode: &Option<String>| mode.clone().unwrap_or_default();
        (file.status, mode(&file.old_mode), mode(&file.mode))
    });
    assert_eq!(
        modes.collect::<Vec<_>>(),
        [
            (FileStatus::Added, String::new(), "100755".into()),
            (FileStatus::Modified, "100644".into(), "100755".into()),
        ]
    );
    assert_eq!(replayed(&old, &report).unwrap(), new);
}

#[test]
fn a_link_is_its_target_and_nothing_moves_through_it() {
    let target = "some/long/path/that/could/well/be/a/line/of/text";
    let old = Files::from([
        (
            b"list".to_vec(),
            (PLAIN, format!("{target}\nend\n").into_bytes()),
        ),
        (b"link".to_vec(), (LINK, b"elsewhere".to_vec())),
    ]);
    let new = Files::from([
        (b"list".to_vec(), (PLAIN, b"end\n".to_vec())),
        (b"link".to_vec(), (LINK, target.into())),
    ]);
    let report = report(&old, &new);
    assert!(report.moves.is_empty());
    assert_eq!(report.files[0].changes[0].text, [text(target)]);
    assert_eq!(replayed(&old, &report).unwrap(), new);
}

#[test]
fn a_file_that_became_a_link_went_and_came() {
    let old = files(&[("x", "text\n")]);
    let new = Files::from([(b"x".to_vec(), (LINK, b"text\n".to_vec()))]);
    let report = report(&old, &new);
    let statuses: Vec<FileStatus> = report.files.iter().map(|file| file.status).collect();
    assert_eq!(statuses, [FileStatus::Removed, FileStatus::Added]);
    assert_eq!(replayed(&old, &report).unwrap(), new);
}

#[test]
fn binary_files_are_in_the_report_up_to_a_limit_that_is_named() {
    let bytes = |seed: u8| -> Vec<u8> { (0..100u8).map(|i| i.wrapping_mul(seed)).collect() };
    let binary = |seed| (PLAIN, bytes(seed));
    let old = Files::from([
        (b"a.png".to_vec(), binary(3)),
        (b"b.png".to_vec(), binary(5)),
    ]);
    let new = Files::from([
        (b"a.png".to_vec(), binary(7)),
        (b"b.png".to_vec(), binary(9)),
    ]);
    let whole = report(&old, &new);
    assert_eq!(replayed(&old, &whole).unwrap(), new);
    assert!(whole.complete && whole.files.iter().all(|file| file.binary));

    let options = TreeOptions {
        binary_bytes: 150,
        ..TreeOptions::default()
    };
    let part = TreeReport::new(&trees(&old, &new), &options).unwrap();
    assert!(!part.complete && !part.hit_timeout);
    assert_eq!(
        [0, 1].map(|file: usize| part.files[file].content_omitted),
        [false, true]
    );
    assert!(
        part.notes[0]
            .message
            .starts_with("b.png: a binary file of 100 bytes")
    );
    let refused = replayed(&old, &part).unwrap_err().to_string();
    assert_eq!(
        refused,
        "b.png: it is a binary file whose bytes are not in the report"
    );
}

#[test]
fn text_that_became_binary_is_replaced_as_a_whole() {
    let old = files(&[("x", "text\n"), ("y", "other\n")]);
    let mut new = old.clone();
    new.insert(b"x".to_vec(), (PLAIN, b"\0\x01".to_vec()));
    let report = report(&old, &new);
    assert_eq!(report.files[0].lines, [0, 0]);
    assert_eq!(replayed(&old, &report).unwrap(), new);
}

#[test]
fn files_that_differ_in_what_is_ignored_are_the_same() {
    let old = files(&[("a", "x y\n"), ("b", "x\n"), ("c", "x y\n")]);
    let new = files(&[("a", "x   y \n"), ("b", "x\n\n"), ("c", "x z\n")]);
    let with = |space, blank_lines| {
        let ignore = Ignore {
            space,
            blank_lines,
            case: false,
        };
        let options = TreeOptions {
            ignore,
            ..TreeOptions::default()
        };
        let report = TreeReport::new(&trees(&old, &new), &options).unwrap();
        let paths = report.files.iter();
        let paths = paths.map(|file| String::from_utf8(file.path.0.clone()).unwrap());
        (paths.collect::<String>(), report.stats.files.unchanged)
    };
    assert_eq!(with(Space::Counts, false), ("abc".into(), 0));
    assert_eq!(with(Space::Change, false), ("bc".into(), 1));
    assert_eq!(with(Space::All, true), ("c".into(), 2));
}

#[test]
fn blocks_that_could_have_gone_either_way_name_their_twins() {
    let moved = block("twin");
    let old = files(&[
        ("a", &[&moved[..], &block("a")].concat()),
        ("b", &block("b")),
    ]);
    let new = files(&[
        ("a", &block("a")),
        (
            "b",
            &[&block("b")[..], &moved, &block("between"), &moved].concat(),
        ),
    ]);
    let report = report(&old, &new);
    let moved = &report.moves[0];
    assert_eq!(moved.original_path.0, b"a");
    let twin = &moved.block.twins[0];
    assert_eq!(twin.path.as_ref().unwrap().0, b"b");
    assert_ne!(twin.lines[0], moved.block.modified_line_start);
}
