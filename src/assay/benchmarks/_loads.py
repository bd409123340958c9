"""Tell runs whose times can be compared from those that were asked differently."""

from collections.abc import Iterator, Sequence

from assay.records import Run
from assay.records.quoted import quoted

__all__ = ["mixed_loads"]


def mixed_loads(runs: Sequence[Run]) -> Iterator[str]:
    """Say that latencies were measured with different numbers of queries at once, if they were."""
    timed = [run for run in runs if "p50" in run.latency_ms]
    asked = {run.name: int(run.latency_ms.get("concurrency", 1)) for run in timed}
    if len(set(asked.values())) > 1:
        each = ", ".join(f"{quoted(name)} {queries}" for name, queries in asked.items())
        yield (
            f"latencies were measured with different numbers of queries at once ({each}): they "
            "cannot be compared, so none is called the fastest, and they do not decide the pick"
        )
