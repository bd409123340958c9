"""Mappings of a service: a dataset whose references are looked up in a corpus."""

import time
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

from assay.client.connection import Connection, item_path
from assay.client.decode import decode
from assay.client.references import write_reference
from assay.errors import InputError, UnavailableError
from assay.records.dataset import Reference
from assay.records.service import JobStatus, MappingEntry, ReferenceChoice, UnresolvedReference

__all__ = ["MappingVerbs"]

PLACE = "mappings"
PAUSE_S = 0.25
FAILED = ("failed", "cancelled", "interrupted")


class MappingVerbs:
    """Map datasets onto corpora, and decide what unclear references mean."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(
        self, dataset: str, corpus: str, *, version: int | None = None, key: str = ""
    ) -> MappingEntry:
        """Map a version of a dataset (the current one) onto a corpus; workers resolve it."""
        body: dict[str, object] = {"dataset": dataset, "corpus": corpus}
        body |= {} if version is None else {"version": version}
        made = self._connection.send("POST", f"/{PLACE}", body, key=key or uuid4().hex)
        return decode(MappingEntry, made)

    def list(
        self, *, dataset: str = "", corpus: str = "", state: str = "", deleted: bool = False
    ) -> Iterator[MappingEntry]:
        """List mappings, the newest first."""
        asked = {"dataset": dataset, "corpus": corpus, "state": state, "deleted": deleted}
        return self._connection.pages(f"/{PLACE}", MappingEntry, **asked)

    def get(self, mapping: str) -> MappingEntry:
        """Return a mapping by its id."""
        return decode(MappingEntry, self._connection.get(item_path(PLACE, mapping)))

    def wait(self, mapping: str, *, timeout_s: float | None = None) -> MappingEntry:
        """Wait until a mapping is resolved, and return how far it could be.

        InputError if resolving failed, UnavailableError if it takes longer than ``timeout_s``.
        """
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            found = self._connection.get(item_path(PLACE, mapping))
            entry = decode(MappingEntry, found)
            job: Mapping[str, Any] = found.get("job") or {}
            if job.get("state") in FAILED:
                problem = job.get("error") or f"resolving was {job['state']}"
                hint = "correct the corpus, and resolve the mapping again"
                raise InputError(str(problem), where=f"mapping {mapping}", hint=hint)
            if entry.state != "pending" and job.get("state") not in ("pending", "running"):
                return entry
            if until is not None and time.monotonic() >= until:
                problem = f"not resolved within {timeout_s:g} s"
                hint = "check that a worker runs: `assay serve --workers 1`, or `assay worker`"
                raise UnavailableError(problem, where=f"mapping {mapping}", hint=hint)
            time.sleep(PAUSE_S)

    def resolve(self, mapping: str) -> JobStatus:
        """Look all references up again, after a change of the corpus; returns the job."""
        return decode(
            JobStatus, self._connection.send("POST", item_path(PLACE, mapping, "resolve"))
        )

    def unresolved(self, mapping: str) -> Iterator[UnresolvedReference]:
        """List the references that lead to no document, with reasons and candidates."""
        path = item_path(PLACE, mapping, "unresolved")
        return self._connection.every(path, _unresolved)

    def choices(self, mapping: str) -> tuple[ReferenceChoice, ...]:
        """Return what was decided by hand for the dataset and the corpus, the oldest first."""
        found = self._connection.get(item_path(PLACE, mapping, "choices"))
        return tuple(decode(ReferenceChoice, one) for one in found["items"])

    def choose(
        self,
        mapping: str,
        reference: str | Reference,
        document: str,
        *,
        revision: int | None = None,
    ) -> MappingEntry:
        """Decide which document a reference means; all mappings of both then use it."""
        body = {"reference": write_reference(reference), "document": document}
        path = item_path(PLACE, mapping, "choices")
        return decode(MappingEntry, self._connection.send("POST", path, body, revision=revision))

    def undo_choice(
        self, mapping: str, reference: str | Reference, *, revision: int | None = None
    ) -> MappingEntry:
        """Take a decision back; the mapping is resolved again without it."""
        body = {"reference": write_reference(reference)}
        path = item_path(PLACE, mapping, "choices", "undo")
        return decode(MappingEntry, self._connection.send("POST", path, body, revision=revision))

    def delete(self, mapping: str, *, revision: int | None = None) -> None:
        """Mark a mapping as deleted; ConflictError while a benchmark uses it."""
        self._connection.send("DELETE", item_path(PLACE, mapping), revision=revision)

    def undelete(self, mapping: str) -> MappingEntry:
        """Bring a deleted mapping back."""
        path = item_path(PLACE, mapping, "undelete")
        return decode(MappingEntry, self._connection.send("POST", path))


def _unresolved(told: Mapping[str, Any]) -> UnresolvedReference:
    return decode(UnresolvedReference, {**told, "query": told.get("query_key", told.get("query"))})
