"""What one run scores, and the honest state of the judgments behind it."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.extras import require_extra
from assay.records.arrays import Floats, PerQuery
from assay.records.interval import Interval
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Evaluation"]


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Scores of one run by metric, over queries and for each query.

    ``unjudged`` is the fraction of documents without a judgment in the top k, by k; ``tied`` counts
    neighbours with equal scores. If requested, ``bounds`` holds the lowest and highest value of
    each score over all possible grades of the unjudged documents, and ``intervals`` the confidence
    interval of each mean. ``reachable`` is the best possible score of each query, if expected items
    share documents. ``weights`` is how much each query counts, or None if all count the same;
    ``scores_unweighted`` are the plain means beside the weighted ones.
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
    weights: Floats | None = None
    scores_unweighted: dict[str, float] = field(default_factory=dict)

    def frame(self) -> "pl.DataFrame":
        """Return the scores of each query as a polars frame, a column per metric."""
        require_extra("frames", "a frame needs the package polars")
        import polars as pl  # costs more than a small evaluation

        return pl.DataFrame({"query": list(self.queries), **self.per_query})

    def __repr__(self) -> str:
        return f"<evaluation of {self}; more: .frame() for each query>"

    def __str__(self) -> str:
        scores = "  ".join(f"{name} {score:.4f}" for name, score in self.scores.items())
        count = count_noun(len(self.queries), "query")
        return f"{self.run} ({count}): {scores}"
