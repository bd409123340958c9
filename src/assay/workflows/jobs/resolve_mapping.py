"""Resolve a mapping of the store of a service in the background."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from assay.benchmarks.collections.collection import CorpusReading
from assay.benchmarks.collections.resolve import resolve_in
from assay.benchmarks.collections.stored_datasets import open_stored_corpus
from assay.records import Track, untracked
from assay.workflows.jobs.refuse_outside import refuse_outside
from assay.workspace.locate import Workspace
from assay.workspace.store.store import open_service_store

__all__ = ["resolve_mapping"]


def resolve_mapping(
    _job: str, content: Mapping[str, Any], place: Workspace, *, track: Track = untracked
) -> dict[str, Any]:
    """Look the references of ``mapping`` up in its corpus, and note what was found.

    What somebody chose by hand counts first. ``author`` is who asked for it.
    """
    author = content["author"]
    with closing(open_service_store(place.database)) as store:
        mapping = store.mappings.get(content["mapping"])
        corpus = store.corpora.get(mapping.corpus)
        refuse_outside(content, corpora=[corpus.where])
        reading = CorpusReading(open_stored_corpus(store, corpus.where), track=track)
        dataset = store.mappings.read(mapping.id)
        found = resolve_in(reading.again, dataset, doing="resolving references in", track=track)
        store.corpora.note_reading(
            corpus.id,
            fingerprint=reading.content,
            documents=reading.sample.documents,
            skipped=dict(reading.corpus.skipped),
            revision=None,
            author=author,
        )
        done = store.mappings.record(
            mapping.id, found, fingerprint=reading.content, revision=None, author=author
        )
        reading.close()
    names = ("state", "total", "resolved", "ambiguous", "missing")
    return {"mapping": done.id, **{name: getattr(done, name) for name in names}}
