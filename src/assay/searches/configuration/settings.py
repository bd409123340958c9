"""What each setting of a configuration may be: its type, its range, or the names to choose from."""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any, Literal

from assay import catalogue
from assay.engines.words.languages import LANGUAGES, NO_LANGUAGE
from assay.models.inference.device import DEVICES
from assay.models.model_hint import model_hint, reranker_hint
from assay.searches.configuration.word_lists import NAMES, SIGNS, is_list
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["SEARCHES", "SETTINGS", "UNITS", "Setting", "in_own_words"]

# What others call the kinds of search.
SEARCHES = {
    **{"bm25": "lexical", "keyword": "lexical", "sparse": "lexical"},
    **{"semantic": "dense", "vector": "dense"},
}


Kind = Literal[
    "whole",
    "number",
    "switch",
    "text",
    "pair",
    "stage",
    "mapping",
    "price",
    "fields",
    "stop_words",
    "synonyms",
]


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: ``least`` and ``most`` bound a number, ``offers`` are the names it takes.

    ``package`` is a folder of the catalogue whose members it names instead; with ``opens`` it takes
    other texts, too (a model of a server, a folder). ``words`` are other words for its names.
    ``optional`` settings may be null. A stage is switched on or off, or has settings of its own.
    """

    kind: Kind = "text"
    least: float = 0
    most: float = math.inf
    offers: tuple[str, ...] = ()
    package: str = ""
    opens: bool = False
    words: Mapping[str, str] = field(default_factory=dict)
    optional: bool = False

    def refusal(self, value: object) -> tuple[str, str] | None:
        """Say why a value cannot be, and what can; None if it can."""
        if value is None:
            return None if self.optional else ("must not be null", f"expected {self.expected}")
        if not self._fits(value):
            return f"invalid value {quote_value(value)}", f"expected {self.expected}"
        own = (*self._own(), *self.words)
        if not isinstance(value, str) or value in own or self._opened(value):
            return None
        names = self.names()
        if not names or self._written(value) in self._spelt():
            return None
        if self.package == "models.embedders":
            return f'unknown model "{value}"', model_hint(value, names)
        if self.package == "models.rerankers":
            return f'unknown reranker "{value}"', reranker_hint(value, names)
        return f'invalid value "{value}"', did_you_mean(value, [*names, *self.words])

    def _own(self) -> Sequence[str]:
        """List the names that need no look at plugins, which takes longer than all else here."""
        return (
            catalogue.files(import_module(f"assay.{self.package}")) if self.package else self.offers
        )

    def _opened(self, value: str) -> bool:
        """Tell whether a text is no plain name, but SERVER:NAME or a folder."""
        signs = ":/\\" if self.kind == "text" else SIGNS
        return self.opens and (any(sign in value for sign in signs) or os.path.exists(value))  # noqa: PTH110

    @property
    def expected(self) -> str:
        """What may be given, in words."""
        ends = f">= {self.least:g}" if self.most == math.inf else _range(self.least, self.most)
        return {
            "whole": f"a whole number {ends}",
            "number": f"a number {ends}",
            "switch": "true or false",
            "stage": "true, false or settings, e.g. {alpha: 0.1}",
            "mapping": "settings, e.g. {kind: lancedb}",
            "price": "prices, e.g. {per_hour: 0.5} or {per_1000_queries: 0.02}",
            "pair": "two numbers from 0 to 1e5 (lexical, dense), not both 0, e.g. [0.4, 0.6]",
            "fields": "weights of fields, e.g. {title: 2, path: 0}",
            "stop_words": "a language, none, a file, or words, e.g. [the, of]",
            "synonyms": "a file, or rules, e.g. [[car, automobile], laptop => notebook]",
        }.get(self.kind) or f"one of {', '.join(self._spelt())}"

    def names(self) -> Sequence[str]:
        """List the names that it takes."""
        if self.package:
            return catalogue.names(import_module(f"assay.{self.package}"))
        return self.offers

    def _spelt(self) -> Sequence[str]:
        return [self._written(name) for name in self.names()]

    def _written(self, name: str) -> str:
        """Write a name as people do: a kind of model has hyphens where its file cannot."""
        return name.replace("_", "-") if self.opens else name

    def _fits(self, value: object) -> bool:
        if self.kind in FITTING:
            return FITTING[self.kind](value)
        whole = isinstance(value, int) or (isinstance(value, float) and self.kind == "number")
        return whole and not isinstance(value, bool) and self.least <= value <= self.most  # type: ignore[operator]


HEAVIEST = 1e5  # as of a field: sums of scores with weights stay finite numbers


def _is_pair(value: object) -> bool:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in value)
    return numbers and all(0 <= one <= HEAVIEST for one in value) and sum(value) > 0


# What values of a kind look like, other than numbers.
FITTING: dict[str, Callable[[object], bool]] = {
    "text": lambda value: isinstance(value, str) and bool(value.strip()),
    "switch": lambda value: isinstance(value, bool),
    "stage": lambda value: isinstance(value, bool | Mapping),
    "mapping": lambda value: isinstance(value, Mapping),
    "price": lambda value: isinstance(value, Mapping),
    "fields": lambda value: isinstance(value, Mapping) and bool(value),
    "pair": _is_pair,
    "stop_words": partial(is_list, "stop_words"),
    "synonyms": partial(is_list, "synonyms"),
}
MANY = 100_000
UNITS = ("document", "chunk", "symbol")
SETTINGS: dict[str, Setting] = {
    "search": Setting(offers=("hybrid", "lexical", "dense"), words=SEARCHES),
    "chunker": Setting(package="corpora.chunkers"),
    "chunk_size": Setting("whole", 1, MANY),
    "overlap": Setting("whole", 0, MANY),
    "min_chunk": Setting("whole", 0, MANY),
    "merge_below": Setting("number", 0, 1),
    "greedy": Setting("switch"),
    "lexical": Setting(package="engines.lexical", optional=True),
    "lexical_unit": Setting(offers=("auto", "document", "chunk"), optional=True),
    "k1": Setting("number", 0, 1000, optional=True),
    "b": Setting("number", 0, 1, optional=True),
    "fields": Setting("fields", optional=True),
    "language": Setting(offers=(*LANGUAGES, NO_LANGUAGE), optional=True),
    "stop_words": Setting("stop_words", offers=NAMES, opens=True, optional=True),
    "synonyms": Setting("synonyms", optional=True),
    "dense": Setting(package="engines.dense", optional=True),
    "m": Setting("whole", 2, 512, optional=True),
    "ef_construction": Setting("whole", 1, MANY, optional=True),
    "ef_search": Setting("whole", 1, MANY, optional=True),
    "lists": Setting("whole", 2, MANY, optional=True),
    "probes": Setting("whole", 1, MANY, optional=True),
    "model": Setting(package="models.embedders", opens=True, optional=True),
    "precision": Setting(offers=("int8", "float16", "float32"), optional=True),
    "device": Setting(offers=DEVICES, optional=True),
    "fusion": Setting(package="engines.fusions", optional=True),
    "weights": Setting("pair", optional=True),
    "rrf_k": Setting("whole", 1, MANY, optional=True),
    "depth": Setting("whole", 1, MANY),
    "rerank": Setting(package="models.rerankers", opens=True, optional=True),
    "rerank_depth": Setting("whole", 1, MANY, optional=True),
    "threshold": Setting("number", 0, 1, optional=True),
    "collapse": Setting(package="engines.collapses"),
    "top_k": Setting("whole", 1, MANY),
    "coherence": Setting("stage", optional=True),
    "mmr": Setting("stage", optional=True),
    "system": Setting("mapping", optional=True),
    "price": Setting("price", optional=True),
}


def in_own_words(given: Mapping[str, Any]) -> dict[str, Any]:
    """Write settings in our own words.

    >>> in_own_words({"search": "bm25"})
    {'search': 'lexical'}
    """
    return {name: _own_word(name, value) for name, value in given.items()}


def _own_word(name: str, value: Any) -> Any:  # noqa: ANN401 - what was given, which may be wrong
    if not isinstance(value, str) or name not in SETTINGS:
        return value
    return SETTINGS[name].words.get(value, value)


def _range(least: float, most: float) -> str:
    return f"from {least:,g} to {most:,.12g}"
