"""Init: a folder -> a benchmark file for it, with a comment for every line that one may change."""

import os
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from assay.benchmarks.starter.candidates import find_datasets
from assay.benchmarks.starter.corpus_folder import CorpusFolder, choose_folder, pattern_of
from assay.benchmarks.starter.starter_file import Project, starter_file
from assay.errors import InputError

__all__ = ["InitResult", "init"]

NAME = "assay.yaml"
SHOWN = 4  # datasets that are named


@dataclass(frozen=True, slots=True)
class InitResult:
    """The file that was written, what was found for it, and what to do next.

    ``others`` are further datasets; one that ``holds_corpus`` needs no documents here. ``folders``
    are those that are searched, if several; ``left_out`` hold documents, too, or are copies.
    """

    file: str
    text: str
    dataset: str = ""
    queries: int = 0
    corpus: str = ""
    documents: int = 0
    others: tuple[str, ...] = ()
    holds_corpus: bool = False
    folders: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    next: str = ""


def init(
    folder: str | Path = ".", *, output: str | Path | None = None, force: bool = False
) -> InitResult:
    """Write a benchmark file for a folder: its dataset, its documents, and what fits them.

    ``output`` is the file, by default assay.yaml in the folder; one that is there is kept unless
    ``force``.
    """
    place = Path(folder)
    if not place.is_dir():
        raise InputError("is no folder", where=str(folder), hint="name the folder of your project")
    file = place / NAME if output is None else Path(output)
    _refuse_taken(file, force=force)
    found = _found(place.resolve(), file.resolve())
    text = starter_file(found, file=str(file))
    _write(file, text)
    return InitResult(
        file=str(file),
        text=text,
        dataset=found.dataset,
        queries=found.queries,
        corpus=found.corpus if found.searched else "",
        documents=found.searched.documents if found.searched else found.own_documents,
        others=found.others_told,
        holds_corpus=found.holds_corpus,
        folders=found.place.folders,
        left_out=found.place.left_out,
        next=found.next(str(file), str(folder)),
    )


def _refuse_taken(file: Path, *, force: bool) -> None:
    if file.is_dir():
        raise InputError("is a folder", where=str(file), hint="name a file: -o FILE")
    if file.exists() and not force:
        hint = "--force writes over it; -o FILE writes elsewhere"
        raise InputError("is there already, and is kept", where=str(file), hint=hint)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        what = f"cannot be written ({error.strerror or error})"
        raise InputError(what, where=str(file), hint="name another file: -o FILE") from None


def _found(folder: Path, file: Path) -> Project:
    """Look for a dataset, and for documents that it is about."""
    datasets = [*islice(find_datasets(folder, but=file), SHOWN)]
    named = [_relative(path, folder) for path in (*(path for path, _ in datasets), file)]
    left = tuple(pattern_of(one) for one in named if not one.startswith(".."))
    if not datasets:
        return Project(folder, **_about(folder, file, choose_folder(folder, None, left)))
    (path, dataset), *others = datasets
    found = Project(
        folder,
        dataset=_relative(path, file.parent),
        queries=len(dataset.queries),
        others=tuple((_relative(at, file.parent), len(one.queries)) for at, one in others),
    )
    if dataset.documents or dataset.corpus:
        return replace(found, own_documents=len(dataset.documents), holds_corpus=True)
    return replace(found, **_about(folder, file, choose_folder(folder, dataset, left)))


def _about(folder: Path, file: Path, place: CorpusFolder) -> dict[str, Any]:
    return {"place": place, "corpus": _relative((folder / place.path), file.parent)}


def _relative(path: Path, start: Path) -> str:
    return Path(os.path.relpath(path, start)).as_posix()
