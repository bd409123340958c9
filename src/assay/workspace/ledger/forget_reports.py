"""How the reports that benchmarks ended with are given up."""

from contextlib import closing

from assay.workspace.ledger._database import Database, batches, run
from assay.workspace.ledger.ledger import open_ledger

__all__ = ["forget_reports"]

_ENDED = """SELECT id, length(report) FROM benchmarks
    WHERE report IS NOT NULL AND state <> 'running'"""
_FORGET = (
    """DELETE FROM units WHERE kind = 'report' AND key IN
    (SELECT unit FROM steps WHERE benchmark IN :ids)""",
    "DELETE FROM uses WHERE benchmark IN :ids",
    "DELETE FROM steps WHERE benchmark IN :ids",
    "DELETE FROM runs WHERE benchmark IN :ids",
    "DELETE FROM benchmarks WHERE id IN :ids",
)


def forget_reports(place: str) -> tuple[int, int]:
    """Remove benchmarks that ended in a report; return how many, and the bytes of their reports.

    Those at work stay, and those that can be gone on with: they have no report yet.
    """
    open_ledger(place).close()  # its tables are brought up to date
    with closing(Database(place)) as database:
        with database.writing(alone=True) as connection:
            sizes = {str(name): int(size) for name, size in run(connection, _ENDED)}
            for some in batches(sizes):
                for statement in _FORGET:
                    run(connection, statement, {"ids": some}, lists=["ids"])
        database.give_back()
    return len(sizes), sum(sizes.values())
