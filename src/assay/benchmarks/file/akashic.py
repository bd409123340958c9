"""Akashic's configurations -> ours: a model, a reranker that is switched, and a chunk size."""

from collections.abc import Mapping
from typing import Any, TypeGuard

from assay.benchmarks.file.problems import BenchmarkProblems, KeyPath, refuse_both_keys
from assay.searches.configuration.named_models import beside, unopened
from assay.text.quote import quote_value

__all__ = ["ALIASES", "DEFAULTS", "from_akashic", "is_akashic", "is_suites", "words_of"]

KEYS = ("embedding_model", "use_reranker", "reranker_model")
WORDS = {"model": "embedding_model", "rerank": "use_reranker"}
DEFAULTS = {"search": "dense"}  # by vectors, as Akashic does, unless a file says otherwise
# What others call the shipped models.
ALIASES = {
    "all-minilm-l6-v2": "minilm",
    "sentence-transformers/all-minilm-l6-v2": "minilm",
    "sentence-transformers:all-minilm-l6-v2": "minilm",
    "wordllama": "static",
}
MODEL = "use minilm or static, a folder with model.onnx and tokenizer.json, or e.g. "
MODEL += "ollama:nomic-embed-text or openai:text-embedding-3-small"
RERANKER = "remove reranker_model to use maxsim, or use cross-encoder:FOLDER"


def is_akashic(given: object) -> bool:
    """Tell whether a configuration is one of Akashic's."""
    return isinstance(given, Mapping) and any(key in given for key in KEYS)


def is_suites(given: object) -> TypeGuard[Mapping[Any, list[Any]]]:
    """Tell whether a whole file is a mapping of Akashic's suites: names of lists."""
    if not isinstance(given, Mapping) or not given:
        return False
    lists = all(isinstance(one, list) and one for one in given.values())
    return lists and any(is_akashic(one) for its in given.values() for one in its)


def from_akashic(
    given: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems, *, home: str
) -> dict[str, Any]:
    """Translate one configuration; what cannot be applied here goes to ``found``."""
    ours = {key: value for key, value in given.items() if key not in KEYS}
    for word, theirs in words_of(given).items():
        if word in ours:
            refuse_both_keys((*path, word), (*path, theirs), found)
    if "embedding_model" in given:
        ours["model"] = _model(given["embedding_model"], (*path, "embedding_model"), found, home)
    if "rerank" in words_of(given):
        ours["rerank"] = _reranker(given, path, found, home)
    return ours


def words_of(given: Mapping[str, Any]) -> dict[str, str]:
    """Return what a configuration calls our settings, of those that it has in Akashic's words."""
    said = {ours: theirs for ours, theirs in WORDS.items() if theirs in given}
    named = given.get("reranker_model") not in (None, "None")
    return said | ({"rerank": "reranker_model"} if named and "rerank" not in said else {})


def _model(value: object, path: KeyPath, found: BenchmarkProblems, home: str) -> object:
    if isinstance(value, list):
        return [_model(one, (*path, at), found, home) for at, one in enumerate(value)]
    known = ALIASES.get(value.lower(), value) if isinstance(value, str) else value
    if isinstance(known, str) and [*unopened({"model": beside(known, home)})]:
        found.add(path, f'model "{known[:100]}" is not available on this machine', MODEL)
        return "minilm"
    return known


def _reranker(
    given: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems, home: str
) -> object:
    """Take the one that is named where it is switched on, and MaxSim where none is."""
    used, many = given.get("use_reranker", False), isinstance(given.get("use_reranker"), list)
    switches = used if many else [used]
    for one in (one for one in switches if not isinstance(one, bool)):
        what = f"invalid value {quote_value(one)}"
        found.add((*path, "use_reranker"), what, "expected true or false")
    named = _named(given, path, found, home, is_used=True in switches)
    chosen = [named if one is True else None for one in switches]
    return chosen if many else chosen[0]


def _named(
    given: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems, home: str, *, is_used: bool
) -> str:
    named, place = given.get("reranker_model"), (*path, "reranker_model")
    if named in (None, "None"):
        return "maxsim"
    if not isinstance(named, str):
        found.add(place, f"invalid value {quote_value(named)}", RERANKER)
    elif not is_used:
        hint = "remove it, or add use_reranker: true"
        found.add(place, "reranker_model has no effect without use_reranker: true", hint)
    elif [*unopened({"rerank": beside(named, home), "model": "minilm"})]:
        what = f'reranker "{named[:100]}" is not available on this machine'
        found.add(place, what, RERANKER)
    else:
        return named
    return "maxsim"
