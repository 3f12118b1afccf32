#!/usr/bin/env python3
"""Writes the samples of the README anew: what the commands in them print now.

    MVDIFF=target/debug/mvdiff python3 docs/samples.py
"""
import os
import re
import subprocess
from pathlib import Path

root = Path(__file__).parent.parent
program = Path(os.environ.get("MVDIFF", root / "target/debug/mvdiff")).absolute()
environment = {name: value for name, value in os.environ.items() if not name.startswith("MVDIFF_")}
environment.pop("COLUMNS", None)


def printed(match: re.Match[str]) -> str:
    command = match[1]
    words = [str(program), *command.split(" "), "--format", "terminal"]
    ran = subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True)
    assert ran.returncode < 2, ran.stderr
    return f"```text\n$ mvdiff {command}\n{ran.stdout}```"


readme = root / "README.md"
text = readme.read_text()
readme.write_text(re.sub(r"```text\n\$ mvdiff ((?:diff|effective) [^\n]*)\n.*?```", printed, text, flags=re.S))
