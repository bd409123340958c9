"""Datasets of a service."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import uuid4

from assay.client.connection import Connection, item_path
from assay.client.decode import decode
from assay.client.forms import FileSource, make_form
from assay.client.references import write_reference
from assay.records.dataset import Reference
from assay.records.service import DatasetEntry, DatasetVersion

__all__ = ["DatasetVerbs"]

PLACE = "datasets"


class DatasetVerbs:
    """Upload, list, change, delete and export datasets."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def upload(
        self,
        file: FileSource,
        *,
        name: str = "",
        format: str = "",  # noqa: A002
        note: str = "",
        file_name: str = "",
        key: str = "",
    ) -> DatasetEntry:
        """Store a file as a new dataset; all that is wrong with it is raised at once.

        The same ``key`` stores it once, however often it is sent.
        """
        fields = {"name": name, "format": format, "note": note}
        form = make_form(file, file_name=file_name, fields=fields)
        made = self._connection.upload("POST", f"/{PLACE}", form, key=key or uuid4().hex)
        return decode(DatasetEntry, made)

    def validate(
        self,
        file: FileSource,
        *,
        format: str = "",  # noqa: A002
        file_name: str = "",
    ) -> dict[str, Any]:
        """Return what a file contains, or all that is wrong with it; nothing is stored."""
        form = make_form(file, file_name=file_name, fields={"format": format})
        found: dict[str, Any] = self._connection.upload("POST", f"/{PLACE}/validate", form)
        return found

    def list(self, *, contains: str = "", deleted: bool = False) -> Iterator[DatasetEntry]:
        """List datasets, the newest first."""
        asked = {"contains": contains, "deleted": deleted}
        return self._connection.pages(f"/{PLACE}", DatasetEntry, **asked)

    def find(self, name: str) -> DatasetEntry | None:
        """Return the dataset with this name or id; None if there is none."""
        listed = self.list(contains=name)
        named = next((one for one in listed if one.name == name), None)
        if named is not None or not name.isalnum():
            return named
        return next((one for one in self.list() if one.id == name), None)

    def get(self, dataset: str) -> DatasetEntry:
        """Return a dataset by its id."""
        return decode(DatasetEntry, self._connection.get(item_path(PLACE, dataset)))

    def rename(self, dataset: str, name: str, *, revision: int | None = None) -> DatasetEntry:
        """Give a dataset another name."""
        path = item_path(PLACE, dataset)
        changed = self._connection.send("PATCH", path, {"name": name}, revision=revision)
        return decode(DatasetEntry, changed)

    def replace(
        self,
        dataset: str,
        file: FileSource,
        *,
        format: str = "",  # noqa: A002
        note: str = "",
        file_name: str = "",
        revision: int | None = None,
    ) -> DatasetEntry:
        """Make a file the next version of a dataset."""
        form = make_form(file, file_name=file_name, fields={"format": format, "note": note})
        path = item_path(PLACE, dataset, "content")
        return decode(DatasetEntry, self._connection.upload("PUT", path, form, revision=revision))

    def delete(self, dataset: str, *, revision: int | None = None) -> None:
        """Mark a dataset as deleted; ConflictError while something uses it."""
        self._connection.send("DELETE", item_path(PLACE, dataset), revision=revision)

    def undelete(self, dataset: str) -> DatasetEntry:
        """Bring a deleted dataset back."""
        return decode(
            DatasetEntry, self._connection.send("POST", item_path(PLACE, dataset, "undelete"))
        )

    def queries(self, dataset: str, *, version: int | None = None) -> Iterator[dict[str, Any]]:
        """List the queries of a dataset with their judgments, as its JSON has them."""
        path = item_path(PLACE, dataset, "queries")
        return self._connection.every(path, dict, version=version)

    def edit(
        self,
        dataset: str,
        *,
        put: Iterable[Mapping[str, Any]] = (),
        remove: Iterable[str] = (),
        note: str = "",
        revision: int | None = None,
    ) -> DatasetEntry:
        """Change or add queries (by their keys) and remove some, as one new version."""
        body = {"put": [dict(one) for one in put], "remove": [*remove], "note": note}
        path = item_path(PLACE, dataset, "queries")
        return decode(DatasetEntry, self._connection.send("PATCH", path, body, revision=revision))

    def grade(
        self,
        dataset: str,
        query: str,
        document: str | Reference,
        grade: int | None,
        *,
        note: str = "",
        revision: int | None = None,
    ) -> DatasetEntry:
        """Give a document another grade for a query, or a first one; None removes the judgment."""
        told = {"query_key": query, "doc_ref": write_reference(document), "relevance_grade": grade}
        body, path = {**told, "note": note}, item_path(PLACE, dataset, "grades")
        return decode(DatasetEntry, self._connection.send("PATCH", path, body, revision=revision))

    def history(self, dataset: str, query: str) -> tuple[dict[str, Any], ...]:
        """Return all that a query ever was, the newest first."""
        path = item_path(PLACE, dataset, "history")
        return tuple(self._connection.get(path, query_key=query)["items"])

    def versions(self, dataset: str) -> Iterator[DatasetVersion]:
        """List the versions of a dataset, the newest first."""
        return self._connection.pages(item_path(PLACE, dataset, "versions"), DatasetVersion)

    def version(self, dataset: str, number: int) -> DatasetVersion:
        """Return who made a version, when, and what it changed."""
        path = item_path(PLACE, dataset, "versions", str(number))
        return decode(DatasetVersion, self._connection.get(path))

    def restore(self, dataset: str, number: int, *, revision: int | None = None) -> DatasetEntry:
        """Make a new version with the content of an older one."""
        path = item_path(PLACE, dataset, "versions", str(number), "restore")
        return decode(DatasetEntry, self._connection.send("POST", path, revision=revision))

    def export(
        self,
        dataset: str,
        *,
        format: str = "",  # noqa: A002
        version: int | None = None,
    ) -> bytes:
        """Return a dataset as a file of a format; by default the one that loses nothing."""
        path, asked = item_path(PLACE, dataset, "export"), {"format": format, "version": version}
        return self._connection.ask("GET", path, query=asked).content

    def losses(
        self,
        dataset: str,
        *,
        format: str = "",  # noqa: A002
        version: int | None = None,
    ) -> tuple[str, ...]:
        """Return what a format cannot store of a dataset, a sentence for each kind of data."""
        path = item_path(PLACE, dataset, "export", "losses")
        return tuple(self._connection.get(path, format=format, version=version)["losses"])

    def audit(
        self, dataset: str, *, corpus: str = "", version: int | None = None
    ) -> dict[str, Any]:
        """Return the smallest detectable difference and defects, as `assay dataset audit --json`.

        ``corpus`` is the id of a corpus to check with, if the dataset has no documents.
        """
        path = item_path(PLACE, dataset, "audit")
        found: dict[str, Any] = self._connection.get(path, corpus=corpus, version=version)
        return found
