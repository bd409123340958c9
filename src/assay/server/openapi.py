"""The OpenAPI document: what all operations have in common is said here, once for all of them."""

import threading
from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI

from assay.server.security.origin_check import SAFE

__all__ = ["describe_api"]

Operation = dict[str, Any]

PROBLEM_TYPE = "application/problem+json"
ABOUT = """\
Datasets, corpora and mappings of the one onto the other; benchmarks over mappings, which workers
run in the background; their progress, reports, comparisons and gates.

**Access.** Send a token as `Authorization: Bearer TOKEN`; `security` names the role that an
operation requires: an `editor` may do what a `viewer` may, an `admin` everything.

**Problems** are answered as `application/problem+json`: what happened, where, and a hint what to do
next. All that is wrong with an input is listed at once.

**Pages.** A list answers `items` and `next`: pass `next` as `cursor` until it is null. Entries that
are added meanwhile neither shift nor repeat others.

**Changes.** Items have an `ETag`. Send it as `If-Match` to change only what you have read (else
412), and as `If-None-Match` to be answered 304 if nothing has changed. Operations that create or
start something take an `Idempotency-Key`, so that a request can be sent again after its answer was
lost.
"""
TAGS = {
    "datasets": "Queries with their judgments: uploaded, edited, audited, exported, in versions.",
    "corpora": "Documents that a benchmark searches, in folders that the administrator allows.",
    "mappings": "A dataset's references, looked up in a corpus.",
    "benchmarks": "Configurations of a search over mappings: created, started, cancelled, retried.",
    "results": "What a benchmark found: reports, charts, rankings, single queries.",
    "progress": "How far benchmarks and jobs are, live.",
    "jobs": "Work in the background other than benchmarks.",
    "comparisons": "Any two runs or reports, tested query by query.",
    "gate": "Whether a report is worse than its baseline, by more than is allowed.",
    "search": "The best documents of a corpus for a query, and why.",
    "judgments": "Grades that people, clicks and models give.",
    "lists": "What can be named in a benchmark or a request.",
    "administration": "Access tokens and the audit log; for administrators.",
    "health": "Whether and how the service works.",
}
ANSWERS = {
    "200": "What was asked for, or the item as it is now",
    "201": "It was created",
    "202": "Accepted: workers do it in the background",
}
MEANINGS = {
    400: "The request is not valid HTTP, or its body cannot be read",
    401: "The token is missing, unknown, expired or revoked",
    403: "The role of the token does not allow this, or the request comes from another site",
    404: "The path or an id does not exist",
    408: "The body did not arrive in time",
    409: "The change conflicts with the state of the item",
    412: "Somebody else has changed the item since the ETag of If-Match",
    413: "The body is too large",
    415: "The body has an unsupported type",
    421: "The request was made for another host",
    422: "The input cannot be used; all its problems are listed",
    429: "Too many requests",
    500: "An error that was not expected; the log has it under its error_id",
    503: "Something that is needed cannot be reached at the moment",
    507: "The disk is full",
}
TEXT = {"type": "string"}
PROBLEM_ITEM = {
    "type": "object",
    "required": ["where", "problem", "hint"],
    "properties": {"where": TEXT, "problem": TEXT, "hint": TEXT},
}
PROBLEM: dict[str, Any] = {
    "title": "Problem",
    "description": "What went wrong (RFC 9457), where, and what to do next.",
    "type": "object",
    "required": ["type", "title", "status", "detail", "where", "hint", "problems"],
    "properties": {
        **dict.fromkeys(("type", "title", "detail", "where", "hint", "error_id"), TEXT),
        "status": {"type": "integer"},
        "count": {"type": "integer", "description": "of problems, if not all are listed"},
        "problems": {"type": "array", "items": PROBLEM_ITEM},
    },
}
RETRY = {"Retry-After": ("integer", "After how many seconds to try again.")}
HEADERS = {
    401: {"WWW-Authenticate": ("string", "How to sign in: Bearer.")},
    429: RETRY,
    503: RETRY,
}
BY_BODY = (408, 413, 415)
WRITING_READS = ("export_dataset", "list_losses")  # they write to the disk for a moment
UNREPORTED = "results"  # the tag of operations that refuse a benchmark without a report
ITEMS = {  # where the items of a list are, and where the answer that creates one has its id
    "/api/v1/datasets": ("dataset", "/id"),
    "/api/v1/corpora": ("corpus", "/id"),
    "/api/v1/mappings": ("mapping", "/id"),
    "/api/v1/benchmarks": ("benchmark", "/id"),
    "/api/v1/tokens": ("token", "/entry/id"),
}
JOBS = {"resolve_mapping": "/id", "index_corpus": "/id", "create_mapping": "/job/id"}
BODIES = {  # what goes on with something that was created names it in its body
    "create_dataset": ("create_mapping", {"dataset": "$response.body#/id"}),
    "create_corpus": ("create_mapping", {"corpus": "$response.body#/id"}),
    "create_mapping": ("create_benchmark", {"mapping_id": "$response.body#/id"}),
}


def describe_api(app: FastAPI) -> None:
    """Complete the OpenAPI document of an application; it is made once, in the calling thread."""
    build, one_at_a_time = app.openapi, threading.Lock()

    def openapi() -> dict[str, Any]:
        with one_at_a_time:  # or another thread would see it before it is complete
            if app.openapi_schema is None:
                _complete(build())
            return build()

    app.openapi = openapi  # type: ignore[method-assign]


def _complete(document: dict[str, Any]) -> None:
    document["info"]["description"] = ABOUT
    document["tags"] = [{"name": name, "description": told} for name, told in TAGS.items()]
    schemas = document["components"]["schemas"]
    schemas["Problem"] = PROBLEM
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for path, method, operation in _operations(document):
        _add_problems(path, method, operation)
        _add_headers(operation)
    _add_links(document)


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, str, Operation]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def _add_problems(path: str, method: str, operation: Operation) -> None:
    answers = operation["responses"]
    answers.pop("422", None)
    for status in sorted(_problems(path, method, operation)):
        content = {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        answers[str(status)] = {"description": MEANINGS[status], "content": content}


def _problems(path: str, method: str, operation: Operation) -> set[int]:
    """Return the problems that an operation may answer."""
    named, unsafe = _names(operation), method not in SAFE
    found = {400, 421, 500}
    if "security" in operation:
        found |= {401, 429, 503}
        viewers = any("viewer" in scopes for scopes in operation["security"][0].values())
        found |= {403} if unsafe or not viewers else set()
    if "{" in path or "requestBody" in operation:
        found |= {404}
    if named or "requestBody" in operation:
        found |= {422}
    if "If-Match" in named:
        found |= {412}
    if unsafe:
        found |= {*BY_BODY, 409, 507}
    if UNREPORTED in operation["tags"]:
        found |= {409}
    if operation["operationId"] in WRITING_READS:
        found |= {507}
    return found


def _add_headers(operation: Operation) -> None:
    answers = operation["responses"]
    tagged = "304" in answers or "If-Match" in _names(operation)
    for status, answer in answers.items():
        if status in ANSWERS and answer["description"] == "Successful Response":
            answer["description"] = ANSWERS[status]
        told = dict(HEADERS.get(int(status), {}))
        if tagged and int(status) < 400:
            told["ETag"] = ("string", "Names this state of the item.")
        for name, (kind, about) in told.items():
            header = {"description": about, "required": True, "schema": {"type": kind}}
            answer.setdefault("headers", {})[name] = header


def _add_links(document: dict[str, Any]) -> None:
    """Say where the id that an answer gives to something can be used."""
    paths = document["paths"]
    for place, (name, pointer) in ITEMS.items():
        for path, _, target in _operations(document):
            at_item = f"{path}/".startswith(f"{place}/{{{name}}}/")
            if at_item and _required(target) == [name]:
                given = {name: f"$response.body#{pointer}"}
                _link(paths[place]["post"], target, {"parameters": given})
    by_id = {one["operationId"]: one for _, _, one in _operations(document)}
    for source, pointer in JOBS.items():
        for job in ("get_job", "cancel_job"):
            given = {"job": f"$response.body#{pointer}"}
            _link(by_id[source], by_id[job], {"parameters": given})
    for source, (onward, body) in BODIES.items():
        _link(by_id[source], by_id[onward], {"requestBody": body})


def _link(source: Operation, target: Operation, about: dict[str, Any]) -> None:
    status = next(one for one in source["responses"] if int(one) < 300)
    links = source["responses"][status].setdefault("links", {})
    links[target["operationId"]] = {"operationId": target["operationId"], **about}


def _names(operation: Operation) -> list[str]:
    return [one["name"] for one in operation.get("parameters", ())]


def _required(operation: Operation) -> list[str]:
    return [one["name"] for one in operation.get("parameters", ()) if one["required"]]
