"""A corpus for each collection of a dataset: folders of their names, or a path for each."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.records import Corpus, Document
from assay.records.skipped_files import join_skipped
from assay.text.count_noun import count_noun
from assay.text.join_list import first_named
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote, quote_value

__all__ = ["KEY", "CollectionCorpora", "as_mapping", "is_split", "split_corpus"]

KEY = "collections"
SHORT = f"{KEY}:"  # before the folder, where only a text can be given
SHOWN = 5  # names in a message
EXAMPLE = "expected a folder with a corpus per collection, or e.g. {collections: {NAME: PATH}}"


@dataclass(frozen=True, slots=True, eq=False)
class CollectionCorpora:
    """The corpora of several collections as one; ids begin with the name of the collection."""

    name: str
    each: Mapping[str, Corpus]

    @property
    def skipped(self) -> Mapping[str, int]:
        """How many files of all of them the last reading left out, by reason."""
        return join_skipped({name: corpus.skipped for name, corpus in self.each.items()})

    def documents(
        self,
        *,
        texts: bool = True,
        hashes: bool = True,
        known: Mapping[str, str] | None = None,
    ) -> Iterator[Document]:
        """Yield the documents of one collection after another."""
        for name, corpus in self.each.items():
            for document in corpus.documents(texts=texts, hashes=hashes):
                yield replace(document, id=f"{name}/{document.id}")


def as_mapping(corpus: object) -> object:
    """Return ``collections:FOLDER`` as a mapping, and anything else as it is.

    >>> as_mapping("collections:repositories")
    {'collections': 'repositories'}
    """
    if isinstance(corpus, str) and corpus.startswith(SHORT):
        return {KEY: corpus.removeprefix(SHORT)}
    return corpus


def is_split(corpus: object) -> bool:
    """Tell whether a corpus is given for each collection."""
    return isinstance(corpus, Mapping) and KEY in corpus


def split_corpus(
    corpus: Mapping[str, Any], names: Sequence[str], *, relative_to: str | Path = ""
) -> dict[str, dict[str, Any]]:
    """Describe the corpus of each collection; other settings are those of every one."""
    given, home = dict(corpus), os.fspath(relative_to)
    places = given.pop(KEY)
    if not _is_place(places):
        raise InputError(f"invalid value {quote_value(places)}", hint=EXAMPLE)
    known = {name: _corpus(places, name, given) for name in names}
    there = {name: its for name, its in known.items() if its and _is_there(its, home)}
    if missing := [name for name in names if name not in there]:
        raise _missing(missing, places, home)
    return there


def _is_place(places: object) -> bool:
    if isinstance(places, Mapping):
        return bool(places) and all(isinstance(one, str | Mapping) for one in places.values())
    return isinstance(places, str) and bool(places.strip()) and "\0" not in places


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


def _missing(missing: list[str], places: Any, home: str) -> InputError:  # noqa: ANN401
    """Say which collections have no corpus, and what there is instead."""
    what = count_noun(len(missing), "collection has", "collections have")
    told = f"{what} no corpus: {first_named(missing, SHOWN, show=quote)}"
    if isinstance(places, Mapping):
        return InputError(told, hint=did_you_mean(missing[0], [*map(str, places)]))
    try:
        there = sorted(one.name for one in os.scandir(os.path.join(home, places)) if one.is_dir())  # noqa: PTH118
    except OSError:
        return InputError(f"folder not found: {places}", hint="check the path")
    hint = did_you_mean(missing[0], there, otherwise=f"add a folder of that name to {places}")
    return InputError(told, hint=hint)
