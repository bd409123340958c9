"""Judgments wherever they are: a file of judgments, or a dataset of any format."""

import os
from pathlib import Path

from assay.datasets.load_judgments import load_judgments
from assay.errors import InputError
from assay.records import Dataset, Judgments, Reference

__all__ = ["truth"]

ENDINGS = (".json", ".jsonl", ".yaml", ".yml")  # that a dataset shares with files of judgments
SHEETS = (".csv", ".tsv")  # judgments, unless they can only be read as a dataset


def truth(qrels: object, *, scale: int | None = None, binary: bool = False) -> Judgments:
    """Read judgments; the references of a dataset are taken for the ids that the runs use.

    A dataset that expects symbols or parts of names is first resolved in the corpus that it names:
    nothing in a run is called by these. ``binary`` takes each document that a table without a grade
    column lists for relevant.
    """
    if _is_dataset(qrels):
        return load_judgments(_judgments(qrels, binary=binary), scale=scale)
    try:
        found = load_judgments(qrels, binary=binary)
    except InputError:
        if not _is_sheet(qrels):
            raise
        found = _judgments(qrels, binary=binary)
    return load_judgments(found, scale=scale)


def _judgments(where: object, *, binary: bool) -> Judgments:
    from assay.datasets.as_judgments import as_judgments
    from assay.workflows.load_dataset import load_dataset

    dataset = load_dataset(where, binary=binary)
    references = (one.reference for query in dataset.queries for one in query.judgments)
    if odd := next((one for one in references if not _is_id(one)), None):
        from assay.workflows.resolve import resolve

        _refuse_homeless(dataset, odd)
        return as_judgments(dataset, resolve(dataset))
    return as_judgments(dataset)


def _is_id(reference: Reference) -> bool:
    """Tell whether a reference says what a document is called, all of it."""
    if reference.match == "substring" and (reference.path or reference.file_name):
        return False
    named = (reference.document_id, reference.uri, reference.path, reference.file_name)
    return any(named) or not (reference.symbol or reference.content_hash)


def _refuse_homeless(dataset: Dataset, reference: Reference) -> None:
    if dataset.documents or dataset.corpus:
        return
    what = "a part of a name" if reference.match == "substring" else "no id of a document"
    what = "a symbol" if str(reference).startswith("symbol ") else what
    hint = "name its corpus in the dataset (corpus: FOLDER), or write whole ids with match: exact"
    problem = f"{reference} is {what}, and the dataset names no corpus to look it up in"
    raise InputError(problem, where=dataset.name, hint=hint)


def _is_dataset(qrels: object) -> bool:
    """Tell a dataset from a file of judgments, without a look at the files that cannot be one."""
    if not isinstance(qrels, str | Path):
        return isinstance(qrels, Dataset)
    if _is_named(str(qrels)):
        return True
    folder = os.path.isdir(qrels)  # noqa: PTH112 - never raises
    if _ending(qrels) in SHEETS and _holds_items(qrels):
        return True
    return (folder or _ending(qrels) in ENDINGS) and _is_recognised(qrels)


def _holds_items(qrels: str | Path) -> bool:
    """Tell whether a table has columns that plain judgments would lose, such as groups."""
    from assay.columns import Source
    from assay.columns.header import first_row, separator
    from assay.columns.titles import ITEMS, plain_titles

    if not os.path.isfile(qrels):  # noqa: PTH113 - never raises
        return False
    with Source(qrels) as source:
        head = source.head()
    return not ITEMS.isdisjoint(plain_titles(first_row(head, separator(head) or ",")))


def _is_sheet(qrels: object) -> bool:
    """Tell whether a file that holds no judgments may be a dataset all the same."""
    if not isinstance(qrels, str | Path) or _ending(qrels) not in SHEETS:
        return False
    return os.path.isfile(qrels) and _is_recognised(qrels)  # noqa: PTH113 - never raises


def _ending(path: str | Path) -> str:
    """Return the ending that tells the format; .gz only says that it is compressed."""
    return Path(str(path).lower().removesuffix(".gz")).suffix


def _is_recognised(where: str | Path) -> bool:
    from assay.datasets.load import opened, recognise

    try:
        with opened(where) as place:
            return recognise(place) != "qrels"  # judgments alone are faster read as such
    except InputError:
        return False


def _is_named(name: str) -> bool:
    """Tell whether a name is that of a shipped dataset, or of one in a catalogue, and no file's."""
    if os.path.exists(name):  # noqa: PTH110 - never raises
        return False
    from assay.datasets.load import PREFIX, shipped_names

    return name.startswith(PREFIX) or name in shipped_names()
