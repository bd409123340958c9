"""Work on many texts in several threads, with the results in the order of the texts."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from assay.errors import InputError
from assay.records import Track
from assay.records.model import Vectors

__all__ = ["in_threads", "rows_of", "threads_or_all"]

T = TypeVar("T")
AHEAD = 4  # texts per thread that wait: few, so that an interruption is heard at once


def in_threads(work: Callable[[str], T], texts: Sequence[str], threads: int) -> Iterator[T]:
    """Yield what ``work`` makes of each text; a single text does not leave the calling thread."""
    if threads == 1 or len(texts) <= 1:
        yield from map(work, texts)
        return
    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[T]] = deque()
    try:
        for text in texts:
            waiting.append(pool.submit(work, text))
            if len(waiting) > AHEAD * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def threads_or_all(threads: int | None) -> int:
    """Return a number of threads that was asked for, or that of the cores given to us."""
    if threads is None:
        try:
            return len(os.sched_getaffinity(0))
        except AttributeError:  # not every system tells which cores are ours
            return os.cpu_count() or 1
    if threads < 1:
        raise InputError(
            f"invalid number of threads: {threads}", where="model", hint="use at least 1"
        )
    return threads


def rows_of(
    work: Callable[[str], Vectors],
    texts: Sequence[str],
    *,
    dimension: int,
    threads: int,
    track: Track,
) -> Vectors:
    """Return what ``work`` makes of each text, as rows in the order of the texts."""
    vectors = np.zeros((len(texts), dimension), dtype=np.float32)
    rows: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        rows.setdefault(text, []).append(row)
    # The longest first, so that no thread is left alone with one at the end.
    order = sorted(rows, key=len, reverse=True)
    found = in_threads(work, order, threads)
    tracked = track(found, "embedding", total=len(order), unit="texts")
    for text, vector in zip(order, tracked, strict=True):
        vectors[rows[text]] = vector
    return vectors
