"""The dense index of a snapshot; what takes long to build is kept beside the index."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

import numpy as np

from assay.catalogue import find
from assay.engines import dense
from assay.engines.dense import DenseIndex
from assay.engines.vectors.packing import width
from assay.errors import InputError
from assay.records import Configuration
from assay.workspace.index.index_store import Snapshot

__all__ = ["dense_of"]


def dense_of(configuration: Configuration, snapshot: Snapshot, *, dimension: int) -> DenseIndex:
    """Open the vectors of a snapshot for searching; ``dimension`` is that of the model."""
    kind = str(configuration.dense)
    make = cast("Callable[..., DenseIndex]", find(dense, kind))
    rows, packed = snapshot.vectors()
    precision = str(configuration.precision)
    if not len(rows):
        packed = np.empty((0, width(dimension, precision)), np.uint8)
    if kind == "exact" or not len(rows):
        return make(packed, rows, precision=precision)
    path = snapshot.derived / f"dense-{kind}-{precision}.bin"
    with suppress(OSError, InputError):  # never saved, or of an earlier generation
        return make(packed, rows, precision=precision, saved=path.read_bytes())
    index = make(packed, rows, precision=precision)
    _keep(path, index.save())
    return index


def _keep(path: Path, data: bytes) -> None:
    """Write it whole or not at all; who cannot write builds it again the next time."""
    if not data:
        return
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        partial.write_bytes(data)
        partial.replace(path)
