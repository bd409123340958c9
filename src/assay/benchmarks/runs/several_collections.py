"""One run over several datasets: its answers, costs and accounts put together."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.runs.measure import Measurements, RunFacts
from assay.benchmarks.work.studies import Studies
from assay.errors import InputError, UsageError
from assay.records import Bools, Floats, Interval, Ints
from assay.records.fingerprint import fingerprint_of
from assay.records.traffic import weighted_mean
from assay.searches.built_search import AnswerCheck
from assay.statistics.mean_interval import mean_interval

__all__ = [
    "join_measurements",
    "joined_done",
    "joined_measured",
    "joined_studies",
    "sum_up_collections",
]

T = TypeVar("T")
SUMMED = [
    *("files", "documents", "chunks", "tokens", "seconds", "fallbacks"),
    *("remembered_vectors", "remembered_seconds", "filling_seconds", "given_vectors"),
]
RATES = ("files", "documents", "tokens")
OF_INDEX = ("files", "documents", "chunks", "seconds")  # of each collection, ...
OF_STORAGE = ("index_bytes",)  # ... as far as they are known


def joined_measured(
    collections: Sequence[OpenCollection], each: Sequence[Measurements]
) -> Measurements:
    """Put answers and times together; a query's key has its dataset's name before it."""
    named = [
        replace(
            one,
            found=_keyed([collection], [one.found]),
            failed=_keyed([collection], [one.failed]),
            symbols=_keyed([collection], [one.symbols]),
            timed=tuple(collection.key(key) for key in one.timed),
            notes=_notes([collection], [one.notes]),
        )
        for collection, one in zip(collections, each, strict=True)
    ]
    return join_measurements(named)


def join_measurements(each: Sequence[Measurements]) -> Measurements:
    """Put the answers and times of different queries together; equal notes are one."""
    names = dict.fromkeys(name for one in each for name in one.stages)
    stages = {
        name: [one.stages.get(name, np.zeros(len(one.milliseconds))) for one in each]
        for name in names
    }
    return Measurements(
        found={key: found for one in each for key, found in one.found.items()},
        milliseconds=np.concatenate([one.milliseconds for one in each]),
        stages={name: np.concatenate(times) for name, times in stages.items()},
        failed={key: why for one in each for key, why in one.failed.items()},
        repeats=min(one.repeats for one in each),
        notes=tuple(dict.fromkeys(note for one in each for note in one.notes)),
        at_once=max(one.at_once for one in each),
        seconds=sum(one.seconds for one in each),
        cores=_cores(each),
        busy=any(one.busy for one in each),
        timed=tuple(key for one in each for key in one.timed),
        symbols={key: named for one in each for key, named in one.symbols.items()},
        tokens={key: counts for one in each for key, counts in one.tokens.items()},
    )


def _cores(each: Sequence[Measurements]) -> float | None:
    """Weigh how many cores searches keep busy by the time that they take."""
    took = [float(one.milliseconds.sum()) for one in each]
    known = [one.cores for one in each if one.cores is not None]
    if len(known) < len(each) or not sum(took):
        return None
    return sum(busy * time for busy, time in zip(known, took, strict=True)) / sum(took)


def joined_done(collections: Sequence[OpenCollection], each: Sequence[RunFacts]) -> RunFacts:
    """Add up what the indexes took; a run that failed on one dataset has failed."""
    errors = _notes(collections, [[one.error] if one.error else [] for one in each])
    checks = [one.checked.failure for one in each]
    failures = _notes(collections, [[why] if why else [] for why in checks])
    unknown = frozenset[str]().union(*(one.checked.unknown for one in each))
    built = _distinct(each)
    return RunFacts(
        fingerprint="" if errors else fingerprint_of([one.fingerprint for one in each]),
        indexing=_indexing([one.indexing for one in built]),
        storage=_storage([one.storage for one in built], [one.indexing for one in built]),
        notes=_notes(collections, [one.notes for one in each]),
        checked=AnswerCheck(unknown, "; ".join(failures)),
        error="; ".join(errors),
        collections={
            collection.name: _index_costs(one)
            for collection, one in zip(collections, each, strict=True)
        },
    )


def _index_costs(one: RunFacts) -> dict[str, Any]:
    """Tell how large the index of a collection is, and how long it took."""
    told = {name: one.indexing[name] for name in OF_INDEX if name in one.indexing}
    return told | {name: one.storage[name] for name in OF_STORAGE if name in one.storage}


def _distinct(each: Sequence[RunFacts]) -> list[RunFacts]:
    """Keep each index once, however many datasets ask about its corpus."""
    own = {
        (one.fingerprint, one.indexing["content"])
        if one.fingerprint and "content" in one.indexing
        else at: one
        for at, one in enumerate(each)
    }
    return [*own.values()]


def joined_studies(collections: Sequence[OpenCollection], each: Sequence[Studies]) -> Studies:
    """Put accounts of structure together."""
    return Studies(
        _keyed(collections, [one.found for one in each]),
        _keyed(collections, [one.failed for one in each]),
    )


def _keyed(collections: Sequence[OpenCollection], each: Sequence[Mapping[str, T]]) -> dict[str, T]:
    pairs = zip(collections, each, strict=True)
    return {collection.key(key): value for collection, one in pairs for key, value in one.items()}


def _notes(collections: Sequence[OpenCollection], each: Sequence[Sequence[str]]) -> tuple[str, ...]:
    pairs = zip(collections, each, strict=True)
    return tuple(f"{collection.name}: {note}" for collection, notes in pairs for note in notes)


def _indexing(each: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Add up counts and seconds; rates are those of the sums, memory that of the largest."""
    known = [one for one in each if one]
    if not known:
        return {}
    total = {name: sum(one.get(name, 0) for one in known) for name in SUMMED if name in known[0]}
    seconds = max(float(total["seconds"]), 1e-9)
    return {
        **total,
        **{f"{name}_per_second": total[name] / seconds for name in RATES},
        "peak_memory_mb": max(one["peak_memory_mb"] for one in known),
        "seconds_complete": all(one.get("seconds_complete", True) for one in known),
        "content": fingerprint_of([one.get("content") for one in known]),
        **{name: True for name in ("busy", "elsewhere") if any(one.get(name) for one in known)},
        **_dense(known),
    }


def _dense(each: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Tell the settings of an approximate index, if all have the same, and its recall."""
    settings = [one["dense_index"] for one in each if "dense_index" in one]
    recalls = [one["dense_recall"] for one in each if "dense_recall" in one]
    found: dict[str, Any] = {}
    if len(settings) == len(each) and all(one == settings[0] for one in settings):
        found["dense_index"] = settings[0]
    if len(recalls) == len(each):
        queries = sum(one["queries"] for one in recalls)
        mean = sum(one["mean"] * one["queries"] for one in recalls) / queries
        worst = min(one["worst"] for one in recalls)
        found["dense_recall"] = {**recalls[0], "mean": mean, "worst": worst, "queries": queries}
    return found


def _storage(
    each: Sequence[Mapping[str, Any]], indexing: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    known = [one for one in each if one]
    names = dict.fromkeys(name for one in known for name in one)
    total = {name: sum(one.get(name, 0) for one in known) for name in names}
    documents = sum(one.get("documents", 0) for one in indexing)
    if "index_bytes" in total:
        total["bytes_per_document"] = total["index_bytes"] / documents if documents else 0.0
    return total


@dataclass(frozen=True, slots=True, eq=False)
class _CollectionScores:
    """A run's scores over several collections.

    ``collections`` has for each its score by metric, their ``intervals``, and its number of
    ``queries``. ``macro`` has
    by metric the mean over the collections, whatever their sizes, with sd, best, worst and range,
    and the names of both ends; ``intervals`` are of those means, each collection resampled by
    itself. ``strata`` numbers the collection of each query, for comparing.
    """

    collections: dict[str, dict[str, Any]]
    macro: dict[str, dict[str, Any]]
    intervals: dict[str, Interval]
    strata: Ints

    @property
    def scores(self) -> dict[str, float]:
        """The macro means, by metric."""
        return {metric: float(one["mean"]) for metric, one in self.macro.items()}


def sum_up_collections(
    per_query: Mapping[str, Floats],
    collection: Sequence[str],
    *,
    seed: int = 0,
    lower_is_better: Sequence[str] = (),
    weights: Floats | None = None,
) -> _CollectionScores:
    """Sum up the scores by metric, given the name of each query's collection.

    Queries count by their ``weights`` within a collection, and collections the same.

    Of the metrics that are named ``lower_is_better`` the least is the best.
    """
    names, strata = _numbered(collection)
    _refuse_odd(per_query, strata)
    counts = np.bincount(strata, minlength=len(names))
    means = {metric: _means(scores, strata, weights) for metric, scores in per_query.items()}
    return _CollectionScores(
        collections={
            name: {metric: float(of[at]) for metric, of in means.items()}
            | {
                "queries": int(counts[at]),
                "intervals": _intervals(per_query, strata == at, weights, seed),
            }
            for at, name in enumerate(names)
        },
        macro={m: _macro(of, names, down=m in lower_is_better) for m, of in means.items()},
        intervals={
            m: mean_interval(s, seed=seed, strata=strata, weights=weights)
            for m, s in per_query.items()
        },
        strata=strata,
    )


def _means(scores: Floats, strata: Ints, weights: Floats | None) -> Floats:
    """Average within each collection."""
    if weights is None:
        return np.bincount(strata, np.asarray(scores, np.float64)) / np.bincount(strata)
    own = [strata == at for at in range(int(strata.max()) + 1)]
    return np.array([weighted_mean(np.asarray(scores)[one], weights[one]) for one in own])


def _intervals(
    per_query: Mapping[str, Floats], kept: Bools, weights: Floats | None, seed: int
) -> dict[str, list[float] | None]:
    """Give the interval of each metric over one collection; None for a single query."""
    own = None if weights is None else weights[kept]
    found = {
        m: mean_interval(np.asarray(s)[kept], seed=seed, weights=own) for m, s in per_query.items()
    }
    known = {metric: math.isfinite(one.high) for metric, one in found.items()}
    return {m: [one.low, one.high] if known[m] else None for m, one in found.items()}


def _numbered(collection: Sequence[str]) -> tuple[list[str], Ints]:
    """Number the collections in the order in which they come."""
    names = list(dict.fromkeys(collection))
    number = {name: at for at, name in enumerate(names)}
    return names, np.array([number[name] for name in collection], np.int64)


def _refuse_odd(per_query: Mapping[str, Floats], strata: Ints) -> None:
    if not len(strata):
        raise InputError("no queries to aggregate", hint="give at least one query")
    for metric, scores in per_query.items():
        if len(scores) != len(strata):
            hint = "give one collection name per query"
            counts = f"{len(scores):,} {metric} scores, but {len(strata):,} collection names"
            raise UsageError(counts, hint=hint)


def _macro(means: Floats, names: Sequence[str], *, down: bool) -> dict[str, Any]:
    """Tell how the collections differ; the first of equal ends is named."""
    least, most = int(means.argmin()), int(means.argmax())
    best, worst = (least, most) if down else (most, least)
    return {
        "mean": float(means.mean()),
        "sd": float(means.std(ddof=1)) if len(means) > 1 else None,
        "best": float(means[best]),
        "worst": float(means[worst]),
        "range": float(means[most] - means[least]),
        "best_collection": names[best],
        "worst_collection": names[worst],
    }
