"""Clusters: documents as points around random centres, queries as noisy copies of the centres."""

from typing import Annotated

import numpy as np

from assay.datasets.families._seeded_random import HIGHEST
from assay.datasets.families._settings import (
    MOST_DOCUMENTS,
    Documents,
    Queries,
    Seed,
    at_least,
    at_most,
    check_sizes,
)
from assay.records import (
    Dataset,
    Document,
    Floats,
    GeneratedDataset,
    Ints,
    Judgment,
    Query,
    Reference,
    Singles,
)

__all__ = ["clusters"]

DESCRIPTION = (
    "Vectors in clusters. A document is its cluster's centre plus {spread} times Gaussian noise of "
    "unit length in expectation, a query a centre plus {noise} times such noise, both scaled to "
    "length 1. Grade 1: the document is of the query's cluster; all others are not relevant. The "
    "vectors lie beside this file, in the order of the corpus and of the queries."
)
MOST = 100_000_000  # numbers: 400 MB
WIDEST = 65_536
JUDGMENTS = 2_000_000


def clusters(
    *,
    seed: Seed = 0,
    documents: Documents = 500,
    clusters: Annotated[int, "Number of clusters, of equal size."] = 25,
    dimensions: Annotated[int, "Dimensions of a vector."] = 64,
    spread: Annotated[float, "Distance of documents from their cluster centre."] = 0.5,
    noise: Annotated[float, "Distance of queries from their cluster centre; 0 for no noise."] = 0.5,
    queries: Queries = 50,
) -> GeneratedDataset:
    """Make clustered vectors; each query is a cluster centre plus noise."""
    _check(documents, queries, clusters, dimensions)
    at_least(0, spread=spread, noise=noise, seed=seed)
    at_most(HIGHEST, "seeds have 64 bits", seed=seed)
    at_most(1_000_000, "only noise would be left", spread=spread, noise=noise)
    draw = np.random.Generator(np.random.PCG64(seed))
    centres = _unit(draw.standard_normal((clusters, dimensions)))
    # Every cluster has its share of documents, and is asked in turn: no size is left to chance.
    home = draw.permutation(np.arange(documents) % clusters)
    asked = draw.permutation(clusters)[np.arange(queries) % clusters]
    points = _scatter(draw, centres[home], spread)
    copies = _scatter(draw, centres[asked], noise)
    made = _dataset(home, asked, DESCRIPTION.format(spread=f"{spread:g}", noise=f"{noise:g}"))
    return GeneratedDataset(made, document_vectors=points, query_vectors=copies)


def _check(documents: int, queries: int, clusters: int, dimensions: int) -> None:
    """Refuse sizes that make no clusters, or more than can be held."""
    check_sizes(queries=queries, documents=documents)
    at_least(1, clusters=clusters)
    at_most(MOST_DOCUMENTS, "each cluster needs a document", clusters=clusters)
    at_least(clusters, documents=documents)
    at_least(2, dimensions=dimensions)
    at_most(WIDEST, "no index supports such vectors", dimensions=dimensions)
    at_most(
        MOST // dimensions,
        "the vectors would not fit into memory",
        documents=documents,
        queries=queries,
    )
    most = JUDGMENTS * clusters // documents
    at_most(most, "there would be millions of judgments", queries=queries)


def _scatter(draw: np.random.Generator, centres: Floats, width: float) -> Singles:
    """Add noise whose length is about ``width`` in any number of dimensions; scale to length 1."""
    gaussian = draw.standard_normal(centres.shape) / np.sqrt(centres.shape[1])
    return _unit(centres + width * gaussian).astype(np.float32)


def _unit(rows: Floats) -> Floats:
    scaled: Floats = rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    return scaled


def _dataset(home: Ints, asked: Ints, description: str) -> Dataset:
    width, names = len(str(len(home))), []
    groups: list[list[Judgment]] = [[] for _ in range(int(home.max()) + 1)]
    for number, cluster in enumerate(home.tolist(), 1):
        names.append(f"point-{number:0{width}}")
        groups[cluster].append(Judgment(Reference(document_id=names[-1]), 1))
    documents = tuple(
        Document(name, title=name, text=f"Point {number} of {len(names)}.")
        for number, name in enumerate(names, 1)
    )
    width = len(str(len(asked)))
    queries = tuple(
        Query(
            f"clusters-{number:0{width}}",
            f"copy {number} of a centre",
            tuple(groups[cluster]),
            extra={"cluster": cluster + 1},
        )
        for number, cluster in enumerate(asked.tolist(), 1)
    )
    return Dataset(
        "clusters",
        queries,
        description=description,
        scale=1,
        documents=documents,
        metadata={"texts": "placeholders"},  # so that no search reads them
    )
