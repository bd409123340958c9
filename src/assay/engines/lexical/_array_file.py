"""Arrays in one file: a line of JSON that lists them, then their bytes, memory-mapped when read."""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "read_arrays", "write_arrays"]

Array = npt.NDArray[Any]
ALIGNED = 8  # bytes: where an array begins
HEADER = 65_536  # bytes of the first line, at most


def write_arrays(path: Path, arrays: Mapping[str, Array]) -> None:
    """Write arrays aside, wait until they are on the disk, and move them into place."""
    ordered = {name: np.ascontiguousarray(_little(one)) for name, one in arrays.items()}
    listed = {name: [one.dtype.str, *one.shape] for name, one in ordered.items()}
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        file.write(_padded(json.dumps(listed).encode()))
        for one in ordered.values():
            file.write(one.data)
            file.write(b"\0" * (-one.nbytes % ALIGNED))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def read_arrays(path: Path) -> dict[str, Array]:
    """Map the arrays of a file into memory; a file that is not whole is a ValueError."""
    data = np.asarray(np.memmap(path, np.uint8, "r"))
    line = data[:HEADER].tobytes().partition(b"\n")[0]
    arrays, at = {}, len(line) + 1
    for name, (kind, *shape) in json.loads(line).items():
        dtype = np.dtype(kind)
        end = at + dtype.itemsize * math.prod(shape)
        arrays[name] = data[at:end].view(dtype).reshape(shape)
        at = end + -end % ALIGNED
    if at != len(data):
        raise ValueError(f"{len(data):,} bytes instead of {at:,}")
    return arrays


def _little(array: Array) -> Array:
    """Write numbers in the same order of bytes on every machine."""
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def _padded(line: bytes) -> bytes:
    return line + b" " * (-(len(line) + 1) % ALIGNED) + b"\n"
