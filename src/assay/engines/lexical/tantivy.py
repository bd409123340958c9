"""tantivy: inverted index with one BM25 score per field, combined as a weighted sum."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assay.engines.lexical._coverage import considered, found_in, masses
from assay.engines.lexical._fields import written
from assay.engines.lexical._ranked import NOISE, nothing, ranked
from assay.engines.lexical._settings import LexicalSettings, open_settings
from assay.engines.lexical._tantivy import open_index, open_writer
from assay.engines.lexical._terms import QueryReader, QueryTerms, Term, kept, known, rarity
from assay.engines.lexical._write_failure import writing
from assay.engines.words.holding import word_shares
from assay.engines.words.languages import DEFAULT
from assay.engines.words.tokens import tokens_of
from assay.records import Chunk, Floats, FoundRows, Ints, LexicalIndex

if TYPE_CHECKING:
    from tantivy import IndexWriter, Occur, Query

__all__ = ["tantivy"]

K1 = 1.2  # tantivy's own, with b = 0.75
HEAP = 400_000_000  # bytes of postings until a segment is written: most builds are one segment
SPARE = 4  # hits beyond the depth that are fetched, to see whether a tie crosses it
ONE_BY_ONE = 2000  # rows beyond which a set of them is faster than each of them
OFTEN = 4  # words that are met for each row that is asked for: with more, rows are asked one by one
FAR = 10 * NOISE  # the share by which a score must be lower to be no tie: ties can form a chain


def tantivy(  # noqa: PLR0913 (each is a setting of its own)
    folder: Path,
    *,
    fields: Mapping[str, float] | None = None,
    code_fields: Mapping[str, float] | None = None,
    language: str = DEFAULT,
    stop_words: str | Sequence[str] | None = None,
    synonyms: Sequence[str] = (),
    query_counts: bool = True,
    max_terms: int = 512,
    code_terms: int = 64,
    heap_bytes: int = HEAP,
) -> LexicalIndex:
    """Open the index in a folder, or create it.

    ``fields`` are the field weights. Words are stemmed by the rules of ``language`` (none: not at
    all); queries in prose are searched without ``stop_words``, by default those of the language,
    and with ``synonyms`` (rules, see `engines.words.synonyms`). With ``query_counts``, a term that
    occurs twice in a query counts twice. ``max_terms`` limits the terms of a query to those with
    the highest possible score. A query that is code has its own weights, ``code_fields``, and is
    limited to its ``code_terms`` rarest terms, each counted once and boosted by its rarity.
    """
    settings = open_settings(
        "tantivy",
        folder,
        fields=fields,
        code_fields=code_fields,
        language=language,
        stop_words=stop_words,
        synonyms=tuple(synonyms),
        query_counts=query_counts,
        max_terms=max_terms,
        code_terms=code_terms,
    )
    return _Tantivy(folder, settings, heap_bytes)


class _Tantivy:
    def __init__(self, folder: Path, settings: LexicalSettings, heap_bytes: int) -> None:
        self._folder, self._settings, self._heap_bytes = folder, settings, heap_bytes
        self.fingerprint = settings.fingerprint
        self._tokens = tokens_of(settings.language)
        self._asked = QueryReader(settings)
        self._index = open_index(folder)
        from tantivy import Occur, Query

        self._query, self._occur = Query, Occur
        self._schema = self._index.schema
        self._writer: IndexWriter | None = None
        self._refresh()

    def _refresh(self) -> None:
        self._index.reload()
        self._searcher = self._index.searcher()
        segments = json.loads((self._folder / "meta.json").read_bytes())["segments"]
        self._total = sum(int(segment["max_doc"]) for segment in segments)

    @property
    def documents(self) -> int:
        return self._searcher.num_docs

    @property
    def deleted(self) -> int:
        return self._total - self._searcher.num_docs

    @property
    def size_bytes(self) -> int:
        return sum(path.stat().st_size for path in self._folder.iterdir())

    def add(self, rows: Sequence[int], chunks: Sequence[Chunk]) -> None:
        from tantivy import Document

        writer = self._open_writer()
        for row, chunk in zip(rows, chunks, strict=True):
            values = {**written(chunk, self._tokens), "row": int(row)}
            document = Document.from_dict(values, self._schema)
            with writing(self._folder):
                writer.add_document(document)

    def remove(self, rows: Iterable[int]) -> None:
        # Not delete_documents_by_term, which takes a term of another type for some fields.
        those = self._query.term_set_query(self._schema, "row", [int(row) for row in rows])
        writer = self._open_writer()
        with writing(self._folder):
            writer.delete_documents_by_query(those)

    def commit(self) -> None:
        if self._writer is not None:
            with writing(self._folder):
                self._writer.commit()
                self._writer.wait_merging_threads()
            self._writer = None
            self._refresh()

    def close(self) -> None:
        if self._writer is not None:
            self._writer.rollback()
            self._writer.wait_merging_threads()
            self._writer = None

    def search(self, text: str, depth: int, *, rows: Ints | None = None) -> FoundRows:
        terms = self._terms(text)
        most = self.documents if rows is None else len(rows)
        depth = min(depth, most)  # tantivy sets aside memory for as many hits
        if not terms or depth < 1:
            return nothing()
        query = self._any_of(terms)
        found, scores = self._hits(query if rows is None else self._among(query, rows), depth)
        return ranked(found, scores, depth, sum(term.best for term in terms))

    def scores(self, text: str, rows: Sequence[int]) -> Floats:
        terms = self._terms(text)
        return self._gains(self._any_of(terms), rows) if terms else np.zeros(len(rows))

    def coverage(self, text: str, rows: Sequence[int]) -> Floats:
        searched, weights = self._weighed(text)
        held = self._held(searched, weights)
        if not held:
            return np.zeros(len(rows))
        met = sum(map(self._met, searched))
        query, whole = self._query.boolean_query(held), sum(weights.values())
        if met > OFTEN * len(rows):
            return self._gains(query, rows) / whole
        return self._gains_of_all(query, rows, most=met) / whole

    def holding(self, text: str) -> Callable[[Sequence[str]], Floats]:
        return word_shares(self._weighed(text)[1], self._tokens, self._asked(text).groups)

    def explain(self, text: str, row: int) -> list[Mapping[str, object]]:
        gains = [
            (float(self._gains(self._one(term), [row])[0]), term) for term in self._terms(text)
        ]
        return [
            {"field": term.field, "term": term.text, "score": gain}
            for gain, term in sorted(gains, key=lambda pair: -pair[0])
            if gain > 0
        ]

    def rank_of(self, text: str, row: int) -> int | None:
        (place,) = np.nonzero(self.search(text, max(1, self.documents)).rows == row)
        return int(place[0]) + 1 if len(place) else None

    def _open_writer(self) -> "IndexWriter":
        if self._writer is None:
            self._writer = open_writer(self._index, self._folder, self._heap_bytes)
        return self._writer

    def _terms(self, text: str) -> Sequence[Term]:
        asked = self._asked(text)
        return kept(self._known(asked), asked)

    def _known(self, asked: QueryTerms) -> list[Term]:
        return list(known(asked, self._searcher.doc_freq, self._total, K1))

    def _weighed(self, text: str) -> tuple[Sequence[Term], Mapping[str, float]]:
        """Return the terms that are searched, and the weight of each word that is looked at."""
        asked = self._asked(text)
        there = self._known(asked)
        searched = kept(there, asked)
        words = considered(asked, there, searched)
        bodies = found_in(words, asked, lambda word: self._searcher.doc_freq("body", word))
        return searched, masses(words, bodies, self._total)

    def _held(
        self, terms: Sequence[Term], weights: Mapping[str, float]
    ) -> "list[tuple[Occur, Query]]":
        """Match each weighted word in any of its fields."""
        places: defaultdict[str, list[tuple[Occur, Query]]] = defaultdict(list)
        for term in terms:
            if term.text in weights:
                places[term.text].append((self._occur.Should, self._plain(term)))
        return [
            (
                self._occur.Should,
                self._query.const_score_query(self._query.boolean_query(found), weights[text]),
            )
            for text, found in places.items()
        ]

    def _one(self, term: Term) -> "Query":
        return self._query.boost_query(self._plain(term), term.weight)

    def _plain(self, term: Term) -> "Query":
        if not term.group:
            return self._query.term_query(self._schema, term.field, term.text, "freq")
        best = [self._alternative(term, tokens) for tokens in term.group]
        return self._query.disjunction_max_query(best)

    def _alternative(self, term: Term, tokens: Sequence[str]) -> "Query":
        """Match all tokens of a synonym: their mean, each as rare as the group is."""
        parts = []
        for token in tokens:
            plain = self._query.term_query(self._schema, term.field, token, "freq")
            own = rarity(self._searcher.doc_freq(term.field, token), self._total)
            boost = term.rarity / (own * len(tokens))
            parts.append((self._occur.Must, self._query.boost_query(plain, boost)))
        return self._query.boolean_query(parts)

    def _met(self, term: Term) -> int:
        """Return how many chunks a term can meet at most."""
        count, group = self._searcher.doc_freq, term.group or ((term.text,),)
        return sum(min(count(term.field, token) for token in tokens) for tokens in group)

    def _any_of(self, terms: Sequence[Term]) -> "Query":
        return self._query.boolean_query([(self._occur.Should, self._one(term)) for term in terms])

    def _only(self, rows: Sequence[int]) -> "Query":
        """Ask for rows one by one: for some hundreds it takes half as long as asking for a set."""
        should, term, schema = self._occur.Should, self._query.term_query, self._schema
        return self._query.boolean_query(
            [(should, term(schema, "row", row, "basic")) for row in rows]
        )

    def _among(self, query: "Query", rows: Sequence[int] | Ints) -> "Query":
        """Ask for what a query finds among some rows, with the scores that it has anywhere."""
        must, numbers = self._occur.Must, [int(row) for row in rows]
        several = len(numbers) > ONE_BY_ONE
        only = (
            self._query.term_set_query(self._schema, "row", numbers)
            if several
            else self._only(numbers)
        )
        unscored = self._query.const_score_query(only, 0.0)
        return self._query.boolean_query([(must, unscored), (must, query)])

    def _hits(self, query: "Query", depth: int) -> tuple[Ints, Floats]:
        """Return the best hits, and beyond the depth all that tie with the last one within."""
        limit = depth + SPARE
        while True:
            hits = self._searcher.search(query, limit, count=False).hits
            if len(hits) < limit or hits[-1][0] < hits[depth - 1][0] * (1 - FAR):
                break
            limit *= 4
        rows = self._searcher.fast_field_values("row", [address for _, address in hits])
        return np.array(rows, np.int64), np.array([score for score, _ in hits], np.float64)

    def _gains_of_all(self, query: "Query", rows: Sequence[int], *, most: int) -> Floats:
        """Return the same by looking at all that a query meets, which is at ``most`` so much.

        Sums must be exact: they are added in another order than for some rows alone.
        """
        limit = max(1, min(most, self.documents))
        hits = self._searcher.search(query, limit, count=False).hits
        found = self._searcher.fast_field_values("row", [address for _, address in hits])
        gains = dict(zip(found, (score for score, _ in hits), strict=True))
        return np.array([gains.get(row, 0.0) for row in rows], np.float64)

    def _gains(self, query: "Query", rows: Sequence[int]) -> Floats:
        """Return what a query gives each of some rows."""
        both = self._among(query, rows)
        hits = self._searcher.search(both, max(1, len(rows)), count=False).hits
        found = self._searcher.fast_field_values("row", [address for _, address in hits])
        gains = dict(zip(found, (score for score, _ in hits), strict=True))
        return np.array([gains.get(row, 0.0) for row in rows], np.float64)
