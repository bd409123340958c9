"""Ratings of other tools -> queries with whole grades, each query by its key or its text."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from assay.columns.decimal_comma import DECIMAL_POINT, has_decimal_comma
from assay.datasets.formats._decimal_ratings import factor_of, number
from assay.datasets.formats._scale import largest_grade
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.records import FACTOR, Dataset, Judgment, Query, Rationale, Reference
from assay.text.count_noun import count_noun

__all__ = ["RatedQueries"]

DECIMALS = (
    "ratings have decimals: each grade is the rating x {factor}. ndcg (linear gain) and binary"
    " metrics are not affected; err and ndcg_exp depend on the scale. rel= and --scale refer to"
    " ratings"
)


@dataclass(slots=True)
class _Rating:
    value: Decimal
    at: str
    because: Rationale | None


@dataclass(slots=True)
class _OpenQuery:
    """A query whose ratings may be in several places of a file."""

    text: str
    extra: Mapping[str, Any]
    ratings: dict[str, _Rating] = field(default_factory=dict)


class RatedQueries:
    """Takes queries and ratings one by one; what is wrong is noted with its place."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._begun: dict[str, _OpenQuery] = {}
        self._unrated = self._repeated = 0

    def query(
        self, text: str, *, at: str, key: str = "", extra: Mapping[str, Any] | None = None
    ) -> str:
        """Begin a query and return its key; without one the text is the key, and may repeat."""
        if not (key or text.strip()):
            hint = "add a text, or remove the query"
            self._problems.add("the query has no text", at=at, hint=hint)
        if key and key in self._begun:
            hint = "give each query its own id"
            self._problems.add(f'duplicate query id "{key}"', at=at, hint=hint)
        self._begun.setdefault(key or text, _OpenQuery(text, extra or {}))
        return key or text

    def rate(
        self, key: str, document: str, rating: object, *, at: str, because: Rationale | None = None
    ) -> None:
        """Take the rating of a document; an empty one says that nobody has rated it."""
        if rating is None or rating == "":
            self._unrated += 1
            return
        value = number(rating)
        if not document:
            hint = "add the id of the document, or remove the rating"
            self._problems.add("the rating has no document", at=at, hint=hint)
        elif value is None:
            hint = "expected a number up to 1,000, e.g. 0, 1, 2, 3"
            hint = DECIMAL_POINT if has_decimal_comma(rating) else hint
            problem = f'invalid rating "{str(rating)[:40]}"'
            self._problems.add(problem, at=at, hint=hint)
        else:
            self._keep(key, document, _Rating(value, at, because))

    def dataset(
        self,
        place: Place,
        *,
        name: str = "",
        scale: object = None,
        notes: Iterable[str] = (),
        description: str = "",
    ) -> Dataset:
        """Return what was taken; ``scale`` is the largest rating a judge could give, if known."""
        factor = self._factor()
        self._problems.refuse()
        queries = tuple(_query(key, begun, factor) for key, begun in self._begun.items())
        top = number(scale)
        return Dataset(
            name=name or place.stem,
            queries=queries,
            description=description,
            scale=max(largest_grade(queries), factor, int((top or 0) * factor)),
            metadata={FACTOR: factor} if factor > 1 else {},
            notes=(*notes, *self._notes(factor)),
            home=place.home,
        )

    def _keep(self, key: str, document: str, rating: _Rating) -> None:
        """Merge equal ratings of one document; of two that differ only a person can choose."""
        known = self._begun[key].ratings.setdefault(document, rating)
        if known.value != rating.value:
            two = f"{known.value} ({known.at}) and {rating.value}"
            problem = f'conflicting ratings of document "{document}" for query "{key}": {two}'
            self._problems.add(problem, at=rating.at, hint="keep one of the two")
        elif known is not rating:
            self._repeated += 1

    def _factor(self) -> int:
        ratings = [one for begun in self._begun.values() for one in begun.ratings.values()]
        factor = factor_of([one.value for one in ratings])
        if not factor:
            worst = next(one for one in ratings if factor_of([one.value]) != 1)
            problem = f"rating {worst.value} cannot be converted to a whole grade of at most 1,000"
            hint = "round the ratings to whole numbers, or to one or two decimals between 0 and 1"
            self._problems.add(problem, at=worst.at, hint=hint)
        return factor

    def _notes(self, factor: int) -> list[str]:
        notes = [DECIMALS.format(factor=factor)] if factor > 1 else []
        if self._unrated:
            one, many = "document has no rating and is", "documents have no rating and are"
            notes.append(f"{count_noun(self._unrated, one, many)} unjudged")
        if self._repeated:
            some = count_noun(self._repeated, "repeated rating was", "repeated ratings were")
            notes.append(f"{some} merged (same document, same value)")
        return notes


def _query(key: str, begun: _OpenQuery, factor: int) -> Query:
    judgments = tuple(
        Judgment(Reference.named(name), int(one.value * factor), because=one.because)
        for name, one in begun.ratings.items()
    )
    return Query(key, begun.text, judgments, extra=dict(begun.extra))
