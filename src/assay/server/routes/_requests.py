"""What routes of benchmarks share: the benchmark of a path, heavy work, JSON of commands."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from assay.errors import NotFoundError, StaleError, UnavailableError
from assay.records.service import BenchmarkStatus
from assay.server.etag import if_match
from assay.server.state import Service

__all__ = ["OBJECT_ANSWER", "computing", "find_present", "json_answer", "seen"]

OBJECT_ANSWER: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "What the command prints with --json",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}
PATIENCE_S = 20.0  # for which a computation waits for others to end


def find_present(service: Service, benchmark: str) -> BenchmarkStatus:
    """Return a benchmark that is not marked as deleted."""
    status = service.ledger.find(benchmark)
    if status.deleted:
        hint = "an editor can bring it back with undelete"
        raise NotFoundError("the benchmark was deleted", where=status.id, hint=hint)
    return status


def seen(service: Service, benchmark: str, request: Request) -> BenchmarkStatus:
    """Return a benchmark, unless it is another than the caller saw (the header If-Match)."""
    revision, status = if_match(request), find_present(service, benchmark)
    if revision is not None and revision != status.revision:
        hint = "read it again before changing it"
        raise StaleError("the benchmark has changed", where=status.id, hint=hint)
    return status


@contextmanager
def computing(service: Service) -> Iterator[None]:
    """Wait until the process of the service has room for another computation."""
    if not service.heavy.acquire(timeout=PATIENCE_S):
        raise UnavailableError("the service is busy with other requests", hint="try again")
    try:
        yield
    finally:
        service.heavy.release()


def json_answer(value: object, *, headers: dict[str, str] | None = None) -> Response:
    """Answer with JSON at full precision, in ASCII: a text may hold half of a character."""
    content = json.dumps(value, allow_nan=False)
    return Response(content, media_type="application/json", headers=headers)
