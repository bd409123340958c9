"""Make a TREC run and its judgments: python make_run.py VARIANT QUERIES DOCUMENTS QRELS RUN.

plain     scores with six decimals, best first
precise   scores at the full precision of a double
shuffled  the lines of each query in random order
tied      scores with one decimal, so that most lines share theirs with another
long-ids  document ids of 25 characters, as in ClueWeb
"""

import sys
from typing import BinaryIO

import numpy as np
import polars as pl

__all__ = ["main"]

COLLECTION = 8_841_823  # passages of MS MARCO
BLOCK = 500  # queries made at once
GRADES = [0.5, 0.25, 0.15, 0.1]  # the share of each grade, from 0 to 3


def main(variant: str, queries: int, documents: int, qrels: str, run: str) -> None:
    """Write both files, block by block."""
    random = np.random.default_rng(20_240_229)
    names = np.sort(random.choice(1_200_000, queries, replace=False)) + 1
    with open(qrels, "wb") as judged, open(run, "wb") as ranked:  # noqa: PTH123
        for start in range(0, queries, BLOCK):
            query = names[start : start + BLOCK]
            shown = _distinct(random, len(query), documents)
            _write_judgments(judged, variant, query, shown, random)
            _write_run(ranked, variant, query, shown, random)


def _distinct(random: np.random.Generator, rows: int, documents: int) -> np.ndarray:
    """Draw the documents of each query without repeating one."""
    drawn = random.integers(0, COLLECTION, (rows, documents))
    while True:
        ordered = np.sort(drawn, axis=1)
        again = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
        if not len(again):
            return drawn
        drawn[again] = random.integers(0, COLLECTION, (len(again), documents))


def _write_judgments(
    out: BinaryIO,
    variant: str,
    query: np.ndarray,
    shown: np.ndarray,
    random: np.random.Generator,
) -> None:
    """Judge about six retrieved documents per query, mostly near the top, and two missed ones."""
    depth = shown.shape[1]
    rows, columns = [], []
    for row in range(len(query)):
        ranks = np.unique((depth * random.random(random.integers(3, 11)) ** 3).astype(int))
        rows.append(np.full(len(ranks), row))
        columns.append(ranks)
    row, column = np.concatenate(rows), np.concatenate(columns)
    missed = np.repeat(np.arange(len(query)), 2)
    document = np.concatenate((shown[row, column], COLLECTION + np.arange(len(missed))))
    row = np.concatenate((row, missed))
    order = np.argsort(row, kind="stable")
    frame = pl.DataFrame(
        {
            "query": query[row[order]],
            "zero": 0,
            "document": _ids(variant, document[order]),
            "grade": random.choice(4, len(row), p=GRADES),
        }
    )
    frame.write_csv(out, include_header=False, separator=" ")


def _write_run(
    out: BinaryIO,
    variant: str,
    query: np.ndarray,
    shown: np.ndarray,
    random: np.random.Generator,
) -> None:
    """Write the lines of a run; neighbouring scores differ also in single precision."""
    rows, depth = shown.shape
    step = np.arange(depth) + 0.9 * random.random((rows, depth))
    scores = 35 - 30 * step / depth
    order = np.tile(np.arange(depth), (rows, 1))
    if variant == "shuffled":
        order = random.permuted(order, axis=1)
    if variant == "tied":
        scores = np.round(scores, 1)
    frame = pl.DataFrame(
        {
            "query": np.repeat(query, depth),
            "q0": "Q0",
            "document": _ids(variant, np.take_along_axis(shown, order, 1).ravel()),
            "rank": (order + 1).ravel(),
            "score": np.take_along_axis(scores, order, 1).ravel(),
            "tag": "bm25",
        }
    )
    digits = {"precise": None, "tied": 1}.get(variant, 6)
    frame.write_csv(out, include_header=False, separator=" ", float_precision=digits)


def _ids(variant: str, numbers: np.ndarray) -> pl.Series:
    """Write documents as plain numbers, or as long names that begin alike."""
    plain = pl.Series(numbers)
    if variant != "long-ids":
        return plain
    digits = plain.cast(pl.String).str.zfill(9)
    parts = [digits.str.slice(0, 2), digits.str.slice(2, 2), digits.str.slice(4, 5)]
    name = pl.format("clueweb12-00{}wb-{}-{}", *map(pl.lit, parts))
    return pl.select(name).to_series()


if __name__ == "__main__":
    _, variant, queries, documents, qrels, run = sys.argv
    main(variant, int(queries), int(documents), qrels, run)
