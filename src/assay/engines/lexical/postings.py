"""postings: inverted index whose BM25 takes k1, b and field weights when it is asked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from assay.engines.lexical._bm25 import FieldBm25
from assay.engines.lexical._coverage import considered, found_in, masses
from assay.engines.lexical._fields import written
from assay.engines.lexical._postings_files import PostingsFiles
from assay.engines.lexical._ranked import nothing, ranked
from assay.engines.lexical._settings import LexicalSettings, open_settings
from assay.engines.lexical._terms import QueryReader, QueryTerms, Term, kept, known
from assay.engines.words.holding import word_shares
from assay.engines.words.languages import DEFAULT
from assay.engines.words.tokens import tokens_of
from assay.records import Bools, Chunk, Floats, FoundRows, Ints, LexicalIndex

__all__ = ["postings"]

NOISE = 1e-12  # of a score: what sums in float64 can differ by, in whatever order they are made
FAR = 10 * NOISE  # the share by which a score must be lower to be no tie: ties can form a chain


def postings(  # noqa: PLR0913 (each is a setting of its own)
    folder: Path,
    *,
    k1: float = 1.2,
    b: float = 0.75,
    fields: Mapping[str, float] | None = None,
    code_fields: Mapping[str, float] | None = None,
    language: str = DEFAULT,
    stop_words: str | Sequence[str] | None = None,
    synonyms: Sequence[str] = (),
    query_counts: bool = True,
    max_terms: int = 512,
    code_terms: int = 64,
) -> LexicalIndex:
    """Open the index in a folder, or create it.

    ``k1`` is how soon further occurrences of a term stop to count (0: at the first one), ``b`` how
    much the length of a field counts, from 0 to 1. Both can be changed without another index. The
    rest is as with tantivy, whose scores these are with 1.2 and 0.75, but for the lengths of
    fields, which tantivy rounds.
    """
    settings = open_settings(
        "postings",
        folder,
        fields=fields,
        code_fields=code_fields,
        language=language,
        stop_words=stop_words,
        synonyms=tuple(synonyms),
        query_counts=query_counts,
        max_terms=max_terms,
        code_terms=code_terms,
        k1=float(k1),
        b=float(b),
    )
    return _Postings(folder, settings)


class _Postings:
    def __init__(self, folder: Path, settings: LexicalSettings) -> None:
        self._folder, self._settings = folder, settings
        self.fingerprint = settings.fingerprint
        self._tokens = tokens_of(settings.language)
        self._asked = QueryReader(settings)
        self._files = PostingsFiles(folder)
        self._refresh()

    def _refresh(self) -> None:
        k1, b = self._settings.k1, self._settings.b
        self._rows = self._files.rows
        self._fields = {
            field: FieldBm25(one, k1=k1, b=b) for field, one in self._files.fields.items()
        }

    @property
    def documents(self) -> int:
        return len(self._rows)

    @property
    def deleted(self) -> int:
        return 0  # what is removed is not in the next file

    @property
    def size_bytes(self) -> int:
        return sum(path.stat().st_size for path in self._folder.iterdir())

    def add(self, rows: Sequence[int], chunks: Sequence[Chunk]) -> None:
        for row, chunk in zip(rows, chunks, strict=True):
            self._files.add(int(row), written(chunk, self._tokens))

    def remove(self, rows: Iterable[int]) -> None:
        self._files.remove(rows)

    def commit(self) -> None:
        self._files.commit()
        self._refresh()

    def close(self) -> None:
        self._files.close()

    def search(self, text: str, depth: int, *, rows: Ints | None = None) -> FoundRows:
        terms = self._terms(text)
        if not terms or depth < 1:
            return nothing()
        found = [self._all_gains(term) for term in terms]
        places, gains = (np.concatenate(some) for some in zip(*found, strict=True))
        scores = np.bincount(places, gains, minlength=self.documents).astype(np.float64)
        if rows is not None:
            scores[~np.isin(self._rows, rows)] = 0.0
        best = _best(scores, depth)
        bound = sum(term.best for term in terms)
        return ranked(self._rows[best], scores[best], depth, bound, noise=NOISE)

    def scores(self, text: str, rows: Sequence[int]) -> Floats:
        there, places = self._places(rows)
        total = np.zeros(len(rows))
        for term in self._terms(text):
            total[there] += self._gains(term, places)
        return total

    def coverage(self, text: str, rows: Sequence[int]) -> Floats:
        searched, weights = self._weighed(text)
        there, places = self._places(rows)
        held = {word: np.zeros(len(places), np.bool_) for word in weights}
        for term in (term for term in searched if term.text in held):
            held[term.text] |= self._gains(term, places) > 0
        total = np.zeros(len(rows))
        for word, weight in weights.items():
            total[there] += weight * held[word]
        return total / (sum(weights.values()) or 1.0)

    def holding(self, text: str) -> Callable[[Sequence[str]], Floats]:
        return word_shares(self._weighed(text)[1], self._tokens, self._asked(text).groups)

    def explain(self, text: str, row: int) -> list[Mapping[str, object]]:
        _, places = self._places([row])
        gains = [
            (float(gain), term) for term in self._terms(text) for gain in self._gains(term, places)
        ]
        return [
            {"field": term.field, "term": term.text, "score": gain}
            for gain, term in sorted(gains, key=lambda pair: -pair[0])
            if gain > 0
        ]

    def rank_of(self, text: str, row: int) -> int | None:
        (place,) = np.nonzero(self.search(text, max(1, self.documents)).rows == row)
        return int(place[0]) + 1 if len(place) else None

    def _terms(self, text: str) -> Sequence[Term]:
        asked = self._asked(text)
        return kept(self._known(asked), asked)

    def _known(self, asked: QueryTerms) -> list[Term]:
        return list(known(asked, self._frequency, self.documents, self._settings.k1))

    def _frequency(self, field: str, term: str) -> int:
        return self._fields[field].frequency(term)

    def _weighed(self, text: str) -> tuple[Sequence[Term], Mapping[str, float]]:
        """Return the terms that are searched, and the weight of each word that is looked at."""
        asked = self._asked(text)
        there = self._known(asked)
        searched = kept(there, asked)
        words = considered(asked, there, searched)
        bodies = found_in(words, asked, self._fields["body"].frequency)
        return searched, masses(words, bodies, self.documents)

    def _all_gains(self, term: Term) -> tuple[Ints, Floats]:
        places, gains = self._fields[term.field].all_gains(term.group or ((term.text,),))
        return places, term.weight * term.rarity * gains

    def _gains(self, term: Term, places: Ints) -> Floats:
        gains = self._fields[term.field].gains(term.group or ((term.text,),), places)
        return term.weight * term.rarity * gains

    def _places(self, rows: Sequence[int]) -> tuple[Bools, Ints]:
        """Tell which of some rows are there, and the places of these."""
        asked = np.array(rows, np.int64)
        there = np.isin(asked, self._rows)
        return there, np.searchsorted(self._rows, asked[there])


def _best(scores: Floats, depth: int) -> Ints:
    """Return the places of the best, and of all that may tie with the last of them."""
    found = np.flatnonzero(scores)
    if len(found) <= depth:
        return found
    values, last = scores[found], len(found) - depth
    least = np.partition(values, last)[last]
    near: Ints = found[values >= least * (1 - FAR)]
    return near
