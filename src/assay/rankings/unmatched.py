"""A run of which no document is judged -> a note that shows an id of each side."""

import re
from collections.abc import Callable, Iterable

import numpy as np

from assay.columns.files.path_names import composed, folded, unlike
from assay.records import Ints, Judgments, Rankings, decode

__all__ = ["unmatched_notes"]

CHUNK = 1 << 12  # judgments that are looked up together: mostly the first are enough
MOST = 50_000  # documents of each side among which a pair is looked for
SHOWN = 100  # letters of an id
PIECE = re.compile(r"(?:#|::).*\Z")  # of a document: its number behind the id
WHOLE = re.compile(r"\.0+\Z")  # of a number that a spreadsheet wrote
ZEROS = re.compile(r"(?<!\d)0+(?=\d)")


def unmatched_notes(rankings: Rankings, judgments: Judgments) -> tuple[str, ...]:
    """Say that not one retrieved document is judged, since ids that differ score 0 silently."""
    number = rankings.numbers(judgments.queries)
    named = judgments.documents != b""
    if not (number >= 0).any() or not named.any() or _is_any_judged(rankings, judgments, number):
        return ()
    ours = {name.decode(): None for name in rankings.documents.tolist()}
    theirs = dict.fromkeys(decode(judgments.documents[named][:MOST]))
    one = len(ours) == 1
    problem = "its only document is not" if one else f"none of its {len(ours):,} documents is"
    same = next((name for name in theirs if name in ours), None)
    if same is not None:
        hint = f'check the query ids: "{same:.{SHOWN}}" is judged for another query'
        return (f"{problem} judged for its query; {hint}",)
    run, judged = _closest([*ours][:MOST], theirs)
    example = f'e.g. run "{run:.{SHOWN}}", judgments "{judged:.{SHOWN}}"'
    return (f"{problem} judged; check the document ids, {example}{unlike(run, judged)}",)


def _is_any_judged(rankings: Rankings, judgments: Judgments, number: Ints) -> bool:
    query = number[judgments.query]
    asked = np.flatnonzero(query >= 0)
    parts = (asked[start : start + CHUNK] for start in range(0, len(asked), CHUNK))
    find = rankings.lookup.find
    return any((find(query[part], judgments.documents[part]) >= 0).any() for part in parts)


def _closest(ours: list[str], theirs: Iterable[str]) -> tuple[str, str]:
    """Return the first pair that differs least; the first of each side where none is alike."""
    judged = [*theirs]
    for form in (composed, folded, _bare, _last):
        if pair := _pair(form, ours, judged):
            return pair
    return ours[0], judged[0]


def _pair(
    form: Callable[[str], str], ours: Iterable[str], theirs: Iterable[str]
) -> tuple[str, str] | None:
    judged: dict[str, str] = {}
    for name in theirs:
        judged.setdefault(form(name), name)
    return next(((name, judged[key]) for name in ours if (key := form(name)) in judged), None)


def _bare(name: str) -> str:
    """Drop what programs add to an id: leading zeros, ``.0``, and the number of a chunk.

    >>> _bare("007"), _bare("7.0"), _bare("a.md#0"), _bare("D07")
    ('7', '7', 'a.md', 'd7')
    """
    return ZEROS.sub("", WHOLE.sub("", PIECE.sub("", folded(name))))


def _last(name: str) -> str:
    """Drop the folders, too."""
    return _bare(name).rpartition("/")[2]
