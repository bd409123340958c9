"""sia-code's configurations -> ours: a vector weight, chunk sizes in characters, merging."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from assay.benchmarks.file.problems import BenchmarkProblems, KeyPath, refuse_both_keys
from assay.searches.configuration.member_settings import takes
from assay.searches.configuration.settings import SETTINGS
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["KEYS", "from_sia_code", "is_sia_code", "words_of_sia_code"]

# Their settings by our words; a search is what the weight of vectors and their switch come to.
CHUNKING = {
    "max_chunk_size": "chunk_size",
    "min_chunk_size": "min_chunk",
    "merge_threshold": "merge_below",
    "greedy_merge": "greedy",
}
WEIGHT, SWITCH = "vector_weight", "embedding_enabled"
KEYS = (WEIGHT, SWITCH, *CHUNKING)
# As its file of settings has them: by the part of the program that they are for.
NESTED = {
    "embedding": {"enabled": SWITCH, "model": "embedding_model"},
    "search": {WEIGHT: WEIGHT},
    "chunking": {name: name for name in CHUNKING},
}


def is_sia_code(given: object) -> bool:
    """Tell whether a configuration has words of sia-code."""
    if not isinstance(given, Mapping):
        return False
    nested = any(isinstance(given.get(part), Mapping) for part in NESTED)
    return nested or any(key in given for key in KEYS)


def words_of_sia_code(given: Mapping[str, Any]) -> dict[str, str]:
    """Return what a configuration calls our settings, of those that it has in sia-code's words."""
    flat = _flat(given, (), None)
    said = {ours: theirs for theirs, ours in CHUNKING.items() if theirs in flat}
    word = next((key for key in (WEIGHT, SWITCH) if key in flat), "")
    return said | (dict.fromkeys(("search", "fusion", "weights"), word) if word else {})


def from_sia_code(
    given: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems
) -> dict[str, Any]:
    """Translate one configuration; what is wrong goes to ``found``."""
    flat = _flat(given, path, found)
    for key in (key for key in [*flat] if key not in (*KEYS, *SETTINGS)):
        if hint := did_you_mean(key, KEYS, otherwise="", alike=0.8):
            found.add((*path, key), "unknown setting", hint)
            del flat[key]
    ours = {key: value for key, value in flat.items() if key not in KEYS}
    for word, theirs in words_of_sia_code(given).items():
        if word in ours:
            refuse_both_keys((*path, word), (*path, theirs), found)
    for theirs, word in CHUNKING.items():
        if theirs in flat:
            in_tokens = partial(_size, key=theirs, path=path, found=found)
            ours[word] = _each(flat[theirs], in_tokens)
    return ours | _searches(flat, path, found)


def _flat(
    given: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems | None
) -> dict[str, Any]:
    """Bring settings by part to one level."""
    flat: dict[str, Any] = {}
    for key, value in given.items():
        known = NESTED.get(key)
        if known is None or not isinstance(value, Mapping):
            flat[key] = value
            continue
        for name, one in value.items():
            if name in known:
                flat[known[name]] = one
            elif found is not None:
                hint = did_you_mean(str(name), [*known])
                found.add((*path, key, str(name)), f'unknown key "{name!s:.60}"', hint)
    return flat


def _each(value: object, do: Callable[[object], object]) -> object:
    return [do(one) for one in value] if isinstance(value, list) else do(value)


def _size(value: object, key: str, path: KeyPath, found: BenchmarkProblems) -> object:
    """Turn characters that are not white space into tokens; shares and switches stay."""
    if not key.endswith("_size"):
        return value
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or value < 0:  # type: ignore[operator]
        hint = "expected a number of characters that are not white space, e.g. 1200"
        found.add((*path, key), f"invalid value {quote_value(value)}", hint)
        return 1
    rate: float = takes("corpora.chunkers", "code")["characters_per_token"].default
    return max(round(value / rate), 1 if key == "max_chunk_size" else 0)  # type: ignore[operator]


def _searches(flat: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems) -> dict[str, Any]:
    """Return the search of each weight: 0 is lexical, 1 dense, and between them both are fused."""
    if WEIGHT not in flat and SWITCH not in flat:
        return {}
    switches = _listed(flat.get(SWITCH, True))
    for one in (one for one in switches if not isinstance(one, bool)):
        what = f"invalid value {quote_value(one)}"
        found.add((*path, SWITCH), what, "expected true or false")
    weights = [_weight(one, path, found) for one in _listed(flat.get(WEIGHT))]
    used = weights if True in switches else []  # its files have a weight beside the switch
    fused = [[round(1 - one, 12), one] for one in used if one is not None and 0 < one < 1]
    kinds = {
        "lexical": False in switches or 0 in used,
        "hybrid": bool(fused) or None in used,
        "dense": 1 in used,
    }
    searches = [kind for kind, wanted in kinds.items() if wanted] or ["hybrid"]
    told: dict[str, Any] = {"search": searches if len(searches) > 1 else searches[0]}
    told |= {"fusion": "rrf"} if kinds["hybrid"] else {}
    return told | ({"weights": fused if len(fused) > 1 else fused[0]} if fused else {})


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _weight(value: object, path: KeyPath, found: BenchmarkProblems) -> float | None:
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and 0 <= value <= 1:  # type: ignore[operator]
        return float(value)  # type: ignore[arg-type]
    hint = "expected a number from 0 (lexical) to 1 (dense)"
    found.add((*path, WEIGHT), f"invalid value {quote_value(value)}", hint)
    return None
