"""JSON text -> values, without what JSON forbids and Python allows: NaN, and one key twice."""

import json
import math
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from assay.columns.documents._utf8 import utf8
from assay.errors import InputError, ProblemsError

__all__ = ["strict_json"]

DEEPEST = 100  # levels; a person's file has ten
DEPTH = "check that this is the file you meant"
MOST = 2_000_000  # lists and objects in one text: each costs some sixty bytes however short it is
ENOUGH = 1_000  # problems after which reading on tells nobody anything
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"
TOKEN = re.compile(rf'"(?:[^"\\\n]|\\.)*"|[{{}}\[\],:\n]|-?Infinity|NaN|{NUMBER}', re.DOTALL)


def strict_json(
    content: bytes,
    *,
    where: str,
    first_line: int = 1,
    finite: bool = True,
    deepest: int = DEEPEST,
) -> Any:  # noqa: ANN401
    """Read one JSON value; all of its forbidden parts are named at once, with their lines.

    Who looks at each number himself can leave ``finite`` to speed: then 1e999 is let through.
    ``deepest`` is how deeply lists and objects may be nested.
    """
    text = utf8(content, where=where)
    if text.count("{") + text.count("[") > MOST:
        hint = "split it into several files"
        raise InputError(f"contains more than {MOST:,} lists and objects", where=where, hint=hint)
    suspect: list[bool] = []
    try:
        value = _parse(text, FINITE if finite else QUICK, suspect)
    except json.JSONDecodeError as error:
        place = f"{where}, line {error.lineno + first_line - 1}, column {error.colno}"
        hint = "check the commas, quotes and brackets there"
        raise InputError(f"not valid JSON ({error.msg})", where=place, hint=hint) from None
    except RecursionError:
        raise _too_deep(where, deepest) from None
    except ValueError:
        problem = "not valid JSON (a number of more than 4,300 digits)"
        raise InputError(problem, where=where, hint="shorten the number") from None
    if suspect:
        found = islice(_forbidden(text, where, first_line), ENOUGH)
        raise ProblemsError(list(found), where=where)
    if text.count("{") + text.count("[") > deepest:
        _refuse_depth(value, where, deepest)
    if SURROGATE.search(content):
        _refuse_surrogates(value, where)
    return value


class _Suspect(Exception):  # noqa: N818 - no error yet: it asks for a closer look
    """Something forbidden was met."""


def _parse(text: str, decoder: json.JSONDecoder, suspect: list[bool]) -> Any:  # noqa: ANN401
    """Read the value; note in ``suspect`` that something forbidden was met."""
    try:
        return decoder.decode(text)
    except _Suspect:
        suspect.append(True)
        return json.loads(text)  # which says what is broken before what is forbidden


def _pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(items)
    if len(table) < len(items):
        raise _Suspect
    return table


def _constant(_: str) -> None:
    raise _Suspect


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise _Suspect
    return number


QUICK = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)
FINITE = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float)


def _too_deep(where: str, deepest: int) -> InputError:
    return InputError(f"nested deeper than {deepest} levels", where=where, hint=DEPTH)


def _refuse_depth(value: object, where: str, deepest: int) -> None:
    """Walk level by level, so that no depth can exhaust the stack."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(deepest):
        parts = (item.values() if isinstance(item, dict) else item for item in level)
        level = [child for part in parts for child in part if isinstance(child, dict | list)]
    if level:
        raise _too_deep(where, deepest)


def _refuse_surrogates(value: object, where: str) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        hint = "write a character above U+FFFF as a pair of \\u escapes"
        raise InputError("contains half of a surrogate pair", where=where, hint=hint) from None


def _forbidden(text: str, where: str, line: int) -> Iterator[InputError]:
    """Name each duplicate key of an object, and each number that JSON does not know."""
    keys: list[set[str]] = []  # of the objects and lists that are open
    last = ""
    for found in TOKEN.finditer(text):
        part = found.group()
        line += part == "\n"
        place = f"{where}, line {line}"
        if part in ("{", "["):
            keys.append(set())
        elif part in ("}", "]"):
            keys.pop()
        elif part == ":":
            if last in keys[-1]:
                hint = "keep one of the two"
                yield InputError(f"duplicate key {last:.60}", where=place, hint=hint)
            keys[-1].add(last)
        elif part[-1] in "yN" or _overflows(part):
            hint = "use a finite number"
            yield InputError(f"{part[:40]} is not a valid JSON number", where=place, hint=hint)
        last = part


def _overflows(part: str) -> bool:
    return part[0] in "-0123456789" and not part.lstrip("-").isdigit() and math.isinf(float(part))
