"""A dataset whose queries name collections -> a dataset for each of them, with its own corpus."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from assay.benchmarks.file.problems import BenchmarkProblems, KeyPath
from assay.errors import AssayError
from assay.records import Collection
from assay.text.count_noun import count_noun
from assay.text.join_list import first_named
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote, quote_value

__all__ = ["is_split", "split_collections"]

KEY = "collections"
SHOWN = 5  # names in a message
EXAMPLE = "expected a folder with a corpus per collection, or e.g. {collections: {NAME: PATH}}"


def is_split(corpus: object) -> bool:
    """Tell whether a corpus is given for each collection."""
    return isinstance(corpus, Mapping) and KEY in corpus


def split_collections(
    one: Collection, path: KeyPath, found: BenchmarkProblems, *, home: str, prefix: str = ""
) -> Iterator[Collection]:
    """Yield a dataset for each collection that queries name; problems go to ``found``.

    With a ``prefix``, the names of the datasets begin with it.
    """
    given = dict(one.corpus) if isinstance(one.corpus, Mapping) else {}
    places, place = given.pop(KEY, None), (*path, "corpus", KEY)
    if not _is_place(places):
        found.add(place, f"invalid value {quote_value(places)}", EXAMPLE)
        return
    named = _named(one, path, found)
    if named is None:
        yield one
        return
    known = {name: _corpus(places, name, given) for name in named}
    missing = [name for name, its in known.items() if its is None or not _is_there(its, home)]
    if missing:
        found.add(place, *_missing(missing, places, home))
        return
    for name in named:
        yield replace(one, name=f"{prefix}{name}", corpus=known[name], only=name)


def _is_place(places: object) -> bool:
    if isinstance(places, Mapping):
        return bool(places) and all(isinstance(one, str | Mapping) for one in places.values())
    return isinstance(places, str) and bool(places.strip()) and "\0" not in places


def _named(one: Collection, path: KeyPath, found: BenchmarkProblems) -> list[str] | None:
    """List the collections that the queries of a dataset name, in their order.

    Nothing is known of a dataset that cannot be read: opening it says why, with its lines.
    """
    from assay.datasets.load import load

    try:
        reading = cast("dict[str, Any]", one.reading)
        queries = load(one.dataset, **reading).queries if one.dataset else ()
    except AssayError:
        return None
    counts = Counter(query.collection for query in queries)
    lacking = counts.pop("", 0)
    if lacking:
        number = count_noun(lacking, "query names", "queries name")
        hint = "add the collection (in RepoEval: repo) to each query, or give one corpus"
        found.add((*path, "dataset"), f"{number} no collection, which corpus.{KEY} needs", hint)
    elif one.dataset and not counts:
        found.add((*path, "dataset"), "the dataset has no queries", "check its path")
    return [] if lacking else [*counts]


def _corpus(places: Any, name: str, given: Mapping[str, Any]) -> dict[str, Any] | None:  # noqa: ANN401
    """Describe the corpus of a collection: a folder of that name, or what is given for it."""
    if isinstance(places, str):
        inside = name not in ("", ".", "..") and "/" not in name and "\\" not in name
        return {**given, "path": os.path.join(places, name)} if inside else None  # noqa: PTH118
    own = places.get(name)
    return (
        None if own is None else {**given, **(own if isinstance(own, Mapping) else {"path": own})}
    )


def _is_there(corpus: Mapping[str, Any], home: str) -> bool:
    place = corpus.get("path")
    return not isinstance(place, str) or os.path.exists(os.path.join(home, place))  # noqa: PTH110, PTH118


def _missing(missing: list[str], places: Any, home: str) -> tuple[str, str]:  # noqa: ANN401
    """Say which collections have no corpus, and what there is instead."""
    what = count_noun(len(missing), "collection has", "collections have")
    told = f"{what} no corpus: {first_named(missing, SHOWN, show=quote)}"
    if isinstance(places, Mapping):
        return told, did_you_mean(missing[0], [*map(str, places)])
    folder = os.path.join(home, places)  # noqa: PTH118
    try:
        there = sorted(one.name for one in os.scandir(folder) if one.is_dir())
    except OSError:
        return f"folder not found: {places}", "check the path, which is relative to the file"
    return told, did_you_mean(missing[0], there, otherwise=f"add a folder of that name to {places}")
