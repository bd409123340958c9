"""Query texts -> the terms that each has, and those that tell some of them from the others."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import numpy as np

from assay.records import Floats

__all__ = ["distinguishing", "terms_of", "weigh_terms"]

WORD = re.compile(r"[^\W\d_]\w*")
UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
# Words of English grammar: they tell how something is asked, not what about.
GRAMMAR = frozenset(
    re.findall(
        r"\w+",
        "a about after again all also always an and any are as at be because been before between "
        "both but by can could did do does each else every everything few for from get had has "
        "have how i if in into is it its just like make me more most my no not of off on once one "
        "only or other out over own same several should so some still such than that the their "
        "them then there these they this those through to too under until up use used using very "
        "was we were what when where which while who whose why will with without would you your",
    )
)
STEM = 4  # letters: what shorter words begin with are others
COLUMNS = 1000  # terms that queries are compared by: the most common ones


def terms_of(text: str) -> list[str]:
    """Return the words of a text, each once; scripts without spaces give pairs of characters.

    >>> terms_of("How do I await a task, or two tasks?")
    ['await', 'task', 'two', 'tasks']
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = (part for word in WORD.findall(folded) for part in _parts(word))
    return [word for word in dict.fromkeys(words) if len(word) > 1 and word not in GRAMMAR]


def _parts(word: str) -> Iterator[str]:
    at = 0
    for match in UNSPACED.finditer(word):
        yield word[at : match.start()]
        run = match.group()
        yield from map("".join, pairwise(run)) if len(run) > 1 else [run * 2]
        at = match.end()
    yield word[at:]


def weigh_terms(terms: Sequence[Collection[str]]) -> Floats:
    """Return a row for each query: its terms, the rarer the heavier (IDF).

    Terms of one query alone connect it with no other, and are left out. IDF is that of Spärck
    Jones (Journal of Documentation 1972).
    """
    counts = Counter(term for some in terms for term in some)
    common = [term for term, count in counts.most_common(COLUMNS) if count > 1]
    column = {term: at for at, term in enumerate(common)}
    rows = np.zeros((len(terms), len(column)))
    for at, some in enumerate(terms):
        for term in some:
            if term in column:
                rows[at, column[term]] = np.log(len(terms) / counts[term])
    return rows


def distinguishing(terms: Sequence[Collection[str]], some: Sequence[bool], most: int) -> list[str]:
    """Name the terms that ``some`` of the queries have and the others have not.

    They are put in order by the log-odds of having a term against the others', in standard errors,
    with the frequencies of all as prior: Monroe, Colaresi and Quinn (Political Analysis 2008).
    What only one of them has comes last. Of ``layer`` and ``layers`` only the first says anything.
    """
    inside = Counter(t for one, chosen in zip(terms, some, strict=True) if chosen for t in one)
    whole = Counter(term for one in terms for term in one)
    sizes = inside.total(), whole.total()
    scored = {term: _z(inside[term], whole[term], sizes) for term in inside}
    chosen: list[str] = []
    for term in sorted(scored, key=lambda term: (inside[term] < 2, -scored[term], term)):
        if len(chosen) < most and not any(_begins(term, other) for other in chosen):
            chosen.append(term)
    return chosen


def _begins(one: str, other: str) -> bool:
    """Tell whether a word is another with an ending."""
    shorter = min(len(one), len(other))
    return shorter >= STEM and one[:shorter] == other[:shorter]


def _z(inside: int, whole: int, sizes: tuple[int, int]) -> float:
    """Return how far a term is more frequent inside than outside, in standard errors."""
    all_inside, all_terms = sizes
    outside, all_outside = whole - inside, all_terms - all_inside
    mine, theirs = inside + whole, outside + whole
    odds = np.log(mine / (all_inside + all_terms - mine + 1))
    other = np.log(theirs / (all_outside + all_terms - theirs + 1))
    return float((odds - other) / np.sqrt(1 / mine + 1 / theirs))
