"""SQLite FTS5: BM25 over all fields, with a weight per field."""

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.engines.lexical._coverage import considered, masses
from assay.engines.lexical._fields import FIELDS, written
from assay.engines.lexical._fts5 import end_writing, in_sqlite, open_reader, open_writer
from assay.engines.lexical._ranked import nothing
from assay.engines.lexical._settings import LexicalSettings, open_settings
from assay.engines.lexical._terms import QueryReader, QueryTerms, Term, kept, rarity
from assay.engines.words.holding import word_shares
from assay.engines.words.languages import DEFAULT
from assay.engines.words.tokens import tokens_of
from assay.records import Chunk, Floats, FoundRows, Ints, LexicalIndex

if TYPE_CHECKING:
    import sqlite3

__all__ = ["fts5"]

K1 = 1.2  # FTS5's own, with b = 0.75
BEST = """SELECT rowid, -bm25(chunks, ?, ?, ?, ?) AS score FROM chunks WHERE chunks MATCH ?{}
          ORDER BY score DESC, rowid LIMIT ?"""
FREQUENCIES = """SELECT term, col, doc FROM json_each(?) CROSS JOIN frequencies
                 ON term = value"""
# The plus sign keeps SQLite from asking the whole query again for every row.
AMONG = " AND +rowid IN (SELECT value FROM json_each(?))"
GAINS = "SELECT rowid, -bm25(chunks, ?, ?, ?, ?) FROM chunks WHERE chunks MATCH ?" + AMONG  # noqa: S608
LEAST = 1e-6  # the rarity that FTS5 gives a word in half of all chunks or more
MOST = 32  # times that a word of a query counts: each time is searched for


def fts5(
    folder: Path,
    *,
    fields: Mapping[str, float] | None = None,
    code_fields: Mapping[str, float] | None = None,
    language: str = DEFAULT,
    stop_words: str | Sequence[str] | None = None,
    query_counts: bool = True,
    max_terms: int = 512,
    code_terms: int = 64,
) -> LexicalIndex:
    """Open the index in a folder, or create it.

    ``fields`` are the field weights; ``language`` and ``stop_words`` are as with tantivy. With
    ``query_counts``, a term that occurs twice in a query counts twice. ``max_terms`` limits the
    terms of a query to those with the highest possible score. A query that is code has its own
    weights, ``code_fields``, and is limited to its ``code_terms`` rarest terms, each counted once.
    Unlike tantivy, SQLite cannot boost terms by their rarity, so long code snippets are matched
    less precisely, and it cannot let the best of several synonyms count.
    """
    settings = open_settings(
        "fts5",
        folder,
        fields=fields,
        code_fields=code_fields,
        language=language,
        stop_words=stop_words,
        query_counts=query_counts,
        max_terms=max_terms,
        code_terms=code_terms,
    )
    return _Fts5(folder, settings)


class _Fts5:
    def __init__(self, folder: Path, settings: LexicalSettings) -> None:
        self._folder, self._settings = folder, settings
        self.fingerprint = settings.fingerprint
        self._tokens = tokens_of(settings.language)
        self._asked = QueryReader(settings)
        self._writer: sqlite3.Connection | None = None
        self._read_anew()

    @property
    def documents(self) -> int:
        return self._total

    @property
    def deleted(self) -> int:
        return 0  # FTS5 takes what is removed out of its statistics at once

    @property
    def size_bytes(self) -> int:
        return sum(path.stat().st_size for path in self._folder.iterdir())

    def add(self, rows: Sequence[int], chunks: Sequence[Chunk]) -> None:
        texts = (written(chunk, self._tokens) for chunk in chunks)
        values = (
            (int(row), *(found.get(field, "") for field in FIELDS))
            for row, found in zip(rows, texts, strict=True)
        )
        statement = "INSERT INTO chunks(rowid, body, names, path, title) VALUES (?, ?, ?, ?, ?)"
        writer = self._open_writer()
        with in_sqlite(self._folder):
            writer.executemany(statement, values)

    def remove(self, rows: Iterable[int]) -> None:
        writer = self._open_writer()
        with in_sqlite(self._folder):
            writer.executemany("DELETE FROM chunks WHERE rowid = ?", ((int(row),) for row in rows))

    def commit(self) -> None:
        if self._writer is not None:
            with in_sqlite(self._folder):
                self._writer.execute("COMMIT")
            self._reader.close()
            self._end_writing()
            self._read_anew()

    def close(self) -> None:
        self._reader.close()
        self._end_writing()

    def search(self, text: str, depth: int, *, rows: Ints | None = None) -> FoundRows:
        asked, terms = self._terms(text)
        if not terms or depth < 1:
            return nothing()
        match = _match(terms, asked)
        among = [] if rows is None else [json.dumps(rows.tolist())]
        asked_for = (*_weights(asked).values(), match, *among, min(depth, 1 << 62))
        hits = self._read(BEST.format(AMONG if among else ""), *asked_for)
        found = np.array([row for row, _ in hits], np.int64)
        scores = np.array([score for _, score in hits], np.float64)
        return FoundRows(found, scores, "bm25", sum(term.best for term in terms))

    def scores(self, text: str, rows: Sequence[int]) -> Floats:
        asked, terms = self._terms(text)
        gains = self._gains(terms, asked, rows) if terms else {}
        return np.array([gains.get(int(row), 0.0) for row in rows], np.float64)

    def coverage(self, text: str, rows: Sequence[int]) -> Floats:
        asked, searched, weights = self._weighed(text)
        held = dict.fromkeys(map(int, rows), 0.0)
        for term in searched:
            for row in self._gains([term], asked, rows):
                held[row] += weights.get(term.text, 0.0)
        whole = sum(weights.values()) or 1.0
        return np.array([held[int(row)] / whole for row in rows], np.float64)

    def holding(self, text: str) -> Callable[[Sequence[str]], Floats]:
        return word_shares(self._weighed(text)[2], self._tokens)

    def explain(self, text: str, row: int) -> list[Mapping[str, object]]:
        """Share out what each term gained among the fields in which it stands."""
        held = self._read("SELECT body, names, path, title FROM chunks WHERE rowid = ?", int(row))
        found: list[tuple[float, str, str]] = []
        asked, terms = self._terms(text)
        for term in terms if held else ():
            gain = self._gains([term], asked, [row]).get(int(row), 0.0)
            shares = _shares(term, held[0], asked) if gain else []
            found += [(gain * share, field, term.text) for field, share in shares]
        found.sort(key=lambda part: -part[0])
        return [{"field": field, "term": term, "score": gain} for gain, field, term in found]

    def rank_of(self, text: str, row: int) -> int | None:
        (place,) = np.nonzero(self.search(text, max(1, self.documents)).rows == row)
        return int(place[0]) + 1 if len(place) else None

    def _read(self, statement: str, *values: object) -> list[Any]:
        with in_sqlite(self._folder):
            return self._reader.execute(statement, values).fetchall()

    def _open_writer(self) -> "sqlite3.Connection":
        if self._writer is None:
            self._reader.close()
            try:
                self._writer = open_writer(self._folder)
            finally:
                self._read_anew()  # the file may be another one now
        return self._writer

    def _read_anew(self) -> None:
        self._reader = open_reader(self._folder)
        self._total = int(self._read("SELECT count(*) FROM chunks_docsize")[0][0])

    def _end_writing(self) -> None:
        if self._writer is not None:
            end_writing(self._writer)
            self._writer = None

    def _terms(self, text: str) -> tuple[QueryTerms, Sequence[Term]]:
        asked = self._asked(text)
        return asked, kept(list(self._known(asked, self._frequencies(asked))), asked)

    def _weighed(self, text: str) -> tuple[QueryTerms, Sequence[Term], Mapping[str, float]]:
        """Return the query, the terms that are searched, and the weight of each word looked at."""
        asked = self._asked(text)
        found = self._frequencies(asked)
        known = list(self._known(asked, found))
        searched = kept(known, asked)
        words = considered(asked, known, searched)
        bodies = {word: found[word].get("body", 0) for word in words if word in found}
        return asked, searched, masses(words, bodies, self._total)

    def _frequencies(self, asked: QueryTerms) -> Mapping[str, Mapping[str, int]]:
        """Count the chunks that hold each term, in each field."""
        found: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for text, field, count in self._read(FREQUENCIES, json.dumps([*asked.words, *asked.whole])):
            found[text][field] = count
        return found

    def _known(self, asked: QueryTerms, found: Mapping[str, Mapping[str, int]]) -> Iterator[Term]:
        """Yield the terms that occur in a field with a weight, and their maximum score."""
        for text, count in (*asked.words.items(), *asked.whole.items()):
            held = [many for field, many in found.get(text, {}).items() if asked.fields[field]]
            if held:
                times, rows = min(count, MOST), max(held)
                odds = (self._total - rows + 0.5) / (rows + 0.5)
                best = times * max(LEAST, math.log(odds)) * (K1 + 1)
                yield Term("", text, times, best, rarity(rows, self._total))

    def _gains(
        self, terms: Sequence[Term], asked: QueryTerms, rows: Sequence[int]
    ) -> dict[int, float]:
        """Return what terms give those of some rows in which they stand."""
        named = json.dumps([int(row) for row in rows])
        return dict(self._read(GAINS, *_weights(asked).values(), _match(terms, asked), named))


def _weights(asked: QueryTerms) -> dict[str, float]:
    """Order the weights as the columns are."""
    return {field: asked.fields[field] for field in FIELDS}


def _match(terms: Sequence[Term], asked: QueryTerms) -> str:
    """Write the terms in quotes, which no term contains, for the fields with a weight."""
    fields = " ".join(field for field in FIELDS if asked.fields[field])
    words = (f'"{term.text}"' for term in terms for _ in range(int(term.weight)))
    return f"{{{fields}}} : ({' OR '.join(words)})"


def _shares(term: Term, held: Sequence[str], asked: QueryTerms) -> list[tuple[str, float]]:
    """Return the fraction of each field in the score of a term: its weighted frequency there."""
    counts = [
        (field, weight * words.split().count(term.text))
        for (field, weight), words in zip(_weights(asked).items(), held, strict=True)
    ]
    whole = sum(count for _, count in counts)
    return [(field, count / whole) for field, count in counts if count]
