"""Init: a folder -> a benchmark file for it, with a comment for every line that one may change."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.benchmarks.starter.corpus_folder import CorpusFolder, choose_folder
from assay.benchmarks.starter.current_settings import current_settings
from assay.benchmarks.starter.example_questions import example_questions
from assay.benchmarks.starter.find_datasets import FoundDatasets, find_datasets
from assay.benchmarks.starter.folder_scan import Listing
from assay.benchmarks.starter.starter_file import Project, starter_file
from assay.corpora.open_corpus import open_corpus
from assay.errors import InputError
from assay.records import Dataset
from assay.text.count_noun import count_noun

__all__ = ["InitResult", "init"]

NAME = "assay.yaml"
SHOWN = 3  # further datasets, and files that cannot be read, that are named


@dataclass(frozen=True, slots=True)
class InitResult:
    """The file that was written, what was found for it, and what to do next.

    ``others`` are further datasets; one that ``holds_corpus`` needs no documents here. ``folders``
    are those that are searched, if several; ``left_out`` are others, each with the reason.
    ``references_found`` of the dataset's ``references`` are in the corpus. ``documents`` is a lower
    bound unless ``documents_complete``. Without a dataset ``example`` is one to start with, and
    ``make`` the command that makes one of the folder, if there is one.
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
    current: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    example: str = ""
    make: str = ""
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
    text = starter_file(found, file=str(file))
    _write(file, text)
    return _result(found, datasets, text, file=file, folder=str(folder))


def _result(
    found: Project, datasets: FoundDatasets, text: str, *, file: Path, folder: str
) -> InitResult:
    searched, place = found.searched, found.place
    return InitResult(
        file=str(file),
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
        current=(found.current.source, *found.current.read) if found.current else (),
        notes=(*_notes(found, datasets),),
        example="" if found.dataset or datasets.unreadable else example_questions(place.documents),
        make="" if found.dataset else found.make(folder),
        next=_next(found, datasets, str(file), folder),
    )


def _next(found: Project, datasets: FoundDatasets, file: str, folder: str) -> str:
    if found.dataset or not datasets.unreadable:
        return found.next(file, folder)
    return f"correct {datasets.unreadable[0][0].name}, then: {found.again(folder)}"


def _uncounted(found: Project, datasets: FoundDatasets) -> Iterator[str]:
    """Say that there are more datasets than are named."""
    more = len(datasets.datasets) - 1 - len(found.others)
    if datasets.stopped and found.dataset:
        yield f"at least {max(more, 0):,} more" if more > 0 else "possibly more"
    elif more > 0:
        yield f"{more:,} more"


def _notes(found: Project, datasets: FoundDatasets) -> Iterator[str]:
    """Say what could not be read, what is skipped, and what was not examined."""
    yield from () if found.dataset else _unreadable(datasets)
    yield from filter(None, [found.place.skipped, _missing(found)])
    yield from found.current.notes if found.current else ()
    if not found.dataset and datasets.unopened:
        more = f"{datasets.unopened:,} further files were not read"
        yield f"no dataset among the first {datasets.opened:,} files; {more}"
    if not datasets.complete:
        yield f"only the first {datasets.examined:,} files and folders were examined for datasets"


def _unreadable(datasets: FoundDatasets) -> Iterator[str]:
    """Say what is wrong with the files that are called like a dataset."""
    for path, error in datasets.unreadable[:SHOWN]:
        yield f"{path.name}: {error.problem}{f'; {error.hint}' if error.hint else ''}"
    if len(datasets.unreadable) > SHOWN:
        more = count_noun(len(datasets.unreadable) - SHOWN, "more file")
        yield f"{more} with the name of a dataset cannot be read: assay dataset check FILE"


def _missing(found: Project) -> str:
    """Say which references are not found, or why there are no documents at all."""
    place, names = found.place, ", ".join(found.place.missing)
    if place.empty is not None:
        return f"{place.empty.problem}; {place.empty.hint}"
    if place.found == place.total:
        return ""
    if not found.searched:
        return f"no folder contains the files that {found.dataset} refers to, e.g. {names}"
    missing = place.total - place.found
    return f"{missing:,} of {count_noun(place.total, 'reference')} not found, e.g. {names}"


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
    hidden = [file, *(path for path, _ in datasets.datasets)]
    if not datasets.datasets:
        place = choose_folder(folder, None, hidden)
        return Project(folder, **_about(folder, file, place), current=current)
    chosen, best = _best(folder, datasets.datasets, hidden)
    path, dataset = datasets.datasets[chosen]
    others = [one for at, one in enumerate(datasets.datasets) if at != chosen]
    found = Project(
        folder,
        dataset=_relative(path, file.parent),
        queries=len(dataset.queries),
        others=tuple((_relative(at, file.parent), len(one.queries)) for at, one in others[:SHOWN]),
        current=current,
    )
    if best is None:
        return replace(found, own_documents=len(dataset.documents), holds_corpus=True)
    return replace(found, **_about(folder, file, best))


def _best(
    folder: Path, datasets: Sequence[tuple[Path, Dataset]], hidden: Sequence[Path]
) -> tuple[int, CorpusFolder | None]:
    """Choose the first dataset whose references are found, or that has its own documents."""
    first: tuple[int, CorpusFolder | None] | None = None
    read: dict[object, Listing] = {}
    for at, (_, dataset) in enumerate(datasets):
        if dataset.documents or _has_corpus(dataset):
            return at, None
        place = choose_folder(folder, dataset, hidden, read=read)
        if place.searched:
            return at, place
        first = first or (at, place)
    return first or (0, None)


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
