"""A valid file -> one that is damaged, or that somebody prepared."""

import gzip
import json
import random
import re
from typing import Any

__all__ = ["HOSTILE", "mutated"]

HOSTILE = [
    "\x1b[35;7mred", "\x1b]0;title\x07", "\x9b2J", "\u202eback", "\u2066\u2069", "\u200f", "a\nb",
    "a\r\nnote: fine", "\t", "\x00", "\x7f", "\u2028", "\ufeff", "\ud800", "\U000e0041", "\u3000",
    "👩‍👩‍👧", "=1+1", "-0", "", " ", "9" * 5000, "-1", "1e999", "NaN", "Infinity", "null", "true",
    "../../etc/passwd", "%s%n", "{0}", "${HOME}", "[red]", "[/]", "<b>", "`a`", "'", '"', "\\",
    "é" * 300,
]  # fmt: skip
VALUES: list[Any] = [
    *HOSTILE, None, True, 0, -1, 1, 0.5, -1e308, 1e308, 2**63, 10**400, [], {}, [[]], {"": None},
    ["a", "a"], {"\x1b[35;7m": 1}, [None], "x" * 70_000,
]  # fmt: skip


def mutated(content: bytes, name: str, chance: random.Random) -> bytes:
    """Change a file: as JSON where it is JSON, else (or sometimes) as lines, tokens or bytes."""
    if name.endswith(".gz") and chance.random() < 0.5:
        return gzip.compress(mutated(gzip.decompress(content), name[:-3], chance), mtime=0)
    ways = [_bytes, _tokens, _tokens, _lines]
    if name.endswith(".json"):
        ways = [_json, _json, _json, _json, *ways[:2]]
    elif name.endswith(".jsonl"):
        ways = [_json_line, _json_line, _json_line, *ways]
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        content = chance.choice(ways)(content, chance)
    return content


def _bytes(content: bytes, chance: random.Random) -> bytes:
    at, end = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    end = min(end, at + chance.choice([1, 4, 64, 4096]))
    put = chance.choice([b"", bytes([chance.randrange(256)]), b"\xff\xfe", content[at:end] * 2])
    if chance.random() < 0.1:
        return content[:at]  # cut short
    return content[:at] + put + content[end:]


def _tokens(content: bytes, chance: random.Random) -> bytes:
    """Put something hostile in the place of a word or a number."""
    found = [*re.finditer(rb"[\w.@/-]+", content[:200_000])]
    if not found:
        return content + chance.choice(HOSTILE).encode(errors="surrogatepass")
    one = chance.choice(found)
    put = chance.choice(HOSTILE).encode(errors="surrogatepass")
    put = chance.choice([put, one[0] + put, put + one[0]])
    return content[: one.start()] + put + content[one.end() :]


def _lines(content: bytes, chance: random.Random) -> bytes:
    lines = content.splitlines(keepends=True) or [b""]
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    how = chance.randrange(5)
    if how == 0:
        lines.insert(at, lines[other])
    elif how == 1:
        del lines[at]
    elif how == 2:
        lines[at] = lines[at].rstrip(b"\r\n") + lines[other]
    elif how == 3:
        lines[at] = re.sub(rb"[ \t,;]", chance.choice([b"\t", b" ", b",", b";", b"\r"]), lines[at])
    else:
        lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
    return b"".join(lines)


def _json_line(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    at = chance.randrange(len(lines))
    lines[at] = _json(lines[at], chance)
    return b"\n".join(lines)


def _json(content: bytes, chance: random.Random) -> bytes:
    """Change one place of a JSON document; what is no JSON is changed as tokens."""
    try:
        value = json.loads(content)
    except ValueError:
        return _tokens(content, chance)
    holder, key = _place(value, chance)
    if holder is None:
        return json.dumps(chance.choice(VALUES)).encode()
    how = chance.random()
    if how < 0.15:
        del holder[key]
    elif how < 0.3 and isinstance(holder, dict):
        holder[chance.choice(HOSTILE)] = holder.pop(key)
    elif how < 0.4 and isinstance(holder, list):
        holder.append(holder[key])
    else:
        holder[key] = chance.choice(VALUES)
    return json.dumps(value, ensure_ascii=chance.random() < 0.8).encode(errors="surrogatepass")


def _place(value: Any, chance: random.Random) -> tuple[Any, Any]:  # noqa: ANN401
    """Choose a place by walking down, so that small parts are met as often as large ones."""
    holder, key = None, None
    while isinstance(value, dict | list) and value and (holder is None or chance.random() < 0.85):
        holder = value
        key = chance.choice([*value]) if isinstance(value, dict) else chance.randrange(len(value))
        value = holder[key]
    return holder, key
