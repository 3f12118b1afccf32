"""The ready jobs: the same bytes from every engine, whoever was killed."""

import json
import os
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import mvdiff

pytest.importorskip("numpy")

ENGINES = ["local", "ray", "spark"]


def files(folder):
    """What a job wrote, but for its plan, which names paths."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "plan.json"
    }


def triples(count):
    base = [f"line {i}\nshared\nend {i % 7}\n" for i in range(count)]
    a = [text.replace("shared", f"changed {i % 3}") for i, text in enumerate(base)]
    b = [text.replace("shared", f"changed {i % 2}") for i, text in enumerate(base)]
    base[17] = None
    return pa.table({"name": [f"n{i}" for i in range(count)], "base": base, "a": a, "b": b})


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    # Parts of 16,384 rows and more.
    pq.write_table(triples(80_000), path, row_group_size=8_192)
    return path


def run(module, *words, **more):
    command = [sys.executable, "-m", f"mvdiff.{module}", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, **more)


@pytest.fixture(scope="module")
def scored(rows, tmp_path_factory):
    """The answer of the local engine."""
    out = tmp_path_factory.mktemp("local") / "out"
    done = run("score", rows, out)
    assert done.returncode == 1, done.stderr
    return out, json.loads(done.stdout)


def test_scores_and_summary(rows, scored):
    out, summary = scored
    assert (summary["rows"], summary["scored"], summary["bad"]) == (80_000, 79_999, 1)
    low, high = summary["score"]["interval_95"]
    assert low < summary["score"]["mean"] < high
    table = pq.read_table(out / "scores")
    assert table["input_row"].to_pylist() == list(range(80_000))
    one = pq.read_table(rows).slice(5, 1).to_pylist()[0]
    assert table["score"][5].as_py() == mvdiff.text_iou(one["base"], one["a"], one["b"]).score
    assert pc.mean(table["score"]).as_py() == pytest.approx(summary["score"]["mean"])
    (bad,) = (out / "bad_rows.jsonl").read_text().splitlines()
    assert json.loads(bad)["row"] == 17 and json.loads(bad)["error"] == "base is null"
    assert len(list((out / "scores").iterdir())) == 5


def test_another_order_of_work_is_the_same(rows, scored, tmp_path):
    """Missing parts are done, whole ones left alone, whatever lies around."""
    out, _ = scored
    again = tmp_path / "out"
    assert run("score", rows, again, "--workers", 1).returncode == 1
    assert files(again) == files(out)
    kept = again / "scores" / "part-00001.parquet"
    before = kept.stat().st_mtime_ns
    (again / "scores" / "part-00003.parquet").unlink()
    (again / "scores" / ".part-00003.parquet.1.2.tmp").write_bytes(b"half")
    assert run("score", rows, again).returncode == 1
    assert files(again) == files(out)
    assert kept.stat().st_mtime_ns == before


@pytest.mark.parametrize("engine", ENGINES[1:])
def test_engines_write_the_same_bytes(rows, scored, tmp_path, engine):
    pytest.importorskip({"spark": "pyspark"}.get(engine, engine))
    done = run("score", rows, tmp_path / "out", "--engine", engine, "--workers", 2)
    assert done.returncode == 1, done.stderr
    assert files(tmp_path / "out") == files(scored[0])


def test_a_killed_driver_is_finished(rows, scored, tmp_path):
    out = tmp_path / "out"
    command = [sys.executable, "-m", "mvdiff.score", rows, out, "--workers", "1", "-q"]
    child = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL)
    while not list(out.glob("scores/part-*")) and child.poll() is None:
        time.sleep(0.001)
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert run("score", rows, out).returncode == 1
    assert files(out) == files(scored[0])


def test_what_is_refused(rows, scored, tmp_path):
    other = tmp_path / "other.parquet"
    pq.write_table(triples(100), other)
    done = run("score", other, scored[0])
    assert done.returncode == 2 and "another input" in done.stderr
    pq.write_table(triples(100).drop_columns(["b"]), other)
    done = run("score", other, tmp_path / "out")
    assert done.returncode == 2 and "no column b" in done.stderr
    done = run("score", tmp_path / "none.parquet", tmp_path / "out")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_history(repository, tmp_path, engine):
    if engine != "local":
        pytest.importorskip({"spark": "pyspark"}.get(engine, engine))
    out = tmp_path / "out"
    done = run("history", repository, out, "--engine", engine, "--workers", 2)
    assert done.returncode == 0, done.stderr
    commits = pq.read_table(out / "commits").to_pylist()
    assert [(c["moves"], c["files"]) for c in commits] == [(0, 2), (1, 2), (0, 2)]
    assert commits[1]["lines_left"] == 0 and commits[1]["complete"]
    (move,) = pq.read_table(out / "moves").to_pylist()
    assert (move["old_file"], move["new_file"], move["kind"]) == ("a.py", "b.py", "move")
    assert move["commit"] == commits[1]["commit"]
    summary = json.loads(done.stdout)
    assert summary["commits"] == 3 and summary["moves"] == 1
    before = files(out)
    # The repository goes on; the plan that was begun is finished.
    (repository / "a.py").write_text("")
    who = {"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t", "GIT_COMMITTER_NAME": "t"}
    env = {**os.environ, **who, "GIT_COMMITTER_EMAIL": "t"}
    subprocess.run(["git", "-C", repository, "commit", "-qam", "x"], check=True, env=env)
    (out / "commits" / "part-00000.parquet").unlink()
    assert run("history", repository, out).returncode == 0
    assert files(out) == before


def test_history_is_what_the_program_says(repository, tmp_path, program):
    out = tmp_path / "out"
    assert run("history", repository, out).returncode == 0
    for commit in pq.read_table(out / "commits").to_pylist()[1:]:
        name = commit["commit"]
        printed = program("git", "--format", "json", f"{name}~..{name}", cwd=repository)
        report = json.loads(printed.stdout)
        assert report["total_lines_effectively_changed"] == commit["lines_left"]
        assert report["moves_detected"] == commit["moves"]


def test_history_refuses_what_is_no_repository(tmp_path):
    done = run("history", tmp_path, tmp_path / "out")
    assert done.returncode == 2 and "not a git repository" in done.stderr


@pytest.mark.parametrize("count, cores", [(0, 2), (1, 2), (62, 2), (248, 2), (6_100, 64), (6_100, 2)])
def test_tasks_of_an_engine_have_every_part_once(count, cores):
    from mvdiff._job import MOST_PARTS, _shares

    shares = _shares(count, cores)
    assert [part for share in shares for part in share] == list(range(count))
    assert all(1 <= len(share) <= MOST_PARTS for share in shares)
    # Neither a task a part nor so few that cores wait for the last one.
    assert len(shares) < count or count < 4 * cores
    assert not shares or len(shares[-1]) == 1
