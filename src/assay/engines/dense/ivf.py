"""IVF: look only into the cells that lie nearest to the query (Jegou, Douze and Schmid 2011)."""

import math
from functools import partial
from typing import Any

import numpy as np

from assay.engines.check_values import check_count
from assay.engines.dense._faiss import (
    built_or_read,
    candidates,
    dumped,
    library,
    one_thread,
    quantizer,
)
from assay.engines.dense._index import DenseIndex, Effort, all_compared
from assay.engines.vectors.packing import unpack
from assay.engines.vectors.stored_vectors import StoredVectors, store
from assay.records import Bytes, Ints, Vectors

__all__ = ["ivf"]

FEWEST = 39  # vectors for each cell, below which faiss calls its centres unreliable
ENOUGH = 64  # vectors for each cell are looked at while the centres are sought


def ivf(
    vectors: Vectors | Bytes,
    rows: Ints,
    *,
    precision: str = "int8",
    lists: int | None = None,
    probes: int | None = None,
    seed: int = 0,
    saved: bytes | None = None,
) -> DenseIndex:
    """Inverted file: cluster vectors into lists and search those nearest to the query.

    The default of ``lists`` is 4 times the square root of the number of vectors; the default of
    ``probes`` is an eighth of them, at least 8. A collection that is too small is searched exactly,
    and ``note`` reports it.
    """
    check_count(1 if lists is None else lists, where="lists")
    check_count(1 if probes is None else probes, where="probes")
    stored = store(vectors, rows, precision)
    cells, note = _cells(len(stored), lists)
    if cells < 2:
        return all_compared(stored, note)
    usual = min(cells, max(8, cells // 8))
    built = f"ivf {cells} {seed}"
    index = built_or_read(stored, built, saved, partial(_build, stored, cells, seed))
    return DenseIndex(
        kind="ivf",
        stored=stored,
        near=candidates(index, partial(_plan, usual)),
        settings=(("lists", cells), ("seed", seed)),
        effort=Effort("probes", usual, most=cells),
        given_effort=probes,
        note=note,
        save=partial(dumped, stored, built, index),
        graph_bytes=cells * stored.dimension * 4 + len(stored) * (8 + index.code_size),
    )


def _cells(count: int, asked: int | None) -> tuple[int, str]:
    most = count // FEWEST
    wanted = round(4 * math.sqrt(count)) if asked is None else asked
    if most < 2:
        return 0, f"{count:,} vectors are too few for ivf: exact search is used"
    if asked is not None and asked > most:
        why = f"{count:,} vectors are too few for more"
        return most, f"{most:,} lists instead of {asked:,}: {why}"
    return min(wanted, most), ""


def _build(stored: StoredVectors, cells: int, seed: int) -> Any:  # noqa: ANN401
    faiss = library()
    centres = faiss.IndexFlatIP(stored.dimension)
    metric = faiss.METRIC_INNER_PRODUCT
    if stored.precision == "float32":
        index = faiss.IndexIVFFlat(centres, stored.dimension, cells, metric)
    else:
        codes = quantizer(faiss, stored.precision)
        index = faiss.IndexIVFScalarQuantizer(centres, stored.dimension, cells, codes, metric)
    index.cp.seed, index.cp.max_points_per_centroid = seed, ENOUGH
    index.cp.spherical = True  # the centres are directions, as the vectors are
    with one_thread(faiss):
        index.train(_sample(stored, cells * ENOUGH, seed))
        for block in stored.blocks():
            index.add(block)
    return index


def _sample(stored: StoredVectors, most: int, seed: int) -> Vectors:
    if len(stored) <= most:
        return unpack(stored.packed, stored.precision)
    chosen = np.random.default_rng(seed).choice(len(stored), most, replace=False)
    return unpack(stored.packed[np.sort(chosen)], stored.precision)


def _plan(usual: int, asked: int, probes: int | None) -> tuple[int, Any]:
    return asked, library().SearchParametersIVF(nprobe=usual if probes is None else probes)
