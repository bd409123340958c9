"""Index a corpus in the background."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from assay.benchmarks.collections.stored_datasets import DATASET, open_stored_corpus
from assay.records import Track, untracked
from assay.workflows.index import index
from assay.workflows.jobs.refuse_outside import refuse_outside
from assay.workspace.locate import Workspace
from assay.workspace.store.store import open_service_store

__all__ = ["index_corpus"]


def index_corpus(
    _job: str, content: Mapping[str, Any], place: Workspace, *, track: Track = untracked
) -> dict[str, Any]:
    """Bring the index of ``corpus`` up to date: only what changed is read again.

    ``configuration``, ``include`` and ``exclude`` are those of `assay.index`.
    """
    corpus = content["corpus"]
    refuse_outside(content, corpora=[corpus])
    if isinstance(corpus, Mapping) and corpus.get("source") == DATASET:
        with closing(open_service_store(place.database)) as store:
            corpus = open_stored_corpus(store, corpus)
    done = index(
        corpus,
        configuration=content.get("configuration"),
        include=content.get("include", ()),
        exclude=content.get("exclude", ()),
        workspace=place.folder,
        track=track,
    )
    names = ("documents", "chunks", "added", "changed", "removed", "seconds")
    return {name: getattr(done, name) for name in names}
