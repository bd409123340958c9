"""Remove for good what was marked as deleted."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assay.workspace.ledger.open_database import run
from assay.workspace.store._access import Access

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = ["purge_deleted"]

_DELETED = "SELECT number, id FROM {table} WHERE deleted < :before ORDER BY number LIMIT :most"
_MAPPINGS_OF = "SELECT number FROM mappings WHERE {column} IN :numbers"
_OF_MAPPINGS = (
    "DELETE FROM unresolved WHERE mapping IN :numbers",
    "DELETE FROM mapping_uses WHERE mapping IN :numbers",
    "DELETE FROM mappings WHERE number IN :numbers",
)
_OF_DATASETS = (
    "DELETE FROM dataset_rows WHERE dataset IN :numbers",
    "DELETE FROM dataset_versions WHERE dataset IN :numbers",
    "DELETE FROM judgments WHERE dataset IN :numbers",
    "DELETE FROM choices WHERE dataset IN :numbers",
    "DELETE FROM datasets WHERE number IN :numbers",
)
_OF_CORPORA = (
    "DELETE FROM choices WHERE corpus IN :numbers",
    "DELETE FROM corpora WHERE number IN :numbers",
)
AT_ONCE = 100  # of each kind in one transaction


def purge_deleted(access: Access, before: float, *, author: str) -> int:
    """Remove what was deleted before a time, with all that belongs to it, and count it."""
    with access.writing(author) as change:
        removed = 0
        for kind, table, column in (
            ("mapping", "mappings", "number"),
            ("dataset", "datasets", "dataset"),
            ("corpus", "corpora", "corpus"),
        ):
            found = _find_deleted(change.connection, table, before)
            _remove(change.connection, table, column, [row.number for row in found])
            for row in found:
                change.audit(f"{kind}.purge", row.id)
            removed += len(found)
        return removed


def _find_deleted(connection: "Connection", table: str, before: float) -> "Sequence[Row[Any]]":
    """Find some rows, and let nobody bring them back until they are removed."""
    lock = " FOR UPDATE" if connection.dialect.name == "postgresql" else ""
    asked = {"before": before, "most": AT_ONCE}
    return run(connection, _DELETED.format(table=table) + lock, asked).all()


def _remove(connection: "Connection", table: str, column: str, numbers: Sequence[int]) -> None:
    if not numbers:
        return
    asked = {"numbers": [*numbers]}
    mappings = run(connection, _MAPPINGS_OF.format(column=column), asked, lists=["numbers"])
    _run_all(connection, _OF_MAPPINGS, mappings.scalars().all())
    own = {"datasets": _OF_DATASETS, "corpora": _OF_CORPORA}.get(table, ())
    _run_all(connection, own, numbers)


def _run_all(connection: "Connection", statements: Sequence[str], numbers: Sequence[int]) -> None:
    for statement in statements if numbers else ():
        run(connection, statement, {"numbers": [*numbers]}, lists=["numbers"])
