"""Query text -> its terms, each with its weight and the most that it can gain."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from assay.engines.is_code import is_code
from assay.engines.lexical._fields import WHOLE
from assay.engines.lexical._settings import LexicalSettings
from assay.engines.words.stop_words import meaning
from assay.engines.words.tokens import Tokens, dotted

__all__ = ["QueryTerms", "Term", "kept", "known", "rarity", "wanted"]

FEW = 16  # distinct terms, up to which common ones say as much as BM25 thinks
SLOPE, MOST = 1.5, 2.0  # of the power to which rarity is raised beyond


class Term(NamedTuple):
    """A term in a field; ``weight`` multiplies its score, ``best`` is the most it can gain."""

    field: str
    text: str
    weight: float
    best: float
    rarity: float


class QueryTerms(NamedTuple):
    """What a query asks for: how often each word counts, and each name that is held undivided.

    ``fields`` are the weights of the fields, ``limit`` says how many terms may be searched, and
    ``power`` to which power of its rarity a term counts beyond BM25.
    """

    words: Mapping[str, int]
    whole: Mapping[str, int]
    fields: Mapping[str, float]
    limit: int
    power: float
    code: bool


def wanted(text: str, tokens: Tokens, settings: LexicalSettings) -> QueryTerms:
    """Take a query apart: a question by its words that mean something, code by its rare ones.

    A long piece of code is full of words that say nothing, so that rare ones count by a power of
    their rarity, which grows with the number of distinct terms.
    """
    if is_code(text):
        words = dict.fromkeys(tokens(text).split(), 1)
        power = min(MOST, max(0.0, SLOPE * math.log2(max(1, len(words)) / FEW)))
        whole = dict.fromkeys(dotted(text), 1)
        return QueryTerms(words, whole, settings.code_fields, settings.code_terms, power, code=True)
    counts, names = meaning(text, tokens), Counter(dotted(text))
    if not settings.query_counts:
        counts, names = Counter(dict.fromkeys(counts, 1)), Counter(dict.fromkeys(names, 1))
    return QueryTerms(counts, names, settings.fields, settings.max_terms, 0.0, code=False)


def rarity(found: int, total: int) -> float:
    """Return the inverse document frequency, as Lucene and tantivy have it: never negative."""
    return math.log1p((total - found + 0.5) / (found + 0.5))


def known(
    asked: QueryTerms, frequency: Callable[[str, str], int], total: int, k1: float
) -> Iterator[Term]:
    """Yield the terms that occur in an index of ``total`` chunks, in each field that holds them.

    ``frequency`` counts the chunks that hold a term in a field. No occurrence of a term can gain
    more than its inverse document frequency times k1 + 1 (Robertson and Zaragoza 2009, The
    Probabilistic Relevance Framework, section 3.5).
    """
    weights = [(field, weight) for field, weight in asked.fields.items() if weight]
    named = [(field, weight) for field, weight in weights if field in WHOLE]
    for counts, places in ((asked.words, weights), (asked.whole, named)):
        for text, count in counts.items():
            for field, weight in places:
                if found := frequency(field, text):
                    rare = rarity(found, total)
                    boost = weight * count * rare**asked.power
                    yield Term(field, text, boost, boost * rare * (k1 + 1), rare)


def kept(terms: Sequence[Term], asked: QueryTerms) -> Sequence[Term]:
    """Keep as many terms as may be searched, in the order of the query.

    Of a question those that can gain most over all their fields, of code the rarest ones, judged
    where they are most common.
    """
    if len(terms) <= asked.limit:
        return terms
    values = _rarities(terms) if asked.code else _gains(terms)
    best = set(sorted(values, key=lambda text: (-values[text], text))[: asked.limit])
    return [term for term in terms if term.text in best]


def _gains(terms: Sequence[Term]) -> Mapping[str, float]:
    gains: defaultdict[str, float] = defaultdict(float)
    for term in terms:
        gains[term.text] += term.best
    return gains


def _rarities(terms: Sequence[Term]) -> Mapping[str, float]:
    rarities: defaultdict[str, float] = defaultdict(lambda: math.inf)
    for term in terms:
        rarities[term.text] = min(term.rarity, rarities[term.text])
    return rarities
