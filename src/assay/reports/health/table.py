"""Table: every finding in a row, for files."""

from assay.records import Cell, Health, HealthFinding, Table
from assay.reports.health.finding_values import cases, expected, value
from assay.reports.health.headline import headline

__all__ = ["table"]

VALUE = 2  # the column that is read with its unit, and kept as a number


def table(health: Health) -> Table:
    """Give each finding a row, with the headline as its caption."""
    titles = ("section", "name", "value", "expected", "state", "says")
    rows: list[list[Cell]] = [
        [one.section, one.name, one.value, expected(one), one.state, _says(one)]
        for one in health.findings
    ]
    texts = {(at, VALUE): value(one) for at, one in enumerate(health.findings)}
    return Table(titles, rows, caption=headline(health), texts=texts)


def _says(one: HealthFinding) -> str:
    """Leave a good value to speak for itself: what a bad one means would be read as its own."""
    return "" if one.state == "good" else f"{one.says}{cases(one)}"
