"""Values -> YAML that reads back the same everywhere: every text is in quotes."""

import json
import re
from collections.abc import Mapping
from typing import Any

__all__ = ["block"]

# What YAML 1.1 does not print or takes for a line end: it must be escaped inside of quotes.
UNPRINTED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
PLAIN = re.compile(r"(?!(?:null|true|false|yes|no|on|off|y|n)\Z)[a-z][a-z_]*")
LONG = 100  # characters of a key, after which it is written as "? key"; YAML's limit is 1,024


def block(value: Mapping[str, Any]) -> str:
    """Write a mapping line by line; a list of texts or mappings too, other values on one line."""
    return "".join(map(_pair, value, value.values()))


def _pair(key: str, value: object) -> str:
    if len(key) > LONG:
        return f"? {_text(key)}\n: {_flow(value)}\n"
    name = _key(key)
    if isinstance(value, list) and value and all(isinstance(item, str | dict) for item in value):
        return f"{name}:\n" + "".join(f"  - {_flow(item)}\n" for item in value)
    return f"{name}: {_flow(value)}\n"


def _flow(value: object) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        pairs = (f"{_mark(key)}{_key(key)}: {_flow(item)}" for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_flow, value))}]"
    text = json.dumps(value, allow_nan=False)
    whole = isinstance(value, float) and "." not in text
    return text.replace("e", ".0e") if whole else text  # 1e-9 is a text in YAML 1.1


def _key(key: str) -> str:
    return key if PLAIN.fullmatch(key) else _text(key)


def _mark(key: str) -> str:
    return "? " if len(key) > LONG else ""


def _text(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return UNPRINTED.sub(lambda found: f"\\u{ord(found.group()):04x}", quoted)
