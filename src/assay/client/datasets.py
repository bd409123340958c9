"""Datasets of a service."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from assay.client.connection import Connection, item_path
from assay.client.decode import decode
from assay.client.forms import FileSource, make_form
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

    def queries(self, dataset: str) -> Iterator[dict[str, Any]]:
        """List the queries of a dataset with their judgments, as its JSON has them."""
        return self._connection.every(item_path(PLACE, dataset, "queries"), dict)

    def versions(self, dataset: str) -> Iterator[DatasetVersion]:
        """List the versions of a dataset, the newest first."""
        return self._connection.pages(item_path(PLACE, dataset, "versions"), DatasetVersion)

    def export(self, dataset: str, *, format: str = "") -> bytes:  # noqa: A002
        """Return a dataset as a file of a format; by default the one that loses nothing."""
        path = item_path(PLACE, dataset, "export")
        return self._connection.ask("GET", path, query={"format": format}).content
