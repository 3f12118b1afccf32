#!/usr/bin/env python3
"""Does the report rebuild what the commit made? history.py MVDIFF [NAME=]REPO... [--commits 200] [-o docs/benchmarks.md]

For each of the last commits of each repository (a git directory): `git diff`
against its parent, `mvdiff effective` on it with the touched files at hand,
`mvdiff replay` from the report, and every file and mode compared with the
commit's own. -o writes the part `history` of a page, in which a repository is
called NAME. Exits 1 if anything differs.
"""
import argparse
import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile

import page

HEAD = ["repository", "commits", "rebuilt", "with moves", "moves", "changed", "left", "with notes"]
NOTE = """\
The last commits that are no merges, each against its parent: `git diff -M` \
through `mvdiff effective` with the touched files at hand, and the files that \
`mvdiff replay` makes of the report compared with the commit's, byte by byte and \
with their modes. Changed and left: `-` and `+` lines of git's patches and of \
ours. With notes: commits with a note other than on moves that could have come \
from several places."""


def git(repo, *args):
    env = dict(os.environ, GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull)
    done = subprocess.run(["git", "-C", repo, *args], capture_output=True, env=env)
    if done.returncode:
        sys.exit(f"git {' '.join(args)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def touched(repo, parent, commit):
    """(old mode, new mode, old id, new id, status, path[, new path]) of each file."""
    fields = git(repo, "diff", "--raw", "-z", "--no-abbrev", "-M", parent, commit).split(b"\0")
    rows, at = [], 0
    while at < len(fields) - 1:
        old_mode, new_mode, old_id, new_id, status = fields[at][1:].decode().split(" ")
        count = 2 if status[0] in "RC" else 1
        rows.append((old_mode, new_mode, old_id, new_id, status, fields[at + 1:at + 1 + count]))
        at += 1 + count
    return rows


def write(repo, root, path, mode, blob):
    if mode == "160000":
        return
    target = os.path.join(os.fsencode(root), path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    content = git(repo, "cat-file", "blob", blob)
    if mode == "120000":
        os.symlink(content, target)
        return
    with open(target, "wb") as file:
        file.write(content)
    os.chmod(target, 0o755 if mode == "100755" else 0o644)


def files(root):
    found = {}
    for folder, dirs, names in os.walk(os.fsencode(root)):
        for name in names + [d for d in dirs if os.path.islink(os.path.join(folder, d))]:
            path = os.path.join(folder, name)
            key = os.path.relpath(path, os.fsencode(root))
            if os.path.islink(path):
                found[key] = ("link", os.readlink(path))
            else:
                executable = bool(os.stat(path).st_mode & stat.S_IXUSR)
                found[key] = (executable, pathlib.Path(os.fsdecode(path)).read_bytes())
    return found


def check(mvdiff, repo, parent, commit, work):
    """The report on a commit, if there is one, and what is wrong, if anything."""
    patch = git(repo, "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--full-index", "--binary", "-M",
                "--src-prefix=a/", "--dst-prefix=b/", parent, commit)
    old, new, out = work / "old", work / "new", work / "out"
    old.mkdir()
    new.mkdir()
    for old_mode, new_mode, old_id, new_id, status, paths in touched(repo, parent, commit):
        if status[0] != "A":
            write(repo, old, paths[0], old_mode, old_id)
        if status[0] != "D":
            write(repo, new, paths[-1], new_mode, new_id)
    told = subprocess.run([mvdiff, "effective", "--old", old, "--new", new, "--format", "json", "-"],
                          input=patch, capture_output=True)
    if told.returncode:
        return None, f"effective: {told.stderr.decode(errors='replace').strip()}"
    (work / "report.json").write_bytes(told.stdout)
    report = json.loads(told.stdout)
    built = subprocess.run([mvdiff, "replay", "--old", old, "--out", out, work / "report.json"], capture_output=True)
    if built.returncode:
        return report, f"replay: {built.stderr.decode(errors='replace').strip()}"
    wanted, got = files(new), files(out)
    wrong = sorted(path for path in wanted.keys() | got.keys() if wanted.get(path) != got.get(path))
    return report, f"differs: {os.fsdecode(wrong[0])}" if wrong else None


def history(mvdiff, name, repo, commits):
    """A row of the table, and how many commits were not rebuilt."""
    log = git(repo, "log", "--no-merges", "--format=%H %P", f"-{commits}").decode().split("\n")
    # The first commit of all has no parent.
    pairs = [line.split(" ") for line in log if line.count(" ") == 1 and not line.endswith(" ")]
    right = moving = moves = changed = left = noted = 0
    for commit, parent in pairs:
        with tempfile.TemporaryDirectory() as work:
            report, wrong = check(mvdiff, repo, parent, commit, pathlib.Path(work))
        if wrong:
            print(f"{name}: {commit}: {wrong}", file=sys.stderr)
        right += not wrong
        if report:
            moving += report["moves_detected"] > 0
            moves += report["moves_detected"]
            changed += report["input"]["added"] + report["input"]["removed"]
            left += report["total_lines_effectively_changed"]
            noted += any(note["kind"] != "ambiguous" for note in report["notes"])
    row = [name, len(pairs), right, moving, f"{moves:,}", f"{changed:,}", f"{left:,}", noted]
    return row, len(pairs) - right


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("mvdiff", type=os.path.abspath)
    arguments.add_argument("repos", nargs="+", metavar="[NAME=]REPO")
    arguments.add_argument("--commits", type=int, default=200)
    arguments.add_argument("-o", "--output", metavar="PAGE")
    asked = arguments.parse_args()
    rows, failed = [], 0
    for repo in asked.repos:
        name, _, place = repo.rpartition("=")
        row, wrong = history(asked.mvdiff, name or os.path.basename(os.path.abspath(place)), place, asked.commits)
        rows.append(row)
        failed += wrong
    part = page.table(HEAD, rows) + "\n\n" + NOTE
    print(part)
    if asked.output:
        page.put(asked.output, "history", "Histories, rebuilt from the reports", part)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
