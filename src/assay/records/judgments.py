"""What people said: how relevant each judged document is to each query."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from assay.errors import InputError
from assay.records.arrays import Floats, Ints, Names
from assay.records.names import encode
from assay.text.quote import quote_value

__all__ = ["Judgments"]


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """One row per judgment; the rows of ``queries[i]`` are ``offsets[i]:offsets[i + 1]``.

    A negative grade means pooled but unjudged. If several documents can satisfy an expected item,
    ``items`` numbers the item of each row (one item belongs to one query, and a document may occur
    in several rows) and ``weights`` is how well the document satisfies it. ``scale`` is the highest
    grade of the judging scale. If ratings had decimals, grades are the ratings times ``factor``.
    ``names`` maps the ids and paths of the corpus to ids, if a corpus is known: a run may use
    either. ``categories`` maps queries to their category, if they have one, and ``traffic`` to
    their weight, if they do not count the same.
    """

    queries: tuple[str, ...]
    offsets: Ints
    documents: Names
    grades: Ints
    scale: int
    items: Ints | None = None
    weights: Floats | None = None
    name: str = "judgments"
    notes: tuple[str, ...] = field(default=())
    names: Mapping[str, str] = field(default_factory=dict)
    factor: int = 1
    categories: Mapping[str, str] = field(default_factory=dict)
    traffic: Mapping[str, float] = field(default_factory=dict)

    @property
    def query(self) -> Ints:
        """The number of the query that each row belongs to."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.offsets))

    def only(self, queries: Collection[str]) -> "Judgments":
        """Return the judgments of some of the queries.

        >>> both = Judgments.of_items({"a": [({"x": 1.0}, 1)], "b": [({"y": 1.0}, 2)]})
        >>> both.only({"b"}).documents.tolist()
        [b'y']
        """
        kept = np.array([query in queries for query in self.queries], bool)
        rows = kept[self.query] if len(self.queries) else np.zeros(0, bool)
        sizes = np.diff(self.offsets)[kept]
        return replace(
            self,
            queries=tuple(query for query in self.queries if query in queries),
            offsets=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            documents=self.documents[rows],
            grades=self.grades[rows],
            items=None if self.items is None else self.items[rows],
            weights=None if self.weights is None else self.weights[rows],
        )

    def query_weights(self, queries: Sequence[str]) -> Floats | None:
        """Return how much each of some queries counts; None where they count the same."""
        if not self.traffic:
            return None
        return np.array([self.traffic.get(query, 1.0) for query in queries], np.float64)

    @classmethod
    def of_items(
        cls, items: Mapping[str, Sequence[tuple[Mapping[str, float], int]]], *, scale: int = 3
    ) -> "Judgments":
        """Build judgments from expected items: per query, pairs of {document: weight} and grade.

        An item without any document counts in every denominator: it can only be missed. Weights
        are fractions of the grade, between 0 and 1.

        >>> judgments = Judgments.of_items({"q": [({"a.py": 1.0, "b.py": 0.7}, 3)]})
        >>> judgments.documents.tolist(), judgments.items.tolist()
        ([b'a.py', b'b.py'], [0, 0])
        """
        _refuse_odd(items)
        rows = [
            (document, grade, weight, number)
            for number, (members, grade) in enumerate(_flat(items))
            for document, weight in (members or {"": 1.0}).items()
        ]
        sizes = [sum(len(members) or 1 for members, _ in items[query]) for query in items]
        return cls(
            queries=tuple(items),
            offsets=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            documents=encode(row[0] for row in rows),
            grades=np.array([row[1] for row in rows], np.int64),
            scale=max([scale, *(row[1] for row in rows)]),
            items=np.array([row[3] for row in rows], np.int64),
            weights=np.array([row[2] for row in rows], np.float64),
        )


def _flat(
    items: Mapping[str, Sequence[tuple[Mapping[str, float], int]]],
) -> list[tuple[Mapping[str, float], int]]:
    return [pair for pairs in items.values() for pair in pairs]


def _refuse_odd(items: Mapping[str, Sequence[tuple[Mapping[str, float], int]]]) -> None:
    """Raise for a grade that is not whole, or a weight with which a score could leave 0..1."""
    for query, pairs in items.items():
        for members, grade in pairs:
            if not isinstance(members, Mapping) or not isinstance(grade, int | float):
                hint = "expected ({document: weight}, grade) for each item"
                problem = f"invalid item ({quote_value(members)}, {quote_value(grade)})"
                raise InputError(problem, where=f'query "{query}"', hint=hint)
            if grade % 1 != 0:
                hint = "expected a whole number, e.g. 0, 1, 2 or 3"
                raise InputError(f"invalid grade {grade}", where=f'query "{query}"', hint=hint)
            for document, weight in members.items():
                if not document or not isinstance(weight, int | float) or not 0 <= weight <= 1:
                    problem = f'weight {weight} of document "{document}" is not between 0 and 1'
                    problem = problem if document else "a document has no id"
                    hint = "expected {document: weight}, e.g. {'a.py': 1.0}"
                    raise InputError(problem, where=f'query "{query}"', hint=hint)
