"""Every example runs, and all engines come to the same mean."""

import json
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "python" / "examples"


@pytest.mark.parametrize(
    "name, needs",
    [
        ("ray_data", "ray"),
        ("spark_arrow", "pyspark"),
        ("duckdb_udf", "duckdb"),
        ("polars_expression", "polars"),
    ],
)
def test_engines(name, needs, tmp_path):
    pytest.importorskip(needs)
    command = [sys.executable, EXAMPLES / f"{name}.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "bad 0" in lines
    (mean,) = [line for line in lines if line.startswith("mean")]
    assert mean == expected()


def expected():
    sys.path.insert(0, str(EXAMPLES))
    from rows import table

    import mvdiff

    rows = table().to_pylist()
    scores = [mvdiff.text_iou(r["base"], r["a"], r["b"]).score for r in rows]
    return f"mean {round(sum(scores) / len(scores), 6)}"


def test_the_reward_page():
    done = subprocess.run(
        [sys.executable, EXAMPLES / "reward.py"], capture_output=True, text=True, check=True
    )
    page = (ROOT / "docs" / "python.md").read_text()
    table = [line for line in done.stdout.splitlines() if "times as fast" not in line]
    assert "\n".join(table) in page


def test_the_notebook_answers(repository, tmp_path, monkeypatch):
    """The cells of the notebook, one after the other, on a small history."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    out = tmp_path / "out"
    command = [sys.executable, "-m", "mvdiff.history", repository, out, "-q"]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    monkeypatch.setenv("MVDIFF_HISTORY", str(out))
    notebook = json.loads((EXAMPLES / "history.ipynb").read_text())
    names: dict = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert names["commits"].shape[0] == 3
    assert names["trades"].iloc[0]["old_file"] == "a.py"
