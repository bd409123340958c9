"""One run over several datasets: its answers, costs and accounts put together."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from assay.benchmarks.collections.open_collections import Site
from assay.benchmarks.runs.measure import Measured
from assay.benchmarks.runs.sum_up import Done
from assay.benchmarks.work.studies import Studies
from assay.searches.built_search import Checked
from assay.searches.parts import fingerprint_of

__all__ = ["joined_done", "joined_measured", "joined_studies"]

T = TypeVar("T")

SUMMED = [
    *("files", "documents", "chunks", "tokens", "seconds", "fallbacks"),
    *("remembered_vectors", "remembered_seconds", "filling_seconds"),
]
RATES = ("files", "documents", "tokens")


def joined_measured(sites: Sequence[Site], each: Sequence[Measured]) -> Measured:
    """Put answers and times together; a query's key has its dataset's name before it."""
    names = dict.fromkeys(name for one in each for name in one.stages)
    stages = {
        name: [one.stages.get(name, np.zeros(len(one.milliseconds))) for one in each]
        for name in names
    }
    return Measured(
        found=_keyed(sites, [one.found for one in each]),
        milliseconds=np.concatenate([one.milliseconds for one in each]),
        stages={name: np.concatenate(times) for name, times in stages.items()},
        failed=_keyed(sites, [one.failed for one in each]),
        repeats=min(one.repeats for one in each),
        notes=_notes(sites, [one.notes for one in each]),
        at_once=max(one.at_once for one in each),
        seconds=sum(one.seconds for one in each),
        cores=_cores(each),
        symbols=_keyed(sites, [one.symbols for one in each]),
    )


def _cores(each: Sequence[Measured]) -> float | None:
    """Weigh how many cores searches keep busy by the time that they take."""
    took = [float(one.milliseconds.sum()) for one in each]
    known = [one.cores for one in each if one.cores is not None]
    if len(known) < len(each) or not sum(took):
        return None
    return sum(busy * time for busy, time in zip(known, took, strict=True)) / sum(took)


def joined_done(sites: Sequence[Site], each: Sequence[Done]) -> Done:
    """Add up what the indexes took; a run that failed on one dataset has failed."""
    errors = _notes(sites, [[one.error] if one.error else [] for one in each])
    checks = [one.checked.failure for one in each]
    failures = _notes(sites, [[why] if why else [] for why in checks])
    unknown = frozenset[str]().union(*(one.checked.unknown for one in each))
    built = _distinct(each)
    return Done(
        fingerprint="" if errors else fingerprint_of([one.fingerprint for one in each]),
        indexing=_indexing([one.indexing for one in built]),
        storage=_storage([one.storage for one in built], [one.indexing for one in built]),
        notes=_notes(sites, [one.notes for one in each]),
        checked=Checked(unknown, "; ".join(failures)),
        error="; ".join(errors),
    )


def _distinct(each: Sequence[Done]) -> list[Done]:
    """Keep each index once, however many datasets ask about its corpus."""
    own = {
        (one.fingerprint, one.indexing["content"])
        if one.fingerprint and "content" in one.indexing
        else at: one
        for at, one in enumerate(each)
    }
    return [*own.values()]


def joined_studies(sites: Sequence[Site], each: Sequence[Studies]) -> Studies:
    """Put accounts of structure together."""
    return Studies(
        _keyed(sites, [one.found for one in each]), _keyed(sites, [one.failed for one in each])
    )


def _keyed(sites: Sequence[Site], each: Sequence[Mapping[str, T]]) -> dict[str, T]:
    pairs = zip(sites, each, strict=True)
    return {site.key(key): value for site, one in pairs for key, value in one.items()}


def _notes(sites: Sequence[Site], each: Sequence[Sequence[str]]) -> tuple[str, ...]:
    pairs = zip(sites, each, strict=True)
    return tuple(f"{site.name}: {note}" for site, notes in pairs for note in notes)


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
        **({"busy": True} if any(one.get("busy") for one in known) else {}),
    }


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
