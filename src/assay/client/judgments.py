"""Judgments that a service keeps of a dataset."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import uuid4

from assay.client.connection import Connection, item_path
from assay.client.decode import decode
from assay.records import Document
from assay.records.service import JudgmentEntry, NewJudgment

__all__ = ["JudgmentVerbs"]

MOST = 1_000  # that one request sends


class JudgmentVerbs:
    """Give and list judgments; the name of the token is the author."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, dataset: str, judgments: Iterable[NewJudgment]) -> int:
        """Give judgments, and return how many were recorded.

        They are sent again if the service restarts: of the same judgment the newest counts.
        """
        path, waiting, recorded = _path(dataset), [_written(one) for one in judgments], 0
        while waiting:
            body = {"judgments": waiting[:MOST]}
            recorded += int(self._connection.send("POST", path, body, key=uuid4().hex)["recorded"])
            waiting = waiting[MOST:]
        return recorded

    def list(
        self,
        dataset: str,
        *,
        query: str = "",
        author: str = "",
        source: str = "",
        current: bool = False,
    ) -> Iterator[JudgmentEntry]:
        """List the judgments of a dataset, the newest first.

        With ``current`` only those that count, the oldest first: of one author and source the
        newest.
        """

        def entry(told: Mapping[str, Any]) -> JudgmentEntry:
            given = {**told, "query": told.get("query_key")}
            return decode(JudgmentEntry, {**told, "dataset": dataset, "judgment": given})

        asked = {"query_key": query, "author": author, "source": source, "current": current}
        return self._connection.every(_path(dataset), entry, **asked)

    def documents(self, mapping: str, documents: Iterable[str]) -> dict[str, Document]:
        """Return documents of the corpus of a mapping with their texts, those that it has.

        They are read as they are now; `document.id` is the key.
        """
        path, waiting = item_path("mappings", mapping, "documents"), [*dict.fromkeys(documents)]
        found: dict[str, Document] = {}
        while waiting:
            body = {"documents": waiting[:MOST]}
            told = self._connection.send("POST", path, body, key=uuid4().hex)
            found |= {one["document"]: _document(one) for one in told["items"]}
            waiting = [*told["left"], *waiting[MOST:]]
        return found


def _document(told: Mapping[str, Any]) -> Document:
    return Document(told["document"], told["text"], title=told["title"], path=told["path"])


def _path(dataset: str) -> str:
    return item_path("datasets", dataset, "judgments")


def _written(one: NewJudgment) -> dict[str, Any]:
    told: dict[str, Any] = {"query_key": one.query, "document": one.document, "grade": one.grade}
    return {**told, "source": one.source, "note": one.note}
