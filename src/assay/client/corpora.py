"""Corpora of a service."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

from assay.client.connection import Connection, item_path
from assay.client.decode import decode
from assay.records.service import CorpusEntry, JobStatus

__all__ = ["CorpusVerbs"]

PLACE = "corpora"


class CorpusVerbs:
    """Name corpora that the service can read; the files stay where they are."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, name: str, where: Mapping[str, Any], *, key: str = "") -> CorpusEntry:
        """Note a corpus, e.g. ``{"path": "/srv/docs"}``, in a folder that is allowed."""
        body = {"name": name, "where": dict(where)}
        made = self._connection.send("POST", f"/{PLACE}", body, key=key or uuid4().hex)
        return decode(CorpusEntry, made)

    def list(self, *, contains: str = "", deleted: bool = False) -> Iterator[CorpusEntry]:
        """List corpora, the newest first."""
        asked = {"contains": contains, "deleted": deleted}
        return self._connection.pages(f"/{PLACE}", CorpusEntry, **asked)

    def find(self, name: str) -> CorpusEntry | None:
        """Return the corpus with this name or id; None if there is none."""
        every = [*self.list()]
        named = next((one for one in every if one.name == name), None)
        return named or next((one for one in every if one.id == name), None)

    def get(self, corpus: str) -> CorpusEntry:
        """Return a corpus by its id."""
        return decode(CorpusEntry, self._connection.get(item_path(PLACE, corpus)))

    def rename(self, corpus: str, name: str, *, revision: int | None = None) -> CorpusEntry:
        """Give a corpus another name."""
        path = item_path(PLACE, corpus)
        changed = self._connection.send("PATCH", path, {"name": name}, revision=revision)
        return decode(CorpusEntry, changed)

    def move(
        self, corpus: str, where: Mapping[str, Any], *, revision: int | None = None
    ) -> CorpusEntry:
        """Change where a corpus is read from; it is read again when it is needed."""
        path, body = item_path(PLACE, corpus), {"where": dict(where)}
        return decode(CorpusEntry, self._connection.send("PATCH", path, body, revision=revision))

    def index(self, corpus: str, configuration: Mapping[str, Any] | None = None) -> JobStatus:
        """Let a worker bring the index of a corpus up to date; returns its job."""
        body = {"configuration": dict(configuration or {})}
        made = self._connection.send("POST", item_path(PLACE, corpus, "index"), body)
        return decode(JobStatus, made)

    def delete(self, corpus: str, *, revision: int | None = None) -> None:
        """Mark a corpus as deleted; ConflictError while something uses it."""
        self._connection.send("DELETE", item_path(PLACE, corpus), revision=revision)

    def undelete(self, corpus: str) -> CorpusEntry:
        """Bring a deleted corpus back."""
        path = item_path(PLACE, corpus, "undelete")
        return decode(CorpusEntry, self._connection.send("POST", path))
