"""Numbers: which run has which number, where tables number them."""

from assay.records import Report, Table
from assay.reports.runs.numbered import numbered

__all__ = ["numbers"]


def numbers(report: Report) -> list[str]:
    """Return the name of each run on a line of its own, in order; nothing where names will do."""
    names = [run.name for run in report.runs]
    plain = Table(("run",), [[name] for name in names])
    if not names or numbered(plain, names) is plain:
        return []
    return [" ".join(name.split()) for name in names]
