"""Leaked: every run with and without the queries that occur verbatim in a relevant document."""

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
    one = found["queries"] == 1
    many = f"{count_noun(found['queries'], 'query')} ({_share(share)})"
    best = "another run scores best" if found.get("changes_winner") else "the best run is the same"
    said = (
        f"{many} {'occurs' if one else 'occur'} verbatim in a relevant document: without "
        f"{'it' if one else 'them'}, {best}."
    )
    return Table(("run", primary, "without leaked", "change"), rows, said, texts=texts)


def _moved(one: dict[str, float | None]) -> float | None:
    before, after = one.get("with"), one.get("without")
    return None if before is None or after is None else after - before


def _share(share: float) -> str:
    """Round to what tells a few from none.

    >>> _share(1 / 225), _share(1 / 7)
    ('0.4%', '14%')
    """
    return f"{share:.0%}" if share >= 0.1 else f"{share:.1%}"
