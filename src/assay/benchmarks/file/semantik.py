"""Semantik's configuration matrix -> our metrics and configurations."""

from collections.abc import Mapping
from typing import Any

from assay.benchmarks.file.cells import GivenConfiguration
from assay.benchmarks.file.problems import BenchmarkProblems, KeyPath, refuse_both_keys
from assay.searches.configuration.settings import SEARCHES, SETTINGS
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["KEYS", "is_semantik", "semantik_configurations", "semantik_metrics"]

LISTS = ("search_modes", "use_reranker", "top_k_values", "rrf_k_values", "score_thresholds")
KEYS = ("primary_k", "k_values_for_metrics", *LISTS)
WORDS = {
    **{"search": "search_modes", "rerank": "use_reranker", "top_k": "top_k_values"},
    **{"depth": "top_k_values", "rrf_k": "rrf_k_values", "threshold": "score_thresholds"},
}
K_VALUES = (5, 10, 20)
PRIMARY_K = 10
WHOLE_NUMBERS = "expected positive whole numbers"
AT_K, WHOLE = ("ndcg", "precision", "recall"), ("mrr", "ap")
# Places with one meaning: what is measured, and which metric is the primary one.
TWOFOLD: tuple[tuple[KeyPath, KeyPath], ...] = (
    (("metrics",), ("config_matrix", "k_values_for_metrics")),
    (("metrics",), ("metrics_to_compute",)),
    (("primary",), ("config_matrix", "primary_k")),
    (("primary",), ("top_k",)),
    (("top_k",), ("config_matrix", "primary_k")),
)


def is_semantik(given: object) -> bool:
    """Tell whether a whole file is a configuration matrix of Semantik's."""
    own = (key for key in KEYS if key != "use_reranker")  # which Akashic says, too
    return isinstance(given, Mapping) and any(key in given for key in own)


def semantik_metrics(
    given: Mapping[str, Any], matrix: Mapping[str, Any], found: BenchmarkProblems
) -> dict[str, Any]:
    """Return our keys for what it measures: precision, recall and nDCG at each k, MRR and AP.

    ``given`` is what is beside the matrix: the k and the metrics of a request to the service, where
    it is one.
    """
    _refuse_twice(given, matrix, found)
    said = [one for one in _list(matrix, "k_values_for_metrics") if one is not None]
    ks, place = said or [*K_VALUES], ("config_matrix", "k_values_for_metrics")
    at_top = matrix.get("primary_k") is None
    primary = given.get("top_k") if at_top else matrix["primary_k"]
    asked: dict[KeyPath, list[Any]] = {place: ks}
    asked[("top_k",) if at_top else ("config_matrix", "primary_k")] = [primary]
    if _refused_numbers(asked, found):
        return {}
    wanted = _wanted(given, found)
    if said and not any(name in wanted for name in AT_K) and primary is not None:
        what = "has no effect: metrics_to_compute has no metric at a cutoff k"
        found.add(place, f"{place[1]} {what}", f"remove it, or add {', '.join(AT_K)}")
    primary = primary or (PRIMARY_K if PRIMARY_K in ks else ks[0])
    at = [f"{name}@{k}" for k in ks for name in AT_K if name in wanted]
    return {
        "metrics": [*at, *(name for name in WHOLE if name in wanted)],
        "primary": f"ndcg@{primary}",
    }


def _refused_numbers(asked: Mapping[KeyPath, list[Any]], found: BenchmarkProblems) -> bool:
    """Refuse what is not a k, by its place; null is as if it were absent."""
    said = [(place, one) for place, its in asked.items() for one in its if one is not None]
    wrong = [(place, one) for place, one in said if not _is_whole(one)]
    for place, one in wrong:
        found.add(place, f"invalid value {quote_value(one)}", WHOLE_NUMBERS)
    return bool(wrong)


def _refuse_twice(
    given: Mapping[str, Any], matrix: Mapping[str, Any], found: BenchmarkProblems
) -> None:
    """Refuse our keys beside its own, and its own where two of them mean the same."""
    said: dict[KeyPath, Any] = {("config_matrix", key): value for key, value in matrix.items()}
    said |= {(key,): value for key, value in given.items()}
    for one, other in TWOFOLD:
        if said.get(one) is not None and said.get(other) is not None:
            refuse_both_keys(one, other, found)


def _wanted(given: Mapping[str, Any], found: BenchmarkProblems) -> list[str]:
    wanted = given.get("metrics_to_compute")
    wanted = [*AT_K, *WHOLE] if wanted is None else wanted
    known = isinstance(wanted, list) and wanted and all(one in (*AT_K, *WHOLE) for one in wanted)
    if not known:
        hint = f"expected a list of {', '.join((*AT_K, *WHOLE))}"
        found.add(("metrics_to_compute",), f"invalid value {quote_value(wanted)}", hint)
    return [*wanted] if known else [*AT_K, *WHOLE]


def semantik_configurations(
    given: Mapping[str, Any],
    path: KeyPath,
    found: BenchmarkProblems,
    *,
    cutoff: int | None,
    shared: Mapping[str, Any],
) -> list[GivenConfiguration]:
    """Return a configuration for each search depth, whose lists multiply to its cells.

    ``shared`` are settings of ours for all of them. The defaults are Semantik's: a dense search,
    and fusion by ranks.
    """
    for key in given:
        if key not in KEYS:
            what = f'unknown key "{key!s:.60}"'
            found.add((*path, str(key)), what, did_you_mean(str(key), KEYS))
    settings = _settings(given, path, found)
    tops = _tops(given, path, found, cutoff)
    own = [settings | ({} if top is None else {"top_k": top}) for top in tops]
    return [
        GivenConfiguration(
            name=f"top_k={top}" if len(tops) > 1 else "",
            settings={**_defaults({**shared, **one}, top), **shared, **one},
            path=path,
            words=WORDS,
            shared=frozenset(shared.keys() - one.keys()),
            soft=frozenset({"fusion", "rrf_k"} - shared.keys()),
        )
        for top, one in zip(tops, own, strict=True)
    ]


def _defaults(said: Mapping[str, Any], top: int | None) -> dict[str, Any]:
    """Return the defaults; a search is as deep as its number of results."""
    modes = said.get("search", "dense")
    fuses = "rrf_k" in said or "hybrid" in (modes if isinstance(modes, list) else [modes])
    depth = {} if top is None else {"depth": top}
    return {"search": "dense", **({"fusion": "rrf"} if fuses else {}), **depth}


def _settings(given: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems) -> dict[str, Any]:
    """Translate the lists; one that is absent or empty sets nothing."""
    modes = [_mode(one, path, found) for one in _list(given, "search_modes")]
    switches = _list(given, "use_reranker")
    for one in (one for one in switches if not isinstance(one, bool)):
        what = f"invalid value {quote_value(one)}"
        found.add((*path, "use_reranker"), what, "expected true or false")
    settings: dict[str, list[Any]] = {
        "search": [mode for mode in modes if mode],
        "rerank": ["maxsim" if one is True else None for one in switches],
        "threshold": _list(given, "score_thresholds"),
        "rrf_k": _list(given, "rrf_k_values"),
    }
    return {key: its for key, its in settings.items() if its}


def _tops(
    given: Mapping[str, Any], path: KeyPath, found: BenchmarkProblems, cutoff: int | None
) -> list[int | None]:
    """Return how many results a search gives, each at least the largest k."""
    tops: list[int | None] = []
    for at, one in enumerate(_list(given, "top_k_values")):
        place = (*path, "top_k_values", at)
        if not _is_whole(one):
            found.add(place, f"invalid value {quote_value(one)}", WHOLE_NUMBERS)
        elif cutoff is not None and one < cutoff:
            what = f"top_k {one} is below the largest k of the metrics ({cutoff})"
            found.add(place, what, f"use {cutoff} or more, or metrics with a smaller k")
        elif one in tops:
            found.add(place, f"top_k_values lists {one} twice", "remove one of them")
        else:
            tops.append(one)
    return tops or [None]


def _mode(one: object, path: KeyPath, found: BenchmarkProblems) -> str | None:
    mode = SEARCHES.get(one.lower(), one.lower()) if isinstance(one, str) else None
    if mode not in SETTINGS["search"].offers:
        what = f"invalid value {quote_value(one)}"
        found.add((*path, "search_modes"), what, "expected dense, sparse or hybrid")
        return None
    return mode


def _list(given: Mapping[str, Any], key: str) -> list[Any]:
    """Take one value for a list of one, and the word None of Python for nothing."""
    value = given.get(key)
    values = value if isinstance(value, list | tuple) else [] if value is None else [value]
    return [None if one == "None" else one for one in values]


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1
