"""What people call the question, its id and the files that answer it, in lists of their own."""

from collections.abc import Callable, Sequence

from assay.columns.titles import plain
from assay.datasets.problems import Problems
from assay.datasets.sheets.file_names import (
    NUMBERS,
    is_id,
    is_listing,
    is_name,
    is_nothing,
    is_path,
    is_prose,
)
from assay.text.quote import quote_value

__all__ = [
    *("FILE_KINDS", "file_kind", "is_key", "is_plain_noun", "is_question", "key_order"),
    *("may_name", "refuse_texts"),
]

QUESTIONS = (
    *("question", "query", "querytext", "questiontext", "q", "prompt", "userquestion"),
    *("userquery", "searchquery", "searchterm", "userinput"),
)
IDS = ("queryid", "questionid", "qid", "querykey", "questionkey", "id", "key", "no", "nr", "number")
# "expected_file", "answer_files", "relevant documents", "gold_path", "source", ...
BEFORE = ("", "expected", "answer", "relevant", "gold", "golden", "correct", "target", "source")
FILE = ("file", "filename", "filepath", "path")
DOCUMENT = ("doc", "document", "page", "article", "record")
WORDS = ("expected", "gold", "golden", "target", "source", "reference")


def _titles(nouns: Sequence[str]) -> frozenset[str]:
    return frozenset(f"{before}{one}{s}" for before in BEFORE for one in nouns for s in ("", "s"))


KINDS = {
    "file": _titles(FILE),
    "id": _titles(("documentid", "docid")),
    "document": _titles(DOCUMENT) | {"relevant"},
    "word": frozenset((*WORDS, "targets", "sources", "references")),
}
FILE_KINDS = (*KINDS,)
LIST = "separate several names with semicolons: a.md; b.md"
QUOTES = "if the row is shifted, put quotes around cells that contain the separator"
LEAVE = "leave it empty if no file answers the query"
WRITE = "write the name of a file, or leave it empty"
FITS: dict[str, Callable[[str], bool]] = {
    "file": lambda text: not (NUMBERS.fullmatch(text) or is_nothing(text) or is_prose(text)),
    "id": lambda text: not (is_nothing(text) or is_listing(text)),
    "document": is_name,
    "word": is_id,
    "title": lambda text: not (is_prose(text) or is_nothing(text)),
}


def is_question(title: str) -> bool:
    """Tell whether a title is one of a question."""
    return plain(title) in QUESTIONS


def is_key(title: str) -> bool:
    """Tell whether a title is one of a question's id."""
    return plain(title) in IDS


def key_order(title: str) -> int:
    """Return a lower number for a title that more surely is the id of a question."""
    return IDS.index(plain(title))


def file_kind(title: str) -> str:
    """Say how sure a title is one of files: "file" or "id", "document", "word"; "" if it is none.

    A document may be given by its text, and a word such as "expected" may be an answer.

    >>> [file_kind(one) for one in ("Answer file", "doc_id", "page", "expected", "answer")]
    ['file', 'id', 'document', 'word', '']
    """
    return next((kind for kind, titles in KINDS.items() if plain(title) in titles), "")


def is_plain_noun(title: str) -> bool:
    """Tell whether a title is a noun such as "files" or "page", with nothing before it."""
    return plain(title).removesuffix("s") in (*FILE, *DOCUMENT)


def may_name(title: str, text: str) -> bool:
    """Tell whether a text below a title of files can be the name of one."""
    return FITS[file_kind(title)](text.strip())


def refuse_texts(
    title: str, names: Sequence[tuple[str, str]], problems: Problems, *, kind: str, noun: str
) -> None:
    """Note texts that are not names of files: each at its place, or all where half are none.

    ``names`` are pairs of a place and a text, ``noun`` is what the title belongs to. Where most are
    names, a plain word will do for the others; where most have an ending, a title will not do.
    """
    unfit = [(at, name) for at, name in names if not FITS[kind](name.strip())]
    if kind == "file" and 2 * sum(is_path(name) for _, name in names) > len(names):
        unfit = [(at, name) for at, name in names if not is_name(name)]
    texts = [name for _, name in unfit if not (is_nothing(name) or is_listing(name))]
    if kind != "id" and texts and 2 * len(unfit) >= len(names):
        problem, hint = _of_all(title, texts, noun)
        problems.add(problem, hint=hint)
        return
    for at, name in unfit:
        if kind != "word" or not is_name(name):
            problem = f"{quote_value(name, 40)} is not the name of a file"
            hint = LIST if is_listing(name) else LEAVE if is_nothing(name) else WRITE
            shifted = f"; {QUOTES}" if hint == WRITE and noun == "column" else ""
            problems.add(problem, at=at, hint=f"{hint}{shifted}")


def _of_all(title: str, texts: Sequence[str], noun: str) -> tuple[str, str]:
    """Say what most texts below a title are, and where names of files belong."""
    numbers = all(NUMBERS.fullmatch(text.strip()) for text in texts)
    what = "numbers" if numbers else f"text such as {quote_value(texts[0], 40)}"
    place = "under a key" if noun == "key" else f"in a {noun}"
    hint = f'put the names of the files that answer each query {place} named "file"'
    sure = file_kind(title) == "file"
    hint = "write the names of the files that answer each query" if sure else hint
    ids = '; if these are document ids, name it "document_id"' if numbers or sure else ""
    return f'the {noun} "{title[:40]}" contains {what}, not file names', f"{hint}{ids}"
