"""What one run scores, and the honest state of the judgments behind it."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.records.arrays import PerQuery
from assay.records.interval import Interval
from assay.text.count_noun import plural

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Evaluation"]


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Scores of one run by metric, over queries and for each query.

    ``unjudged`` is the share of documents without a judgment in the top k, by k; ``tied`` counts
    neighbours with equal scores. Where asked for, ``bounds`` holds the ends of each score over
    every grading of the unjudged documents, and ``intervals`` how sure each mean is. ``reachable``
    has the best that any ranking scores on each query, where expected items share documents.
    """

    run: str
    queries: tuple[str, ...]
    scores: dict[str, float]
    per_query: dict[str, PerQuery]
    missing_queries: int = 0
    unknown_queries: int = 0
    without_relevant: int = 0
    unjudged: dict[int, float] = field(default_factory=dict)
    tied: int = 0
    ties: str = "docid"
    bounds: dict[str, tuple[float, float] | None] | None = None
    intervals: dict[str, Interval] | None = None
    notes: tuple[str, ...] = ()
    reachable: dict[str, PerQuery] = field(default_factory=dict)

    def frame(self) -> "pl.DataFrame":
        """Return the scores of each query as a polars frame, a column per metric."""
        import polars as pl  # costs more than a small evaluation

        return pl.DataFrame({"query": list(self.queries), **self.per_query})

    def __repr__(self) -> str:
        return f"<evaluation of {self}; .frame() has each query>"

    def __str__(self) -> str:
        scores = "  ".join(f"{name} {score:.4f}" for name, score in self.scores.items())
        count = f"{len(self.queries)} {plural(len(self.queries), 'query')}"
        return f"{self.run} ({count}): {scores}"
