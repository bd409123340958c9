"""A whole comparison: one baseline, its candidates, and what would settle the matter."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.records.comparison import Comparison
from assay.records.evaluation import Evaluation
from assay.records.verdict import Verdict

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Candidate", "Change", "Comparisons", "ToJudge"]


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

    ``agreement`` tells how alike the two runs answer; ``changes`` lists the queries that the
    primary metric moved most, largest change first.
    """

    run: str
    metrics: dict[str, Comparison]
    verdict: Verdict
    agreement: dict[str, float]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """What ``assay.compare`` returns.

    ``best_set`` names the runs that cannot be told from the best on the primary metric;
    ``corrected_gain`` is the best candidate's gain with the winner's curse taken out.
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
        import polars as pl  # costs more than a small evaluation

        return pl.DataFrame(
            [
                {
                    "run": candidate.run,
                    "metric": name,
                    "baseline": one.baseline,
                    "candidate": one.candidate,
                    "difference": one.difference,
                    "low": one.interval.low,
                    "high": one.interval.high,
                    "p": one.p,
                    "p_corrected": one.p_corrected,
                    "wins": one.wins,
                    "ties": one.ties,
                    "losses": one.losses,
                    "smallest_detectable": one.smallest_detectable,
                    "verdict": candidate.verdict.outcome,
                }
                for candidate in self.candidates
                for name, one in candidate.metrics.items()
            ]
        )

    def __str__(self) -> str:
        count = f"{self.queries} quer{'y' if self.queries == 1 else 'ies'}"
        lines = [f"{self.primary} against {self.baseline} ({count})"]
        lines += [f"{c.run}: {c.verdict.outcome}. {c.verdict.reason}" for c in self.candidates]
        return "\n".join(lines)
