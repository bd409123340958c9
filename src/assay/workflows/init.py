"""Init: a folder -> a benchmark file for it, with a comment for every line that one may change."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from assay.benchmarks.resolving import resolve_in
from assay.errors import AssayError, InputError
from assay.records import Dataset
from assay.workflows._nearby import Searched, datasets_near, documents_near, folders_of, opened
from assay.workflows._starter import Found, starter

__all__ = ["Started", "init"]

NAME = "assay.yaml"


@dataclass(frozen=True, slots=True)
class Started:
    """The file that was written, what was found for it, and what to do next."""

    file: str
    text: str
    dataset: str = ""
    queries: int = 0
    corpus: str = ""
    documents: int = 0
    next: str = ""


def init(
    folder: str | Path = ".", *, output: str | Path | None = None, force: bool = False
) -> Started:
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
    text = starter(found, file=str(file))
    _write(file, text)
    return Started(
        file=str(file),
        text=text,
        dataset=found.dataset,
        queries=found.queries,
        corpus=found.corpus,
        documents=found.searched.documents if found.searched else found.own_documents,
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


def _found(folder: Path, file: Path) -> Found:
    """Look for a dataset, and for documents that it is about."""
    found = Found(folder=folder)
    path, dataset = next(datasets_near(folder, but=file), (None, None))
    if dataset is None or path is None:
        return replace(found, searched=documents_near(opened(folder, ".", (), (f"/{NAME}",))))
    name = _relative(path, file.parent)
    found = replace(found, dataset=name, queries=len(dataset.queries))
    if dataset.documents or dataset.corpus:
        return replace(found, own_documents=len(dataset.documents), holds_corpus=True)
    left = (f"/{_relative(path, folder)}", f"/{_relative(file, folder)}")
    place, searched, share = _corpus(folder, dataset, left)
    corpus = _relative((folder / place).resolve(), file.parent)
    endings = tuple(one.removeprefix("**/*") for one in searched.include) if searched else ()
    kept = tuple(one for one in _seen_from(place, left) if one.endswith(endings))
    return replace(found, corpus=corpus, exclude=kept, searched=searched, resolved=share)


def _corpus(
    folder: Path, dataset: Dataset, exclude: tuple[str, ...]
) -> tuple[str, Searched | None, float]:
    """Choose the folder in which most references of the dataset are found."""
    tried = []
    for place in folders_of(folder):
        searched = documents_near(opened(folder, place, (), _seen_from(place, exclude)))
        if searched is None:
            continue
        tried.append((_share(folder, place, dataset, searched, exclude), place, searched))
    if not tried:
        return ".", None, 0.0
    share, place, searched = max(tried, key=lambda one: one[0])  # the first of equals
    return place, searched, share


def _share(
    folder: Path, place: str, dataset: Dataset, searched: Searched, exclude: tuple[str, ...]
) -> float:
    try:
        corpus = opened(folder, place, searched.include, _seen_from(place, exclude))
        found = resolve_in(corpus, dataset)
    except AssayError:
        return 0.0
    return found.resolved / found.total if found.total else 0.0


def _relative(path: Path, start: Path) -> str:
    return Path(os.path.relpath(path, start)).as_posix()


def _seen_from(place: str, left: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(None, (_inside(one, place) for one in left)))


def _inside(left: str, place: str) -> str:
    """Name what is left out as seen from a folder; nothing if it is elsewhere.

    A dataset among the documents holds the queries word for word.
    """
    if "/.." in left:
        return ""
    return left if place == "." else left.removeprefix(f"/{place}") * left.startswith(f"/{place}/")
