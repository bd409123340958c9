"""What is ranked for one query: named directions, in the order of their cosines."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.engines.coherence.directions import direction, directions
from assay.errors import InputError
from assay.records import Floats, Vectors

__all__ = ["Candidates", "line_up"]


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Names, unit rows and cosines, best first, and the direction of the query."""

    names: Sequence[str]
    vectors: Floats
    query: Floats
    cosines: Floats


def line_up(
    vectors: Vectors | Floats,
    query: Vectors | Floats,
    names: Sequence[str],
    cosines: Floats | None = None,
) -> Candidates:
    """Order candidates by their cosines, which are computed if they are not given.

    Those that come in that order already stay as they are.
    """
    if len(names) != len(vectors) or (cosines is not None and len(cosines) != len(vectors)):
        raise InputError(
            f"got {len(vectors)} vectors but {len(names)} names",
            where="coherence",
            hint="pass one name, and optionally one cosine, for each vector",
        )
    rows = directions(vectors)
    asked = direction(query, rows)
    # Not by a product of matrices, in which the last bits of a row depend on its place.
    near = np.einsum("ij,j->i", rows, asked) if cosines is None else np.array(cosines, np.float64)
    order = np.argsort(-near, kind="stable")
    return Candidates([names[at] for at in order.tolist()], rows[order], asked, near[order])
