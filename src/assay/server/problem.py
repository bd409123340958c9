"""Errors -> problem+json (RFC 9457): what happened, where, and what to do next.

An error that nobody expected answers with an id alone; the log has its traceback under that id.
"""

import errno
import logging
import sqlite3
import traceback
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.routing import APIRoute
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.errors import (
    AccessError,
    AssayError,
    CancelledError,
    ConflictError,
    FencedError,
    InputError,
    InUseError,
    NotFoundError,
    ProblemsError,
    StaleError,
    UnavailableError,
)
from assay.server.field_problems import field_problems
from assay.server.security.log_text import hide_tokens, method_of, path_of
from assay.text import sanitize, truncate

__all__ = [
    "HintedError",
    "Problem",
    "ProblemAnswers",
    "describe_problem",
    "install_problems",
    "problem_response",
    "refuse",
]

MEDIA_TYPE = "application/problem+json"
MOST = 1_000  # problems that one answer lists
RETRY_S = "5"
REASON = 120  # bytes of a reason that closes a WebSocket
METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")
FULL = {errno.ENOSPC, errno.EDQUOT}
PG_FULL = "53100"
LOGGER = logging.getLogger("assay.server")

_KINDS: tuple[tuple[type[AssayError], int, str], ...] = (  # the special before the general
    (NotFoundError, 404, "not-found"),
    (StaleError, 412, "stale"),
    (ConflictError, 409, "conflict"),
    (InUseError, 409, "in-use"),
    (UnavailableError, 503, "unavailable"),
    (AccessError, 401, "access"),
    (FencedError, 409, "fenced"),
    (CancelledError, 409, "cancelled"),
    (AssayError, 422, "invalid-input"),
)


@dataclass(frozen=True, slots=True)
class Problem:
    """What an answer says about an error; ``problems`` are where, problem and hint of each."""

    status: int
    detail: str
    kind: str = ""
    where: str = ""
    hint: str = ""
    problems: tuple[tuple[str, str, str], ...] = ()
    count: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    error_id: str = ""


class HintedError(HTTPException):
    """An answer that is no success, with a hint."""

    def __init__(self, status_code: int, detail: str, *, hint: str) -> None:
        super().__init__(status_code, detail)
        self.hint = hint


def problem_response(problem: Problem) -> Response:
    """Write a problem as JSON; texts have no character that controls a terminal."""
    title = _phrase(problem.status)
    kind = problem.kind or title.lower().replace(" ", "-").replace("'", "")
    listed = problem.problems or ((problem.where, problem.detail, problem.hint),)
    shown = [
        dict(zip(("where", "problem", "hint"), map(_shown, one), strict=True))
        for one in listed[:MOST]
    ]
    body: dict[str, Any] = {"type": f"urn:assay:problem:{kind}", "title": title}
    body |= {"status": problem.status, "detail": _shown(problem.detail)}
    body |= {"where": _shown(problem.where), "hint": _shown(problem.hint), "problems": shown}
    body |= {"count": problem.count} if problem.count > len(shown) else {}
    body |= {"error_id": problem.error_id} if problem.error_id else {}
    return JSONResponse(body, problem.status, dict(problem.headers), MEDIA_TYPE)


def describe_problem(
    error: BaseException, *, known: bool = False, model: object = None
) -> Problem | None:
    """Return what to answer to an error; None for one that nobody expected.

    ``known`` says that the caller has given a token that is valid: access is then forbidden (403)
    rather than open to another token (401). ``model`` describes the body of the request.
    """
    if isinstance(error, BaseExceptionGroup):
        return _of_group(error, known=known)
    if isinstance(error, RequestValidationError | WebSocketRequestValidationError):
        return _of_validation(error, model)
    if isinstance(error, HTTPException):
        full = error.status_code == 400 and any(map(_is_full, _causes(error)))  # while it was read
        return _of_storage(error) if full else _of_http(error)
    return _of_storage(error) or (
        _of_assay(error, known=known) if isinstance(error, AssayError) else None
    )


def install_problems(app: FastAPI) -> None:
    """Let an application answer errors as problems."""
    fields = (RequestValidationError, WebSocketRequestValidationError)
    kinds = (AssayError, HTTPException, *fields, DBAPIError, sqlite3.Error)
    for kind in (*kinds, OSError, ExceptionGroup, Exception):
        app.add_exception_handler(kind, _answer)  # type: ignore[arg-type]


class ProblemAnswers:
    """Middleware that answers whatever error reaches it, those of other middleware too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and answer for what it raises."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        began = False

        async def watched(message: Message) -> None:
            nonlocal began
            began = began or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            problem = await _problem_of(scope, error)
            if began:  # the answer ends in the middle, which a client notices
                raise
            await refuse(scope, receive, send, problem)


async def refuse(scope: Scope, receive: Receive, send: Send, problem: Problem) -> None:
    """Answer a request, or close a WebSocket: before it is accepted, that is an answer too."""
    if scope["type"] == "websocket" and not _may_deny(scope):
        code = 1008 if problem.status < 500 else 1011
        reason = _shown(problem.detail).encode()[:REASON].decode(errors="ignore")
        with suppress(RuntimeError):  # closed already
            await send({"type": "websocket.close", "code": code, "reason": reason})
        return
    await problem_response(problem)(scope, receive, send)


def has_body(scope: Scope) -> bool:
    """Tell whether a request announces a body."""
    if scope["type"] != "http":
        return False
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"0").strip()
    return b"transfer-encoding" in headers or length != b"0"


async def _answer(connection: HTTPConnection, error: Exception) -> Response | None:
    """Answer an error of a handler, as FastAPI calls it."""
    problem = await _problem_of(connection.scope, error)
    if connection.scope["type"] == "http":
        return problem_response(problem)
    await refuse(connection.scope, connection._receive, connection._send, problem)  # type: ignore[attr-defined]
    return None


async def _problem_of(scope: Scope, error: Exception) -> Problem:
    """Describe an error; whatever is the service's own fault is logged with its traceback."""
    state = scope.get("state", {})
    problem = describe_problem(error, known="person" in state, model=_model_of(scope))
    if problem is not None and problem.status == 405:
        methods = await run_in_threadpool(_methods_of, scope)  # the first call makes the document
        return replace(problem, headers={"Allow": ", ".join(methods)})
    if problem is not None and problem.status != 500:
        return problem
    number = str(state.get("request_id") or uuid4().hex)
    text = hide_tokens("".join(traceback.format_exception(error)))
    LOGGER.error("error %s in %s %s\n%s", number, method_of(scope), path_of(scope), text)
    problem = problem or Problem(500, "an internal error occurred", "internal")
    hint = problem.hint or f"the log of the service has it as error {number}"
    return replace(problem, error_id=number, hint=hint)


def _methods_of(scope: Scope) -> list[str]:
    """List the methods of a path over all routes; the framework names those of one route."""
    documented = scope["app"].openapi()["paths"].get(scope["path"])
    if documented:  # a path without an id in it; those with ids may match, too
        return sorted(method.upper() for method in documented)
    asked = {"type": "http", "path": scope["path"], "root_path": scope.get("root_path", "")}
    routes = scope["app"].router.routes
    return [
        method
        for method in METHODS
        if any(one.matches({**asked, "method": method})[0] is Match.FULL for one in routes)
    ]


def _may_deny(scope: Scope) -> bool:
    """Tell whether a WebSocket is not accepted yet, and its server can answer with a status."""
    answers = "websocket.http.response" in scope.get("extensions", {})
    return answers and not scope.get("assay.accepted", False)


def _of_group(group: BaseExceptionGroup[BaseException], *, known: bool) -> Problem | None:
    """Describe several errors as one, if each of them is known."""
    each = [describe_problem(one, known=known) for one in group.exceptions]
    problems = [one for one in each if one is not None]
    if len(problems) < len(each):
        return None
    if len(problems) == 1:
        return problems[0]
    worst = max(problems, key=lambda one: one.status)
    listed = tuple(
        item for one in problems for item in (one.problems or ((one.where, one.detail, one.hint),))
    )
    detail = f"{len(listed):,} problems"
    return replace(worst, detail=detail, where="", hint="", problems=listed, count=len(listed))


def _of_assay(error: AssayError, *, known: bool) -> Problem:
    status, kind = next((found, name) for one, found, name in _KINDS if isinstance(error, one))
    headers = {503: {"Retry-After": RETRY_S}, 401: {"WWW-Authenticate": "Bearer"}}.get(status, {})
    if status == 401 and known:
        status, headers = 403, {}
    problem = Problem(status, error.problem, kind, error.where, error.hint, headers=headers)
    if not isinstance(error, ProblemsError) or error.count == 1:
        return problem
    listed = tuple((one.where, one.problem, one.hint) for one in error.problems)
    detail = f"{error.count:,} problems"
    return replace(
        problem, detail=detail, where=error.about, hint=error.then, problems=listed,
        count=error.count,
    )  # fmt: skip


def _of_http(error: HTTPException) -> Problem:
    hints = {404: "see /openapi.json for the paths", 405: "see /openapi.json for the methods"}
    detail = str(error.detail or _phrase(error.status_code))
    hint = hints.get(error.status_code, "") if detail == _phrase(error.status_code) else ""
    hint = error.hint if isinstance(error, HintedError) else hint
    return Problem(error.status_code, detail, hint=hint, headers=error.headers or {})


def _of_validation(
    error: RequestValidationError | WebSocketRequestValidationError, model: object
) -> Problem:
    """List what is wrong with the fields of a request."""
    errors = error.errors()
    listed = field_problems(errors[:MOST], getattr(error, "body", None), model)
    if len(listed) == 1:
        where, detail, hint = listed[0]
        return Problem(422, detail, "invalid-input", where, hint)
    detail = f"{'at least ' * (len(errors) > MOST)}{len(listed):,} problems"
    return Problem(
        422, detail, "invalid-input", "request", problems=tuple(listed), count=len(listed)
    )


def _model_of(scope: Scope) -> object:
    """Return the type that describes the JSON of a request, where there is one."""
    route = scope.get("route")
    if not isinstance(route, APIRoute) or len(route.dependant.body_params) != 1:
        return None
    return route.dependant.body_params[0].field_info.annotation


def _of_storage(error: BaseException) -> Problem | None:
    """Describe what the disk or the database could not do, from the causes of an error."""
    if isinstance(error, AssayError) and type(error) is not InputError:
        return None  # it says by its class what it is
    causes = list(_causes(error))
    if any(map(_is_full, causes)):
        hint = "free some space and try again; nothing was changed"
        return Problem(507, "no space left on the disk of the service", "disk-full", hint=hint)
    again = {"Retry-After": RETRY_S}
    if any(map(_is_busy, causes)):
        return Problem(503, "the database is busy", "unavailable", headers=again, hint="try again")
    if any(isinstance(one, sqlite3.DatabaseError) for one in causes):
        return Problem(500, "the database cannot be read or written", "storage")
    if any(isinstance(one, OperationalError | InterfaceError) for one in causes):
        detail = "the database cannot be reached"
        return Problem(503, detail, "unavailable", headers=again, hint="try again")
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Walk from an error to those behind it, also where a message replaced them."""
    found: BaseException | None = error
    for _ in range(10):
        if found is None:
            return
        yield found
        behind = found.orig if isinstance(found, DBAPIError) else None
        found = behind or found.__cause__ or found.__context__


def _is_full(error: BaseException) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    full = code == sqlite3.SQLITE_FULL or "database or disk is full" in str(error)[:500]
    full = full or getattr(error, "sqlstate", "") == PG_FULL
    return full or (isinstance(error, OSError) and error.errno in FULL)


def _is_busy(error: BaseException) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _shown(text: str) -> str:
    """Put a text on one line that a person can read: it may hold whatever a request holds."""
    return hide_tokens(sanitize(truncate(text)))


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"
