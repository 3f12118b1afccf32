"""Text-IoU with Ray Data: a batch in, a batch out, no shuffle.

On a cluster, read_parquet and write_parquet take the place of the rows here, and
`python -m mvdiff.score --engine ray` is the job that can be killed and run again.
"""

import ray
from rows import table

import mvdiff.arrow

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
ray.data.DataContext.get_current().enable_progress_bars = False

# One thread a task: Ray runs a task on each core.
scores = ray.data.from_arrow(table()).map_batches(
    mvdiff.arrow.text_iou, batch_format="pyarrow", batch_size=16, fn_kwargs={"threads": 1}
)
print("mean", round(scores.mean("score"), 6))
print("bad", scores.filter(lambda row: row["error"] is not None).count())
ray.shutdown()
