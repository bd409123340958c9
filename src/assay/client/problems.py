"""An answer that is no success -> the error that the service raised, of the same class."""

import json
from collections.abc import Mapping
from typing import Any

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

__all__ = ["error_of"]

KIND = "urn:assay:problem:"
_KINDS: dict[str, type[AssayError]] = {
    "access": AccessError,
    "cancelled": CancelledError,
    "conflict": ConflictError,
    "fenced": FencedError,
    "in-use": InUseError,
    "not-found": NotFoundError,
    "stale": StaleError,
    "unavailable": UnavailableError,
}
_STATUSES: dict[int, type[AssayError]] = {
    401: AccessError,
    403: AccessError,
    404: NotFoundError,
    409: ConflictError,
    412: StaleError,
    429: UnavailableError,
    500: UnavailableError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
    507: UnavailableError,
}


def error_of(status: int, content: bytes, *, where: str) -> AssayError:
    """Make the error of an answer; ``where`` names the request, if the answer names no place."""
    told = _read(content)
    if told is None:
        hint = "check that the address is that of `assay serve`, and not of a proxy before it"
        return _class(status, "")(f"the service answered {status}", where=where, hint=hint)
    kind = _class(status, str(told.get("type", "")).removeprefix(KIND))
    problems = [_problem(one) for one in told.get("problems") or () if isinstance(one, Mapping)]
    place = str(told.get("where") or where)
    hint = str(told.get("hint") or "")
    if len(problems) > 1 and issubclass(kind, InputError):
        count = told.get("count")
        number = count if isinstance(count, int) else len(problems)
        return ProblemsError(problems, where=place, then=hint, count=number)
    detail = str(told.get("detail") or f"the service answered {status}")
    return kind(detail, where=place, hint=hint)


def _class(status: int, kind: str) -> type[AssayError]:
    return _KINDS.get(kind) or _STATUSES.get(status, InputError)


def _read(content: bytes) -> Mapping[str, Any] | None:
    try:
        told = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, Mapping) and "detail" in told else None


def _problem(told: Mapping[str, Any]) -> InputError:
    problem, where, hint = (str(told.get(key) or "") for key in ("problem", "where", "hint"))
    return InputError(problem, where=where, hint=hint)
