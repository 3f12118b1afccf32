"""The action and the pre-commit hook, as far as they run without GitHub."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

yaml = pytest.importorskip("yaml")
PROGRAM = Path(sys.executable).with_name("mvdiff")


@pytest.fixture(scope="module")
def action():
    return yaml.safe_load((ROOT / "action.yml").read_text())


def test_the_steps_of_the_action_are_well_formed(action):
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        assert ("run" in step) != ("uses" in step)
        if "run" in step:
            assert step["shell"] == "bash"
            # What GitHub fills in stays out of scripts: a branch may have any name.
            assert "${{" not in step["run"]
            subprocess.run(["bash", "-n", "-c", step["run"]], check=True)


def test_the_action_reports_on_a_pull_request(action, repository, tmp_path):
    (step,) = [step for step in action["runs"]["steps"] if step.get("id") == "report"]
    ends = ["HEAD~2", "HEAD~1"]
    base, head = (
        subprocess.check_output(["git", "-C", repository, "rev-parse", end], text=True).strip()
        for end in ends
    )
    env = {
        **os.environ,
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "step"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "HOME_OF_ACTION": str(ROOT),
        "MVDIFF": str(PROGRAM),
        "BASE": base,
        "HEAD": head,
    }
    subprocess.run(["bash", "-e", "-c", step["run"]], check=True, cwd=repository, env=env)
    summary = (tmp_path / "step").read_text()
    assert "**0 of 18 changed lines are left to read** (0 %)." in summary, summary
    assert "| moved | `a.py` 1–" in summary and "`b.py` " in summary
    outputs = dict(line.split("=", 1) for line in (tmp_path / "output").read_text().splitlines())
    assert set(outputs) == {"report", "page", "summary"}
    assert "<!doctype html>" in Path(outputs["page"]).read_text().lower()


def test_the_comment_of_other_reports():
    sys.path.insert(0, str(ROOT / "python"))
    from pull_request import comment

    counts = {"added": 0, "removed": 0}
    report = {
        "input": counts,
        "moves": [],
        "total_lines_effectively_changed": 0,
        "complete": True,
    }
    assert "No lines changed." in comment(report)
    block = {
        "kind": "move",
        "source_file": "a|`b",
        "target_file": {"base64": "/w=="},
        "source_lines": [1, 1],
        "target_lines": [2, 3],
        "matched_lines": 2,
        "effective_diff_lines": 0,
    }
    more = comment({**report, "input": {"added": 20, "removed": 20}, "moves": [block] * 20})
    assert "and 5 more blocks" in more and "`a\\|'b` 1 |" in more


def test_the_hook_shows_staged_changes(repository):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    for key in ("id", "name", "entry", "language"):
        assert hook[key]
    (repository / "a.py").write_text("something = 1\n")
    subprocess.run(["git", "-C", repository, "add", "a.py"], check=True)
    program, *words = shlex.split(hook["entry"])
    assert program == "mvdiff"
    done = subprocess.run([PROGRAM, *words], cwd=repository, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "something = 1" in done.stdout
