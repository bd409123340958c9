"""Tables: all findings of a report, the most important first."""

from collections.abc import Callable

from assay.records import Report, Table
from assay.reports.analysis.approximate import approximate
from assay.reports.analysis.breakdowns import breakdowns
from assay.reports.analysis.categories import categories
from assay.reports.analysis.clusters import clusters
from assay.reports.analysis.costs import costs
from assay.reports.analysis.differences import differences
from assay.reports.analysis.difficulty import difficulty
from assay.reports.analysis.file_types import file_types
from assay.reports.analysis.latency_across import latency_across
from assay.reports.analysis.leaked import leaked
from assay.reports.analysis.load import load
from assay.reports.analysis.loads import loads
from assay.reports.analysis.main_effects import main_effects
from assay.reports.analysis.pareto import pareto
from assay.reports.analysis.race import race
from assay.reports.analysis.time_to_answer import time_to_answer
from assay.reports.analysis.uplift import uplift
from assay.reports.analysis.waterfall import waterfall
from assay.reports.fits import fits_named
from assay.reports.runs.phrases.run_numbers import number_runs

__all__ = ["tables"]

EACH: tuple[Callable[[Report], Table | None], ...] = (
    *(uplift, differences, main_effects, waterfall, categories, breakdowns, difficulty),
    *(file_types, clusters, leaked, time_to_answer, latency_across, approximate, pareto, load),
    *(loads, costs, race),
)
# Those of which some columns can be spared where there is little room.
BRIEF: dict[Callable[[Report], Table | None], Callable[..., Table | None]] = {
    one: one for one in (uplift, differences, time_to_answer)
}


def tables(report: Report, *, width: int | None = None) -> list[Table]:
    """Return the tables that hold anything; long names of many runs get their numbers.

    ``width`` is the room that there is, where the tables are not to be wider.
    """
    names = [run.name for run in report.runs]
    found = []
    for question in EACH:
        table = question(report)
        if table is None:
            continue
        table = number_runs(table, names)
        if question in BRIEF and width is not None and not fits_named(table, width):
            table = number_runs(BRIEF[question](report, brief=True) or table, names)
        found.append(table)
    return found
