"""What tests share."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    """Runs the program that the wheel carries."""
    found = Path(sys.executable).with_name("mvdiff")
    assert found.exists(), "the wheel did not bring the program"

    def run(*words, **more):
        words = [str(word) for word in words]
        return subprocess.run([found, *words], capture_output=True, **more)

    return run


@pytest.fixture(scope="session")
def refactor():
    """The patch of the README's sample, with its files."""

    def files(side):
        top = ROOT / "examples" / "refactor" / side
        return {str(p.relative_to(top)): p.read_bytes() for p in top.rglob("*") if p.is_file()}

    patch = (ROOT / "examples" / "refactor.patch").read_bytes()
    return patch, files("old"), files("new")


@pytest.fixture
def repository(tmp_path):
    """A small history: a function moves, a block is indented, a file is edited."""
    assert shutil.which("git")
    top = tmp_path / "shop"
    top.mkdir()

    def git(*words):
        who = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
        subprocess.run(["git", "-C", top, *who, *words], check=True, capture_output=True)

    def function(name, lines=5):
        body = "".join(f"    {name}_{i} = compute_{name}({i}, rate)\n" for i in range(lines))
        return f"def {name}(rate):\n{body}    return {name}_0\n\n\n"

    git("init", "-q")
    states = [
        {"a.py": function("total") + function("price"), "b.py": function("name")},
        {"a.py": function("price"), "b.py": function("name") + function("total")},
        {"a.py": function("price").replace("price_0 =", "price_0 = 1 +"), "caf\u00e9.py": "x\n"},
    ]
    for number, state in enumerate(states):
        for name, text in state.items():
            (top / name).write_text(text)
        git("add", "-A")
        git("commit", "-q", "-m", f"state {number}")
    return top
