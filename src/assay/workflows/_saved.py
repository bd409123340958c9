"""A made dataset -> a folder: the dataset, its documents and its vectors."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.datasets.save import save
from assay.errors import InputError
from assay.records import Document, Made, Track

__all__ = ["CORPUS", "save_made"]

DATASET, CORPUS = "dataset.json", "corpus.jsonl"
VECTORS = ("document_vectors", "query_vectors")
KEPT = ("title", "text", "uri", "path", "file_name", "language")


def save_made(made: Made, folder: Path, *, track: Track) -> Made:
    """Write a folder, and return what was made with the corpus as the folder names it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _clear(folder)
        made = _with_corpus(made, folder, track)
        _write_vectors(made, folder)
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise InputError(problem, where=str(folder), hint="check the folder") from None
    save(replace(made.dataset, documents=()), folder / DATASET, format="assay_json")
    return made


def _clear(folder: Path) -> None:
    """Remove what an earlier dataset left, which would be taken for a part of this one."""
    for name in (DATASET, CORPUS, *(f"{name}.npy" for name in VECTORS)):
        (folder / name).unlink(missing_ok=True)


def _with_corpus(made: Made, folder: Path, track: Track) -> Made:
    """Write the documents that were made; a corpus that was only read stays where it is."""
    if made.corpus is None and not made.dataset.documents:
        return made
    documents = made.corpus.documents() if made.corpus else made.dataset.documents
    total = made.documents or None
    _write_lines(track(documents, f"writing {CORPUS}", total=total, unit="documents"), folder)
    source = {"source": "jsonl", "path": CORPUS}
    return replace(made, dataset=replace(made.dataset, corpus=source, home=""))


def _write_lines(documents: Iterable[Document], folder: Path) -> None:
    with (folder / CORPUS).open("w", encoding="utf-8", newline="\n") as file:
        for document in documents:
            file.write(json.dumps(_record(document), ensure_ascii=False) + "\n")


def _record(document: Document) -> dict[str, Any]:
    """Lay a document out as BEIR does; what is empty is left out."""
    rest = {key: getattr(document, key) for key in KEPT if getattr(document, key)}
    return {"_id": document.id, "title": "", "text": ""} | rest


def _write_vectors(made: Made, folder: Path) -> None:
    import numpy as np

    for name in VECTORS:
        vectors = getattr(made, name)
        if vectors is not None:
            np.save(folder / f"{name}.npy", vectors, allow_pickle=False)
