"""Make: a family + a seed -> a dataset whose truth is known, saved with what belongs to it."""

import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay import catalogue
from assay.columns.files.atomic_write import FOLDER
from assay.datasets import families
from assay.datasets.family_settings import family_settings
from assay.datasets.save import save
from assay.errors import InputError, UnknownNameError, UsageError
from assay.records import Code, Dataset, Document, GeneratedDataset, Track, untracked
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["make"]

Family = Callable[..., GeneratedDataset]
DATASET, CORPUS = "dataset.json", "corpus.jsonl"
VECTORS = ("document_vectors", "query_vectors")
KEPT = ("title", "text", "uri", "path", "file_name", "language")


def make(
    family: str,
    output: str | Path | None = None,
    *,
    corpus: str | Path | Mapping[str, Any] | None = None,
    force: bool = False,
    track: Track = untracked,
    **settings: Any,  # noqa: ANN401
) -> GeneratedDataset:
    """Generate a dataset of a family, and save it to the folder ``output`` if given.

    ``settings`` are those of the family, e.g. ``seed`` and ``queries``. ``corpus`` is the code for
    repoeval and git-history. A folder that is not empty is an error unless ``force`` is set.

    >>> made = make("exact-match", queries=3, documents=20, seed=7)
    >>> len(made.dataset.queries), len(made.dataset.documents)
    (3, 20)
    """
    member = _found(family)
    if output is not None:
        _refuse_full(Path(output), force=force)
        _refuse_own(Path(output), corpus)
    _check(family, member, settings)
    settings |= _outside(corpus, output, member, settings)
    made = member(**settings, **_brought(family, member, corpus, track))
    made = replace(made, dataset=_signed(made, family, member, settings))
    return made if output is None else _save_made(made, Path(output), track=track)


def _found(family: str) -> Family:
    """Find a family by the name that people type, with dashes."""
    known = [name.replace("_", "-") for name in catalogue.names(families)]
    name = family.replace("_", "-") if isinstance(family, str) else ""
    if name not in known:
        hint = did_you_mean(name, known, otherwise=f"available: {', '.join(known)}")
        raise UnknownNameError(f'unknown family "{family}"', hint=hint)
    member: Family = catalogue.find(families, name.replace("-", "_"))  # type: ignore[assignment]
    return member


def _refuse_full(folder: Path, *, force: bool) -> None:
    if folder.exists() and not folder.is_dir():
        hint = "specify a folder"
        raise InputError("is a file, not a folder", where=str(folder), hint=hint)
    if not force and folder.is_dir() and any(folder.iterdir()):
        hint = "use another folder, or --force to write to it"
        raise InputError("is not empty", where=str(folder), hint=hint)


def _refuse_own(folder: Path, corpus: object) -> None:
    """Refuse to overwrite the documents that the dataset is made of."""
    place = corpus.get("path") if isinstance(corpus, Mapping) else corpus
    written = (folder / CORPUS).resolve()
    if not isinstance(place, str | Path) or "\0" in str(place) or not written.is_file():
        return
    if Path(place).resolve() in (written, written.parent):
        hint = "write the dataset to another folder"
        raise InputError("would be overwritten", where=str(written), hint=hint)


def _check(family: str, member: Family, settings: Mapping[str, Any]) -> None:
    """Refuse settings that the family does not have, or of a type that it cannot use."""
    known = family_settings(member)
    for name, value in settings.items():
        if name not in known:
            hint = did_you_mean(name, known, otherwise=f"available: {', '.join(known)}")
            raise InputError(f'unknown setting "{name}"', where=family, hint=hint)
        if not known[name].takes(value):
            hint = f"expected {known[name].expected}"
            raise InputError(f"{name}: invalid value {quote_value(value)}", where=family, hint=hint)


def _outside(
    corpus: object, output: str | Path | None, member: Family, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Keep what is written from becoming part of the code that is searched."""
    place = Path(corpus) if isinstance(corpus, str | Path) else None
    if output is None or place is None or "exclude" not in family_settings(member):
        return {}
    inside, folder = Path(output).resolve(), place.resolve()
    if folder not in inside.parents:
        return {}
    own = f"/{inside.relative_to(folder).as_posix()}/"
    return {"exclude": (*settings.get("exclude", ()), own)}


def _brought(
    family: str, member: Family, corpus: str | Path | Mapping[str, Any] | None, track: Track
) -> dict[str, Any]:
    """Bring what a family works on: where the code is, and what reads it and takes it apart."""
    if "code" not in inspect.signature(member).parameters:
        if corpus is not None:
            hint = "omit the corpus"
            raise UsageError(f"{family} generates its own documents", hint=hint)
        return {}
    if corpus is None:
        raise UsageError(f"{family} needs code", hint="specify it: --corpus FOLDER")
    from assay.corpora.open_corpus import open_corpus
    from assay.corpora.programs.calls import calls
    from assay.corpora.programs.definitions import definitions
    from assay.corpora.refuse_empty import refuse_empty

    refuse_empty(open_corpus(_described(corpus)), unread=True)
    return {"code": Code(_described(corpus), open_corpus, definitions, calls, track)}


def _described(corpus: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """Say where a corpus is in the way a dataset's file says it."""
    if isinstance(corpus, Mapping):
        return dict(corpus)
    text = str(corpus)
    if text == "stdlib":
        return {"source": "stdlib"}
    if not text.startswith("git:"):
        return {"path": text}
    path, at, revision = text.removeprefix("git:").rpartition("@")
    if not at or not Path(path).is_dir():
        return {"source": "git", "path": text.removeprefix("git:")}
    return {"source": "git", "path": path, "revision": revision}


def _signed(
    made: GeneratedDataset, family: str, member: Family, settings: Mapping[str, Any]
) -> Dataset:
    """Write into a dataset how it was made, so that it can be made again."""
    known = family_settings(member)
    chosen = {name: settings.get(name, setting.default) for name, setting in known.items()}
    told = {
        name: list(value) if isinstance(value, tuple) else value for name, value in chosen.items()
    }
    metadata = {**made.dataset.metadata, "family": family.replace("_", "-"), "settings": told}
    if made.left_out:
        metadata["left_out"] = dict(made.left_out)
    return replace(made.dataset, metadata=metadata, home=str(Path.cwd()))


def _save_made(made: GeneratedDataset, folder: Path, *, track: Track) -> GeneratedDataset:
    """Write a folder, and return what was made with the corpus as the folder names it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _clear(folder)
        made = _with_corpus(made, folder, track)
        _write_vectors(made, folder)
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise InputError(problem, where=str(folder), hint=FOLDER) from None
    save(replace(made.dataset, documents=()), folder / DATASET, format="assay_json")
    return made


def _clear(folder: Path) -> None:
    """Remove what an earlier dataset left, which would be taken for a part of this one."""
    for name in (DATASET, CORPUS, *(f"{name}.npy" for name in VECTORS)):
        (folder / name).unlink(missing_ok=True)


def _with_corpus(made: GeneratedDataset, folder: Path, track: Track) -> GeneratedDataset:
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


def _write_vectors(made: GeneratedDataset, folder: Path) -> None:
    import numpy as np

    for name in VECTORS:
        vectors = getattr(made, name)
        if vectors is not None:
            np.save(folder / f"{name}.npy", vectors, allow_pickle=False)
