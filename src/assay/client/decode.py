"""JSON of an answer -> a record, by the types of its fields."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from assay.errors import InputError
from assay.records.dataset import Reference

__all__ = ["decode", "mismatch"]

T = TypeVar("T")


def decode(kind: type[T], value: object) -> T:
    """Make a record of JSON; keys that this version does not know are ignored.

    >>> from assay.records.service import RunProgress
    >>> decode(RunProgress, {"name": "bm25", "state": "running", "done": 3, "total": 9, "new": 1})
    RunProgress(name='bm25', state='running', done=3, total=9)
    """
    if not isinstance(value, Mapping):
        raise mismatch(f"expected an object, got {type(value).__name__}")
    if kind is Reference:
        return cast(
            "T", Reference(**{key: value[key] for key in _names(cast("Any", kind)) if key in value})
        )
    types = _types(cast("Any", kind))
    given = {}
    for one in fields(cast("Any", kind)):
        if one.name in value:
            given[one.name] = _value(types[one.name], value[one.name])
        elif one.default is MISSING and one.default_factory is MISSING:
            raise mismatch(f"{one.name} is missing")
    return kind(**given)


def mismatch(problem: str) -> InputError:
    """Return the error for an answer that this client cannot read."""
    hint = "use the same version of Assay as the service"
    return InputError(f"the answer cannot be read: {problem}", hint=hint)


@cache
def _types(kind: Any) -> dict[str, Any]:  # noqa: ANN401
    return get_type_hints(kind)


@cache
def _names(kind: Any) -> tuple[str, ...]:  # noqa: ANN401
    return tuple(one.name for one in fields(kind))


def _value(kind: Any, value: Any) -> Any:  # noqa: ANN401
    """Convert a value to the type of a field; a type that JSON has stays as it is."""
    if kind is Reference and isinstance(value, str):
        return Reference.named(value)
    if isinstance(kind, type) and is_dataclass(kind):
        return decode(kind, value)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return (
            None if value is None else _value(next(one for one in inner if one is not _NONE), value)
        )
    if origin is tuple:
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise mismatch(f"expected a list, got {type(value).__name__}")
        return tuple(_value(inner[0], one) for one in value)
    return value


_NONE = type(None)
