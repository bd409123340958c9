"""Cases: every case of every finding in one table, for programs that read tables."""

from collections.abc import Iterator

from assay.records import Audit, Cell, Table

__all__ = ["cases"]


def cases(audit: Audit) -> Table:
    """Give each case a row: its check, its query, and all else that is known in words."""
    return Table(("check", "query", "case"), list(_rows(audit)))


def _rows(audit: Audit) -> Iterator[list[Cell]]:
    for name, finding in audit.findings.items():
        for row in finding.rows:
            rest = [(key, value) for key, value in row.items() if key != "query"]
            said = "; ".join(f"{key}: {_shown(value)}" for key, value in rest if value is not None)
            yield [name, str(row.get("query", "")), said]


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
