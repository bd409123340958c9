"""Tell runs whose times can be compared from those that were asked differently."""

from collections.abc import Collection, Iterator, Sequence

from assay.records import Run
from assay.records.times import timed_runs, unlike_loads

__all__ = ["mixed_loads"]


def mixed_loads(runs: Sequence[Run], *, silent: Collection[str] = ()) -> Iterator[str]:
    """Say that latencies were measured with different numbers of queries at once, if they were."""
    if why := unlike_loads(timed_runs(runs, silent=silent)):
        yield (
            f"latencies were {why}: they cannot be compared, so none is called the fastest, and "
            "they do not decide the pick"
        )
