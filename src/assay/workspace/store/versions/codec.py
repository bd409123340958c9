"""Queries, documents and settings of a dataset <-> bytes that read back as exactly the same."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any

from assay.records.dataset import Dataset, Judgment, Query, Rationale, Reference
from assay.records.document import Document
from assay.text.quote import quote
from assay.workspace.store.texts import hash_texts, no_json

__all__ = [
    "EncodedRow",
    "decode_document",
    "decode_query",
    "decode_reference",
    "decode_settings",
    "encode_document",
    "encode_query",
    "encode_reference",
    "encode_settings",
    "hash_settings",
    "name_of",
    "open_content",
]

QUERY = ("key", "text", "category", "difficulty", "collection")
SETTINGS = ("description", "scale", "corpus", "metadata")
_PLAIN = {Reference: Reference(), Rationale: Rationale(), Document: Document("")}


@dataclass(frozen=True, slots=True)
class EncodedRow:
    """A query or a document as it is stored.

    ``name`` represents its key in indexes, and ``hash`` all of it: equal ones have the same.
    """

    kind: str
    key: str
    name: bytes
    hash: bytes
    judgments: int
    content: bytes


def encode_query(query: Query) -> EncodedRow:
    """Write a query with its judgments."""
    value: dict[str, Any] = {name: text for name in QUERY if (text := getattr(query, name))}
    value["judgments"] = [_judgment(judgment) for judgment in query.judgments]
    if query.weight != 1:
        value["weight"] = query.weight
    if query.extra:
        value["extra"] = dict(query.extra)
    where = f"query {quote(query.key)}"
    return _row("query", query.key, value, len(query.judgments), where, query.extra)


def encode_document(document: Document) -> EncodedRow:
    """Write a document that a dataset itself holds."""
    return _row("document", document.id, _given(document), 0, f"document {quote(document.id)}")


def encode_settings(dataset: Dataset) -> bytes:
    """Write all of a dataset but its name, queries and documents."""
    value = {name: getattr(dataset, name) for name in (*SETTINGS, "home", "format")}
    value |= {"corpus": dict(dataset.corpus), "metadata": dict(dataset.metadata)}
    value["notes"] = list(dataset.notes)
    checked = {"corpus": dataset.corpus, "metadata": dataset.metadata}
    return zlib.compress(_data(value, f"dataset {quote(dataset.name)}", checked), 1)


def hash_settings(content: bytes) -> bytes:
    """Name settings by what two equal datasets have in common."""
    value = open_content(content)
    return _hash({name: value[name] for name in SETTINGS})


def decode_query(content: bytes) -> Query:
    """Read a query."""
    value = open_content(content)
    judgments = tuple(_read_judgment(entry) for entry in value.pop("judgments"))
    return Query(**{"key": "", "text": "", **value}, judgments=judgments)


def decode_document(content: bytes) -> Document:
    """Read a document."""
    return Document(**{"id": "", **open_content(content)})


def decode_settings(content: bytes) -> dict[str, Any]:
    """Read all of a dataset but its name, queries and documents, as arguments of `Dataset`."""
    value = open_content(content)
    return {**value, "notes": tuple(value["notes"])}


def encode_reference(reference: Reference) -> Any:  # noqa: ANN401
    """Write a reference: a bare name, or the keys that are given."""
    return reference.name or _given(reference)


def decode_reference(value: Any) -> Reference:  # noqa: ANN401
    """Read a reference."""
    return Reference.named(value) if isinstance(value, str) else Reference(**value)


def open_content(content: bytes) -> Any:  # noqa: ANN401
    """Read what is packed in a row."""
    return json.loads(zlib.decompress(content).decode("utf-8", "surrogatepass"))


def name_of(key: str) -> bytes:
    """Return the name that represents a key."""
    return hash_texts(key)


def _row(
    kind: str,
    key: str,
    value: Mapping[str, Any],
    judgments: int,
    where: str,
    checked: Mapping[str, Any] | None = None,
) -> EncodedRow:
    data = _data(value, where, {"extra": checked} if checked else {})
    content = zlib.compress(data, 1)
    return EncodedRow(kind, key, name_of(key), _hash(value), judgments, content)


def _hash(value: Mapping[str, Any]) -> bytes:
    """Name a value by its content, whatever the order of its keys."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _data(value: Mapping[str, Any], where: str, checked: Mapping[str, Any]) -> bytes:
    """Write JSON in UTF-8, half characters included; what would not come back is refused."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        data = text.encode("utf-8", "surrogatepass")
        read = json.loads(text) if checked else {}
    except (TypeError, ValueError, RecursionError) as error:
        raise no_json(where, str(error)) from None
    for name, part in checked.items():
        if read[name] != part:
            raise no_json(where, f"{name} would change")
    return data


def _given(record: Reference | Rationale | Document) -> dict[str, Any]:
    """Return the fields of a record that are not empty."""
    plain = _PLAIN[type(record)]
    names = [field.name for field in fields(record)]
    return {
        name: value for name in names if (value := getattr(record, name)) != getattr(plain, name)
    }


def _judgment(judgment: Judgment) -> list[Any]:
    """Write a reference and its grade, then the group and the reason where there are any."""
    value = [encode_reference(judgment.reference), judgment.grade]
    if judgment.group or judgment.because is not None:
        value.append(judgment.group)
    if judgment.because is not None:
        value.append(_given(judgment.because))
    return value


def _read_judgment(entry: list[Any]) -> Judgment:
    reference, grade, *rest = entry
    group = rest[0] if rest else ""
    because = _read_rationale(rest[1]) if len(rest) > 1 else None
    return Judgment(decode_reference(reference), grade, group, because)


def _read_rationale(value: dict[str, Any]) -> Rationale:
    value |= {name: tuple(value[name]) for name in ("lines", "seen") if name in value}
    return Rationale(**value)
