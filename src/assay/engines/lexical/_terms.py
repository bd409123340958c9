"""Query text -> its terms, each with its weight and the most that it can gain."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from assay.engines.is_code import is_code
from assay.engines.lexical._fields import WHOLE
from assay.engines.lexical._settings import LexicalSettings
from assay.engines.words.stop_words import meaning, stop_words
from assay.engines.words.synonyms import Group, Synonyms
from assay.engines.words.tokens import dotted, tokens_of

__all__ = ["QueryReader", "QueryTerms", "Term", "count_chunks", "kept", "known", "rarity"]

FEW = 16  # distinct terms, up to which common ones say as much as BM25 thinks
SLOPE, MOST = 1.5, 2.0  # of the power to which rarity is raised beyond


class Term(NamedTuple):
    """A term in a field; ``weight`` multiplies its score, ``best`` is the most it can gain.

    A ``group`` of synonyms is one term, which gains what the best of its alternatives does.
    """

    field: str
    text: str
    weight: float
    best: float
    rarity: float
    group: Group = ()


class QueryTerms(NamedTuple):
    """What a query asks for: how often each word counts, and each name that is held undivided.

    ``fields`` are the weights of the fields, ``limit`` says how many terms may be searched, and
    ``power`` to which power of its rarity a term counts beyond BM25. ``groups`` has the synonyms
    that stand among the words, by what these call them.
    """

    words: Mapping[str, int]
    whole: Mapping[str, int]
    fields: Mapping[str, float]
    limit: int
    power: float
    code: bool
    groups: Mapping[str, Group] = MappingProxyType({})


class QueryReader:
    """Takes queries apart: questions by their words that mean something, code by its rare ones."""

    def __init__(self, settings: LexicalSettings) -> None:
        self._settings, self._tokens = settings, tokens_of(settings.language)
        self._stopped = stop_words(settings.stop_words)
        rules = settings.synonyms
        self._synonyms = Synonyms(rules, self._tokens, self._stopped) if rules else None

    def __call__(self, text: str) -> QueryTerms:
        """Return the terms of a query, each with the number of times that it counts."""
        return self._code(text) if is_code(text) else self._question(text)

    def _code(self, text: str) -> QueryTerms:
        """Let rare words count by a power of their rarity, which grows with the number of words.

        A long piece of code is full of words that say nothing.
        """
        own = self._settings
        words = dict.fromkeys(self._tokens(text).split(), 1)
        power = min(MOST, max(0.0, SLOPE * math.log2(max(1, len(words)) / FEW)))
        whole = dict.fromkeys(dotted(text), 1)
        return QueryTerms(words, whole, own.code_fields, own.code_terms, power, code=True)

    def _question(self, text: str) -> QueryTerms:
        own, names = self._settings, Counter(dotted(text))
        counts, groups = self._expanded(text, self._synonyms) if self._synonyms else (Counter(), {})
        counts = counts or meaning(text, self._tokens, self._stopped)
        if not own.query_counts:
            counts, names = Counter(dict.fromkeys(counts, 1)), Counter(dict.fromkeys(names, 1))
        return QueryTerms(counts, names, own.fields, own.max_terms, 0.0, code=False, groups=groups)

    def _expanded(self, text: str, synonyms: Synonyms) -> tuple[Counter[str], Mapping[str, Group]]:
        """Count the terms of a question, and groups of synonyms as one term each."""
        counts, groups = Counter[str](), dict[str, Group]()
        names: dict[int, str] = {}  # of each group, which may be long and occur often
        for one in synonyms.read(self._tokens.words(text)):
            if not isinstance(one, str):
                name = names.get(id(one)) or "|".join(map(" ".join, one))
                names[id(one)] = name
                counts[name] += 1
                groups.setdefault(name, one)
            elif one.lower() not in self._stopped:
                counts.update(self._tokens[one].split())
        return counts, groups


def rarity(found: int, total: int) -> float:
    """Return the inverse document frequency, as Lucene and tantivy have it: never negative."""
    return math.log1p((total - found + 0.5) / (found + 0.5))


def known(
    asked: QueryTerms, frequency: Callable[[str, str], int], total: int, k1: float
) -> Iterator[Term]:
    """Yield the terms that occur in an index of ``total`` chunks, in each field that holds them.

    ``frequency`` counts the chunks that hold a term in a field. No occurrence of a term can gain
    more than its inverse document frequency times k1 + 1 (Robertson and Zaragoza 2009, The
    Probabilistic Relevance Framework, section 3.5). All synonyms are as rare as the most frequent
    one of them, as in Lucene's BlendedTermQuery: else a rare word would win over the one asked for.
    """
    weights = [(field, weight) for field, weight in asked.fields.items() if weight]
    named = [(field, weight) for field, weight in weights if field in WHOLE]
    for counts, places in ((asked.words, weights), (asked.whole, named)):
        for text, count in counts.items():
            group = asked.groups.get(text, ())
            for field, weight in places:
                if found := count_chunks(partial(frequency, field), text, group):
                    rare = rarity(found, total)
                    boost = weight * count * rare**asked.power
                    yield Term(field, text, boost, boost * rare * (k1 + 1), rare, group)


def count_chunks(frequency: Callable[[str], int], text: str, group: Group) -> int:
    """Count the chunks with a term, or at most with the most frequent of its synonyms.

    Those with all tokens of a synonym are at most as many as those with the rarest of them.
    """
    if not group:
        return frequency(text)
    return max(min(map(frequency, tokens)) for tokens in group)


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
