"""What the wheel brings, and that its JSON is the program's."""

import json
from pathlib import Path

import pytest
from conftest import ROOT

import mvdiff

EXAMPLES = ROOT / "examples"


def test_the_wheel_brings_program_and_types(program):
    done = program("--version")
    assert done.stdout.decode().split() == ["mvdiff", mvdiff.__version__]
    assert (Path(mvdiff.__file__).parent / "py.typed").exists()
    assert (Path(mvdiff.__file__).parent / "_mvdiff.pyi").exists()


def test_no_unsafe_code_of_our_own():
    for file in (ROOT / "python" / "src").rglob("*.rs"):
        assert "unsafe" not in file.read_text(), file


def test_diff_is_the_programs(program):
    old, new = EXAMPLES / "old.py", EXAMPLES / "new.py"
    printed = program("diff", "--format", "json", old, new)
    assert (
        mvdiff.diff(old.read_bytes(), new.read_bytes()).to_json() == printed.stdout.decode().strip()
    )


def test_effective_is_the_programs(program, refactor):
    patch, old, new = refactor
    words = ["--old", EXAMPLES / "refactor/old", "--new", EXAMPLES / "refactor/new"]
    printed = program("effective", "--format", "json", *words, EXAMPLES / "refactor.patch")
    report = mvdiff.effective(patch, old_files=old, new_files=new)
    assert report.to_json() == printed.stdout.decode().strip()
    assert mvdiff.effective(patch, old_files=old).to_json() == report.to_json()


def test_workbooks_are_the_programs(program):
    old, new = EXAMPLES / "prices_old.xlsx", EXAMPLES / "prices_new.xlsx"
    printed = program("diff", "--format", "json", old, new).stdout.decode().strip()
    assert mvdiff.diff_workbooks(old, new).to_json() == printed
    assert mvdiff.diff_workbooks(old.read_bytes(), new.read_bytes()).to_json() == printed


def test_scores_are_the_programs(program, tmp_path):
    texts = {"base": "a\nb\nc\n", "a": "a\nx\nc\n", "b": "a\nx\nd\n"}
    words = []
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        words += [f"--{name}", tmp_path / name]
    words += ["--explain", "--variant", "symmetric"]
    printed = program("score", "--format", "json", *words).stdout.decode().strip()
    score = mvdiff.text_iou(**texts, explain=True, variants=["symmetric"])
    assert score.to_json() == printed
    assert sum(pair.share for pair in score.pairs) == pytest.approx(score.score)


def test_errors_have_the_programs_words(program, tmp_path):
    bad = b"--- a/x\n+++ b/x\n@@ -1,9 +1,1 @@\n-one\n"
    (tmp_path / "bad.patch").write_bytes(bad)
    said = program("effective", tmp_path / "bad.patch").stderr.decode().strip()
    with pytest.raises(mvdiff.MvdiffError) as error:
        mvdiff.effective(bad)
    assert said == f"mvdiff: {tmp_path / 'bad.patch'}: {error.value}"
    with pytest.raises(mvdiff.MvdiffError, match="no variant x"):
        mvdiff.text_iou("", "", "", variants=["x"])
    (tmp_path / "no.xlsx").write_bytes(b"PK\x03\x04 and no archive")
    said = program("diff", tmp_path / "no.xlsx", EXAMPLES / "prices_new.xlsx")
    with pytest.raises(mvdiff.MvdiffError) as error:
        mvdiff.diff_workbooks(tmp_path / "no.xlsx", EXAMPLES / "prices_new.xlsx")
    assert said.stderr.decode().strip() == f"mvdiff: {error.value}"


def test_reports_show_themselves_in_notebooks(refactor):
    patch, old, _ = refactor
    shown = [
        mvdiff.diff("a\n", "b\n"),
        mvdiff.effective(patch, old_files=old),
        mvdiff.diff_workbooks(EXAMPLES / "prices_old.xlsx", EXAMPLES / "prices_new.xlsx"),
    ]
    for report in shown:
        assert "<!doctype html>" in report.to_html().lower()
        markup = report._repr_html_()
        assert markup.startswith("<iframe sandbox=") and "<script" not in markup
        json.loads(report.to_json())
