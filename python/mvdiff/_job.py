"""Jobs of many parts, each answered by itself and written once.

A part's files get their names when they are whole. So whatever is killed, a rerun
finds the parts that are there and does the others; what it writes does not depend on
who did it, in which order, or how often. All three engines run the same function on
the same parts.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ._mvdiff import MvdiffError

ENGINES = ("local", "ray", "spark")
#: Parts that a task of an engine has at most: a cluster may have more cores than are known
#: when the job begins.
MOST_PARTS = 32

#: A part's number to what is to be done: module-level, so that engines can send it.
Work = Callable[[dict[str, Any], dict[str, Any], str], None]


class Job:
    """A directory with a plan and the parts that are done.

    `tables` are the kinds of files of a part; the last is written last, and a part is
    done when it is there.
    """

    def __init__(self, output: str | os.PathLike[str], tables: tuple[str, ...]):
        self.output = Path(output)
        self.tables = tables

    def begin(self, plan: dict[str, Any]) -> None:
        """Lays the plan down, or holds it against the one that is there."""
        path = self.output / "plan.json"
        for table in self.tables:
            (self.output / table).mkdir(parents=True, exist_ok=True)
            for left in (self.output / table).glob("*.tmp"):
                left.unlink(missing_ok=True)
        text = json.dumps(plan, indent=1, sort_keys=True) + "\n"
        if path.exists():
            if path.read_text() != text:
                raise MvdiffError(
                    f"{self.output}: holds the work of another input or other settings; "
                    "give another directory"
                )
            return
        write_whole(path, text.encode())

    def part(self, table: str, index: int) -> Path:
        return self.output / table / f"part-{index:05}.parquet"

    def is_done(self, index: int) -> bool:
        return self.part(self.tables[-1], index).exists()

    def missing(self, count: int) -> list[int]:
        return [i for i in range(count) if not self.is_done(i)]

    def run(
        self,
        work: Work,
        plan: dict[str, Any],
        engine: str,
        workers: int | None,
        quiet: bool = False,
    ) -> None:
        """Does what is missing."""
        parts = plan["parts"]
        missing = self.missing(len(parts))
        if not missing:
            return
        tasks = [{"index": i, **parts[i]} for i in missing]
        workers = workers or os.cpu_count() or 1
        job = Job(self.output.resolve(), self.tables)
        settings = plan["settings"]

        def each(task: dict[str, Any]) -> None:
            # A task that is run again, since its worker was killed, did some of its parts.
            if not job.is_done(task["index"]):
                work(task, settings, str(job.output))

        with Progress(self, len(parts), quiet):
            try:
                _run(engine, each, tasks, workers)
            except (MvdiffError, OSError):
                raise
            except Exception as error:  # an engine's own, of whatever kind
                why = (str(error).strip().splitlines() or [type(error).__name__])[0]
                raise MvdiffError(f"engine {engine}: {why}; run again to finish") from error
        left = self.missing(len(parts))
        if left:
            raise MvdiffError(f"{self.output}: part {left[0]} was not written; run again")


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file that is there whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    temporary.write_bytes(content)
    os.replace(temporary, path)


def write_tables(output: str, index: int, tables: Mapping[str, pa.Table]) -> None:
    """Writes the files of a part, the one that says that it is done last."""
    for name, table in tables.items():
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd", use_dictionary=False)
        path = Path(output) / name / f"part-{index:05}.parquet"
        write_whole(path, sink.getvalue().to_pybytes())


# --- engines -------------------------------------------------------------------------


def _run(
    engine: str,
    each: Callable[[dict[str, Any]], None],
    tasks: list[dict[str, Any]],
    workers: int,
) -> None:
    match engine:
        case "local":
            _local(each, tasks, workers)
        case "ray":
            _ray(each, tasks, workers)
        case "spark":
            _spark(each, tasks, workers)
        case _:
            raise MvdiffError(f"no engine {engine}; there are local, ray and spark")


def _local(each, tasks, workers):
    # Threads are enough: the work is done without the GIL.
    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(each, tasks):
            pass


def _ray(each, tasks, workers):
    import ray

    ours = not ray.is_initialized()
    if ours and os.environ.get("RAY_ADDRESS"):
        ray.init(log_to_driver=False)
    elif ours:
        _start_ray(ray, workers)
    ray.data.DataContext.get_current().enable_progress_bars = False

    def answer(batch: pa.Table) -> pa.Table:
        for text in batch["task"].to_pylist():
            each(json.loads(text))
        return batch.select([])

    try:
        cores = int(ray.cluster_resources().get("CPU", workers))
        shares = _shares(len(tasks), cores)
        rows = pa.table({"task": [json.dumps(task) for task in tasks]})
        data = ray.data.from_arrow([rows.slice(s.start, len(s)) for s in shares])
        data.map_batches(answer, batch_format="pyarrow", batch_size=None).materialize()
    finally:
        if ours:
            ray.shutdown()


def _shares(count, cores):
    """What each task of an engine has to do: many parts at first, since a task costs the
    engine about as much as a part, and single ones in the end, so that no core waits."""
    shares, first = [], 0
    while first < count:
        size = min(MOST_PARTS, max(1, (count - first) // (2 * cores)))
        shares.append(range(first, first + size))
        first += size
    return shares


def _start_ray(ray, workers):
    """Ray gives itself 30 seconds to start, which a busy machine may exceed."""
    for last in (False, False, True):
        try:
            ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
            return
        except Exception:
            ray.shutdown()
            if last:
                raise


def _spark(each, tasks, workers):
    from pyspark.sql import SparkSession

    ours = SparkSession.getActiveSession() is None
    builder = SparkSession.builder.appName("mvdiff")
    if ours and "SPARK_REMOTE" not in os.environ and "MASTER" not in os.environ:
        # Workers are to have what we have, not what python3 happens to be.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        # A task may fail three times: a worker that is killed costs a task, not the job.
        builder = builder.master(f"local[{workers},4]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.ui.showConsoleProgress", "false")
    spark = builder.getOrCreate()
    shares = _shares(len(tasks), workers)

    def answer(batches):
        for batch in batches:
            for number in batch["id"].to_pylist():
                for at in shares[number]:
                    each(tasks[at])
            yield batch

    try:
        numbers = spark.range(0, len(shares), 1, numPartitions=len(shares))
        numbers.mapInArrow(answer, "id long").collect()
    finally:
        if ours:
            spark.stop()


# --- progress ------------------------------------------------------------------------


class Progress:
    """Prints now and then how many parts are done; the directory knows, whichever engine works."""

    def __init__(self, job: Job, count: int, quiet: bool):
        self.job, self.count, self.quiet = job, count, quiet
        self.first = count - len(job.missing(count))
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._tell, daemon=True)

    def __enter__(self) -> Progress:
        self.start = time.monotonic()
        if not self.quiet:
            self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        if not self.quiet:
            self.thread.join()
            self._say(end="\n")

    def _tell(self) -> None:
        every = 0.5 if sys.stderr.isatty() else 10.0
        while not self.done.wait(every):
            self._say(end="\r" if sys.stderr.isatty() else "\n")

    def _say(self, end: str) -> None:
        there = self.count - len(self.job.missing(self.count))
        seconds = time.monotonic() - self.start
        print(
            f"mvdiff: {there} of {self.count} parts ({self.first} were there), {seconds:.0f} s",
            end=end,
            file=sys.stderr,
            flush=True,
        )
