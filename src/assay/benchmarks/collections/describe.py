"""What a report says of a dataset and a corpus: sizes, and names of their content."""

import json
from hashlib import sha256
from typing import Any

from assay.corpora.no_corpus import NoCorpus
from assay.models.given.own_vectors import OpenVectors
from assay.models.given.vector_file import VectorFile
from assay.records import (
    KEYS,
    Corpus,
    Dataset,
    Judgment,
    Resolution,
)
from assay.records.skipped_files import unread_files
from assay.records.traffic import about_traffic

__all__ = ["about_corpus", "about_dataset", "dataset_fingerprint"]


def _judged(judgment: Judgment) -> list[Any]:
    reference = judgment.reference
    keys = [getattr(reference, key) for key in KEYS]
    return [*keys, reference.symbol, reference.match, judgment.grade, judgment.group]


def dataset_fingerprint(dataset: Dataset) -> str:
    """Hash what decides the scores: texts, what is left out of answers, references, grades.

    The weights of queries, too: a dataset without any keeps the name that it had before.
    """
    digest = sha256(f"scale {dataset.scale}".encode())
    for query in dataset.queries:
        judged = [_judged(judgment) for judgment in query.judgments]
        about = [query.key, query.text, query.category, query.collection]
        given: list[Any] = [dict(query.variables)] if query.variables else []
        filters = query.extra.get("filters")
        given += [{"filters": filters}] if filters else []
        given += [query.weight] if query.weight != 1 else []
        parts = [*about, sorted(query.excluded), judged, *given]
        digest.update(json.dumps(parts, ensure_ascii=True, default=str).encode() + b"\n")
    return digest.hexdigest()


def about_dataset(dataset: Dataset, vectors: OpenVectors | None = None) -> dict[str, Any]:
    """Name the queries and judgments by their content, and the vectors that were given."""
    return {
        "name": dataset.name,
        "format": dataset.format,
        "queries": len(dataset.queries),
        "judgments": sum(len(query.judgments) for query in dataset.queries),
        "scale": dataset.scale,
        "fingerprint": dataset_fingerprint(dataset),
        **_given(vectors.queries if vectors else None),
        **_weights(dataset),
    }


def _weights(dataset: Dataset) -> dict[str, Any]:
    told = about_traffic(dataset.traffic)
    return {"weights": told} if told else {}


def about_corpus(
    corpus: Corpus, resolution: Resolution, content: str, vectors: OpenVectors | None = None
) -> dict[str, Any]:
    """Tell the size of a corpus, its ``content`` and given vectors; where there is none, that."""
    if isinstance(corpus, NoCorpus):
        return {"name": corpus.name, "fingerprint": content}
    return {
        "name": corpus.name,
        "documents": resolution.documents,
        "skipped": dict(resolution.skipped),
        **unread_files(resolution.skipped),
        "fingerprint": content,
        **_given(vectors.documents if vectors else None),
    }


def _given(file: VectorFile | None) -> dict[str, Any]:
    """Describe vectors; ``ids``: the file names them, so that their order means nothing."""
    if file is None:
        return {}
    sizes = {"file": file.name, "count": len(file), "dimension": file.dimension}
    return {"vectors": sizes | {"ids": not file.ordered, "fingerprint": file.fingerprint}}
