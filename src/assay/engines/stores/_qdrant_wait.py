"""A server builds its graph after it took the points: nothing is measured before it has."""

import time
from collections.abc import Callable
from typing import Any

from assay.errors import InputError
from assay.records import Track

__all__ = ["wait"]

PATIENCE_S = 1800.0
PAUSE_S = 0.5


def wait(
    look: Callable[[], Any],
    total: int,
    track: Track,
    *,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Poll a collection until it is green twice in a row: indexing may start late."""
    steps = iter(track(range(total), "building the Qdrant index", total=total, unit="vectors"))
    done, green, until = 0, 0, clock() + PATIENCE_S
    while green < 2:
        if clock() > until:
            hint = "check the server log; a smaller m or ef_construct builds faster"
            problem = f"the HNSW index was not ready after {PATIENCE_S:,.0f} s"
            raise InputError(problem, where="qdrant", hint=hint)
        sleep(PAUSE_S)
        state = look()
        green = green + 1 if state.status.value == "green" else 0
        indexed = min(state.indexed_vectors_count or 0, total)
        for _ in zip(range(done, indexed), steps, strict=False):
            done += 1
    for _ in steps:
        pass
