"""Leaked: every run with and without the queries that stand word for word in a right document."""

from assay.records import Report, Table
from assay.text.count_noun import count_noun

__all__ = ["leaked"]


def leaked(report: Report) -> Table | None:
    """Put the primary score beside the one without leaked queries."""
    found = report.analysis.get("leaked") or {}
    primary = str(report.benchmark["primary"])
    if not found.get("runs"):
        return None
    both = {run: one.get(primary) or {} for run, one in found["runs"].items()}
    rows = [[run, one.get("with"), one.get("without"), _moved(one)] for run, one in both.items()]
    texts = {(at, 3): f"{row[3]:+.4f}" for at, row in enumerate(rows) if row[3] is not None}
    share = found.get("share") or 0.0
    many = count_noun(found["queries"], "query stands", "queries stand")
    said = f"{many} word for word in a right document ({_share(share)})"
    changes = found.get("changes_winner")
    what = ": without them another run is the best" if changes else "; the best run stays the best"
    return Table(("run", primary, "without them", "change"), rows, f"{said}{what}.", texts=texts)


def _moved(one: dict[str, float | None]) -> float | None:
    before, after = one.get("with"), one.get("without")
    return None if before is None or after is None else after - before


def _share(share: float) -> str:
    """Round to what tells a few from none.

    >>> _share(1 / 225), _share(1 / 7)
    ('0.4%', '14%')
    """
    return f"{share:.0%}" if share >= 0.1 else f"{share:.1%}"
