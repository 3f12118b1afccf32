#!/usr/bin/env python3
"""Is the matcher Python's? opcodes.py WORK_DIR [-o docs/benchmarks.md]

Runs the tests of mvdiff-metrics that compare with the reference and with the
difflib of this very Python: 100,000 random pairs over small alphabets, 300 files
that changed between two versions of a package (through corpus.sh: pip), and the
vectors of the score. Ends with 1 if anything differs. -o writes the part
`opcodes` of a page.
"""
import argparse
import os
import pathlib
import platform
import re
import subprocess
import sys

import page

HERE = pathlib.Path(__file__).resolve().parent
PAIRS, FILES = 100_000, 300


def passed(test, name, **environment):
    """Runs one test; whether it ran and passed."""
    command = ["cargo", "test", "--release", "--quiet", "-p", "mvdiff-metrics", "--test", test, name]
    done = subprocess.run(command, cwd=HERE.parent, env=dict(os.environ, **environment),
                          stdout=subprocess.PIPE, text=True, check=False)
    ran = re.search(r"test result: ok\. (\d+) passed", done.stdout)
    return done.returncode == 0 and ran is not None and int(ran[1]) == 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work_dir", type=pathlib.Path)
    parser.add_argument("-o", "--output")
    args = parser.parse_args()
    trees = subprocess.run([HERE / "corpus.sh", args.work_dir.resolve(), "sympy"], check=True,
                           stdout=subprocess.PIPE, text=True).stdout.split()
    version = platform.python_version()
    checks = [
        (f"opcodes of random pairs over 1 to 40 kinds, beside difflib of CPython {version}", f"{PAIRS:,}",
         passed("difflib", "random_pairs", MVDIFF_CASES=str(PAIRS))),
        (f"opcodes of files changed between sympy 1.12 and 1.13.3, beside difflib of CPython {version}", FILES,
         passed("difflib", "real_files", MVDIFF_TREES=":".join(trees), MVDIFF_FILES=str(FILES))),
        ("score and parts of the vectors, to 1e-11", 165, passed("score", "every_vector")),
    ]
    rows = [[what, count, "all" if ok else "NO"] for what, count, ok in checks]
    for row in rows:
        print(*row, sep=" | ")
    if args.output:
        page.put(args.output, "opcodes", "The matcher beside Python's", page.table(["what", "cases", "equal"], rows))
    return 0 if all(ok for _, _, ok in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
