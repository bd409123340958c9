"""A whole comparison: one baseline, its candidates, and what would settle the matter."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.records._board import Board, figure, spanned
from assay.records._comparison_frames import frame_of_candidates
from assay.records.comparison import Comparison
from assay.records.evaluation import Evaluation
from assay.records.verdict import OUTCOMES, Verdict
from assay.text import sanitize
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Candidate", "Change", "Comparisons", "ToJudge"]

MOST = 20  # candidates that are printed


@dataclass(frozen=True, slots=True)
class Change:
    """A query whose score changed."""

    query: str
    baseline: float
    candidate: float
    difference: float


@dataclass(frozen=True, slots=True)
class ToJudge:
    """An unjudged document, and how far its grade could move its query's difference, if known."""

    query: str
    document: str
    influence: float | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate against the baseline.

    ``agreement`` measures how similar the rankings of the two runs are; ``changes`` lists the
    queries with the largest change of the primary metric, largest first. If queries have weights,
    ``unweighted`` is the same comparison without them.
    """

    run: str
    metrics: dict[str, Comparison]
    verdict: Verdict
    agreement: dict[str, float]
    changes: tuple[Change, ...]
    unweighted: "Candidate | None" = None

    def __repr__(self) -> str:
        told = [f"{name} {one.difference:+.4f}" for name, one in self.metrics.items()]
        said = ", ".join([OUTCOMES[self.verdict.outcome], *told[:3]])
        return sanitize(f"<candidate {self.run[:100]}: {said}>")


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """What ``assay.compare`` returns.

    ``best_set`` names the runs that are not significantly different from the best on the primary
    metric; ``corrected_gain`` is the best candidate's gain, corrected for the winner's curse.
    """

    baseline: str
    primary: str
    queries: int
    candidates: tuple[Candidate, ...]
    judge_next: tuple[ToJudge, ...]
    best_set: tuple[str, ...]
    best: str
    observed_gain: float
    corrected_gain: float | None
    evaluations: tuple[Evaluation, ...]
    settings: dict[str, str | int | float] = field(default_factory=dict)

    def frame(self) -> "pl.DataFrame":
        """Return a row per candidate and metric as a polars frame."""
        return frame_of_candidates(({}, one) for one in self.candidates)

    def __repr__(self) -> str:
        return self._board().text()

    def _repr_html_(self) -> str:
        """Show the candidates in a notebook."""
        return self._board().html()

    def _board(self) -> Board:
        found = [c.metrics[self.primary] for c in self.candidates if self.primary in c.metrics]
        base = figure(found[0].baseline) if found else ""
        counted = count_noun(self.queries, "query")
        return Board(
            f"comparison with {self.baseline} by {self.primary}: {counted}",
            ("run", self.primary, "change", "interval", "p", "verdict"),
            [
                (self.baseline, base, "", "", "", "baseline"),
                *(_row(one, self.primary) for one in self.candidates),
            ],
            "more: print() for reasons, .frame() for all metrics as a polars frame",
        )

    def __str__(self) -> str:
        counted = count_noun(self.queries, "query")
        lines = [f"comparison with {self.baseline} by {self.primary} ({counted})"]
        verdicts = [
            f"{c.run}: {OUTCOMES[c.verdict.outcome]}. {c.verdict.reason}" for c in self.candidates
        ]
        more = [f"and {len(verdicts) - MOST:,} more: .frame()"] if len(verdicts) > MOST else []
        return "\n".join([*lines, *verdicts[:MOST], *more])


def _row(candidate: Candidate, primary: str) -> tuple[str, ...]:
    verdict, about = OUTCOMES[candidate.verdict.outcome], candidate.metrics.get(primary)
    if about is None:
        return (candidate.run, "", "", "", "", verdict)
    change, low, high = about.difference, about.interval.low, about.interval.high
    figures = (figure(about.candidate), figure(change, form="+.4f"), spanned(low, high))
    return (candidate.run, *figures, figure(about.p_corrected), verdict)
