"""What hnsw and ivf share: one thread while building, more candidates than asked, safe bytes."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from assay.engines.dense._index import requested
from assay.engines.vectors.stored_vectors import StoredVectors
from assay.errors import InputError
from assay.extras import install_command
from assay.records import Floats, Ints

__all__ = ["built_or_read", "candidates", "dumped", "library", "one_thread", "quantizer"]

_MARK = b"assay-dense-1\n"
_DIGEST = 32


def library() -> Any:  # noqa: ANN401 (its types are those of a generated wrapper)
    """Import faiss, or say how to get it."""
    try:
        import faiss
    except ImportError as error:
        raise InputError(
            "approximate dense search requires the package faiss-cpu",
            where="dense",
            hint=f"{install_command('search')}, or use dense: exact",
        ) from error
    return faiss


def quantizer(faiss: Any, precision: str) -> int:  # noqa: ANN401
    """Name the codes in which candidates are compared: no finer than what is stored."""
    kinds = {"float16": faiss.ScalarQuantizer.QT_fp16, "int8": faiss.ScalarQuantizer.QT_8bit}
    return int(kinds[precision])


@contextmanager
def one_thread(faiss: Any) -> Iterator[None]:  # noqa: ANN401
    """Build with one thread: with several, a graph may depend on which of them was faster."""
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)


def candidates(
    index: Any,  # noqa: ANN401
    plan: Callable[[int, int | None], tuple[int, Any]],
) -> Callable[[Floats, int, int | None], Ints]:
    """Propose candidates: ``plan`` says of a number of them and an effort how faiss is asked.

    What has fewer vectors than are asked for is proposed whole, unless an effort is given.
    """

    def near(unit: Floats, depth: int, effort: int | None) -> Ints:
        asked = requested(depth)
        if asked >= index.ntotal and effort is None:
            return np.arange(index.ntotal)
        count, parameters = plan(asked, effort)
        query = unit.astype(np.float32)[None, :]
        _, places = index.search(query, min(count, index.ntotal), params=parameters)
        found: Ints = np.unique(places[0][places[0] >= 0]).astype(np.int64)
        return found

    return near


def built_or_read(
    stored: StoredVectors, settings: str, saved: bytes | None, build: Callable[[], Any]
) -> Any:  # noqa: ANN401
    """Read the bytes of an earlier building of these vectors and settings, or build."""
    if saved is None:
        return build()
    mark = _MARK + _key(stored, settings)
    body = saved[len(mark) + _DIGEST :]
    whole = hashlib.sha256(body).digest() == saved[len(mark) : len(mark) + _DIGEST]
    if not saved.startswith(mark) or not whole:
        raise InputError(
            "the saved index is damaged, or was built from other vectors or settings",
            where="dense",
            hint="build the index again without the saved bytes",
        )
    return library().deserialize_index(np.frombuffer(body, dtype=np.uint8))


def dumped(stored: StoredVectors, settings: str, index: Any) -> bytes:  # noqa: ANN401
    """Write an index with a mark of what it is of, and a checksum."""
    body: bytes = library().serialize_index(index).tobytes()
    return _MARK + _key(stored, settings) + hashlib.sha256(body).digest() + body


def _key(stored: StoredVectors, settings: str) -> bytes:
    return hashlib.sha256(f"{settings} {stored.fingerprint}".encode()).digest()
