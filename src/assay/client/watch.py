"""Wait for a benchmark or a job of a service: each change of its state, until it has ended."""

import time
from collections.abc import Iterator
from typing import Any

from assay.client.connection import Connection, item_path
from assay.client.decode import decode
from assay.errors import UnavailableError
from assay.records.service import BenchmarkProgress

__all__ = ["ENDED", "watch"]

ENDED = ("completed", "failed", "cancelled", "interrupted")
WAIT_S = 20.0
LEAST_S = 0.2  # between two requests, whatever is answered


def watch(
    connection: Connection, place: str, item: str, *, timeout_s: float | None = None
) -> Iterator[BenchmarkProgress]:
    """Yield the progress of an item of a list of the API whenever it changes; the last has ended.

    UnavailableError if it has not ended within ``timeout_s``; it goes on all the same.
    NotFoundError if there is no such item, or it was deleted meanwhile.
    """
    path = item_path(place, item)
    until = None if timeout_s is None else time.monotonic() + timeout_s
    tag = ""
    while True:
        began = time.monotonic()
        left = WAIT_S if until is None else min(WAIT_S, max(0.0, until - began))
        headers = {"If-None-Match": tag} if tag else {}
        query: dict[str, Any] = {"benchmark": item, "wait": round(left, 3) if tag else None}
        answer = connection.ask("GET", "/progress", query=query, headers=headers)
        tag = answer.headers.get("etag", tag)
        listed = [] if answer.status == 304 else answer.json().get("benchmarks", [])
        if not listed:  # nothing new, or no such item: this raises NotFoundError then
            connection.get(path)
        for one in listed:
            progress = decode(BenchmarkProgress, one)
            yield progress
            if progress.state in ENDED:
                return
        if until is not None and time.monotonic() >= until:
            hint = "it goes on; wait again later"
            raise UnavailableError(f"has not ended within {timeout_s:g} s", where=item, hint=hint)
        time.sleep(max(0.0, LEAST_S - (time.monotonic() - began)))
