"""An array in numpy's format -> its rows, or its texts; nothing in it is ever unpickled."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as layout

from assay.errors import InputError
from assay.models.given._row_file import RowFile

__all__ = ["array_of_ids", "open_npy"]

SAVE = 'save it again: np.save("vectors.npy", np.ascontiguousarray(vectors, "float32"))'
SAVE_IDS = 'save them again: np.save("ids.npy", np.array(ids, dtype=str))'
HEADER = 10_000  # characters, numpy's own limit


def open_npy(path: Path) -> RowFile:
    """Open a two-dimensional array of floating-point numbers."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from None
    try:
        version = layout.read_magic(file)
        read = layout.read_array_header_1_0 if version == (1, 0) else layout.read_array_header_2_0
        shape, by_column, kind = read(file, max_header_size=HEADER)
    except (ValueError, OSError, SyntaxError, EOFError) as error:
        file.close()
        raise _unreadable(path, str(error).partition("\n")[0][:200]) from None
    problem = _wrong(shape, kind, by_column=by_column)
    size = int(np.prod(shape, dtype=object)) * kind.itemsize
    if not problem and path.stat().st_size - file.tell() < size:
        problem = f"the file is cut off: {' x '.join(map(str, shape))} numbers are not in it"
    if problem:
        file.close()
        raise InputError(problem, where=str(path), hint=SAVE)
    count, dimension = shape
    return RowFile(
        file, name=str(path), kind=kind, count=count, dimension=dimension, offset=file.tell()
    )


def array_of_ids(path: Path) -> list[str]:
    """Read a one-dimensional array of texts or whole numbers."""
    try:
        found = np.load(path, allow_pickle=False)
    except (ValueError, OSError, SyntaxError, EOFError) as error:
        problem = f"not a readable array of ids ({str(error).partition(chr(10))[0][:200]})"
        raise InputError(problem, where=str(path), hint=SAVE_IDS) from None
    if not isinstance(found, np.ndarray) or found.ndim != 1 or found.dtype.kind not in "Uiu":
        about = getattr(found, "dtype", "several arrays"), getattr(found, "shape", "")
        problem = "expected a one-dimensional array of texts or whole numbers, found "
        problem += " of shape ".join(str(one) for one in about if str(one))
        raise InputError(problem, where=str(path), hint=SAVE_IDS)
    return [str(one) for one in found.tolist()]


def _unreadable(path: Path, why: str) -> InputError:
    return InputError(f"not a readable .npy file ({why})", where=str(path), hint=SAVE)


def _wrong(shape: tuple[int, ...], kind: np.dtype[Any], *, by_column: bool) -> str:
    """Say why an array cannot hold vectors; nothing where it can."""
    if kind.hasobject:
        return "the array holds Python objects, which are not read: their rows may differ in length"
    if kind.kind != "f" or kind.itemsize not in (2, 4, 8):
        return f"expected float16, float32 or float64 numbers, found {kind}"
    if len(shape) != 2 or shape[1] < 1:
        return f"expected a row per vector (two dimensions), found shape {shape}"
    if by_column and 1 not in shape:
        return "the array is stored by columns (Fortran order)"
    return ""
