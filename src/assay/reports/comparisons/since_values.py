"""Values of what changed between reports: a row per report, run and metric, for other programs."""

from collections.abc import Sequence

from assay.records import Table
from assay.records.since import Since
from assay.reports.comparisons.values import TITLES, candidate_rows

__all__ = ["since_values"]


def since_values(changes: Sequence[Since]) -> Table:
    """Write every figure at full precision; what does not exist is empty."""
    rows = [
        [since.after, one.before.name, *row]
        for since in changes
        for one in since.changes
        for row in candidate_rows(one.candidate)
    ]
    return Table(("report", "baseline_run", *TITLES), rows)
