"""Resolve: a dataset + a corpus -> where each of its references leads."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from assay.benchmarks.collections.resolve import opened_corpus, resolve_in
from assay.benchmarks.collections.unknown_symbols import unknown_symbols
from assay.datasets.limits import Limits
from assay.records import Corpus, Dataset, Document, Resolution, Track, untracked
from assay.workflows.load_dataset import load_dataset

__all__ = ["resolve"]


def resolve(
    dataset: str | Path | Dataset,
    corpus: str | Path | Mapping[str, object] | Corpus | Sequence[Document] | None = None,
    *,
    track: Track = untracked,
    format: str | None = None,  # noqa: A002
    limits: Limits | None = None,
    binary: bool = False,
    subtopics: bool = False,
) -> Resolution:
    """Look up every reference of a dataset in a corpus.

    ``corpus`` is a path, ``git:REPOSITORY@REVISION``, a mapping as in a benchmark file, a corpus,
    or a list of documents; by default it is the corpus of the dataset. With ``collections:FOLDER``
    each collection is looked up in its own, and its name is before the ids of documents. Texts
    and hashes are read only if a reference needs them.

    >>> resolve("stdlib").documents > 100
    True
    """
    asked = load_dataset(dataset, format=format, limits=limits, binary=binary, subtopics=subtopics)
    opened = opened_corpus(asked, corpus)
    found = resolve_in(opened, asked, track=track)
    return replace(found, unknown_symbols=unknown_symbols(asked, found, opened))
