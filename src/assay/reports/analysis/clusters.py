"""Clusters: queries that ask about the same, the hardest first."""

from assay.records import Report, Table
from assay.reports.analysis._grid import grid
from assay.reports.spelled import spelled

__all__ = ["clusters"]

SHOWN = 8


def clusters(report: Report) -> Table | None:
    """Lay out the hardest clusters, and name the hardest of all."""
    found = report.analysis.get("clusters") or []
    if not found:
        return None
    groups = [(_name(one["terms"]), one) for one in found[:SHOWN]]
    hardest = found[0]
    said = (
        f"The {hardest['queries']:,} queries about {_name(hardest['terms'])} are the hardest "
        f"({hardest['mean']:.2f} over all runs)."
    )
    more = [f"{len(found) - SHOWN:,} easier ones"] if len(found) > SHOWN else []
    return grid(report, "queries about", groups, caption=said, footer=more)


def _name(terms: list[str]) -> str:
    return spelled(", ".join(map(str, terms)))
