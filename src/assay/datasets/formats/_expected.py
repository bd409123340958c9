"""Expected files and symbols as YAML writes them: a bare text, or a mapping that says more."""

from collections.abc import Mapping
from typing import Any

from assay.datasets.formats._schemas import GRADE, TEXT
from assay.records import KEYS, Judgment, Match, Rationale, Reference

__all__ = ["MATCH", "expected", "expected_schema", "written"]

MATCH = {"enum": ["exact", "substring"]}
LINES = {
    "type": "array",
    "items": {"type": "integer", "minimum": 1},
    "minItems": 2,
    "maxItems": 2,
}
SAID: dict[str, Any] = {
    "grade": GRADE,
    "match": MATCH,
    "group": TEXT,
    "lines": LINES,
    "reason": TEXT,
}


def expected_schema(key: str) -> dict[str, Any]:
    """Return the schema of a list of expected files, or of expected symbols."""
    text = TEXT | {"minLength": 1}
    names = ("symbol",) if key == "expected_symbols" else (*KEYS, "symbol")
    properties = {**dict.fromkeys(names, text), **SAID}
    needed = [{"required": [name]} for name in names if name != "symbol" or len(names) == 1]
    entry = {
        "type": ["string", "object"],
        "minLength": 1,
        "properties": properties,
        "additionalProperties": False,
        "if": {"type": "object"},
        "then": {"anyOf": needed},
    }
    return {"type": ["array", "null"], "items": entry}


def expected(entry: str | Mapping[str, Any], key: str, match: Match, grade: int) -> Judgment:
    """Read one entry: a text is matched as the file says, a mapping exactly unless it says else."""
    if isinstance(entry, str):
        name = "symbol" if key == "expected_symbols" else "path"
        return Judgment(Reference(**{name: entry}, match=match), grade)
    names = {name: entry[name] for name in (*KEYS, "symbol") if name in entry}
    lines, reason = entry.get("lines"), entry.get("reason", "")
    return Judgment(
        Reference(**names, match=entry.get("match", "exact")),
        entry.get("grade", grade),
        entry.get("group", ""),
        Rationale(reason, (lines[0], lines[1]) if lines else None) if lines or reason else None,
    )


def written(judgment: Judgment, match: Match, *, graded: bool) -> str | dict[str, Any]:
    """Write one entry so that it reads back the same: as a text wherever that says it all."""
    reference, said = judgment.reference, judgment.because
    names = {name: value for name in (*KEYS, "symbol") if (value := getattr(reference, name))}
    more: dict[str, Any] = {"grade": judgment.grade} if graded else {}
    more |= {"group": judgment.group} if judgment.group else {}
    more |= {"lines": list(said.lines)} if said and said.lines else {}
    more |= {"reason": said.reason} if said and said.reason else {}
    plain = not more and len(names) == 1 and names.keys() <= {"path", "symbol"}
    if plain and reference.match == match:
        return str(next(iter(names.values())))
    more |= {"match": "substring"} if reference.match == "substring" else {}
    return names | more
