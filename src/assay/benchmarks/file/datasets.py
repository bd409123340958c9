"""The datasets of a benchmark file: one dataset and its corpus, or several of them."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.benchmarks.file.criteria import without_null
from assay.benchmarks.file.judged_datasets import (
    judged_instead,
    judged_parts,
    replaced_by,
    stem_of,
)
from assay.benchmarks.file.problems import MOST_LISTED, BenchmarkProblems, KeyPath
from assay.benchmarks.file.split_collections import split_collections
from assay.columns.files.near_file import near_file
from assay.corpora.per_collection import as_mapping, is_split
from assay.corpora.size_limit import with_limit
from assay.errors import AssayError, InputError
from assay.records import Collection
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["COLLECTION", "READING", "VECTORS", "instead", "listed_datasets", "with_limits"]

COLLECTION = ("dataset", "corpus", "name")
READING = ("binary", "subtopics")  # how judgments are read: keys of a dataset beside its path
VECTORS = "vectors"  # the key of a dataset, or of a corpus, that brings them
HINT = "add dataset: PATH, or the name of a shipped dataset, e.g. dataset: stdlib"
SEVERAL = "list several under datasets, e.g. datasets: [a.json, b.json]"


def listed_datasets(
    given: Mapping[str, Any], found: BenchmarkProblems, home: str
) -> list[Collection]:
    """Read the datasets, one or several, each with its corpus and its name."""
    several = given.get("datasets")
    if several is None:
        return [*_expanded(_collection(given, [], found, home), [], found, home)]
    if given.get("dataset") is not None:
        hint = "list all of them under datasets, or keep one dataset"
        found.add(["datasets"], "datasets and dataset cannot be combined", hint)
    items = _listed(several)
    if not isinstance(items, list) or not items or len(items) > MOST_LISTED:
        hint = "expected a list, e.g. [{dataset: a.json, corpus: a}, {dataset: b.json, corpus: b}]"
        found.add(["datasets"], f"invalid value {quote_value(several)}", hint)
        return []
    corpus = given.get("corpus")
    each = [_item(one, at, found, home, corpus) for at, one in enumerate(items)]
    paths: list[KeyPath] = [["datasets", at] for at in range(len(each))]
    parted = (_expanded(one, path, found, home) for one, path in zip(each, paths, strict=True))
    read = [part for parts in parted for part in parts]
    if corpus is not None and all(isinstance(one, dict) and one.get("corpus") for one in items):
        what = "corpus has no effect: every dataset has a corpus of its own"
        found.add(["corpus"], what, "remove it")
    _refuse_twice(read, found)
    return read


def _expanded(
    one: Collection, path: KeyPath, found: BenchmarkProblems, home: str
) -> Iterator[Collection]:
    """Yield the datasets of a file that holds a list of them; any other as it is.

    Where a corpus is given for each collection, each is a dataset of its own.
    """
    from assay.datasets.dataset_list import read_list

    if is_split(one.corpus):
        prefix = f"{one.name}:" if path else ""
        for file in judged_parts(one.dataset) or [one.dataset]:
            part = replace(one, dataset=file)
            yield from split_collections(part, path, found, home=home, prefix=prefix)
        return
    parts = read_list(one.dataset) if one.dataset else {}
    if len(parts) < 2:
        yield one
    for name in parts if len(parts) > 1 else ():
        yield replace(one, name=name, dataset=f"{one.dataset}#{name}")


def instead(
    given: Mapping[str, Any], dataset: str | Path | None, corpus: object, *, home: str
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Replace the file's dataset or corpus by another; name several datasets that are replaced.

    Their paths are relative to the working directory, unlike those of a file. Another dataset is
    run over the file's corpus, as one with further judgments is, unless it names or holds its own.
    A folder with a file for each of several datasets, as `assay judge` writes it, replaces them.
    """
    changed, gone_for_it = dict(given), tuple[str, ...]()
    several = _listed(given.get("datasets"))
    judged = None if dataset is None else judged_instead(several, dataset)
    if judged:
        changed["datasets"] = judged
    elif dataset is not None:
        gone_for_it = replaced_by(several, dataset, home=home)
        own = "corpus" in changed and (corpus is not None or _has_corpus(str(dataset)))
        gone = {"dataset", "datasets", *(["corpus"] if own else [])}
        changed = {k: v for k, v in changed.items() if k not in gone}
        many = str(dataset) == "all" and not Path("all").exists()
        changed |= {"datasets": "all"} if many else {"dataset": _placed(str(dataset))}
    if corpus is not None:
        changed["corpus"] = _placed(corpus)
    return changed, gone_for_it


def with_limits(given: Mapping[str, Any], max_file_size: int | str | None) -> dict[str, Any]:
    """Give each corpus of a benchmark the largest size of a file."""
    changed, several = dict(given), given.get("datasets")
    if max_file_size is None:
        return changed
    items = several if isinstance(several, list) else [changed]
    own = [isinstance(one, dict) and one.get("corpus") is not None for one in items]
    if several is not None and any(own):
        changed["datasets"] = [
            {**one, "corpus": with_limit(one["corpus"], max_file_size)} if has else one
            for one, has in zip(items, own, strict=True)
        ]
    if several is None or not all(own):
        changed["corpus"] = with_limit(changed.get("corpus"), max_file_size)
    return changed


def _has_corpus(dataset: str) -> bool:
    """Tell whether a dataset brings its own corpus; all that come with Assay do."""
    if judged_parts(dataset):
        return False
    if "\0" in dataset or not os.path.exists(dataset):  # noqa: PTH110
        return True
    from assay.datasets.load import load

    try:
        read = load(dataset)
    except AssayError:  # told where it is opened
        return True
    return bool(read.documents or read.corpus)


def _placed(value: object) -> object:
    """Make a path that exists independent of the folder of the file."""
    value = as_mapping(value)
    if isinstance(value, Mapping):
        keys = ("path", "repository", "collections", VECTORS, "ids")
        return {k: _placed(v) if k in keys else v for k, v in value.items()}
    text = str(value) if isinstance(value, Path) else value
    if isinstance(text, str) and text.startswith("git:"):
        return f"git:{os.path.abspath(text.removeprefix('git:'))}"  # noqa: PTH100
    if isinstance(text, str) and "\0" not in text and os.path.exists(text):  # noqa: PTH110
        return os.path.abspath(text)  # noqa: PTH100
    return text


def _listed(several: object) -> object:
    if several != "all":
        return several
    from assay.datasets.load import FAMILIES

    return [*FAMILIES]


def _item(one: object, at: int, found: BenchmarkProblems, home: str, corpus: object) -> Collection:
    path: KeyPath = ["datasets", at]
    given = {"dataset": one} if isinstance(one, str) else one
    if not isinstance(given, dict):
        hint = "expected a path or a mapping, e.g. {dataset: queries.json, corpus: src}"
        found.add(path, f"invalid dataset {quote_value(one)}", hint)
        return Collection("", "")
    for key in (key for key in given if key not in COLLECTION):
        what = f'unknown key "{str(key)[:60]}"'
        found.add([*path, str(key)], what, did_you_mean(str(key), COLLECTION))
    if given.get("corpus") is not None:
        return _collection(given, path, found, home)
    return replace(_collection(given, path, found, home), corpus=_corpus(corpus, [], found, home))


def _collection(
    given: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems, home: str
) -> Collection:
    vectors = _query_vectors(given, path, found, home)
    given, reading = _with_path(given, path, found)
    dataset = _dataset(given, path, found, home)
    name = given.get("name") if path else ""
    if name is not None and (not isinstance(name, str) or (path and not name.strip())):
        found.add([*path, "name"], f"invalid value {quote_value(name)}", "expected text")
        name = None
    stem = stem_of(dataset) if dataset else ""
    corpus = _corpus(given.get("corpus"), path, found, home)
    return Collection(name if name is not None else stem, dataset, corpus, reading, vectors=vectors)


def _with_path(
    given: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems
) -> tuple[Mapping[str, Any], dict[str, bool]]:
    """Take the path of a dataset that is a mapping, and how its judgments are read."""
    dataset = given.get("dataset")
    if not isinstance(dataset, Mapping):
        return given, {}
    value = without_null(dataset, (*READING, VECTORS))
    keys = ("path", *READING, VECTORS)
    for key, one in value.items():
        if key not in keys:
            what = f'unknown key "{str(key)[:60]}"'
            found.add([*path, "dataset", str(key)], what, did_you_mean(str(key), keys))
        elif key in READING and not isinstance(one, bool):
            what = f"invalid value {quote_value(one)}"
            found.add([*path, "dataset", key], what, "expected true or false")
    reading = {key: value[key] for key in READING if value.get(key) is True}
    return {**given, "dataset": value.get("path")}, reading


def _query_vectors(
    given: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems, home: str
) -> str | Mapping[str, object] | None:
    """Take what a dataset that is a mapping says of the vectors of its queries."""
    dataset = given.get("dataset")
    value = dataset.get(VECTORS) if isinstance(dataset, Mapping) else None
    _refuse_vectors(value, [*path, "dataset", VECTORS], found, home)
    return value if isinstance(value, str | Mapping) else None


def _refuse_vectors(value: object, path: KeyPath, found: BenchmarkProblems, home: str) -> None:
    """Look for a file of vectors, of which nothing is read yet."""
    from assay.models.given.location import vectors_at

    try:
        _ = None if value is None else vectors_at(value, relative_to=home)
    except InputError as error:
        place = "" if error.where == VECTORS else f"{error.where}: "
        found.add(path, f"{place}{error.problem}", error.hint)


def _dataset(given: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems, home: str) -> str:
    value = given.get("dataset")
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        what = "no dataset specified" if value is None else f"invalid value {quote_value(value)}"
        hint = SEVERAL if isinstance(value, list) and not path else HINT
        if hint == HINT and "mapping_id" in given:  # of Semantik's database, which has both
            hint += f", in place of mapping_id {quote_value(given['mapping_id'])}"
        found.add([*path, "dataset"], what, hint)
        return ""
    place = _dataset_place(value, home)
    if place is None:
        hint = _nearby(value, home, but=found.where)
        found.add([*path, "dataset"], f'unknown dataset "{value[:200]}"', hint)
    return place or ""


def _corpus(
    value: object, path: KeyPath, found: BenchmarkProblems, home: str
) -> str | dict[str, Any] | None:
    if value is None or (isinstance(value, str | dict) and value):
        if not is_split(value):
            _refuse_missing(value, path, found, home)
        return value
    hint = "expected a path or a mapping, e.g. {path: src, include: ['**/*.py']}"
    found.add([*path, "corpus"], f"invalid value {quote_value(value)}", hint)
    return None


def _refuse_missing(
    value: str | dict[str, Any] | None, path: KeyPath, found: BenchmarkProblems, home: str
) -> None:
    """Open the corpus, of which nothing is read yet: a problem is reported with its line."""
    from assay.corpora.open_corpus import open_corpus

    vectors = value.get(VECTORS) if isinstance(value, dict) else None
    _refuse_vectors(vectors, [*path, "corpus", VECTORS], found, home)
    try:
        _ = None if value is None else open_corpus(value, relative_to=home)
    except InputError as error:
        place = "" if error.where in ("", "corpus") else f"{error.where}: "
        found.add([*path, "corpus"], f"{place}{error.problem}", error.hint)


def _refuse_twice(read: list[Collection], found: BenchmarkProblems) -> None:
    names = [one.name for one in read]
    for at, name in enumerate(names):
        if name and name in names[:at]:
            hint = "give each dataset a unique name: {dataset: ..., name: ...}"
            found.add(["datasets", at], f'duplicate dataset name "{name[:60]}"', hint)


def _dataset_place(name: str, home: str) -> str | None:
    """Find a dataset: a path beside the file, a shipped name, a family, or a catalogue's."""
    from assay.datasets.load import FAMILIES, PREFIX, shipped_names

    place = os.path.join(home, name)  # noqa: PTH118 - never raises
    if os.path.exists(place):  # noqa: PTH110
        return place
    known = name in shipped_names() or name in FAMILIES or name.startswith(PREFIX)
    return name if known else None


def _nearby(name: str, home: str, *, but: str = "") -> str:
    """Name the folder that was searched, and a file with a similar name other than ``but``."""
    folder, last = os.path.split(os.path.join(home, name))  # noqa: PTH118
    try:
        others = [one for one in os.listdir(folder or ".") if one != os.path.basename(but)]  # noqa: PTH119, PTH208
    except (OSError, ValueError):
        others = []
    close = near_file(last, others)
    looked = "the current folder" if folder in ("", ".") else folder[:200]
    if close:
        return f'did you mean "{close}" in {looked}?'
    return f"no file or folder of that name in {looked}, and no shipped dataset; check the path"
