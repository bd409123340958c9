"""The vectors of an index: what approximate search misses, twins, and how well they separate."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np

from assay.catalogue import find, names
from assay.engines.dense import DenseIndex, recall
from assay.engines.dense.exact import exact
from assay.index_health.answers import Pairs
from assay.index_health.look import IndexState, make_finding, share_of
from assay.models import quality
from assay.models.quality.alignment import at_random
from assay.records import Embedder, HealthFinding, Ints, Quality, Reading, Vectors
from assay.searches.opened_index import dense_of

__all__ = ["embedding", "near_equal_vectors", "recall_finding", "recalls", "undirected"]

ASKED = 100  # vectors by which an approximate index is measured
RECALL_AT = 10
TWIN = 0.999  # cosine from which two vectors are one to every search
FEWEST = 100  # vectors, below which figures of their distribution mean little
HUBS = 10  # that are named
APART = ("antihubs", "hubness")  # by who is near whom, which copies hide
FEWEST_PAIRS = 20  # for a mean, fewer will do
NO_VECTORS = "The index contains no vectors: its search is lexical."
ALONE = "The index contains a single vector, so recall cannot be measured."
BROKEN = "Some vectors contain values that are not finite numbers: see coverage."
NOWHERE = (
    "Vectors are zero or contain values that are not finite numbers, so dense search finds their "
    "chunks at random or not at all. Zero vectors: use hybrid search, or a model that knows these "
    "words. Other values: delete the index folder, then run `assay index` again."
)
MISSED = Reading(
    watch=0.95,
    bad=0.9,
    meaning="Approximate search finds only this percentage of the exact results: choose "
    "--dense exact, which is slower on large corpora only.",
    reason="For comparison: static vectors and queries of the standard library, hnsw 97%, ivf 94%.",
)


def undirected(look: IndexState) -> HealthFinding:
    """Count the vectors, of all there are, that are zero or hold no number."""
    rows = look.undirected[0]
    found = share_of(
        "coverage",
        "without direction",
        len(rows),
        len(look.vectors[0]),
        NOWHERE,
        watch=0.0,
        bad=0.05,
        cases=look.places(rows),
    )
    return replace(found, state="bad") if look.broken else found


def recalls(look: IndexState, queries: Vectors | None) -> Iterator[HealthFinding]:
    """Compare approximate search with the exact one: by chunks of its own, and by queries."""
    name, (rows, vectors) = f"recall@{RECALL_AT}", look.sample
    if look.embedder is None or look.broken or not len(rows):
        meaning = BROKEN if look.broken else NO_VECTORS
        yield make_finding("recall", name, None, meaning, state="unknown")
        return
    index = dense_of(look.configuration, look.snapshot, dimension=look.embedder.dimension)
    if index.kind == "exact":
        meaning = "Exact search compares the query with every vector and misses nothing."
        yield make_finding("recall", name, 1.0, meaning, unit="share")
        return
    if len(rows) == 1:
        yield make_finding("recall", name, None, ALONE, state="unknown")
        return
    some, depth = look.some(len(rows), ASKED), look.configuration.depth
    yield recall_finding(index, vectors[some], "chunks", depth=depth, own=rows[some])
    if queries is not None and len(queries):
        yield recall_finding(index, queries[:ASKED], "queries", depth=depth)


def recall_finding(
    index: DenseIndex, asked: Vectors, kind: str, *, depth: int, own: Ints | None = None
) -> HealthFinding:
    """Measure the recall of an index by some vectors, each without its ``own`` row."""
    stored = index.stored
    truth = exact(stored.packed, stored.rows, precision=stored.precision)
    name = f"recall@{RECALL_AT} of {index.kind} by {kind}"
    mean = recall(index, truth, asked, RECALL_AT, depth=depth, own=own).mean
    meaning = f"{MISSED.meaning} Measured with {len(asked)} {kind}."
    state = MISSED.state(mean)
    return make_finding(
        "recall",
        name,
        mean,
        meaning,
        state=state,
        expected=(MISSED.watch, None),
        unit="share",
        reason=MISSED.reason,
    )


def near_equal_vectors(look: IndexState) -> HealthFinding:
    """Count the sampled chunks that have a twin in another document."""
    rows, vectors = look.sample
    if not len(rows):
        return make_finding("duplicates", "near-equal vectors", None, NO_VECTORS, state="unknown")
    codes = look.codes(rows)
    alike = (vectors @ vectors.T > TWIN) & (codes[:, None] != codes[None, :])
    found = rows[alike.any(axis=1)]
    meaning = (
        f"Of {len(rows):,} chunks, these have a cosine above {TWIN} with a chunk of another "
        "document: dense search cannot distinguish them. Exclude copies and boilerplate."
    )
    return share_of(
        "duplicates",
        "near-equal vectors",
        len(found),
        len(rows),
        meaning,
        watch=0.05,
        bad=0.2,
        cases=look.names(found),
    )


def embedding(look: IndexState, pairs: Pairs) -> tuple[list[HealthFinding], dict[str, Any]]:
    """Measure every figure on the sample, and tell how each is to be read."""
    if look.embedder is None:
        return [make_finding("embedding", "vectors", None, NO_VECTORS, state="unknown")], {
            "model": None
        }
    findings, figures = [], {}
    for name in names(quality):
        measure = cast("Quality", find(quality, name))
        finding, figures[name] = _finding(name, measure, *_asked(look, pairs, name))
        if name == "hubness" and finding.state in ("watch", "bad"):
            finding = replace(finding, cases=_hubs(look))
        findings.append(finding)
    return findings, {**_about(look, look.embedder, pairs), **figures}


def _asked(look: IndexState, pairs: Pairs, name: str) -> tuple[tuple[Vectors, ...], str]:
    """Return the vectors that a figure is measured on, and what they are called."""
    if name == "alignment":
        return (pairs.one, pairs.other), f"pairs of {pairs.kind}"
    every = look.sample[1]
    apart = _apart(look)[1] if name in APART else every
    return (apart,), "vectors" if len(apart) == len(every) else "distinct vectors"


def _finding(
    name: str, measure: Quality, asked: tuple[Vectors, ...], what: str
) -> tuple[HealthFinding, float | None]:
    """Measure a figure, unless there is too little to measure it on."""
    shown, reading, count = name.replace("_", " "), measure.reading, len(asked[0])
    fewest = FEWEST_PAIRS if name == "alignment" else FEWEST
    if count < fewest:
        meaning = f"Not enough {what}: {count}, at least {fewest} needed."
        return make_finding("embedding", shown, None, meaning, state="unknown"), None
    figure = measure(*asked)
    value, unit = _read(name, figure, asked, what)
    finding = make_finding(
        "embedding",
        shown,
        value,
        reading.meaning,
        state=reading.state(value),
        expected=(None, reading.watch) if reading.rising else (reading.watch, None),
        unit=unit,
        reason=reading.reason,
    )
    return finding, figure


def _read(name: str, figure: float, asked: tuple[Vectors, ...], what: str) -> tuple[float, str]:
    """Return what lines are drawn for: of a distance, its share of that of any two texts."""
    if name == "alignment":
        scale = at_random(*asked)
        share = figure / scale if scale else 0.0
        return share, f"of the distance between random pairs (distance {figure:.2f} in {what})"
    return figure, f"of {asked[0].shape[1]}" if name == "effective_dimension" else ""


def _hubs(look: IndexState) -> tuple[str, ...]:
    """Name the sampled chunks that are in most lists of the ten nearest, the worst first."""
    rows, vectors = _apart(look)
    most = np.argsort(-quality.occurrences(vectors), kind="stable")[:HUBS]
    return look.places(rows[most])


def _apart(look: IndexState) -> tuple[Ints, Vectors]:
    """Leave one of equal vectors: copies are counted elsewhere, and hide who is near whom."""
    rows, vectors = look.sample
    places = quality.distinct(vectors) if len(rows) else slice(0)
    return rows[places], vectors[places]


def _about(look: IndexState, embedder: Embedder, pairs: Pairs) -> Mapping[str, Any]:
    """Tell what was measured, and on how much."""
    return {
        "model": embedder.name,
        "dimension": embedder.dimension,
        "precision": look.configuration.precision,
        "vectors": len(look.vectors[0]),
        "sampled": len(look.sample[0]),
        "distinct": len(_apart(look)[0]),
        "seed": look.seed,
        "pairs": len(pairs.one),
        "pairs_from": pairs.origin,
    }
