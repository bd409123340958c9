"""Init: a folder -> a benchmark file for it, with a comment for every line that one may change."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from assay.benchmarks.starter.corpus_folder import CorpusFolder, choose_folder
from assay.benchmarks.starter.current_settings import current_settings
from assay.benchmarks.starter.example_questions import example_questions
from assay.benchmarks.starter.find_datasets import DatasetFile, FoundDatasets, find_datasets
from assay.benchmarks.starter.folder_scan import Listing
from assay.benchmarks.starter.reference_paths import reference_paths
from assay.benchmarks.starter.starter_file import Project, starter_file
from assay.benchmarks.starter.unusable_datasets import unusable_datasets
from assay.corpora.open_corpus import open_corpus
from assay.corpora.refuse_empty import GIVE
from assay.errors import InputError
from assay.records import Dataset
from assay.text.count_noun import count_noun

__all__ = ["InitResult", "init"]

NAME = "assay.yaml"
SHOWN = 3  # further datasets that are named
HALF = 0.5  # of the references, which are found for a dataset that is not called like one


@dataclass(frozen=True, slots=True)
class InitResult:
    """The file that was written, what was found for it, and what to do next.

    ``others`` are further datasets; one that ``holds_corpus`` needs no documents here. ``folders``
    are those that are searched, if several; ``left_out`` are others, each with the reason; ``link``
    is the target of a corpus that is a link.
    ``references_found`` of the dataset's ``references`` are in the corpus. ``documents`` is a lower
    bound unless ``documents_complete``. ``baseline`` is the configuration that others are compared
    with; if a settings file describes it, ``current`` is the file and what was read there, and
    ``not_used`` are settings that were not taken over. ``lacks`` is what a run still needs. Without
    a dataset ``example`` is one to start with, ``make`` the command that makes one of the
    folder, if there is one, and ``log`` a file with ``logged`` queries without judgments.
    """

    file: str
    text: str
    dataset: str = ""
    queries: int = 0
    corpus: str = ""
    documents: int = 0
    documents_complete: bool = True
    include: tuple[str, ...] = ()
    references: int = 0
    references_found: int = 0
    others: tuple[str, ...] = ()
    holds_corpus: bool = False
    folders: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    link: str = ""
    baseline: str = "bm25"
    current: tuple[str, ...] = ()
    not_used: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    example: str = ""
    make: str = ""
    log: str = ""
    logged: int = 0
    next: str = ""


def init(
    folder: str | Path = ".", *, output: str | Path | None = None, force: bool = False
) -> InitResult:
    """Write a benchmark file for a folder: its dataset, its documents, and what fits them.

    ``output`` is the file, by default assay.yaml in the folder; an existing file is kept unless
    ``force``.
    """
    place = Path(folder)
    if not place.is_dir():
        hint = "give the path of your project's folder"
        raise InputError("not a folder", where=str(folder), hint=hint)
    file = place / NAME if output is None else Path(output)
    _refuse_existing(file, force=force)
    datasets = find_datasets(place.resolve(), but=file.resolve())
    found = _found(place.resolve(), file.resolve(), datasets)
    start, chosen = file.resolve().parent, bool(found.dataset)
    unusable = unusable_datasets(datasets, start=start, chosen=chosen)
    wrong = "" if chosen or not unusable else _relative(unusable[0].path, start)
    found = replace(found, unusable=wrong, **_log(place.resolve(), datasets, needed=not chosen))
    text = starter_file(found, file=str(file))
    _write(file, text)
    problems = [one.problem for one in unusable]
    notes = (*problems, *_notes(found, datasets))
    return _result(found, datasets, text, file=str(file), folder=str(folder), notes=notes)


def _result(
    found: Project,
    datasets: FoundDatasets,
    text: str,
    *,
    file: str,
    folder: str,
    notes: tuple[str, ...],
) -> InitResult:
    searched, place, current = found.searched, found.place, found.current
    return InitResult(
        file=file,
        text=text,
        dataset=found.dataset,
        queries=found.queries,
        corpus=found.corpus if searched else "",
        documents=searched.documents if searched else found.own_documents,
        documents_complete=searched.complete if searched else True,
        include=searched.include if searched else (),
        references=place.total,
        references_found=place.found,
        others=(*found.described_others, *_uncounted(found, datasets)),
        holds_corpus=found.holds_corpus,
        folders=place.folders,
        left_out=place.left_out,
        link=place.link,
        baseline=current.name if current else "bm25",
        current=(current.source, *current.read) if current else (),
        not_used=current.unused if current else (),
        lacks=found.lacks,
        notes=notes,
        example="" if found.dataset or found.unusable else example_questions(place.documents),
        make="" if found.dataset else found.make(folder),
        log=found.log,
        logged=found.logged,
        next=f"{_first(found)}, then: {found.again(folder)}"
        if found.unusable
        else found.next(file, folder),
    )


def _log(folder: Path, datasets: FoundDatasets, *, needed: bool) -> dict[str, Any]:
    """Name the first log of queries, where there is no dataset."""
    if not needed or not datasets.logs:
        return {}
    log = datasets.logs[0]
    return {"log": _relative(log.path, folder), "logged": log.queries}


def _first(found: Project) -> str:
    """Say what to do first: without any text there is nothing that a dataset could refer to."""
    if found.place.empty is None:
        return f"correct {found.unusable}"
    return f"add documents with text, and refer to them in {found.unusable}"


def _uncounted(found: Project, datasets: FoundDatasets) -> Iterator[str]:
    """Say that there are more datasets than are named."""
    more = found.further - len(found.others)
    if datasets.stopped and found.dataset:
        yield f"at least {more:,} more" if more > 0 else "possibly more"
    elif more > 0:
        yield f"{more:,} more"


def _notes(found: Project, datasets: FoundDatasets) -> Iterator[str]:
    """Say what is skipped or not found, and what was not examined."""
    if bare := found.without_relevant:
        many = f"{bare:,} of {count_noun(found.queries, 'query')} in {found.dataset}"
        yield f"{many} {'names' if bare == 1 else 'name'} no relevant document"
    yield from filter(None, [found.place.skipped, *_missing(found)])
    yield from found.current.notes if found.current else ()
    if not found.dataset and datasets.unopened:
        more = f"{datasets.unopened:,} further files were not read"
        yield f"no dataset among the first {datasets.opened:,} files; {more}"
    if not datasets.complete:
        yield f"only the first {datasets.examined:,} files and folders were examined for datasets"


def _missing(found: Project) -> Sequence[str]:
    """Say which references are not found, or why there are no documents at all."""
    place = found.place
    if place.empty is not None:
        hint = "" if place.empty.hint == GIVE else f"; {place.empty.hint}"
        return [f"{place.empty.problem}{hint}"]
    if found.searched or not found.dataset:
        return place.missing.sentences
    if not place.total:
        return []
    names = ", ".join(place.missing.names)
    return [f"no folder contains the files that {found.dataset} refers to, e.g. {names}"]


def _refuse_existing(file: Path, *, force: bool) -> None:
    if file.is_dir():
        raise InputError("is a folder", where=str(file), hint="give a file: -o FILE")
    if file.exists() and not force:
        hint = "--force overwrites it; -o FILE writes to another file"
        raise InputError("already exists", where=str(file), hint=hint)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        what = f"cannot be written ({error.strerror or error})"
        raise InputError(what, where=str(file), hint="give another file: -o FILE") from None


def _found(folder: Path, file: Path, datasets: FoundDatasets) -> Project:
    """Choose a dataset, and the documents that it refers to."""
    current = current_settings(folder)
    likely = _likely(folder, datasets)
    chosen, place = _best(folder, file, datasets.datasets, likely)
    if chosen is None:
        asked = [*(one.path for one in likely), *(one.path for one in datasets.logs)]
        place = choose_folder(folder, None, [file], likely=asked)
        return Project(folder, **_about(folder, file, place), current=current)
    alike = [one for one in datasets.datasets if one.of_many] if chosen.of_many else []
    others = [one for one in (*likely, *alike) if one.path != chosen.path]
    named = ((_relative(one.path, file.parent), len(one.dataset.queries)) for one in others)
    found = Project(
        folder,
        dataset=_relative(chosen.path, file.parent),
        queries=len(chosen.dataset.queries),
        without_relevant=sum(not one.has_relevant for one in chosen.dataset.queries),
        others=tuple(islice(named, SHOWN)),
        further=len(others),
        current=current,
    )
    fits = [one.path for one in others[:SHOWN] if _fits(folder, one.dataset, datasets, place)]
    found = replace(found, together=tuple(_relative(one, file.parent) for one in fits))
    if place is None:
        documents = len(chosen.dataset.documents)
        return replace(found, own_documents=documents, holds_corpus=True)
    return replace(found, **_about(folder, file, place))


def _fits(
    folder: Path, dataset: Dataset, datasets: FoundDatasets, place: CorpusFolder | None
) -> bool:
    """Tell whether a dataset can be run beside another: with its own corpus, or in this one."""
    if place is None or dataset.documents or _has_corpus(dataset):
        return bool(dataset.documents) or _has_corpus(dataset)
    files = [one.relative_to(folder).as_posix() for one in datasets.files]
    references = reference_paths(dataset, files)
    return references.within(place.path) >= HALF * len(references.paths) > 0


def _likely(folder: Path, datasets: FoundDatasets) -> list[DatasetFile]:
    """Return the datasets that are surely some, by their name or format, or lead to files here."""
    paths = [one.relative_to(folder).as_posix() for one in datasets.files]
    return [
        one
        for one in datasets.datasets
        if not one.of_many
        and not (one.is_guessed and not reference_paths(one.dataset, paths).found)
    ]


def _best(
    folder: Path, file: Path, datasets: Sequence[DatasetFile], likely: Sequence[DatasetFile]
) -> tuple[DatasetFile | None, CorpusFolder | None]:
    """Choose the first dataset whose references are found, or that has its own documents.

    Without any it is the first that is called like one.
    """
    best: tuple[DatasetFile | None, CorpusFolder | None] = None, None
    read: dict[object, Listing] = {}
    for one in datasets:
        if one.dataset.documents or _has_corpus(one.dataset):
            return one, None
        others = [other.path for other in likely if other.path != one.path]
        place = choose_folder(folder, one.dataset, [file, one.path], likely=others, read=read)
        if place.found and (one.is_telling or place.share >= HALF):
            return one, place
        better = best[1] is None or (place.found and not best[1].found)
        if better and (place.found or one.is_telling):
            best = one, place
    return best


def _has_corpus(dataset: Dataset) -> bool:
    """Tell whether the corpus that a dataset names exists."""
    if not dataset.corpus:
        return False
    try:
        open_corpus(dataset.corpus, relative_to=dataset.home)
    except InputError:
        return False
    return True


def _about(folder: Path, file: Path, place: CorpusFolder) -> dict[str, Any]:
    return {"place": place, "corpus": _relative((folder / place.path), file.parent)}


def _relative(path: Path, start: Path) -> str:
    return Path(os.path.relpath(path, start)).as_posix()
