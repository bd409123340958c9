"""Judgments that people, clicks and models gave: appended, never changed; the newest counts."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, get_args

from assay.errors import InputError, NotFoundError
from assay.records.service import JudgmentEntry, JudgmentSource, NewJudgment, Page
from assay.text.join_list import join_list
from assay.text.quote import quote, quote_value
from assay.workspace.ledger.open_database import run
from assay.workspace.store._access import Access, Transaction
from assay.workspace.store._cursors import check_limit, make_page, read_cursor
from assay.workspace.store.bulk import insert_many
from assay.workspace.store.datasets import DATASETS
from assay.workspace.store.texts import ANY, from_column, hash_texts, label, to_column
from assay.workspace.store.versions.codec import decode_settings, name_of

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

__all__ = ["JudgmentLog"]

AT_ONCE = 500  # queries that one statement looks for
HIGHEST = 1000  # grade, as in a dataset
SOURCES = get_args(JudgmentSource)
COLUMNS = (
    *("dataset", "name", "query_name", "query", "document", "grade"),
    *("author", "source", "note", "created"),
)
_KNOWN = """SELECT DISTINCT name FROM dataset_rows
    WHERE dataset = :dataset AND kind = 'query' AND name IN :names"""
_HISTORY = """SELECT t.* FROM judgments t WHERE dataset = :dataset AND number < :at {more}
    ORDER BY number DESC LIMIT :page"""
_CURRENT = """SELECT t.* FROM judgments t WHERE dataset = :dataset AND number > :at {more}
    AND grade IS NOT NULL AND NOT EXISTS (SELECT 1 FROM judgments n
        WHERE n.dataset = t.dataset AND n.name = t.name AND n.number > t.number)
    ORDER BY number LIMIT :page"""


class JudgmentLog:
    """All judgments of a store. Of one author and source the newest of a document counts."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def record(self, dataset: str, judgments: Sequence[NewJudgment], *, author: str) -> int:
        """Append judgments of one author for a dataset, and return how many."""
        with self._access.writing(author) as change:
            row = DATASETS.find(change.connection, dataset)
            rows = list(_rows(row.number, judgments, change))
            _refuse_above(judgments, decode_settings(row.settings)["scale"])
            _refuse_unknown(change.connection, row.number, judgments)
            number = insert_many(change.connection, "judgments", COLUMNS, rows)
            change.audit("judgment.record", dataset, after={"judgments": number})
            return number

    def page(
        self,
        dataset: str,
        *,
        query: str | None = None,
        author: str | None = None,
        source: JudgmentSource | None = None,
        limit: int = 50,
        cursor: str = "",
    ) -> Page[JudgmentEntry]:
        """List all judgments of a dataset that were ever given, the newest first."""
        asked = {"at": read_cursor(cursor, "judgments", first=2**62), "page": check_limit(limit)}
        return self._page(_HISTORY, "judgments", dataset, asked, _filters(query, author, source))

    def current(
        self,
        dataset: str,
        *,
        query: str | None = None,
        author: str | None = None,
        source: JudgmentSource | None = None,
        limit: int = 50,
        cursor: str = "",
    ) -> Page[JudgmentEntry]:
        """List the judgments that count, in the order in which they were given."""
        asked = {"at": read_cursor(cursor, "current", first=0), "page": check_limit(limit)}
        return self._page(_CURRENT, "current", dataset, asked, _filters(query, author, source))

    def _page(
        self,
        statement: str,
        kind: str,
        dataset: str,
        asked: dict[str, int],
        filters: dict[str, Any],
    ) -> Page[JudgmentEntry]:
        more = " ".join(f"AND t.{name} = :{name}" for name in filters)
        with self._access.reading() as connection:
            row = DATASETS.find(connection, dataset)
            values = {**asked, **filters, "dataset": row.number}
            rows = run(connection, statement.format(more=more), values).all()
        return make_page(rows, asked["page"] - 1, kind, lambda one: _entry(one, dataset))


def _filters(query: str | None, author: str | None, source: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {} if query is None else {"query_name": name_of(query)}
    found |= {} if author is None else {"author": to_column(author)}
    return found | ({} if source is None else {"source": to_column(source)})


def _rows(
    dataset: int, judgments: Sequence[NewJudgment], change: Transaction
) -> Iterator[tuple[Any, ...]]:
    for one in judgments:
        where = f"query {quote(str(one.query)[:60])}"
        if one.source not in SOURCES:
            hint = f"available: {join_list(SOURCES)}"
            raise InputError(
                f"unknown source {quote_value(one.source, 40)}", where=where, hint=hint
            )
        if one.grade is not None and not _is_grade(one.grade):
            hint = f"expected a whole number from {-HIGHEST:,} to {HIGHEST:,}, or null"
            raise InputError(f"invalid grade {quote_value(one.grade, 40)}", where=where, hint=hint)
        query = label(one.query, "query", longest=ANY)
        document = label(one.document, "document", longest=ANY)
        name = hash_texts(one.query, one.document, change.author, one.source)
        told = (change.author, one.source, to_column(one.note), change.now)
        yield (dataset, name, name_of(one.query), query, document, one.grade, *told)


def _is_grade(grade: object) -> bool:
    return isinstance(grade, int) and not isinstance(grade, bool) and abs(grade) <= HIGHEST


def _refuse_above(judgments: Sequence[NewJudgment], scale: int) -> None:
    """Refuse grades above the scale of the dataset, as changes of a dataset do."""
    for one in judgments:
        if one.grade is not None and one.grade > scale:
            problem = f"grade {one.grade} of {quote(one.document[:60])} is outside the scale"
            where = f"query {quote(one.query[:60])}"
            raise InputError(problem, where=where, hint=f"expected a whole number up to {scale}")


def _refuse_unknown(
    connection: "Connection", dataset: int, judgments: Sequence[NewJudgment]
) -> None:
    """Refuse queries that no version of the dataset ever had."""
    keys = {name_of(one.query): one.query for one in judgments}
    names, known = list(keys), set[bytes]()
    for start in range(0, len(names), AT_ONCE):
        asked = {"dataset": dataset, "names": names[start : start + AT_ONCE]}
        known |= {bytes(name) for name in run(connection, _KNOWN, asked, lists=["names"]).scalars()}
    if missing := [key for name, key in keys.items() if name not in known]:
        hint = "add the query to the dataset first"
        problem = f"unknown query {quote(missing[0][:60])}"
        raise NotFoundError(problem, hint=hint)


def _entry(row: "Row[Any]", dataset: str) -> JudgmentEntry:
    judgment = NewJudgment(
        query=from_column(row.query),
        document=from_column(row.document),
        grade=row.grade,
        source=row.source,
        note=from_column(row.note),
    )
    return JudgmentEntry(row.number, dataset, from_column(row.author), row.created, judgment)
