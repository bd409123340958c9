"""The keys of the first JSON object in the first bytes of a file."""

import re

__all__ = ["first_keys"]

TOKEN = re.compile(
    r'"(?P<text>(?:[^"\\]|\\.)*+)(?P<end>"\s*(?P<colon>:)?|\\?\Z)|[{}\[\]]', re.DOTALL
)


def first_keys(head: bytes) -> list[str]:
    """Return the keys of the first object at its first level, as far as the bytes reach.

    >>> first_keys(b'{"query": "a {b", "relevant": [{"x": 1}], "id')
    ['query', 'relevant']
    """
    keys, depth = [], 0
    for token in TOKEN.finditer(head.decode("utf-8", "replace")):
        part = token.group()
        if part in "{[":
            depth += 1
        elif part in "}]":
            depth -= 1
            if depth <= 0:
                break
        elif depth == 1 and token.group("colon"):
            keys.append(token.group("text"))
    return keys
