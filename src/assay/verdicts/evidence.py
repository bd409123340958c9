"""Evidence: what a pick asks of the queries, run against run."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from assay.records import Interval
from assay.verdicts._named_run import Alike

__all__ = ["VerdictEvidence"]


@dataclass(frozen=True, slots=True)
class VerdictEvidence:
    """What the queries show about the runs of a benchmark.

    ``outcomes`` has the verdict on each candidate by name. ``noninferior`` takes a leader and the
    runs to test against it, and returns those that are shown to be non-inferior at the ``margin``
    (absolute, corrected for the number of tests). ``difference`` is the interval of the second
    run's score minus the first's; None where it is not known. ``alike`` takes a metric and names of
    runs, and returns those that are not significantly different from the best of them.
    """

    baseline: str
    queries: int
    outcomes: Mapping[str, str]
    margin: float
    noninferior: Callable[[str, Sequence[str]], Collection[str]]
    difference: Callable[[str, str], Interval | None]
    alike: Alike | None = None
