"""Text-IoU of the rows of Parquet files, as a job that can be killed and run again.

    python -m mvdiff.score INPUT.parquet OUTPUT/ --engine ray|spark|local

INPUT is a Parquet file or a directory of them, with the columns base, a and b. Row
groups are the parts of the job. OUTPUT gets scores/part-*.parquet (the other columns,
`input_row`, and what `mvdiff.arrow.text_iou` adds), summary.json and bad_rows.jsonl.
The same command finishes what is missing; the output is the same, byte for byte,
whatever was killed on the way.

Exit status: 0; 1 if a row could not be scored; 2 on trouble.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from . import __version__, _mvdiff
from ._job import ENGINES, Job, write_tables, write_whole
from ._mvdiff import MvdiffError
from .arrow import MAX_BYTES, text_iou

#: Row groups are put together until a part has this many rows.
PART_ROWS = 16_384
#: Rows that are in memory at once.
BATCH_ROWS = 1024
#: Values that the bootstrap draws from; more rows are put together in equal groups.
BOOTSTRAP_VALUES = 100_000


def plan_of(source: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """Which row groups of which files are a part."""
    if source.is_dir():
        files = sorted(source.rglob("*.parquet"))
    else:
        files = [source]
    if not files:
        raise MvdiffError(f"{source}: no .parquet files in it")
    inputs, parts = [], []
    for file in files:
        try:
            metadata = pq.read_metadata(file)
        except (OSError, pa.ArrowException) as error:
            raise MvdiffError(f"{file}: cannot read: {error}") from None
        names = metadata.schema.to_arrow_schema().names
        for column in settings["columns"]:
            if column not in names:
                raise MvdiffError(f"{file}: no column {column}; it has {', '.join(names)}")
        inputs.append({"path": str(file), "bytes": file.stat().st_size, "rows": metadata.num_rows})
        first, rows, groups = 0, 0, []
        for group in range(metadata.num_row_groups):
            groups.append(group)
            rows += metadata.row_group(group).num_rows
            if rows >= PART_ROWS or group + 1 == metadata.num_row_groups:
                parts.append(
                    {
                        "path": str(file.resolve()),
                        "row_groups": groups,
                        "first_row": first,
                        "rows": rows,
                    }
                )
                first, rows, groups = first + rows, 0, []
    return {
        "schema": "mvdiff.score-job/1",
        "version": __version__,
        "inputs": inputs,
        "settings": settings,
        "parts": parts,
    }


def score_part(task: dict[str, Any], settings: dict[str, Any], output: str) -> None:
    """Scores the rows of one part and writes them."""
    wanted = dict(zip(settings["columns"], ("base", "a", "b")))
    answers, row = [], task["first_row"]
    with pq.ParquetFile(task["path"]) as file:
        # A part is the work of one core: Arrow's own threads would take others' turns.
        batches = file.iter_batches(BATCH_ROWS, row_groups=task["row_groups"], use_threads=False)
        for batch in batches:
            batch = batch.rename_columns([wanted.get(name, name) for name in batch.schema.names])
            batch = batch.append_column("input_row", _numbers(row, batch.num_rows))
            row += batch.num_rows
            answers.append(
                text_iou(
                    batch,
                    threads=1,
                    levenshtein=settings["levenshtein"],
                    max_bytes=settings["max_bytes"],
                )
            )
    write_tables(output, task["index"], {"scores": pa.Table.from_batches(answers)})


def _numbers(first: int, count: int) -> pa.Array:
    # Not `pa.array`, which imports pandas: half a second in which no part gets on.
    numbers = np.arange(first, first + count, dtype=np.int64)
    return pa.Array.from_buffers(pa.int64(), count, [None, pa.py_buffer(numbers)])


def summarise(job: Job, plan: dict[str, Any]) -> dict[str, Any]:
    """Means and intervals of all parts, and the rows that have no score."""
    scores, bad = [], []
    for index, part in enumerate(plan["parts"]):
        table = pq.read_table(job.part("scores", index), columns=["input_row", "score", "error"])
        scores.append(table["score"].drop_null())
        wrong = table.filter(pc.is_valid(table["error"]))
        for row in wrong.to_pylist():
            bad.append({"file": part["path"], "row": row["input_row"], "error": row["error"]})
    lines = "".join(json.dumps(row) + "\n" for row in bad)
    write_whole(job.output / "bad_rows.jsonl", lines.encode())
    values = pa.chunked_array([c for s in scores for c in s.chunks], pa.float64())
    summary = {
        "schema": "mvdiff.score-summary/1",
        "rows": sum(part["rows"] for part in plan["parts"]),
        "scored": len(values),
        "bad": len(bad),
        "score": _describe(values),
        "signature": _mvdiff_signature(plan["settings"]["levenshtein"]),
    }
    write_whole(job.output / "summary.json", (json.dumps(summary, indent=1) + "\n").encode())
    return summary


def _mvdiff_signature(levenshtein: bool) -> str:
    found = _mvdiff.text_iou_json("", "", "", levenshtein, [], False)
    return json.loads(found)["signature"]


def _describe(values: pa.ChunkedArray) -> dict[str, Any] | None:
    if len(values) == 0:
        return None
    numbers = values.to_numpy()
    # Means of equal groups have the mean of all rows, and its spread.
    size = -(-len(numbers) // BOOTSTRAP_VALUES)
    whole = len(numbers) // size * size
    groups = numbers[:whole].reshape(-1, size).mean(axis=1)
    interval = _mvdiff.bootstrap(groups.tolist())
    at = pc.quantile(values, q=[0.05, 0.25, 0.5, 0.75, 0.95]).to_pylist()
    return {
        "mean": float(numbers.mean()),
        "interval_95": list(interval),
        "quantiles": dict(zip(("p05", "p25", "p50", "p75", "p95"), at)),
        "exact": int((numbers == 1.0).sum()),
    }


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m mvdiff.score",
        description="Text-IoU of the rows of Parquet files; run again to finish.",
    )
    parser.add_argument("input", type=Path, help="a Parquet file, or a directory of them")
    parser.add_argument("output", type=Path, help="a directory for scores and summary")
    parser.add_argument("--engine", choices=ENGINES, default="local")
    parser.add_argument("--workers", type=int, help="parts at once [default: all cores]")
    parser.add_argument("--base", default="base", help="the column of what both started from")
    parser.add_argument("--a", default="a", help="the column of the one outcome, or the truth")
    parser.add_argument("--b", default="b", help="the column of the other")
    parser.add_argument("--exact", action="store_true", help="lines are equal or not")
    parser.add_argument("--max-bytes", type=int, default=MAX_BYTES, help="longest text")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    args = parser.parse_args(arguments)
    settings = {
        "columns": [args.base, args.a, args.b],
        "levenshtein": not args.exact,
        "max_bytes": args.max_bytes,
    }
    try:
        plan = plan_of(args.input, settings)
        job = Job(args.output, ("scores",))
        job.begin(plan)
        job.run(score_part, plan, args.engine, args.workers, args.quiet)
        summary = summarise(job, plan)
    except (MvdiffError, OSError) as error:
        print(f"mvdiff: {error}", file=sys.stderr)
        return 2
    json.dump(summary, sys.stdout, indent=1)
    print()
    if summary["bad"]:
        where = args.output / "bad_rows.jsonl"
        print(f"mvdiff: {summary['bad']} bad rows, listed in {where}", file=sys.stderr)
    return 1 if summary["bad"] else 0


if __name__ == "__main__":
    # Engines send functions by the name of their module, which must not be __main__.
    from mvdiff.score import main as run

    sys.exit(run())
