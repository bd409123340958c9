"""Resolve: a dataset + a corpus -> where each of its references leads."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from assay.datasets.limits import Limits
from assay.datasets.resolve import needs
from assay.datasets.resolve import resolve as look_up
from assay.records import Corpus, Dataset, Define, Document, Resolution, Track, untracked
from assay.workflows._corpus import opened_corpus
from assay.workflows.load_dataset import load_dataset

__all__ = ["resolve"]


def resolve(
    dataset: str | Path | Dataset,
    corpus: str | Path | Mapping[str, object] | Corpus | Sequence[Document] | None = None,
    *,
    track: Track = untracked,
    format: str | None = None,  # noqa: A002
    limits: Limits | None = None,
) -> Resolution:
    """Look every reference of a dataset up in a corpus.

    ``corpus`` is a path, ``git:REPOSITORY@REVISION``, a mapping as in a benchmark file, a corpus,
    or documents; left out, it is what the dataset itself holds or names. Texts and hashes are read
    only if a reference takes them.

    >>> resolve("stdlib").documents > 100
    True
    """
    asked = load_dataset(dataset, format=format, limits=limits)
    opened = opened_corpus(asked, corpus)
    texts, hashes = needs(asked)
    documents = opened.documents(texts=texts, hashes=hashes)
    tracked = track(documents, f"reading {opened.name}", unit="documents")
    found = look_up(asked, tracked, define=_define() if texts else None, corpus=opened.name)
    return replace(found, skipped=dict(opened.skipped))


def _define() -> Define:
    from assay.corpora.defined_names import defined_names  # parsers load only where symbols count

    return defined_names
