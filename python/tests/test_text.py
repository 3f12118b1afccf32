"""Texts, patches and edits."""

import dataclasses
import threading

import pytest

import mvdiff

OLD = "".join(f"def {n}():\n    return compute_{n}(1, 2, 3)\n\n\n" for n in "abcdefgh")
LINES = OLD.splitlines(True)
NEW = "".join(LINES[8:] + LINES[:8])


def test_a_move_is_one_block_and_replays():
    report = mvdiff.diff(OLD, NEW)
    assert [move.kind for move in report.moves] == ["move"]
    assert report and not report.changes
    assert report.replay(OLD) == NEW.encode()
    assert dataclasses.asdict(report.stats)["moved"] > 0
    assert not mvdiff.diff(OLD, OLD)
    assert mvdiff.diff(OLD, NEW, moves=False).moves == []


def test_bytes_need_not_be_utf8():
    report = mvdiff.diff(b"\xff\n", b"\xfe\n")
    assert report.changes[0].text == [b"\xfe"]
    assert report.replay(b"\xff\n") == b"\xfe\n"


def test_white_space_can_be_ignored():
    assert not mvdiff.diff("a b\n", "a  b\n", ignore_space="change")
    assert not mvdiff.diff("ab\n", "a b\n", ignore_space="all")
    with pytest.raises(mvdiff.MvdiffError, match="ignore_space"):
        mvdiff.diff("", "", ignore_space="some")


def test_a_stream_of_commits_is_one_report_each():
    one = "commit {}\n\n    message\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
    stream = one.format("1" * 40) + "\n" + one.format("2" * 40)
    assert [r.commit for r in mvdiff.effective_each(stream)] == ["1" * 40, "2" * 40]
    with pytest.raises(mvdiff.MvdiffError, match="2 commits"):
        mvdiff.effective(stream)


def test_files_that_do_not_fit_are_named(refactor):
    patch, old, _ = refactor
    report = mvdiff.effective(patch, old_files=dict.fromkeys(old, b"something else\n"))
    assert not report.complete and "hold something else" in report.notes[0].message


BLOCK = "<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n"


def test_edits_of_a_text():
    edit = BLOCK.format("    return compute_c(1, 2, 3)\n", "    return 3\n")
    report = mvdiff.apply(edit, OLD)
    assert report.text == OLD.replace("compute_c(1, 2, 3)", "3")
    assert mvdiff.apply(edit.encode(), OLD.encode()).text == report.text.encode()
    assert [b.status for b in report.files[0].blocks] == ["applied"]


def test_edits_that_do_not_fit_say_why():
    missing = BLOCK.format("    return compute_z(9, 9, 9)\n", "    pass\n")
    with pytest.raises(mvdiff.ApplyError) as error:
        mvdiff.apply(missing, OLD)
    block = error.value.report.files[0].blocks[0]
    assert block.status == "failed" and str(error.value) == block.message
    good = BLOCK.format("    return compute_c(1, 2, 3)\n", "    return 3\n")
    with pytest.raises(mvdiff.ApplyError):
        mvdiff.apply(good + missing, OLD)
    partly = mvdiff.apply(good + missing, OLD, partial=True)
    assert "return 3" in partly.text
    with pytest.raises(mvdiff.ApplyError):
        mvdiff.apply("<<<<<<< SEARCH\nx\n", OLD)
    with pytest.raises(TypeError):
        mvdiff.apply(good)


def test_edits_of_files_are_all_or_none(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.py").write_text("one = 1\n")
    (root / "b.py").write_text("two = 2\n")
    patch = (
        "*** Begin Patch\n*** Update File: a.py\n@@\n-one = 1\n+one = 11\n"
        "*** Update File: b.py\n@@\n-{}\n+two = 22\n*** End Patch\n"
    )
    with pytest.raises(mvdiff.ApplyError):
        mvdiff.apply(patch.format("three = 3"), root=root)
    assert (root / "a.py").read_text() == "one = 1\n"
    tried = mvdiff.apply(patch.format("two = 2"), root=root, dry_run=True)
    assert not tried.written and tried.files[0].content == "one = 11\n"
    assert (root / "a.py").read_text() == "one = 1\n"
    done = mvdiff.apply(patch.format("two = 2"), root=root)
    assert done.written
    assert (root / "a.py").read_text() == "one = 11\n"
    assert (root / "b.py").read_text() == "two = 22\n"
    outside = "*** Begin Patch\n*** Add File: ../x.py\n+x\n*** End Patch\n"
    with pytest.raises(mvdiff.MvdiffError):
        mvdiff.apply(outside, root=root, partial=True)
    assert not (tmp_path / "x.py").exists()
    rename = "diff --git a/a.py b/c.py\nrename from a.py\nrename to c.py\n"
    with pytest.raises(mvdiff.MvdiffError, match="renames"):
        mvdiff.apply(rename, root=root)


def test_other_threads_run_meanwhile():
    text = "".join(f"line {i * 7919 % 100_003}\n" for i in range(200_000))
    other = "".join(f"line {i * 7907 % 100_003}\n" for i in range(200_000))
    done, counted = threading.Event(), 0

    def work():
        mvdiff.diff(text, other)
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not done.is_set():
        counted += 1
    worker.join()
    assert counted > 1000
