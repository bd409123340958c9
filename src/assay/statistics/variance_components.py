"""Variance components: how much scores vary by build, by query, and by what is left."""

from typing import Any

from assay.records import Floats
from assay.statistics._sample import sample

__all__ = ["variance_components"]

NOISE = 1e-24  # the square of what rounding alone can do to a score
PARTS = ("build", "query", "residual")


def variance_components(scores: Floats) -> dict[str, Any]:
    """Separate the variance of scores, one row for each query and one column for each build.

    Two-way analysis of variance with both random and one score per cell, so that the interaction is
    part of the residual: Searle, Casella and McCulloch (Variance Components, 1992, chapter 4).
    Its estimates are unbiased and may fall below 0: such a one is reported as 0, and the note says
    so. What cannot be estimated without a second build or query is None.
    """
    rows = sample(scores, what="scores")
    queries, builds = rows.shape
    if builds < 2 or queries < 2:
        few = "build" if builds < 2 else "query"
        return _told(builds, (None, None, None), f"only one {few}: the variance is unknown")
    effects = rows.mean(axis=0) - rows.mean(), rows.mean(axis=1) - rows.mean()
    left = rows - rows.mean() - effects[0][None, :] - effects[1][:, None]
    between_builds = queries * float((effects[0] ** 2).sum()) / (builds - 1)
    between_queries = builds * float((effects[1] ** 2).sum()) / (queries - 1)
    residual = float((left**2).sum()) / ((queries - 1) * (builds - 1))
    parts = (
        (between_builds - residual) / queries,
        (between_queries - residual) / builds,
        residual,
    )
    below = [name for name, part in zip(PARTS, parts, strict=True) if part < -NOISE]
    note = f"negative estimates reported as 0: {', '.join(below)}" if below else ""
    kept = tuple(part if part > NOISE else 0.0 for part in parts)
    return _told(builds, kept, note)


def _told(builds: int, parts: tuple[float | None, ...], note: str) -> dict[str, Any]:
    known = [part for part in parts if part is not None]
    total = sum(known)
    share = None if not known else (known[0] / total if total else 0.0)
    named = zip(PARTS, parts, strict=True)
    spreads = {f"sd_{name}": None if part is None else part**0.5 for name, part in named}
    told = {"builds": builds, **spreads, "share_build": share}
    return told | ({"note": note} if note else {})
