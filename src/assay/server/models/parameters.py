"""Parameters that several routes take; others than those of its route refuse a request."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends, Header, Path, Query
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.requests import HTTPConnection

from assay.errors import InputError
from assay.server.state import Service, service_of
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = [
    "AtVersion",
    "Contains",
    "Cursor",
    "Deleted",
    "Here",
    "IdempotencyKey",
    "Identifier",
    "IfMatch",
    "Limit",
    "refuse_unknown_parameters",
]

ECHO = 80  # characters of a name that an answer repeats
Here = Annotated[Service, Depends(service_of)]
Identifier = Annotated[str, Path(min_length=1, max_length=64, description="Id of the item.")]
Limit = Annotated[int, Query(ge=1, le=200, description="Items of a page.")]
Cursor = Annotated[
    str, Query(max_length=200, description='"next" of the page before; empty for the first.')
]
Contains = Annotated[str, Query(max_length=200, description="Only names that contain this text.")]
Deleted = Annotated[bool, Query(description="Those that are marked as deleted.")]
AtVersion = Annotated[
    int | None, Query(ge=1, le=2**53, description="Version; by default the current one.")
]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="The same key sends the same request once, however often it is sent.",
    ),
]
IfMatch = Annotated[
    str | None,
    Header(alias="If-Match", max_length=200, description="The ETag of the item that was read."),
]


async def refuse_unknown_parameters(connection: HTTPConnection) -> None:
    """Refuse a request with a query parameter that its route does not have: it selects nothing."""
    route = connection.scope.get("route")
    if not isinstance(route, APIRoute) or not connection.query_params:
        return
    known = sorted({*_names(route.dependant)})
    for name in connection.query_params:
        if name not in known:
            hint = did_you_mean(name, known) if known else "remove it: there are no parameters here"
            where = f"query parameter {quote_value(name, ECHO)}"
            raise InputError("unknown query parameter", where=where, hint=hint)


def _names(dependant: Dependant) -> Iterator[str]:
    """Yield the query parameters of a route, and of all that it depends on."""
    yield from (one.alias for one in dependant.query_params)
    for inner in dependant.dependencies:
        yield from _names(inner)
