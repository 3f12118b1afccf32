//! The remaining changes, hunk by hunk.

use crate::{AROUND, Change, GREET, TOTAL, asked, changes, left, only, with};
use mvdiff_text::effective::{Contents, EffectiveOptions, MoveKind};

fn across(old: &str, new: &str) -> Change {
    Change::file("a.rs", [AROUND, old].concat(), AROUND).and_file(
        "b.rs",
        GREET,
        [GREET, new].concat(),
    )
}

#[test]
fn a_hunk_that_only_moved_vanishes_with_its_head() {
    assert_eq!(left(&across(TOTAL, TOTAL).report()), "");
}

#[test]
fn a_hunk_that_moved_in_part_is_split_and_numbered() {
    let old = [AROUND, "gone_above();\n", TOTAL, "gone_below();\n"].concat();
    let change = Change::file("a.rs", old, AROUND).and_file("b.rs", GREET, [GREET, TOTAL].concat());
    let report = change.report();
    assert_eq!(
        left(&report),
        "diff --git a/a.rs b/a.rs\n--- a/a.rs\n+++ b/a.rs\n@@ -8,4 +8,3 @@\n \
         struct Ledger { entries: Vec<Entry> }\n \
         trait Auditable { fn audit(&self); }\n \
         mod archive;\n\
         -gone_above();\n\
         @@ -18 +10,0 @@\n\
         -gone_below();\n"
    );
}

#[test]
fn real_changes_in_a_hunk_with_a_move_stay() {
    let new = AROUND.replace("mod archive;", "mod archives;");
    let change = Change::file("a.rs", [AROUND, TOTAL].concat(), new).and_file(
        "b.rs",
        GREET,
        [GREET, TOTAL].concat(),
    );
    for report in [change.report(), change.hunks_alone()] {
        assert_eq!(only(&report).pairs, [[11, 6, 6]]);
        assert_eq!(changes(&report), ["-mod archive;", "+mod archives;"]);
    }
}

#[test]
fn a_line_inserted_into_a_moved_block_is_shown_at_its_place() {
    let new = TOTAL.replace("    sum + tax", "    audit(sum, tax);\n    sum + tax");
    let report = across(TOTAL, &new).report();
    assert_eq!(
        left(&report),
        "diff --git a/a.rs b/b.rs\n--- a/a.rs\n+++ b/b.rs\n@@ -14,0 +10 @@\n\
         +    audit(sum, tax);\n"
    );
    assert_eq!(only(&report).effective_diff_lines, 1);
}

#[test]
fn a_line_deleted_from_a_moved_block_is_shown_at_its_place() {
    let old = TOTAL.replace(
        "    let tax",
        "    assert!(is_allowed(order));\n    let tax",
    );
    let report = across(&old, TOTAL).report();
    assert_eq!(
        left(&report),
        "diff --git a/a.rs b/b.rs\n--- a/a.rs\n+++ b/b.rs\n@@ -13 +7,0 @@\n\
         -    assert!(is_allowed(order));\n"
    );
}

#[test]
fn a_line_off_the_shift_of_its_block_is_shown() {
    let old = "for order in orders {\n    let sum = total(order);\n    ledger.enter(sum);\n    ledger.close();\n}\n";
    let new = old.replace("    ledger.close();", "ledger.close();");
    let report = across(old, &new).report();
    assert_eq!(only(&report).edited_pairs, [[14, 9]]);
    assert_eq!(
        changes(&report),
        ["-    ledger.close();", "+ledger.close();"]
    );
}

#[test]
fn context_inside_moves_is_shown_if_asked_for() {
    let new = TOTAL.replace("shipping_for(order.weight)", "shipping_by(order.weight)");
    let change = across(TOTAL, &new);
    let report = change.ask(&with(|o| o.context = 1));
    assert_eq!(
        left(&report),
        "diff --git a/a.rs b/b.rs\n--- a/a.rs\n+++ b/b.rs\n@@ -13,3 +8,3 @@\n     \
         let tax = sum * rate_of(order.country);\n\
         -    let shipping = shipping_for(order.weight);\n\
         +    let shipping = shipping_by(order.weight);\n     \
         sum + tax + shipping\n"
    );
    let all = change.ask(&with(|o| o.context = 100));
    assert!(left(&all).contains("@@ -11,6 +6,6 @@\n"), "{}", left(&all));
}

#[test]
fn changes_whose_context_meets_share_a_hunk() {
    let new = TOTAL
        .replace("rate_of(", "rate_in(")
        .replace("+ shipping", "- rebate");
    let change = across(TOTAL, &new);
    let hunks = |context: u32| {
        let report = change.ask(&with(|o| o.context = context));
        assert_eq!(report.total_lines_effectively_changed, 4);
        left(&report).matches("\n@@ ").count()
    };
    assert_eq!([0, 1, 2].map(hunks), [2, 1, 1]);
}

#[test]
fn white_space_in_a_moved_block_is_shown_if_asked_for() {
    let new = TOTAL.replace("    let tax", "        let tax");
    let shown = across(TOTAL, &new.replace("shipping\n", "shipping  \n"))
        .ask(&with(|o| o.show_whitespace = true));
    let found = only(&shown);
    assert_eq!(found.whitespace_lines, 0);
    assert_eq!(found.indent, None);
    assert_eq!(changes(&shown).len(), 4);
}

#[test]
fn a_block_indented_as_a_whole_is_shown_line_by_line_if_asked_for() {
    let new = crate::indented(TOTAL, "  ");
    let shown = across(TOTAL, &new).ask(&with(|o| o.show_whitespace = true));
    assert_eq!(shown.total_lines_effectively_changed, 12);
}

/// An unchanged line in a block that was reindented as a whole.
#[test]
fn with_white_space_shown_only_equal_lines_survive() {
    let lines: Vec<&str> = TOTAL.split_inclusive('\n').collect();
    let inner = crate::indented(&lines[1..].concat(), "    ");
    let report =
        across(TOTAL, &[lines[0], &inner].concat()).ask(&with(|o| o.show_whitespace = true));
    for found in &report.moves {
        assert_eq!(found.indent, None);
    }
    assert!(report.total_lines_effectively_changed >= 10);
}

#[test]
fn a_copy_leaves_the_diff_if_asked_for() {
    let change = Change::file(
        "a.rs",
        [AROUND, TOTAL].concat(),
        [AROUND, TOTAL, "mod c;\n"].concat(),
    )
    .and_file("b.rs", GREET, [GREET, TOTAL].concat());
    assert_eq!(change.report().total_lines_effectively_changed, 7);
    let report = change.ask(&with(|o| o.engine.copies = true));
    assert_eq!(only(&report).kind, MoveKind::Copy);
    assert_eq!(only(&report).pairs, [[11, 6, 6]]);
    assert_eq!(report.total_lines_moved, 0);
    assert_eq!(changes(&report), ["+mod c;"]);
}

#[test]
fn a_copy_indented_as_a_whole_is_a_copy() {
    let lines: Vec<String> = TOTAL.lines().map(|line| format!("    {line}\n")).collect();
    let indented = lines.concat();
    let change = Change::file(
        "a.rs",
        [AROUND, TOTAL].concat(),
        [AROUND, TOTAL, "mod c;\n"].concat(),
    )
    .and_file("b.rs", GREET, [GREET, &indented].concat());
    let report = change.ask(&with(|o| o.engine.copies = true));
    let indent = only(&report).indent.clone().map(|shift| shift.to);
    assert_eq!(
        (only(&report).kind, indent.as_deref()),
        (MoveKind::Copy, Some("    "))
    );
    assert_eq!(changes(&report), ["+mod c;"]);
}

#[test]
fn a_block_moved_and_copied_is_one_of_each() {
    let change = Change::file("a.rs", [AROUND, TOTAL].concat(), AROUND)
        .and_file("b.rs", GREET, [GREET, TOTAL].concat())
        .and_file("c.rs", "mod c;\n", ["mod c;\n", TOTAL].concat());
    let report = change.ask(&with(|o| o.engine.copies = true));
    // Either may be the move; nothing is hidden in both cases.
    assert!(report.total_lines_moved <= 6);
    assert!(report.total_lines_effectively_changed <= 18);
}

/// The report of a patch, from its hunks alone.
#[track_caller]
fn plainly(patch: &str) -> String {
    let options = EffectiveOptions::default();
    left(&asked(patch.as_bytes(), &Contents::default(), &options))
}

fn lines(sign: char, text: &str) -> String {
    crate::each_line(text, |line| format!("{sign}{line}"))
}

#[test]
fn the_head_of_a_rename_stays() {
    let head = "diff --git a/old.rs b/new.rs\nsimilarity index 80%\n\
                rename from old.rs\nrename to new.rs\n";
    let gone = lines('-', TOTAL);
    let patch = format!(
        "{head}index 1111111..2222222 100644\n--- a/old.rs\n+++ b/new.rs\n@@ -11,6 +10,0 @@\n{gone}\
         diff --git a/b.rs b/b.rs\nindex 3333333..4444444 100644\n--- a/b.rs\n+++ b/b.rs\n\
         @@ -5,0 +6,6 @@\n{}",
        lines('+', TOTAL)
    );
    let left = plainly(&patch);
    assert_eq!(left, format!("{head}index 1111111..2222222 100644\n"));
}

#[test]
fn the_head_of_a_mode_stays() {
    let head = "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n";
    assert_eq!(plainly(head), head);
}

#[test]
fn heads_of_files_that_came_or_went_stay() {
    let [gone, came] = [lines('-', TOTAL), lines('+', TOTAL)];
    let patch = format!(
        "diff --git a/a.rs b/a.rs\ndeleted file mode 100644\nindex 1111111..0000000\n\
         --- a/a.rs\n+++ /dev/null\n@@ -1,6 +0,0 @@\n{gone}\
         diff --git a/b.rs b/b.rs\nnew file mode 100755\nindex 0000000..1111111\n\
         --- /dev/null\n+++ b/b.rs\n@@ -0,0 +1,6 @@\n{came}"
    );
    assert_eq!(
        plainly(&patch),
        "diff --git a/a.rs b/a.rs\ndeleted file mode 100644\nindex 1111111..0000000\n\
         diff --git a/b.rs b/b.rs\nnew file mode 100755\nindex 0000000..1111111\n"
    );
}

#[test]
fn a_binary_patch_stays() {
    let patch = "diff --git a/x.png b/x.png\nindex 1111111..2222222 100644\n\
                 Binary files a/x.png and b/x.png differ\n";
    assert_eq!(plainly(patch), patch);
}

/// Subversion's header of a file in which only properties changed.
#[test]
fn a_head_without_hunks_stays() {
    let bare = "Index: run\n===================================================================\n\
                --- run\t(revision 1)\n+++ run\t(working copy)\n";
    let properties = "\nProperty changes on: run\n\
                      ___________________________________________________________________\n\
                      Added: svn:executable\n## -0,0 +1 ##\n+*\n\\ No newline at end of property\n";
    let left = plainly(&[bare, properties].concat());
    assert!(left.starts_with(bare), "{left}");
}

#[test]
fn a_file_without_moves_stays_as_it_came() {
    let patch = "diff --git a/f b/f\nindex 1111111..2222222 100644\n--- a/f\n+++ b/f\n\
                 @@ -10,3 +10,4 @@ fn heading()\n context above\n-something old\n\
                 +brand new words\n+even more of them\n context below\n";
    assert_eq!(plainly(patch), patch);
}

/// Trimming removes the edited end of a block whose core gave up lines that
/// stayed, and nothing restores them.
#[test]
fn lines_given_up_for_a_block_are_kept_again_when_it_is_trimmed() {
    let old = "call_one(first argument)\n\ncall_one(first argument)\ncall_two(first argument)\na\n}\n\n\n";
    let new = "call_one(first argument)\n\na\n    call_one(first argument)\n}\n\n\ncall_two(first argument)";
    let report = Change::file("b.txt", old, new).report();
    assert!(changes(&report).len() <= 4, "{}", left(&report));
}

/// A line that moved to another file lets the engine realign its surroundings, by
/// weight instead of length.
#[test]
fn a_line_that_moved_away_does_not_unsettle_its_neighbours() {
    let away = "quite another line, on its way to a second file\n";
    let old =
        format!("call_one(first argument)\ncall_two(first argument)\nb\n\nb\nb\n\n}}\n{away}");
    let new = "b\n\nb\nb\ncall_one(first argument)\ncall_two(first argument)\n\n}";
    let file = |path: &str, old: &str, new: &str| {
        let bytes = |text: &str| Some(text.as_bytes().to_vec());
        (path.to_owned(), bytes(old), bytes(new))
    };
    let change = Change {
        patch: format!(
            "--- a/a\n+++ b/a\n@@ -1,9 +1,8 @@\n\
             -call_one(first argument)\n-call_two(first argument)\n b\n \n b\n b\n\
             +call_one(first argument)\n+call_two(first argument)\n \n-}}\n-{away}\
             +}}\n\\ No newline at end of file\n\
             --- a/b\n+++ b/b\n@@ -0,0 +1 @@\n+{away}"
        )
        .into_bytes(),
        files: vec![file("a", &old, new), file("b", "", away)],
    };
    let report = change.report();
    assert!(changes(&report).len() <= 8, "{}", left(&report));
}

#[test]
fn a_blank_line_that_faces_another_is_no_edit_of_it() {
    let old =
        "    def cli(ev):\n        click.echo(os.environ[ev])\n\n\nOverriding Value Completion\n";
    let new =
        "def cli(ev):\n    click.echo(os.environ[ev])\n```\n\n## Overriding Value Completion\n";
    let change = Change::file("a.rst", old, "").and_file("a.md", "", new);
    let report = change.report();
    assert_eq!(report.notes, [], "the check objected");
    assert_eq!(only(&report).edited_pairs, [[5, 5]]);
}

#[test]
fn a_pair_of_names_that_no_rename_explains_is_told_by_the_names() {
    let moved = "moved line of text one\nmoved line of text two\nmoved line of text three\n";
    let lines = |mark: &str| -> String {
        let lines = moved.split_inclusive('\n');
        lines.fold(String::new(), |text, line| text + mark + line)
    };
    let patch = format!(
        "diff --git a/pa b/pb\nindex 1234567..89abcde 100644\n--- a/pa\n+++ b/pb\n\
         @@ -1,5 +1,2 @@\n{} one\n two\n@@ -9,2 +6,5 @@\n eight\n nine\n{}",
        lines("-"),
        lines("+")
    );
    let sets = mvdiff_text::patch::parse(patch.as_bytes()).unwrap();
    let options = EffectiveOptions::default();
    let report =
        mvdiff_text::effective::effective(&sets[0], &Contents::default(), &options).unwrap();
    assert_eq!(report.notes, [], "the check objected");
    assert_eq!(report.moves_detected, 1);
    assert_eq!(report.total_lines_effectively_changed, 0);
}
