"""Planted collections: clusters of vectors, and queries whose true direction is known.

The synthetic benchmark of ConsciousDB, put right: there relevance followed from the very vector
that was searched with, so that cosine could not be beaten, and unrelated vectors were scored.
"""

from dataclasses import dataclass

import numpy as np

from assay.records import Floats, Ints, Judgments, encode

__all__ = ["Planted", "plant"]


@dataclass(frozen=True, slots=True, eq=False)
class Planted:
    """Unit vectors of documents (with the cluster of each) and of queries, and what is relevant.

    ``truths`` are the directions that were meant, ``queries`` those that are searched with.
    """

    documents: Floats
    clusters: Ints
    truths: Floats
    queries: Floats
    names: tuple[str, ...]
    judgments: Judgments


def plant(
    *,
    noise: float,
    spread: float,
    documents: int = 500,
    queries: int = 200,
    dimension: int = 64,
    clusters: int = 100,
    relevant: int | None = 3,
    seed: int = 0,
) -> Planted:
    """Plant documents around the centres of clusters, and ask for points among them.

    ``spread`` is how far documents lie from their centre, ``noise`` how far a query lies from what
    it means, both as a share of a vector's length. Relevant are the ``relevant`` documents nearest
    to what is meant, or all of its cluster (None). Noise moves queries and nothing else: the same
    seed has the same documents and judgments at every noise.
    """
    draw = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    centres = _unit(draw.normal(size=(clusters, dimension)))
    member = np.sort(np.arange(documents) % clusters)
    vectors = _around(centres[member], spread, draw)
    meant = draw.integers(clusters, size=queries)
    truths = _around(centres[meant], spread, draw)
    asked = _around(truths, noise, draw)
    names = tuple(f"d{at:0{len(str(documents - 1))}}" for at in range(documents))
    found = [
        np.argsort(-(vectors @ truth), kind="stable")[:relevant]
        if relevant is not None
        else np.flatnonzero(member == cluster)
        for truth, cluster in zip(truths, meant.tolist(), strict=True)
    ]
    return Planted(vectors, member, truths, asked, names, _judgments(found, names))


def _unit(rows: Floats) -> Floats:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float64)


def _around(points: Floats, distance: float, draw: np.random.Generator) -> Floats:
    """Move unit vectors by Gaussian steps whose mean square length is the distance's square."""
    steps = draw.normal(size=points.shape) / np.sqrt(points.shape[1])
    return _unit(points + distance * steps)


def _judgments(found: list[Ints], names: tuple[str, ...]) -> Judgments:
    """Call each of the found documents relevant, and judge no other."""
    width = len(str(max(len(found) - 1, 0)))
    rows = [row for each in found for row in each.tolist()]
    return Judgments(
        queries=tuple(f"q{at:0{width}}" for at in range(len(found))),
        offsets=np.concatenate(([0], np.cumsum([len(each) for each in found]))).astype(np.int64),
        documents=encode(names[row] for row in rows),
        grades=np.ones(len(rows), np.int64),
        scale=1,
        name="planted",
    )
