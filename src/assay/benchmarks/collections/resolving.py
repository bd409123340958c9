"""A dataset and an open corpus -> where each reference leads; only what is needed is read."""

from dataclasses import replace

from assay.datasets.resolve.resolve import needs, resolve
from assay.records import Corpus, Dataset, Define, Resolution, Track, untracked

__all__ = ["resolve_in"]


def resolve_in(corpus: Corpus, dataset: Dataset, *, track: Track = untracked) -> Resolution:
    """Look every reference of a dataset up in a corpus; texts are read only for symbols."""
    texts, hashes = needs(dataset)
    documents = corpus.documents(texts=texts, hashes=hashes)
    tracked = track(documents, f"reading {corpus.name}", unit="documents")
    found = resolve(dataset, tracked, define=_define() if texts else None, corpus=corpus.name)
    return replace(found, skipped=dict(corpus.skipped))


def _define() -> Define:
    from assay.corpora.programs.defined_names import (
        defined_names,  # parsers load only where symbols count
    )

    return defined_names
