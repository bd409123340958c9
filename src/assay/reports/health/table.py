"""Table: every finding in a row, for files."""

from assay.records import Cell, Health, Table
from assay.reports.health.headline import headline
from assay.reports.health.shown import expected

__all__ = ["table"]


def table(health: Health) -> Table:
    """Give each finding a row, with the headline as its caption."""
    titles = ("section", "name", "value", "expected", "state", "meaning")
    rows: list[list[Cell]] = [
        [one.section, one.name, one.value, expected(one), one.state, one.meaning]
        for one in health.findings
    ]
    return Table(titles, rows, caption=headline(health))
