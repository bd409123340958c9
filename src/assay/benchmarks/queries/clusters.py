"""Queries -> clusters of those that ask about the same, named by their terms."""

from collections.abc import Mapping, Sequence

import numpy as np

from assay.benchmarks.queries._kmeans import partition
from assay.benchmarks.queries.terms import distinguishing, terms_of, weigh_terms
from assay.records import Floats, Ints
from assay.records.model import Vectors

__all__ = ["cluster_queries"]

FEWEST = 20  # queries: fewer are read faster than any clusters of them
TERMS = 3  # that name a cluster
DIRECTIONS = 10  # in which queries may differ
CLOUDS = 9  # of noise that clusters are compared with
MANY = 200  # points of such a cloud
FALSE = 0.05  # how often noise may pass for clusters


def cluster_queries(
    texts: Mapping[str, str], *, vectors: Mapping[str, Vectors], seed: int = 0
) -> dict[str, str]:
    """Name the cluster of each query; there are none where queries part no better than noise.

    Nor where there are fewer than 20. Queries are alike by their ``vectors``, or by the words of
    their texts where not all have one. One that shares no word with any other is then in none.
    """
    words = {key: terms_of(text) for key, text in texts.items()}
    rows = _rows(words, vectors)
    known = np.flatnonzero(rows.any(axis=1)) if rows.size else np.empty(0, np.int64)
    if len(known) < FEWEST:
        return {}
    found = _parted(_main_directions(rows[known]), seed)
    if found is None:
        return {}
    keys = [[*texts][at] for at in known.tolist()]
    names = _names([words[key] for key in keys], found)
    return {key: names[number] for key, number in zip(keys, found.tolist(), strict=True)}


def _rows(words: Mapping[str, Sequence[str]], vectors: Mapping[str, Vectors]) -> Floats:
    """Return a row of length 1 for each query."""
    if words and all(key in vectors for key in words):
        return _of_length_one(np.array([vectors[key] for key in words], np.float64))
    return _of_length_one(weigh_terms([*words.values()]))


def _main_directions(rows: Floats) -> Floats:
    """Keep the directions in which rows differ most: latent semantics, Deerwester et al. (1990).

    In all directions of a text every row is about as far from every other.
    """
    centred = rows - rows.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)  # the largest last
    return np.asarray(centred @ directions[:, -DIRECTIONS:], np.float64)


def _parted(rows: Floats, seed: int) -> Ints | None:
    """Part the rows by their directions; None where noise would part as well.

    Noise is compared as it lies: of length one, it would seem to part wherever it is narrow.
    """
    lying, found = partition(rows, seed=seed), partition(_of_length_one(rows), seed=seed)
    if lying is None or found is None or lying[1] <= _width_of_noise(rows, seed):
        return None
    return found[0]


def _width_of_noise(rows: Floats, seed: int) -> float:
    """Return how wide apart the parts are that one cloud without parts seems to have.

    The cloud is normal and as wide in each direction as the rows are: Liu, Hayes, Nobel and Marron
    (JASA 2008). Returned is the end below which another such cloud stays 19 times of 20. Fewer
    rows part better by chance, so that a cloud of 200 is on the safe side.
    """
    from scipy.special import stdtrit  # scipy only where a quantile is needed

    generator = np.random.Generator(np.random.PCG64([seed, len(rows)]))
    shape = (min(len(rows), MANY), rows.shape[1])
    clouds = (generator.normal(size=shape) * rows.std(axis=0) for _ in range(CLOUDS))
    parted = (partition(cloud, seed=seed) for cloud in clouds)
    widths = np.array([one[1] if one else 0.0 for one in parted])
    reach = float(stdtrit(CLOUDS - 1, 1 - FALSE)) * np.sqrt(1 + 1 / CLOUDS)
    return float(widths.mean() + reach * widths.std(ddof=1))


def _of_length_one(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float64)


def _names(terms: Sequence[Sequence[str]], found: Ints) -> dict[int, str]:
    """Name each cluster by its terms, by more of them where two would have the same name."""
    names: dict[int, str] = {}
    for number in sorted(set(found.tolist())):
        best = distinguishing(terms, (found == number).tolist(), TERMS + len(names))
        tried = (", ".join(best[:shown]) for shown in range(TERMS, len(best) + 1))
        new = (name for name in tried if name and name not in names.values())
        few = ", ".join(best)
        names[number] = next(new, few if few not in (*names.values(), "") else f"{number + 1}")
    return names
