"""What is wrong with a body of JSON, before anything else reads it."""

import json
import math
import re
from collections.abc import Sequence
from typing import Any, NoReturn

__all__ = ["find_json_fault", "has_more_values"]

# A string without an end extends to that of the text, or each of its quotes would be tried.
PARTS = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)
STRING = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
HALF = re.compile(r"\\u[dD][89a-fA-F]")


def find_json_fault(content: bytes, depth: int) -> str:
    """Return what makes a body ambiguous or dangerous; an empty text if nothing does.

    >>> find_json_fault(b'{"a": 1, "a": 2}', 8), find_json_fault(b'{"a": [1]}', 2)
    ('the body is not valid JSON (duplicate key "a")', '')
    """
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return "the body is not UTF-8"
    if _is_deeper(text, depth):
        return f"the body is nested more than {depth} levels deep"
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_finite
        )
        if HALF.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return "the body contains half of a surrogate pair"
    except (ValueError, RecursionError) as error:
        return f"the body is not valid JSON ({error})"
    return ""


def has_more_values(content: bytes, most: int) -> bool:
    """Tell whether a body has more values than ``most``, counted by the commas between them.

    Text may be full of commas: it is left out, which takes longer, only where it could matter.

    >>> has_more_values(b"[1, 2, 3]", 3), has_more_values(b"[1, 2, 3]", 2)
    (False, True)
    >>> has_more_values(b'["1, 2, 3"]', 1)
    False
    """
    if content.count(b",") < most:
        return False
    return STRING.sub(b"", content).count(b",") >= most


def _is_deeper(text: str, most: int) -> bool:
    depth = 0
    for found in PARTS.finditer(text):
        if found[0] in "[{":
            depth += 1
            if depth > most:
                return True
        elif found[0] in "]}":
            depth -= 1
    return False


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f'duplicate key "{twice[:60]}"')
    return found


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:40]} is too large")
    return number
