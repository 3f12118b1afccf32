"""What every commit of repositories moved, indented and left to read, as Parquet.

    python -m mvdiff.history REPO... OUTPUT/ --engine local|ray|spark

OUTPUT gets commits/part-*.parquet, a row for each commit, and moves/part-*.parquet, a
row for each block that moved or was indented. Merges are left out: their changes are
in the commits that they merge. The plan names the commits, so a rerun finishes the
same work even if the repositories went on.

Exit status: 0; 1 if a commit could not be read; 2 on trouble.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from . import __version__, _mvdiff
from ._job import ENGINES, Job, write_tables, write_whole
from ._mvdiff import MvdiffError
from .arrow import MAX_BYTES, effective_and_moves

#: Commits of a part.
PART_COMMITS = 500
#: Bytes of patches and files that are in memory at once.
BATCH_BYTES = 32 << 20
#: Larger files are left out; their hunks are compared all the same.
FILE_BYTES = 4 << 20

SCHEMA = pa.schema(
    [
        ("repo", pa.string()),
        ("commit", pa.string()),
        ("time", pa.timestamp("s", "UTC")),
        ("patch", pa.large_binary()),
        ("old_files", pa.map_(pa.binary(), pa.large_binary())),
    ]
)


def git(repo: str, *words: str) -> list[str]:
    """A command that reads a repository, whatever its settings say."""
    return ["git", "-C", repo, "--no-optional-locks", *words]


def _git_lines(repo: str, *words: str) -> list[str]:
    done = subprocess.run(git(repo, *words), capture_output=True, text=True)
    if done.returncode != 0:
        why = done.stderr.strip().splitlines() or ["git failed"]
        raise MvdiffError(f"{repo}: {why[-1]}")
    return done.stdout.split()


def plan_of(repos: list[str], revision: str) -> dict[str, Any]:
    """Which commits are a part."""
    parts = []
    for repo in repos:
        path = str(Path(repo).resolve())
        commits = _git_lines(path, "rev-list", "--reverse", "--no-merges", revision, "--")
        for first in range(0, len(commits), PART_COMMITS):
            chunk = commits[first : first + PART_COMMITS]
            parts.append({"repo": path, "name": Path(path).name, "commits": chunk})
    return {
        "schema": "mvdiff.history-job/1",
        "version": __version__,
        "settings": {"max_bytes": MAX_BYTES},
        "parts": parts,
    }


def patches(repo: str, commits: list[str]) -> Iterator[tuple[str, int, bytes]]:
    """Commit, time and patch of each."""
    command = git(
        repo,
        *("diff-tree", "--stdin", "--root", "-p", "-M", "--full-index", "--no-color"),
        *("--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/"),
        "--format=%x00%H %ct",
    )
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdin.write("".join(f"{commit}\n" for commit in commits).encode())
        process.stdin.close()
        head: bytes | None = None
        wanted = iter(commits)
        expected = next(wanted, None)
        lines: list[bytes] = []
        for line in process.stdout:
            # A line of a patch begins with a sign, never with a NUL.
            if expected and line.startswith(b"\0" + expected.encode()):
                if head is not None:
                    yield _patch(head, lines)
                head, lines = line, []
                expected = next(wanted, None)
            elif head is not None:
                lines.append(line)
        if head is not None:
            yield _patch(head, lines)
    if process.returncode != 0 or expected is not None:
        raise MvdiffError(f"{repo}: git diff-tree stopped before commit {expected}")


def _patch(head: bytes, lines: list[bytes]) -> tuple[str, int, bytes]:
    commit, time = head[1:].split()
    return commit.decode(), int(time), b"".join(lines).lstrip(b"\n")


class Blobs:
    """The files of a repository by id, from one process."""

    def __init__(self, repo: str):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(git(repo, "cat-file", "--batch"), stdin=pipe, stdout=pipe)

    def get(self, name: bytes) -> bytes | None:
        process = self.process
        assert process.stdin and process.stdout
        process.stdin.write(name + b"\n")
        process.stdin.flush()
        head = process.stdout.readline().split()
        if len(head) != 3:
            return None
        content = process.stdout.read(int(head[2]) + 1)[:-1]
        return content if len(content) <= FILE_BYTES else None

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def _old_files(blobs: Blobs, patch: bytes) -> list[tuple[bytes, bytes]]:
    try:
        named = _mvdiff.patch_blobs(patch)
    except MvdiffError:
        return []  # the answer to the patch says what is wrong with it
    found = [(bytes(path), blobs.get(bytes(name))) for path, name in named]
    return [(path, content) for path, content in found if content is not None]


def batches(task: dict[str, Any]) -> Iterator[pa.RecordBatch]:
    """The commits of a part, some at a time."""
    blobs = Blobs(task["repo"])
    rows: list[tuple[Any, ...]] = []
    size = 0
    try:
        for commit, time, patch in patches(task["repo"], task["commits"]):
            files = _old_files(blobs, patch)
            rows.append((task["name"], commit, time, patch, files))
            size += len(patch) + sum(len(content) for _, content in files)
            if size >= BATCH_BYTES:
                yield _batch(rows)
                rows, size = [], 0
        yield _batch(rows)
    finally:
        blobs.close()


def _batch(rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
    columns = list(zip(*rows)) if rows else [[] for _ in SCHEMA]
    arrays = [pa.array(list(column), field.type) for column, field in zip(columns, SCHEMA)]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def history_part(task: dict[str, Any], settings: dict[str, Any], output: str) -> None:
    """What the commits of one part did."""
    commits, moves = [], []
    for batch in batches(task):
        of_commits, of_moves = effective_and_moves(
            batch, threads=1, max_bytes=settings["max_bytes"]
        )
        commits.append(of_commits.drop_columns(["effective_diff"]))
        moves.append(of_moves)
    tables = {
        "moves": pa.Table.from_batches(moves),
        "commits": pa.Table.from_batches(commits),
    }
    write_tables(output, task["index"], tables)


def summarise(job: Job, plan: dict[str, Any]) -> dict[str, Any]:
    """How much of all changes only moved."""
    count = len(plan["parts"])
    if count == 0:
        return {"schema": "mvdiff.history-summary/1", "commits": 0, "bad": 0}
    table = pa.concat_tables(pq.read_table(job.part("commits", i)) for i in range(count))

    def total(name: str) -> int:
        return pc.sum(table[name]).as_py() or 0

    summary = {
        "schema": "mvdiff.history-summary/1",
        "commits": table.num_rows,
        "bad": pc.sum(pc.is_valid(table["error"])).as_py() or 0,
        "lines_changed": total("added") + total("removed"),
        "lines_left": total("lines_left"),
        "moves": total("moves"),
        "lines_moved": total("lines_moved"),
        "indents": total("indents"),
        "lines_indented": total("lines_indented"),
    }
    write_whole(job.output / "summary.json", (json.dumps(summary, indent=1) + "\n").encode())
    return summary


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m mvdiff.history",
        description="What every commit moved, indented and left to read; run again to finish.",
    )
    parser.add_argument("repos", nargs="+", metavar="REPO", help="repositories of git")
    parser.add_argument("output", type=Path, help="a directory for commits and moves")
    parser.add_argument("--revision", default="HEAD", help="the commits that lead to it")
    parser.add_argument("--engine", choices=ENGINES, default="local")
    parser.add_argument("--workers", type=int, help="parts at once [default: all cores]")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    args = parser.parse_args(arguments)
    try:
        job = Job(args.output, ("moves", "commits"))
        there = args.output / "plan.json"
        # Repositories go on; a plan that was begun is finished.
        plan = json.loads(there.read_text()) if there.exists() else None
        fresh = plan_of(args.repos, args.revision)
        if plan is None or not _same_repos(plan, fresh):
            plan = fresh
        job.begin(plan)
        job.run(history_part, plan, args.engine, args.workers, args.quiet)
        summary = summarise(job, plan)
    except (MvdiffError, OSError) as error:
        print(f"mvdiff: {error}", file=sys.stderr)
        return 2
    json.dump(summary, sys.stdout, indent=1)
    print()
    return 1 if summary["bad"] else 0


def _same_repos(plan: dict[str, Any], fresh: dict[str, Any]) -> bool:
    def repos(one: dict[str, Any]) -> list[str]:
        return sorted({part["repo"] for part in one["parts"]})

    same = ("schema", "version", "settings")
    return repos(plan) == repos(fresh) and all(plan.get(k) == fresh[k] for k in same)


if __name__ == "__main__":
    # Engines send functions by the name of their module, which must not be __main__.
    from mvdiff.history import main as run

    sys.exit(run())
