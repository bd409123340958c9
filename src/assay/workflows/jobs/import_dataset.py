"""Import a dataset into the store of a service in the background."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

from assay.datasets.load import load
from assay.errors import NotFoundError
from assay.records import Dataset, Track, untracked
from assay.records.service import DatasetEntry
from assay.workspace.locate import Workspace
from assay.workspace.store.store import ServiceStore, open_service_store

__all__ = ["import_dataset", "note_version"]


def note_version(content: Mapping[str, Any], place: Workspace) -> Mapping[str, Any]:
    """Note which ``version`` a dataset has before the next one is imported.

    One that is started again can then tell whether it has stored the next version already.
    """
    if not content.get("dataset"):
        return content
    with closing(open_service_store(place.database)) as store:
        return {**content, "version": store.datasets.get(content["dataset"]).version.number}


def import_dataset(
    job: str, content: Mapping[str, Any], place: Workspace, *, track: Track = untracked
) -> dict[str, Any]:
    """Read the dataset at ``path`` and store it under ``name``, or as the next version of another.

    ``dataset`` is the id of that other one and ``revision`` the one that was seen of it;
    ``reading`` says how judgments are read, ``author`` and ``note`` whose it is. A new dataset has
    the id of the job, so that it is stored once however often the job is started.
    """
    read = load(content["path"], **content.get("reading", {}))
    with closing(open_service_store(place.database)) as store:
        entry = _replaced(store, content, read) or _created(store, job, content, read)
    return {"dataset": entry.id, "version": entry.version.number, "queries": len(read.queries)}


def _created(
    store: ServiceStore, job: str, content: Mapping[str, Any], read: Dataset
) -> DatasetEntry:
    try:
        return store.datasets.get(job)
    except NotFoundError:
        named = {"name": content.get("name", ""), "note": content.get("note", "")}
        return store.datasets.create(read, author=content["author"], id_=job, **named)


def _replaced(
    store: ServiceStore, content: Mapping[str, Any], read: Dataset
) -> DatasetEntry | None:
    """Store the next version of a dataset, unless a worker that was killed has stored it before."""
    if not content.get("dataset"):
        return None
    known = store.datasets.get(content["dataset"])
    last = known.version.number
    for number in range(content.get("version", last) + 1, last + 1):
        if replace(store.datasets.read(known.id, number), name=read.name) == read:
            return replace(known, version=store.datasets.version(known.id, number))
    who = {"author": content["author"], "note": content.get("note", "")}
    return store.datasets.replace(known.id, read, revision=content.get("revision"), **who)
