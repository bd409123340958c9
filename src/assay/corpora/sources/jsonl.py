"""A file of records as documents: one JSON object per line, as in the corpus of a BEIR folder."""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from assay.columns import Source
from assay.corpora.paths import place_of
from assay.corpora.programs.language_of import language_of
from assay.corpora.size_limit import SETTING, size_limit
from assay.corpora.sources._id_set import IdSet
from assay.corpora.sources._stamp import stamp_of
from assay.corpora.sources._streamed_corpus import DocumentRequest, StreamedCorpus
from assay.errors import InputError
from assay.records import Corpus, Document
from assay.records.metadata import further_fields
from assay.records.skipped_files import SkippedFiles
from assay.text.size import size_text

__all__ = ["jsonl"]

IDS = ("_id", "id", "doc_id", "docid", "document_id", "docno")
TEXTS = ("text", "contents", "content", "body")
TAKEN = {*IDS, *TEXTS, "url", *(one.name for one in fields(Document) if one.name != "metadata")}
PIECE = 1 << 18  # bytes that are read at a time
LONGEST = "64MiB"  # of a line; a file without line ends would fill the memory
DECODER = json.JSONDecoder(parse_constant=lambda _: None)  # NaN has no meaning in a document


def jsonl(path: str | Path, *, max_file_size: int | str | None = LONGEST, name: str = "") -> Corpus:
    """Read one document per line, also from a gzip file.

    The id is under `_id`, `id`, `doc_id`, `docid`, `document_id` or `docno`, the text under `text`,
    `contents`, `content` or `body`; `title`, `uri` (or `url`), `path`, `file_name` and `language`
    are kept, and all further fields as metadata, with those under `metadata`. Hash and size are
    those of the text in UTF-8. A line longer than ``max_file_size`` is an error.
    """
    limit = size_limit(max_file_size)
    place = place_of(path)
    if str(place) == "-":
        hint = "write it to a file first"
        raise InputError("a corpus is read more than once", where="standard input", hint=hint)
    with Source(place):
        pass  # reports what is wrong with the path before anything else is done
    return StreamedCorpus(name or _name(place), partial(_read, place, limit), limit=limit)


def _name(place: Path) -> str:
    stem = place.name.removesuffix(".gz").removesuffix(".jsonl")
    return place.absolute().parent.name if stem == "corpus" else stem


def _read(
    place: Path, limit: int | None, asked: DocumentRequest, skipped: SkippedFiles
) -> Iterator[Document]:
    seen = IdSet()
    with Source(place) as source:
        for number, record in _records(source, limit):
            where = f"{source.name}, line {number}"
            found = _document(record, asked, where)
            if seen.add(found.id):
                _refuse_twice(place, limit, found.id, number, where)
            if not found.size_bytes and not found.title:
                skipped.note_empty(found.path)
            yield found


def _records(source: Source, limit: int | None) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(_lines(source, limit), 1):
        if not line.strip():
            continue
        where = f"{source.name}, line {number}"
        record = _parsed(line, where)
        if not isinstance(record, dict):
            hint = 'write one document per line: {"_id": "d1", "text": "..."}'
            problem = f"expected an object, found {_kind(record)}"
            raise InputError(problem, where=where, hint=hint)
        yield number, record


def _lines(source: Source, limit: int | None) -> Iterator[bytes]:
    """Yield the lines of a file of any size, holding a piece of it at a time."""
    started: list[bytes] = []  # the pieces of a line whose end was not read yet
    number, most = 1, sys.maxsize if limit is None else limit
    for piece in source.chunks(PIECE):
        first, *lines = piece.split(b"\n")
        started.append(first)
        for at, size in enumerate((sum(map(len, started)), *map(len, lines))):
            if size > most:
                raise _too_long(f"{source.name}, line {number + at}", most)
        if lines:
            yield b"".join(started)
            yield from lines[:-1]
            started = lines[-1:]
            number += len(lines)
    yield b"".join(started)


def _too_long(where: str, limit: int) -> InputError:
    problem = f"longer than {size_text(limit)}"
    hint = f"write one document per line, or raise the limit, e.g. {SETTING}: 200MB"
    return InputError(problem, where=where, hint=hint)


def _parsed(line: bytes, where: str) -> object:
    try:
        return DECODER.decode(line.decode())
    except UnicodeDecodeError:
        problem, hint = "is not UTF-8", "save the file as UTF-8"
    except json.JSONDecodeError as error:
        problem = f"is not valid JSON ({error.msg}, column {error.colno})"
        hint = "write one whole JSON object per line"
    except (RecursionError, ValueError) as error:  # nested too deeply, or a number without end
        problem = f"cannot be read ({error})"
        hint = "write one JSON object per line"
    raise InputError(problem, where=where, hint=hint)


def _document(record: Mapping[str, Any], asked: DocumentRequest, where: str) -> Document:
    text = _text(record, where)
    data = text.encode()
    path = _word(record, ("path",), where)
    found = Document(
        id=_id(record, where),
        text=text if asked.texts else "",
        title=_word(record, ("title",), where),
        uri=_word(record, ("uri", "url"), where),
        path=path,
        file_name=_word(record, ("file_name",), where) or path.rpartition("/")[2],
        content_hash=sha256(data).hexdigest() if asked.hashes else "",
        language=_word(record, ("language",), where) or (language_of(path) if path else ""),
        size_bytes=len(data),
        metadata=further_fields(record, TAKEN),
    )
    stamp = stamp_of(found, data)
    return replace(found, stamp=stamp, text="" if asked.has(found.id, stamp) else found.text)


def _id(record: Mapping[str, Any], where: str) -> str:
    key = next((key for key in IDS if key in record), "")
    value = record.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value and value == _whole(value):
        return value
    problem = f'"{key}": expected a text, found {_kind(value)}' if key else "no id"
    raise InputError(problem, where=where, hint='give each document an id, e.g. {"_id": "d1"}')


def _text(record: Mapping[str, Any], where: str) -> str:
    if not any(key in record for key in (*TEXTS, "title")):
        hint = f"give the text under one of these keys: {', '.join(TEXTS)}"
        raise InputError("no text", where=where, hint=hint)
    return _word(record, TEXTS, where)


def _word(record: Mapping[str, Any], keys: tuple[str, ...], where: str) -> str:
    """Return the text under the first of the keys that has one; empty if none has."""
    key = next((key for key in keys if record.get(key) is not None), "")
    value = record[key] if key else ""
    if isinstance(value, str):
        return _whole(value)
    problem = f'"{key}": expected a text, found {_kind(value)}'
    raise InputError(problem, where=where, hint=f'write a string, e.g. {{"{key}": "..."}}')


def _whole(text: str) -> str:
    """Replace what JSON can spell but no text can hold: one half of a surrogate pair."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return "null" if value is None else kinds.get(type(value), "a number")


def _refuse_twice(place: Path, limit: int | None, name: str, line: int, where: str) -> None:
    """Look for the first document of this id again: two ids may share a hash, however rarely."""
    with Source(place) as source:
        for number, record in _records(source, limit):
            if number >= line:
                return
            if _id(record, where) == name:
                problem = f'duplicate id "{name}": also on line {number}'
                hint = "give each document an id of its own"
                raise InputError(problem, where=where, hint=hint)
