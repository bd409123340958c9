"""Settings of lexical search: which engine takes them, and what they come to."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from assay.engines.words.languages import DEFAULT, LISTED, NO_LANGUAGE
from assay.records import Configuration
from assay.searches.configuration.member_settings import takes
from assay.searches.configuration.problem import Problem
from assay.searches.configuration.word_lists import LISTS, fixed

__all__ = ["BM25", "LEXICAL", "engine_of", "idle_in_engine", "lexical_of"]

BM25 = {"k1": 1.2, "b": 0.75}  # what engines have built in that do not let it be chosen
LEXICAL = (*BM25, "fields", "language", *LISTS)
USUAL = Configuration().lexical
_unused = partial(Problem, idle=True)


def engine_of(given: Mapping[str, Any]) -> str:
    """Return the lexical engine: by default the usual one, unless it cannot have these settings."""
    told = any(given.get(name) is not None for name in BM25)
    return str(given.get("lexical") or ("postings" if told else USUAL))


def idle_in_engine(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Name what an engine cannot be told; what it has built in may be given."""
    engine = engine_of(given)
    other = [name for name in LEXICAL if given.get(name) not in (None, BM25.get(name))]
    known = takes("engines.lexical", engine) if other else {}
    for name in (name for name in other if name not in known):
        if name in BM25:
            what = (
                f"has no effect with lexical: {engine}, which has {name} = {BM25[name]:g} built in"
            )
            yield _unused(name, what, "remove it, or use lexical: postings")
        else:
            hint = "remove it, or use lexical: tantivy or postings"
            yield _unused(name, f"is not supported with lexical: {engine}", hint)
    if given.get("k1") == 0 and given.get("b") is not None:
        what = "has no effect with k1: 0, with which each term counts once, however long a field is"
        yield _unused("b", what, "remove it, or raise k1")
    weights = given.get("fields") or {}
    if len(weights) == 4 and not any(weights.values()):
        yield Problem("fields", "must not all be 0", "give at least one field a weight")


def lexical_of(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in the settings of an engine; those that are as usual are not told."""
    engine = chosen["lexical"]
    if engine is None:
        return dict.fromkeys(LEXICAL)
    known = takes("engines.lexical", engine) if engine != USUAL else {}
    given = {name: usual if chosen[name] is None else chosen[name] for name, usual in BM25.items()}
    own = {name: float(one) if name in known else None for name, one in given.items()}
    weights = chosen["fields"]
    fields = {name: float(one) for name, one in sorted(weights.items())} if weights else None
    return {**own, "fields": fields, **_words_of(chosen)}


def _words_of(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Let the language choose the stop words; English and its own are the default."""
    language = chosen["language"] or DEFAULT
    stopped = fixed(chosen["stop_words"])
    if stopped is None:
        stopped = language if language in LISTED else NO_LANGUAGE
    usual = language == DEFAULT and stopped == DEFAULT
    return {
        "language": None if language == DEFAULT else language,
        "stop_words": None if usual else stopped,
        "synonyms": fixed(chosen["synonyms"]),
    }
