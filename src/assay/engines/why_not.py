"""Why a document is not among the results: the stage that lost it, and what was missing."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assay.engines.rank_rows import best_of
from assay.engines.search import Pipeline, SearchTrace
from assay.records import FoundRows, Ints, Loss

__all__ = ["why_not"]


def why_not(stages: Pipeline, searched: SearchTrace, rows: Sequence[int] | Ints) -> Loss:
    """Follow the rows of a document through a search until none of them is left."""
    wanted: Ints = np.unique(np.asarray(rows, dtype=np.int64))
    if not len(wanted):
        return Loss("index", "not indexed")
    place = best_of(searched.found, wanted)
    if place is not None:
        reason = f"found at rank {place + 1:,}"
        return Loss("", reason, place + 1, float(searched.found.scores[place]))
    if searched.asked.allowed is not None and not np.isin(wanted, searched.asked.allowed).any():
        return Loss("filter", "does not match the filters")
    return _retrieving(stages, searched, wanted) or _refining(stages, searched, wanted)


def _retrieving(stages: Pipeline, searched: SearchTrace, rows: Ints) -> Loss | None:
    """Tell why no part retrieved it, the part that came nearest first."""
    traced = searched.traced[: len(stages.retrieve)]
    if any(best_of(one.found, rows) is not None for one in traced):
        return None
    losses = [
        stage.lose(searched.asked, [], one.found, rows)
        for stage, one in zip(stages.retrieve, traced, strict=True)
    ]
    nearest, *others = sorted(losses, key=lambda loss: loss.rank or np.inf)
    return replace(nearest, also=tuple(others))


def _refining(stages: Pipeline, searched: SearchTrace, rows: Ints) -> Loss:
    before: list[FoundRows] = [one.found for one in searched.traced[: len(stages.retrieve)]]
    for stage, one in zip(stages.refine, searched.traced[len(stages.retrieve) :], strict=True):
        if best_of(one.found, rows) is None:
            loss = stage.lose(searched.asked, before, one.found, rows)
            return replace(loss, stage=stage.name)
        before = [one.found]
    raise AssertionError("a document that no stage lost is among the results")
