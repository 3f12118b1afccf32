"""Data frames of pandas, polars and pyarrow."""

import datetime as dt

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import mvdiff

COLUMNS = {
    "id": [1, 2, 3, 4, 5, 6],
    "name": ["ash", "birch", "cedar", "elm", "fir", "oak"],
    "price": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
}


def changed():
    """Unordered, of another shape, with an edit and a little noise."""
    return {
        "name": ["oak", "ash", "cedar", "yew", "elm", "fir"],
        "id": [6, 1, 3, 7, 4, 5],
        "price": [6.0, 1.0005, 3.5, 7.0, 4.0, 5.0],
        "stock": [1, 2, 3, 4, 5, 6],
    }


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_by_key(frame):
    report = mvdiff.diff_frames(
        frame(COLUMNS), frame(changed()), key="id", tolerance={"price": 0.01}
    )
    assert report.columns_added == ["stock"] and report.columns_removed == []
    assert report.rows_added == [3] and report.rows_removed == [1]
    assert [(c.key, c.column, c.old, c.new) for c in report.cells] == [((3,), "price", 3.0, 3.5)]
    assert (report.cells[0].old_row, report.cells[0].new_row) == (2, 2)
    assert report and report.to_json() and report._repr_html_()
    strict = mvdiff.diff_frames(frame(COLUMNS), frame(changed()), key="id")
    assert [c.key for c in strict.cells] == [(1,), (3,)]
    loose = mvdiff.diff_frames(frame(COLUMNS), frame(changed()), key=["id"], tolerance=1)
    assert loose.cells == []


def test_the_order_of_rows_is_no_difference():
    old = pl.DataFrame({"id": list(range(100)), "v": [f"value {i}" for i in range(100)]})
    new = pl.concat([old[40:], old[:40]])
    assert not mvdiff.diff_frames(old, new, key="id")
    unkeyed = mvdiff.diff_frames(old, new)
    assert not unkeyed and sum(m.count for m in unkeyed.rows_moved) in (40, 60)
    assert not mvdiff.diff_frames(old, old)


def test_missing_is_not_empty():
    old = pd.DataFrame({"k": [1, 2, 3], "v": [None, "", '""']})
    new = pd.DataFrame({"k": [1, 2, 3], "v": ["", '""', ""]})
    report = mvdiff.diff_frames(old, new, key="k")
    assert [c.new for c in report.cells] == ["", '""', ""]


def test_types_of_values():
    old = pl.DataFrame(
        {
            "k": [1, 2],
            "big": [2**60, 2**60],
            "day": [dt.date(2026, 1, 1)] * 2,
            "time": [dt.datetime(2026, 1, 1, 12, 0, 0, 1)] * 2,
            "list": [[1], [2]],
            "flag": [True, None],
        }
    )
    assert not mvdiff.diff_frames(old, old.clone(), key="k")
    for column, value in [
        ("big", 2**60 + 1),
        ("day", dt.date(2026, 1, 2)),
        ("time", dt.datetime(2026, 1, 1, 12, 0, 0, 2)),
        ("list", [3]),
        ("flag", False),
    ]:
        new = old.with_columns(pl.Series(column, [old[column][0], value], old[column].dtype))
        cells = mvdiff.diff_frames(old, new, key="k").cells
        assert [(c.column, c.new_row) for c in cells] == [(column, 1)], column


def test_pandas_of_its_own_kind():
    old = pd.DataFrame({"v": [1, "1", None]}, index=["x", "y", "z"])
    new = pd.DataFrame({"v": ["1", "1", float("nan")]}, index=["x", "y", "z"])
    report = mvdiff.diff_frames(old, new, key="index")
    assert [c.key for c in report.cells] == [("x",)]
    assert not mvdiff.diff_frames(pd.DataFrame({0: [1]}), pd.DataFrame({0: [1]}))


def test_what_is_refused():
    with pytest.raises(TypeError, match="list is not a frame"):
        mvdiff.diff_frames([1], [2])
    with pytest.raises(mvdiff.MvdiffError, match="nothing"):
        mvdiff.diff_frames(pl.DataFrame(COLUMNS), pl.DataFrame(COLUMNS), key="nothing")
    large = pl.DataFrame({"a": range(1_048_576)})
    with pytest.raises(mvdiff.MvdiffError, match="1048575 rows"):
        mvdiff.diff_frames(large, large)
