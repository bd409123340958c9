"""Ids of a run that are nearly those of its judgments -> a note: each counts as another one."""

import re
from collections.abc import Iterator, Sequence
from unicodedata import normalize

import numpy as np

from assay.columns.files.path_names import folded, unlike
from assay.records import Judgments, Rankings, decode, encode
from assay.text.count_noun import count_noun, plural

__all__ = ["near_notes"]

JUDGED = 500  # judgments that are looked at: programs mangle ids from the first rows on
DEPTH = 20  # results of each query that are compared with them
RESULTS = 500  # of all queries together
QUERIES = 10_000
SHOWN = 100  # letters of an id
LONGEST = 99  # digits of a number
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
QUOTES = "='\"` "
WHOLE = re.compile(r"(\d)\.0+\Z")  # of a number that a spreadsheet wrote
ZEROS = re.compile(r"(?<![\d.])0+(?=\d)")
PIECE = re.compile(r"(?:#|::).*\Z")  # of a document: its number behind the id
ENDING = re.compile(r"(?<=[\w-])\.[A-Za-z]\w{0,4}\Z")
ROUNDED = re.compile(r"\d[.,](\d+)E\+\d{1,2}", re.IGNORECASE)  # 1.23457E+15, by a spreadsheet
BETWEEN = re.compile(r"[\s,;|\[\]'\"]+")  # ids that share a cell
SEVERAL = re.compile(r"[,;|\n]")
Pair = tuple[str, str]  # of the run, of the judgments


def near_notes(rankings: Rankings, judgments: Judgments) -> tuple[str, ...]:
    """Say which queries and documents look like judged ones that the run seems to lack."""
    queries, documents = _near_queries(rankings, judgments), _near_documents(rankings, judgments)
    return (*_note(queries, "query"), *_note(documents, "document"))


def _note(pairs: Sequence[Pair], what: str) -> tuple[str, ...]:
    if not pairs:
        return ()
    run, judged = pairs[0]
    some = count_noun(len(pairs), f"{what} counts", f"{plural(2, what)} count")
    nearly = "its id is nearly identical to a judged one"
    nearly = nearly if len(pairs) == 1 else "their ids are nearly identical to judged ones"
    example = f'e.g. run "{run:.{SHOWN}}", judgments "{judged:.{SHOWN}}"{_unseen(run, judged)}'
    return (f"{some} as unjudged, but {nearly}: {example}",)


def _unseen(run: str, judged: str) -> str:
    """Say what nobody sees in the pair itself."""
    if form := unlike(run, judged):
        return form
    if _visible(run) == _visible(judged):
        return " (they differ in white space or invisible characters)"
    if found := ROUNDED.fullmatch(judged):
        comma = ", with a decimal comma" if "," in found[0] else ""
        return f" (a spreadsheet rounded the id{comma}: format that column as text)"
    return " (check for several ids in one cell)" if _several(judged) else ""


def _visible(name: str) -> str:
    return " ".join(INVISIBLE.sub("", name).split())


def _near_queries(rankings: Rankings, judgments: Judgments) -> list[Pair]:
    judged, asked = set(judgments.queries), set(rankings.queries)
    ours = [query for query in rankings.queries if query not in judged]
    theirs = [query for query in judgments.queries if query not in asked]
    return _pairs(ours[:QUERIES], theirs[:QUERIES])


def _near_documents(rankings: Rankings, judgments: Judgments) -> list[Pair]:
    """Compare what each query lacks with its unjudged results; ids known elsewhere are not meant.

    A judged document of a query can only be mistaken for a result of the same query.
    """
    found: dict[Pair, None] = {}
    for mine, theirs in _by_query(rankings, judgments):
        for find in (_pairs, _chunks, _cells, _numbers):
            found |= dict.fromkeys(find(mine, theirs))
    if not found:
        return []
    run, judged = (encode(pair[side] for pair in found) for side in (0, 1))
    known = np.isin(run, judgments.documents) | np.isin(judged, rankings.documents)
    return [pair for pair, is_known in zip(found, known.tolist(), strict=True) if not is_known]


def _by_query(rankings: Rankings, judgments: Judgments) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the unjudged results and the judged documents that are no result, query by query."""
    query, documents = judgments.query[:JUDGED], judgments.documents[:JUDGED]
    number = rankings.numbers(judgments.queries)
    lacks = (number[query] >= 0) & (rankings.ranks(number[query], documents) == 0)
    left = RESULTS
    for at in np.unique(query[lacks]).tolist():
        start = int(rankings.offsets[number[at]])
        end = min(int(rankings.offsets[number[at] + 1]), start + min(DEPTH, left))
        known = set(decode(documents[query == at]))
        mine = [name for name in decode(rankings.documents[start:end]) if name not in known]
        yield mine, [name for name in decode(documents[lacks & (query == at)]) if name]
        left -= end - start
        if left <= 0:
            return


def _pairs(ours: Sequence[str], theirs: Sequence[str]) -> list[Pair]:
    judged = {_bare(name): name for name in theirs}
    if not judged:
        return []
    return [(name, judged[key]) for name in ours if (key := _bare(name)) in judged]


def _chunks(ours: Sequence[str], theirs: Sequence[str]) -> list[Pair]:
    """Find the number of a chunk, or the ending of a file, that only one of both names has."""
    return [pair for part in (PIECE, ENDING) for pair in _without(part, ours, theirs)]


def _without(part: re.Pattern[str], ours: Sequence[str], theirs: Sequence[str]) -> list[Pair]:
    judged = {part.sub("", name): name for name in theirs}
    pairs = [(name, judged.get(part.sub("", name), "")) for name in ours]
    return [pair for pair in pairs if pair[1] and sum(map(bool, map(part.search, pair))) == 1]


def _cells(ours: Sequence[str], theirs: Sequence[str]) -> list[Pair]:
    """Find a judged id that is several results, as one cell of a spreadsheet may hold them."""
    mine = set(ours)
    inside = {name: [one for one in _several(name) if one in mine] for name in theirs}
    return [(ids[0], name) for name, ids in inside.items() if len(ids) > 1]


def _numbers(ours: Sequence[str], theirs: Sequence[str]) -> list[Pair]:
    """Find long numbers that a spreadsheet rounded in the judgments."""
    rounded = {name: found for name in theirs if (found := ROUNDED.fullmatch(name))}
    digits = [name for name in ours if name.isdecimal() and len(name) <= LONGEST] if rounded else []
    return [
        (run, name)
        for name, found in rounded.items()
        for run in digits
        if f"{float(run):.{len(found[1])}e}" == name.replace(",", ".").lower()
    ]


def _several(name: str) -> list[str]:
    return [one for one in BETWEEN.split(name) if one] if SEVERAL.search(name) else []


def _bare(name: str) -> str:
    """Drop what programs add to an id or take from it.

    >>> _bare("007"), _bare("7.0"), _bare('="07"'), _bare("Vpn  Setup "), _bare("d7/")
    ('7', '7', '7', 'vpn setup', 'd7')
    """
    text = name if name.isascii() else normalize("NFKC", INVISIBLE.sub("", name))
    text = " ".join(folded(text).split()).strip(QUOTES).removesuffix("/")
    return ZEROS.sub("", WHOLE.sub(r"\1", text))
