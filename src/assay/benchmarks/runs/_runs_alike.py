"""What is said of several runs at once: their ties, equal answers, remembered vectors."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from assay.records import Rankings
from assay.records.quoted import quoted
from assay.verdicts.listed import listed, listed_runs

__all__ = ["first_alike", "remembered", "tied", "tied_runs", "twins"]

FEW = 3  # runs that are named where each of them has a figure


def tied(rankings: Rankings) -> Iterator[str]:
    """Say of one run how many of its neighbours have equal scores."""
    if rankings.tied:
        kept = "1 tie keeps" if rankings.tied == 1 else f"{rankings.tied:,} ties keep"
        yield f"{kept} the order of the search; score its saved run with --ties order"


def tied_runs(answers: Sequence[Rankings]) -> Iterator[str]:
    """Say the same of all runs."""
    found = [one for one in answers if one.tied]
    if len(found) == 1:
        yield from (f"{quoted(found[0].name)}: {said}" for said in tied(found[0]))
    elif found:
        told = listed([f"{quoted(one.name)} {one.tied:,}" for one in found], most=FEW)
        yield f"ties keep the order of the search; score saved runs with --ties order: {told}"


def twins(answers: Sequence[Rankings]) -> Iterator[str]:
    """Name the runs that give every query the same documents in the same order."""
    found: dict[bytes, list[str]] = {}
    for one in answers:
        if len(one.documents):
            found.setdefault(_digest(one), []).append(one.name)
    for names in found.values():
        if len(names) > 1:
            same = "the same documents in the same order for every query"
            yield f"{listed_runs(names)} answer alike: {same}, so that they score the same"


def first_alike(answers: Sequence[Rankings]) -> list[int]:
    """Return for each run the place of the first one with identical rankings: often its own."""
    places: dict[bytes, int] = {}
    return [places.setdefault(_digest(one), at) for at, one in enumerate(answers)]


def _digest(rankings: Rankings) -> bytes:
    """Hash the documents of each query, in the order of the queries' names."""
    order = sorted(range(len(rankings.queries)), key=rankings.queries.__getitem__)
    counts, starts = rankings.counts[order], rankings.offsets[:-1][order]
    rows = np.repeat(starts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
    named = "\0".join(rankings.queries[at] for at in order)
    digest = hashlib.blake2b(named.encode(), digest_size=16)
    digest.update(counts.tobytes())
    documents = rankings.documents[rows].tolist()  # names of equal runs may be stored wider in one
    digest.update(b"\0".join(documents))
    return digest.digest()


def remembered(indexing: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Tell by run which seconds of indexing were measured earlier, or are not known."""
    early = [
        f"{quoted(name)} ({_share(one)}{one['remembered_seconds']:,.1f} s)"
        for name, one in indexing.items()
        if one.get("remembered_seconds")
    ]
    if early:
        told = listed(early, most=FEW)
        yield f"vectors were remembered, and count with the time that they took then: {told}"
    lost = [name for name, one in indexing.items() if not one.get("seconds_complete", True)]
    if lost:
        yield (
            "the time to embed some vectors that were remembered is not known, and left out of "
            f"indexing: {listed_runs(lost, most=FEW)}"
        )


def _share(one: Mapping[str, Any]) -> str:
    """Count the vectors that were there before, of all chunks."""
    known, chunks = one.get("remembered_vectors"), one.get("chunks")
    return "" if known is None or chunks is None else f"{known:,} of {chunks:,}, "
