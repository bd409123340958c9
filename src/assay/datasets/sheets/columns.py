"""Which column of a spreadsheet holds what, by its title, however people spell it."""

import csv
import re
from collections.abc import Callable, Sequence

from assay.columns.header import first_line, first_row, shown
from assay.columns.titles import FIELDS, plain_titles
from assay.datasets.sheets.question_words import FILE_KINDS, file_kind, is_key, is_question
from assay.errors import InputError

__all__ = ["DOCUMENTS", "NEEDED", "columns", "known_columns", "refuse_titles", "separator"]

OTHER = re.compile(r"\s*(?:[\[{<]|\S+\s+\S+\s+\S+\s+[+-]?\d)")
TABLES = (".csv", ".tsv")
ABOVE = 20  # lines among which titles are looked for
DOCUMENTS = ("name", "document_id", "uri", "content_hash", "path", "file_name", "symbol")
NEEDED = {"query": ("key", "text"), "document": DOCUMENTS}
CALLED = {"query": '"question" (or "query_id")', "document": '"file" (or "document_id")'}
FIRST = re.compile(r"""(?:"(?:[^"]|"")*+"|[^",;\t]*+)([,;\t])""")


def columns(titles: Sequence[str]) -> dict[int, str]:
    """Return the field of each column whose title is known; the rest are the user's own.

    >>> columns(["Query ID", "Query", "Corpus-ID", "Owner"])
    {0: 'key', 1: 'text', 2: 'document_id'}
    >>> columns(["Nr", "Question", "Answer file"])
    {1: 'text', 2: 'name', 0: 'key'}
    """
    return _with_own_words(titles, known_columns(titles))


def known_columns(titles: Sequence[str]) -> dict[int, str]:
    """Return the fields of a spreadsheet of judgments, without words that people choose."""
    found = {at: FIELDS[name] for at, name in enumerate(plain_titles(titles)) if name in FIELDS}
    documents = [at for at, name in found.items() if name in DOCUMENTS]
    grades = [at for at, name in found.items() if name == "grade"]
    for at, title in enumerate(plain_titles(titles)):
        if title == "relevant" and len(documents) > 1 and not grades:
            found[at] = "grade"  # 0 or 1, beside a column that names the document
        if title == "score" and len(grades) > 1:
            del found[at]  # of a search, beside the grade
    return found


def _with_own_words(titles: Sequence[str], found: dict[int, str]) -> dict[int, str]:
    """Add what people call the question, the files and the id, if nothing else is called so."""
    texts, files = _places(titles, is_question), _files(titles)
    if "text" not in found.values() and len(texts) == 1:
        found |= {texts[0]: "text"}
    if texts and len(files) == 1 and not set(DOCUMENTS) & set(found.values()):
        found |= {files[0]: "name"}
    keys = [at for at in _places(titles, is_key) if at not in found]
    # Beside grades each row is a judgment, and may have an id of its own.
    if texts and len(keys) == 1 and not {"key", "grade"} & set(found.values()):
        found |= {keys[0]: "key"}
    return found


def _places(titles: Sequence[str], is_one: Callable[[str], object]) -> list[int]:
    return [at for at, title in enumerate(titles) if is_one(title)]


def _files(titles: Sequence[str]) -> list[int]:
    """Return where the titles are that most surely are those of files."""
    kinds = [file_kind(title) for title in titles]
    surest = next((kind for kind in FILE_KINDS if kind in kinds), "")
    return [at for at, kind in enumerate(kinds) if kind and kind == surest]


def separator(head: bytes) -> str:
    """Return what parts the titles of a file, if they name a query and a document; else nothing."""
    line = first_line(head)
    found = FIRST.match(line)
    if not found:
        return ""
    try:
        titles = next(csv.reader([line], delimiter=found[1]), [])
    except csv.Error:
        return ""
    names = set(columns(titles).values())
    return "" if any(map(names.isdisjoint, NEEDED.values())) else found[1]


def refuse_titles(head: bytes, *, where: str) -> None:
    """Raise for a first line of titles that lacks one, or that stands above the titles."""
    _refuse_lines_above(head, where=where)
    found = FIRST.match(first_line(head))
    titles = first_row(head, found[1]) if found else []
    names = set(columns(titles).values())
    lacks = [noun for noun, some in NEEDED.items() if names.isdisjoint(some)]
    numbers = any(title.strip().lstrip("-").isdigit() for title in titles)
    least = 2 if where.lower().endswith(TABLES) else 3
    words = _are_words(titles, first_line(head), least)
    if numbers and not known_columns(titles) and words:
        hint = "a file with commas or semicolons needs a header line: query_id,document_id,grade"
        raise InputError("the first line is not a header", where=where, hint=hint)
    if numbers or not lacks or not (names or words):
        return
    _refuse_rivals(titles, lacks, where=where)
    known = " and ".join(f"the {noun}" for noun in lacks)
    call = " and ".join(CALLED[noun] for noun in lacks)
    s = "" if len(lacks) == 1 else "s"
    hint = f"the columns are: {shown(titles)}; rename the right one{s} to {call}"
    if "document" in lacks and "grade" not in names:
        hint += '; a log without judgments has the columns "query" and "count"'
    raise InputError(f"no column for {known}", where=where, hint=hint)


def _refuse_rivals(titles: Sequence[str], lacks: Sequence[str], *, where: str) -> None:
    """Raise where a column is missing because several could be it."""
    alike = {"query": _places(titles, is_question), "document": _files(titles)}
    for noun in lacks:
        if len(alike[noun]) > 1:
            rivals = shown([titles[at] for at in alike[noun]])
            problem = f"several columns could hold the {noun}: {rivals}"
            raise InputError(problem, where=where, hint="rename or remove all but one")


def _are_words(titles: Sequence[str], line: str, least: int) -> bool:
    """Tell titles in other words, or another language, from lines of TREC, JSON or HTML."""
    return len(titles) >= least and all(titles) and "\t" not in line and not OTHER.match(line)


def _refuse_lines_above(head: bytes, *, where: str) -> None:
    """Raise where titles stand below other lines, such as the name of a spreadsheet."""
    lines = head.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n", ABOVE)[:ABOVE]
    for number, line in enumerate(lines, 1):
        if number > 1 and not line.startswith(b"#") and separator(line):
            problem = f"the header is in line {number}, not in the first line"
            raise InputError(problem, where=where, hint="remove the lines above it")
