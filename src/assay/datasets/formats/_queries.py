"""Queries as they are read from a file: with keys of their own, and none twice."""

from collections import Counter

from assay.datasets.problems import Problems
from assay.records import Query

__all__ = ["QueryList"]


class QueryList:
    """Takes queries one by one; a duplicate key becomes a problem."""

    def __init__(self, problems: Problems) -> None:
        self.queries: list[Query] = []
        self.unnamed = 0
        self._problems = problems
        self._texts = Counter[str]()
        self._places: dict[str, str] = {}

    def key(self, given: object, text: str = "") -> str:
        """Return the given key as a text, else the query's text, else the next of q1, q2, ...

        Run files name a query without a key by its text. Of equal texts the second is numbered.
        """
        if given is not None:
            return str(given)
        self.unnamed += 1
        return self._named_by(text) if text.strip() else f"q{len(self.queries) + 1}"

    def _named_by(self, text: str) -> str:
        self._texts[text] += 1
        key = text if self._texts[text] == 1 else f"{text} ({self._texts[text]})"
        return key if key not in self._places else self._named_by(text)

    def add(self, query: Query, *, at: str) -> None:
        """Keep a query that was found at a place."""
        if query.key in self._places:
            hint = f"first used at {self._places[query.key]}; give each query its own key"
            self._problems.add(f'duplicate query key "{query.key}"', at=at, hint=hint)
        self._places.setdefault(query.key, at)
        self.queries.append(query)

    def refuse(self, problem: str, *, at: str, hint: str) -> None:
        """Note what is wrong with a query."""
        self._problems.add(problem, at=at, hint=hint)

    def refuse_repeated(self, names: list[str], *, at: str) -> None:
        """Note each document that one query names twice."""
        if len(set(names)) < len(names):
            for name in (name for name, number in Counter(names).items() if number > 1):
                hint = "keep one judgment per document and query"
                self._problems.add(f'duplicate document "{name}"', at=at, hint=hint)

    @property
    def notes(self) -> tuple[str, ...]:
        """Say how queries without a key are called."""
        if not self.unnamed:
            return ()
        named = "their text" if self._texts else "their position: q1, q2, ..."
        return (f"queries without a key are identified by {named}",)
