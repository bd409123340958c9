"""CPU time of a call inside this process, all threads counted."""

import time
from collections.abc import Callable
from typing import Any

__all__ = ["timed"]


def timed(call: Callable[[], Any], repeats: int) -> dict[str, Any]:
    """Call once to warm up, reported apart, then again and again; return times and the value."""
    first, value = _once(call)
    seconds = []
    for _ in range(repeats):
        taken, value = _once(call)
        seconds.append(taken)
    return {"first_s": first, "cpu_s": seconds, "value": value}


def _once(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    value = call()
    return time.process_time() - start, value
