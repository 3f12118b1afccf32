#!/usr/bin/env python3
"""What does the effective diff cost? effective.py MVDIFF WORK_DIR [-o docs/benchmarks.md]

CPU time and peak memory of `git diff` making a patch, of `git diff
--color-moved` and of `mvdiff effective` reading it, in one run, for

  sympy    two versions of a large Python package (through corpus.sh: pip)
  windows  two versions of the `windows` crate (through cargo, by name)
  rename   a folder of generated bindings and the prefix of their types
           renamed: more files than git looks for renames in

WORK_DIR, which must be in no repository, keeps all of it; what is there
already is taken as it is. -o writes the part `effective` of a page.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import threading

import page

HERE = pathlib.Path(__file__).resolve().parent
WINDOWS = ("0.52.0", "0.58.0")
MODULES, TYPES = 2000, 8
# Seconds after which --color-moved is given up.
GIVEN_UP = 120
NOTE = """\
Each process a fresh one, output to /dev/null, in turn, {runs} rounds, medians \
of user and system time. git diff: of two trees of a repository; the shares are \
of what it takes. Effective: `mvdiff effective --format \
unified` of that patch, from the hunks alone and with `--old` and `--new`. \
--color-moved: `git diff --color=always --color-moved`, in one round only where \
it takes over 5 s, and given up after {given_up} s of wall time. Changed and left: `-` and `+` lines of the patch and of what \
is printed. sympy 1.12 and 1.13.3; windows {windows[0]} and {windows[1]}; rename: \
{modules:,} generated files whose folder and types get other names, which is more \
than git looks for renames in."""


def environment(work):
    return dict(os.environ, GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull,
                GIT_CEILING_DIRECTORIES=str(work), LC_ALL="C")


class Cost:
    """What one process took, or had taken when it was given up."""

    def __init__(self, command, cwd, limit=600):
        child = subprocess.Popen(command, cwd=cwd, env=environment(cwd), stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        given_up = threading.Event()
        timer = threading.Timer(limit, lambda: (given_up.set(), child.kill()))
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        timer.cancel()
        if child.returncode and not given_up.is_set():
            sys.exit(f"{' '.join(map(str, command))}: exit {child.returncode}")
        self.given_up = given_up.is_set()
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss / 1024


def python_package(folder, work):
    subprocess.run([HERE / "corpus.sh", work / "corpus", "sympy"], check=True, stdout=subprocess.DEVNULL)
    for side in ("old", "new"):
        shutil.copytree(work / "corpus" / "sympy" / side, folder / side)


def crate(folder, work):
    scratch = work / "scratch"
    (scratch / "src").mkdir(parents=True, exist_ok=True)
    (scratch / "src" / "lib.rs").touch()
    dependencies = "".join(f'v{i} = {{ package = "windows", version = "={v}" }}\n' for i, v in enumerate(WINDOWS))
    (scratch / "Cargo.toml").write_text(
        f'[package]\nname = "scratch"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n{dependencies}')
    # Telling where packages are, cargo gets them.
    told = subprocess.run(["cargo", "metadata", "--format-version", "1"], cwd=scratch, check=True, capture_output=True)
    packages = json.loads(told.stdout)["packages"]
    for side, version in zip(("old", "new"), WINDOWS):
        found = next(p for p in packages if p["name"] == "windows" and p["version"] == version)
        shutil.copytree(pathlib.Path(found["manifest_path"]).parent, folder / side)


def rename(folder, _work):
    for side, place, prefix in (("old", "src", "Old"), ("new", "lib", "New")):
        for number in range(MODULES):
            path = folder / side / place / f"part{number // 100}" / f"m{number}.rs"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(bindings(number, prefix))


def bindings(number, prefix):
    lines = [f"//! Bindings of part {number}.", ""]
    for item in range(TYPES):
        name = f"{prefix}Handle{number}x{item}"
        lines += ["#[repr(transparent)]", f"pub struct {name}(pub u32);",
                  f"impl Clone for {name} {{", "    fn clone(&self) -> Self {", "        Self(self.0)", "    }", "}",
                  f"impl Drop for {name} {{", "    fn drop(&mut self) {",
                  f"        unsafe {{ release_{number}_{item}(self.0) }}", "    }", "}", ""]
    return "\n".join(lines) + "\n"


# Name, how it is made, goal as a share of `git diff`, goal in times faster than --color-moved.
WORKLOADS = [("sympy", python_package, 0.10, None), ("windows", crate, 0.50, None), ("rename", rename, None, 20)]


def trees(folder):
    """Both sides as trees of a repository; their ids."""
    ids, kept = [], folder / "trees"
    if kept.exists():
        return kept.read_text().split()
    subprocess.run(["git", "init", "-q", "--bare", folder / "git"], check=True)
    for side in ("old", "new"):
        env = dict(environment(folder), GIT_DIR=str(folder / "git"), GIT_WORK_TREE=str(folder / side),
                   GIT_INDEX_FILE=str(folder / "index"))
        git = lambda *args: subprocess.run(["git", *args], cwd=folder / side, env=env, check=True, capture_output=True)
        git("add", "-A", "-f", ".")
        ids.append(git("write-tree").stdout.decode().strip())
        (folder / "index").unlink()
    kept.write_text(" ".join(ids))
    return ids


def made(name, make, work):
    """Files, trees and patch of a workload, made if they are not there."""
    folder = work / name
    if not (folder / "trees").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make(folder, work)
    ids = trees(folder)
    with open(folder / "patch", "wb") as patch:
        subprocess.run(["git", "-C", folder / "git", "diff", "--no-color", *ids], env=environment(work),
                       stdout=patch, stderr=subprocess.DEVNULL, check=True)
    return folder, ids


def facts(mvdiff, folder, work):
    """Moves, changed lines and lines left, as the report's head tells them."""
    report = folder / "report.json"
    with open(report, "wb") as file:
        subprocess.run([mvdiff, "effective", "--format", "json", folder / "patch"], cwd=work, env=environment(work),
                       stdout=file, stderr=subprocess.DEVNULL, check=True)
    with open(report, encoding="utf-8", errors="replace") as file:
        head = file.read(1 << 20)
    report.unlink()
    number = lambda key: int(re.search(rf'"{key}":\s*(\d+)', head)[1])
    return number("moves_detected"), number("added") + number("removed"), number("total_lines_effectively_changed")


def measure(mvdiff, folder, ids, work, runs):
    git = ["git", "-C", folder / "git", "diff"]
    effective = [mvdiff, "effective", "--format", "unified"]
    commands = {
        "git": [*git, "--no-color", *ids],
        "hunks": [*effective, folder / "patch"],
        "contents": [*effective, "--old", folder / "old", "--new", folder / "new", folder / "patch"],
        "moved": [*git, "--color=always", "--color-moved", *ids],
    }
    costs = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            slow = name == "moved" and costs[name] and costs[name][0].cpu > 5
            if not slow:
                costs[name].append(Cost(command, work, GIVEN_UP if name == "moved" else 600))
    cpu = {name: statistics.median(c.cpu for c in all) for name, all in costs.items()}
    peak = {name: max(c.peak for c in all) for name, all in costs.items()}
    return cpu, peak, any(c.given_up for c in costs["moved"])


def row(name, goals, measured, patch_lines, told):
    share, faster = goals
    cpu, peak, given_up = measured
    moves, changed, left = told
    percent = lambda value: f"{100 * value / cpu['git']:.0f}%"
    over = "over " if given_up else ""
    return [name, f"{patch_lines:,}", f"{cpu['git']:.2f}", percent(cpu["hunks"]), percent(cpu["contents"]),
            f"{100 * share:.0f}%" if share else "",
            f"{over}{cpu['moved']:.2f}", f"{over}{cpu['moved'] / cpu['hunks']:.1f}", faster or "",
            *(f"{peak[key]:.0f}" for key in ("git", "hunks", "contents")), f"{moves:,}", f"{changed:,}", f"{left:,}"]


HEAD = ["patch", "its lines", "git diff, s", "effective", "with contents", "goal", "--color-moved, s",
        "effective is faster, times", "goal", "peak of git, MiB", "effective", "with contents", "moves",
        "changed", "left"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("mvdiff", type=pathlib.Path)
    arguments.add_argument("work", type=pathlib.Path)
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--only", action="append", choices=[w[0] for w in WORKLOADS])
    arguments.add_argument("-o", "--output", metavar="PAGE")
    asked = arguments.parse_args()
    mvdiff, work = asked.mvdiff.resolve(), asked.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    if not subprocess.run(["git", "rev-parse"], cwd=work, capture_output=True).returncode:
        sys.exit(f"{work} is in a repository: contents would be looked for in it")
    rows = []
    for name, make, *goals in WORKLOADS:
        if asked.only and name not in asked.only:
            continue
        folder, ids = made(name, make, work)
        with open(folder / "patch", "rb") as patch:
            lines = sum(block.count(b"\n") for block in iter(lambda: patch.read(1 << 20), b""))
        told = facts(mvdiff, folder, work)
        rows.append(row(name, goals, measure(mvdiff, folder, ids, work, asked.runs), lines, told))
        print(page.table(HEAD, rows[-1:]), flush=True)
    part = page.table(HEAD, rows) + "\n\n" + NOTE.format(runs=asked.runs, windows=WINDOWS, modules=MODULES,
                                                               given_up=GIVEN_UP)
    print(part)
    if asked.output:
        page.put(asked.output, "effective", "What the effective diff costs", part)


if __name__ == "__main__":
    main()
