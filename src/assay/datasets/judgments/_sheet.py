"""A table of judgments -> triples: by arrays if every cell is plain, else as a dataset is read."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import cast

import numpy as np

from assay.columns import Source, Triples
from assay.columns.blocks.names import LONGEST
from assay.columns.delimited import delimited
from assay.columns.header import first_row
from assay.columns.titles import plain_titles
from assay.columns.triples import gather
from assay.datasets.sheets.columns import (
    DOCUMENTS,
    columns,
    known_columns,
    refuse_titles,
    separator,
)
from assay.datasets.sheets.sheet import GRADE, read_sheet
from assay.errors import InputError
from assay.records import Lookup, Names, Reference, as_words, decode, encode

__all__ = ["sheet"]

TAB = b"\t"
# What a cell must not begin or end with to be read as it is.
QUOTED = re.compile(rb"""(?<![^,;\t\n])"([^",;\t\r\n]*)"(?![^,;\t\r\n])""")
PADDED = re.compile(r"""(?:^|[,;\t])(?:[^\S\t\r\n]|['"])|[^\S\t\r\n](?:[,;\t\r]|$)""", re.MULTILINE)
NAMED = ("document_id", "uri", "path", "file_name")


def sheet(source: Source, marks: Sequence[str]) -> Triples:
    """Read a table with titles; whatever its cells hold, it says what the same dataset says."""
    mark = separator(source.head())
    if mark not in marks or not mark:
        refuse_titles(source.head(), where=source.name)
        hint = "expected e.g. query_id,document_id,grade (commas, semicolons or tabs)"
        problem = "the header has no columns for the query and the document"
        raise InputError(problem, where=source.name, hint=hint)
    content = source.read_all()
    plain = _read_plain(source.name, content, mark)
    if plain is not None:
        return plain
    again = _copy(source.name, content)
    again.head()
    again.wide = source.wide  # what was read is UTF-8 already
    return _read_any(again, mark)


def _copy(name: str, content: bytes) -> Source:
    return Source(name, content=content)


def _read_plain(name: str, content: bytes, mark: str) -> Triples | None:
    """Read three columns by arrays; nothing where a cell or a title asks for a closer look."""
    titles = first_row(content[: 1 << 16], mark)
    wanted = _plain_columns(titles)
    bare = content if wanted is None else _without_quotes(content)
    if wanted is None or not _is_plain(bare, mark):
        return None
    tabbed = bare if mark == "\t" else bare.replace(mark.encode(), TAB)
    try:
        found = delimited(
            _copy(name, tabbed), titles, wanted, tabs=True, header=True, label=wanted[2]
        )
    except InputError:
        return None
    repeats = Lookup.of(found.offsets, found.documents).repeats
    odd = bool(found.notes) or repeats or not _are_grades(found)
    return None if odd else replace(found, labels=None)


def _plain_columns(titles: list[str]) -> tuple[int, int, int] | None:
    """Return where query, document and grade are, if no further column says anything of them."""
    fields = columns(titles)
    kinds = {"text": "key", **dict.fromkeys(DOCUMENTS, "document")}
    known = {kinds.get(name, name): at for at, name in fields.items()}
    simple = known.keys() == {"key", "document", "grade"} and len(fields) == 3
    alone = len(set(titles)) == len(titles) and all(plain_titles(titles))
    odd = fields != known_columns(titles) or {"content_hash", "symbol"} & {*fields.values()}
    if not simple or not alone or odd:
        return None
    return known["key"], known["document"], known["grade"]


def _without_quotes(content: bytes) -> bytes:
    """Take the quotes off cells that need none; any other quote stays."""
    return QUOTED.sub(rb"\1", content) if b'"' in content else content


def _is_plain(content: bytes, mark: str) -> bool:
    ends = content.count(b"\r") == content.count(b"\r\n")
    if not ends or b"\n#" in content or (mark != "\t" and TAB in content):
        return False
    if content.isascii() and not any(odd in content for odd in (b" ", b"'", b'"')):
        return True
    try:
        return not PADDED.search(content.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _are_grades(found: Triples) -> bool:
    """Tell whether each number is written as a grade is, in a few digits."""
    words = as_words(cast("Names", found.labels))
    if words.shape[1] > 1:
        return False
    return all(GRADE.fullmatch(text) for text in decode(np.unique(words).view("S8")))


def _read_any(source: Source, mark: str) -> Triples:
    """Read row by row, as the format csv does."""
    sheet, queries = read_sheet(source, mark)
    judged = list(chain.from_iterable(query.judgments for query in queries))
    names = [_name(one.reference, source.name) for one in judged]
    triples = gather(
        [query.key for query in queries],
        [len(query.judgments) for query in queries],
        encode(names),
        np.array([one.grade for one in judged], np.float64),
        lambda _: source.name,
        tuple(sheet.left_out),
        name=source.name,
    )
    return replace(triples, ungraded=sheet.ungraded)


def _name(reference: Reference, where: str) -> str:
    found = (getattr(reference, key) for key in NAMED)
    name: str = next(filter(None, found), "")
    if name and len(name) <= LONGEST:
        return name
    hint = "use document ids, or load the file as a dataset together with its corpus"
    problem = f"{str(reference)[:80]} is not a document id"
    raise InputError(problem, where=where, hint=hint)
