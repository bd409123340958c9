"""Parameters that several routes take."""

from typing import Annotated

from fastapi import Depends, Header, Path, Query

from assay.server.state import Service, service_of

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
]

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
