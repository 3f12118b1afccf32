"""Batches: schemas, bad rows, kinds of columns."""

import pyarrow as pa
import pytest

import mvdiff
import mvdiff.arrow

BASE, A, B = "a\nb\nc\n", "a\nx\nc\n", "a\nx\nd\n"


def batch(**more):
    return pa.record_batch({"id": [1, 2], "base": [BASE] * 2, "a": [A] * 2, "b": [B, A], **more})


def test_scores_and_their_schema():
    answer = mvdiff.arrow.text_iou(batch())
    assert answer.schema == pa.schema(
        [
            ("id", pa.int64()),
            ("score", pa.float64()),
            ("u_base", pa.uint64()),
            ("u_inserts", pa.uint64()),
            ("i_base_delete", pa.uint64()),
            ("a_blocks", pa.float64()),
            ("a_inserts", pa.float64()),
            ("error", pa.string()),
        ]
    )
    one = mvdiff.text_iou(BASE, A, B)
    assert answer["score"].to_pylist() == [one.score, 1.0]
    assert answer["u_base"][0].as_py() == one.parts.u_base
    assert answer["error"].null_count == 2


def test_bad_rows_cost_no_others():
    rows = [BASE.encode(), None, b"\xff\xfe", BASE.encode() * 100, BASE.encode()] * 20
    columns = {"base": rows, "a": [A.encode()] * 100, "b": [B.encode()] * 100}
    table = pa.record_batch({k: pa.array(v, pa.binary()) for k, v in columns.items()})
    for threads in (1, 2, None):
        answer = mvdiff.arrow.text_iou(table, threads=threads, max_bytes=500)
        assert answer["error"].to_pylist()[:5] == [
            None,
            "base is null",
            "base: byte 1 is not UTF-8",
            "base has 600 bytes; max_bytes is 500",
            None,
        ]
        right = mvdiff.text_iou(BASE, A, B).score
        assert answer["score"].to_pylist() == [right, None, None, None, right] * 20


def test_a_string_column_may_lie():
    """Nothing vouches for the bytes of a string column that comes over the interface."""
    lie = pa.array([b"\xff"], pa.binary()).view(pa.string())
    answer = mvdiff.arrow.text_iou(pa.record_batch({"base": lie, "a": ["x"], "b": ["x"]}))
    assert answer["error"].to_pylist() == ["base: byte 1 is not UTF-8"]


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary()]
    + [pa.dictionary(pa.int32(), pa.string())],
)
def test_kinds_of_texts(kind):
    columns = {k: pa.array([v, None], pa.string()) for k, v in zip("abc", (A, B, BASE))}
    rows = pa.record_batch(
        {
            "base": columns["c"].cast(kind),
            "a": columns["a"].cast(kind),
            "b": columns["b"].cast(kind),
        }
    )
    answer = mvdiff.arrow.text_iou(rows)
    assert answer["score"].to_pylist() == [mvdiff.text_iou(BASE, A, B).score, None]


def test_slices_and_tables():
    rows = pa.Table.from_batches([batch(), batch()]).slice(1, 2)
    answer = mvdiff.arrow.text_iou(rows)
    assert isinstance(answer, pa.Table) and answer["id"].to_pylist() == [2, 1]
    assert answer["score"][0].as_py() == 1.0
    empty = mvdiff.arrow.text_iou(rows.slice(0, 0))
    assert empty.num_rows == 0 and empty.schema == answer.schema


def test_what_is_refused():
    with pytest.raises(mvdiff.MvdiffError, match="no column b in the batch; it has base, a"):
        mvdiff.arrow.text_iou(batch().select(["base", "a"]))
    with pytest.raises(mvdiff.MvdiffError, match="column score is in the batch"):
        mvdiff.arrow.text_iou(batch(score=[1, 2]))
    with pytest.raises(mvdiff.MvdiffError, match="column a is Int64"):
        mvdiff.arrow.text_iou(pa.record_batch({"base": ["x"], "a": [1], "b": ["x"]}))


def test_patches(refactor):
    patch, old, new = refactor
    files = pa.array([list(old.items()), None, None], pa.map_(pa.string(), pa.binary()))
    rows = pa.record_batch(
        {
            "name": ["x", "y", "z"],
            "patch": [patch, patch, b"@@ -1 +1,9 @@\n-a\n"],
            "old_files": files,
        }
    )
    whole = mvdiff.effective(patch, old_files=old)
    hunks = mvdiff.effective(patch)
    answer = mvdiff.arrow.effective(rows)
    assert answer.schema.names == [
        *("name", "files", "added", "removed", "moves", "indents", "lines_moved"),
        *("lines_indented", "lines_left", "complete", "effective_diff", "error"),
    ]
    assert answer["moves"].to_pylist() == [whole.moves_detected, hunks.moves_detected, None]
    left = [r.total_lines_effectively_changed for r in (whole, hunks)]
    assert answer["lines_left"].to_pylist() == [*left, None]
    assert answer["effective_diff"][0].as_py().decode() == whole.effective_diff
    assert answer["error"][2].as_py()
    moves = mvdiff.arrow.moves_of_commits(rows)
    assert moves.schema.names == [
        *("name", "kind", "old_file", "old_start", "old_end", "new_file", "new_start"),
        *("new_end", "lines", "lines_left", "score", "error"),
    ]
    first = moves.filter(pa.compute.equal(moves["name"], "x")).to_pylist()
    assert [(m["old_file"], m["old_start"], m["old_end"]) for m in first] == [
        (m.source_file, *m.source_lines) for m in whole.moves
    ]
    assert moves["error"].to_pylist()[-1] and moves["name"].to_pylist()[-1] == "z"
