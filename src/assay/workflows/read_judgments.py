"""Judgments wherever they are: a file of judgments, or a dataset of any format."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.datasets.load_judgments import load_judgments
from assay.errors import InputError, UsageError
from assay.rankings.align import known_names
from assay.records import Dataset, Judgments, Reference

__all__ = ["read_judgments"]

ENDINGS = (".json", ".jsonl", ".yaml", ".yml")  # that a dataset shares with files of judgments
STARS = 4  # the highest grade of a scale that probably begins at 1
LOWEST = "if 1 means not relevant, subtract 1, or set a level, e.g. recall(rel=2)@10"
SHEETS = (".csv", ".tsv")  # judgments, unless they hold more


def read_judgments(
    qrels: object,
    *,
    scale: int | None = None,
    format: str | None = None,  # noqa: A002
    binary: bool = False,
    subtopics: bool = False,
    corpus: object = None,
    match_weights: bool = False,
    query_weights: str = "use",
) -> Judgments:
    """Read judgments; the references of a dataset are taken for the ids that the runs use.

    A dataset that expects symbols or parts of names is first resolved in the corpus that is given,
    or that it names: nothing in a run is called by these. ``match_weights`` counts a match by how
    well it meets what is expected. ``format`` names that of the file, if its content does not tell.
    ``binary`` takes each document that a table without a grade column lists for relevant,
    ``subtopics`` the second column of TREC's judgments for subtopics. ``query_weights`` "ignore"
    lets every query count the same.
    """
    reading: dict[str, Any] = {"binary": binary, "subtopics": subtopics, "format": format}
    if _reads_dataset(qrels, format, corpus):
        found = _judgments(qrels, corpus, reading, match_weights=match_weights)
        found = found if query_weights == "use" else replace(found, traffic={})
        return _with_scale_note(load_judgments(found, scale=scale))
    _refuse_plain(corpus, match_weights=match_weights)
    return _with_scale_note(load_judgments(qrels, scale=scale, **reading))


def _with_scale_note(judgments: Judgments) -> Judgments:
    """Say that stars have no grade for what is not relevant: their lowest counts as relevant."""
    highest = int(judgments.grades.max(initial=0))
    lowest = int(judgments.grades.min(initial=highest))
    stars = lowest == judgments.factor and highest >= STARS * judgments.factor
    if not stars or judgments.items is not None:
        return judgments
    grades = f"grades range from 1 to {highest / judgments.factor:g} without 0"
    note = f"{grades}: every judged document counts as relevant; {LOWEST}"
    return replace(judgments, notes=tuple(dict.fromkeys((*judgments.notes, note))))


def _judgments(
    where: object, corpus: object, reading: dict[str, Any], *, match_weights: bool
) -> Judgments:
    from assay.workflows.load_dataset import load_dataset

    dataset = load_dataset(where, **reading)
    if not any(query.judgments for query in dataset.queries):
        hint = "add judgments; `assay diff` shows what changes between two runs without any"
        raise InputError("no query has judgments", where=dataset.name, hint=hint)
    found = _in_documents(dataset, corpus, match_weights=match_weights)
    categories = {query.key: query.category for query in dataset.queries if query.category}
    return replace(found, notes=(*dataset.notes, *found.notes), categories=categories)


def _in_documents(dataset: Dataset, corpus: object, *, match_weights: bool) -> Judgments:
    from assay.datasets.resolve.as_judgments import as_judgments
    from assay.datasets.resolve.resolve import first_not_id

    weights = True if match_weights else None
    odd = first_not_id(dataset)
    if odd is None and corpus is None:
        return as_judgments(dataset, weights=weights)
    from assay.benchmarks.collections.resolve import opened_corpus, resolve_in
    from assay.corpora.per_collection import CollectionCorpora

    if corpus is None and odd is not None:
        _refuse_homeless(dataset, odd)
    opened = opened_corpus(dataset, corpus)
    found = as_judgments(dataset, resolve_in(opened, dataset, local=True), weights=weights)
    several = opened.each.values() if isinstance(opened, CollectionCorpora) else [opened]
    documents = (one for corpus in several for one in corpus.documents(texts=False, hashes=False))
    return replace(found, names=known_names((one.id, one.path) for one in documents))


def _refuse_plain(corpus: object, *, match_weights: bool) -> None:
    """Refuse what only a dataset with expected files can use."""
    if corpus is not None or match_weights:
        what = "a corpus has" if corpus is not None else "match weights have"
        problem = f"{what} no effect: these judgments contain document ids, not references"
        hint = "use a dataset with expected files or symbols, or omit the option"
        raise UsageError(problem, hint=hint)


def _refuse_homeless(dataset: Dataset, reference: Reference) -> None:
    if dataset.documents or dataset.corpus:
        return
    hint = "use --corpus FOLDER, or set corpus: FOLDER in the dataset; for ids, set match: exact"
    problem = f"{reference} must be looked up in a corpus, but the dataset has none"
    raise InputError(problem, where=dataset.name, hint=hint)


def _reads_dataset(qrels: object, name: str | None, corpus: object) -> bool:
    """Tell whether the judgments are those of a dataset: by the named format, or as they look."""
    is_path = isinstance(qrels, str | Path)
    if name is None or not is_path:
        return _is_dataset(qrels) or (corpus is not None and is_path)
    from assay import catalogue
    from assay.datasets import judgments

    folder = os.path.isdir(str(qrels))  # noqa: PTH112 - never raises
    return folder or corpus is not None or name not in catalogue.names(judgments)


def _is_dataset(qrels: object) -> bool:
    """Tell a dataset from a file of judgments, without a look at the files that cannot be one."""
    if not isinstance(qrels, str | Path):
        return isinstance(qrels, Dataset)
    if _is_named(str(qrels)):
        return True
    folder = os.path.isdir(qrels)  # noqa: PTH112 - never raises
    if _ending(qrels) in SHEETS and (_holds_items(qrels) or _is_recognised(qrels, "quepid_csv")):
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


def _ending(path: str | Path) -> str:
    """Return the ending that tells the format; .gz only says that it is compressed."""
    return Path(str(path).lower().removesuffix(".gz")).suffix


def _is_recognised(where: str | Path, *names: str) -> bool:
    """Tell whether a file is a dataset, or in one of the named formats."""
    from assay.datasets.dataset_list import read_list
    from assay.datasets.load import opened, recognise

    try:
        if read_list(where):
            return True
        with opened(where) as place:
            found = recognise(place)
            return found in names if names else found != "qrels"  # those are faster read as such
    except InputError:
        return False


def _is_named(name: str) -> bool:
    """Tell whether a name is that of a shipped dataset, or of one in a catalogue, and no file's."""
    if os.path.exists(name):  # noqa: PTH110 - never raises
        return False
    from assay.datasets.load import PREFIX, shipped_names

    return name.startswith(PREFIX) or name in shipped_names()
