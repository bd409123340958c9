"""What a benchmark measured: its runs, how they compare, and what they were measured on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from assay.records.comparisons import Comparisons
from assay.records.interval import Interval
from assay.records.structure import Structure
from assay.records.verdict import Verdict
from assay.text import sanitize

if TYPE_CHECKING:
    import polars as pl

    from assay.records._board import Board

__all__ = ["Report", "Run"]

MOST = 18  # runs that are printed


RESULTS_KEPT = 10  # of each query, in a report


@dataclass(frozen=True, slots=True)
class Run:
    """One configuration as it was built and measured.

    ``configuration`` has only the settings that took effect, ``fingerprint`` names what was really
    done, and ``aliases`` are further configurations that came to the same. ``errors`` counts the
    queries whose search failed (``failed`` tells why): they score 0 in ``scores``, and
    ``scores_answered`` leaves them out. ``scores_resolved`` leaves out the judgments whose document
    is not in the corpus. Both are empty where nothing is to be left out. ``latency_ms`` has mean,
    p50, p95 and p99, and the same for each stage; ``budgets`` tells for each what was allowed, what
    was measured, and whether it is shown to be broken. ``structure`` tells what ranking by
    structure is worth, where it ranks. ``error`` says why a run failed as a whole.

    ``rankings`` has the first documents of each query, ``ranking_scores`` what each was scored by
    the search, ``ranking_symbols`` what the chunk that answers best defines in each (nothing where
    no chunk of the corpus does, or others searched), and ``others`` for each query the metrics that
    the shapes of other programs need and the benchmark did not ask for. With several datasets
    ``collections`` has the scores of each, with its ``queries``, and ``macro`` for each metric the
    mean, sd, best, worst and range over them (the mean is what ``scores`` holds). ``repeats``
    separates what builds vary by from what queries vary by, where it was built more than once.

    A run that a race stopped is ``beaten``: its scores are those of the queries that it was asked,
    and it is compared with no other. ``waterfall`` tells what each stage loses of the primary nDCG,
    ``losses`` the same for each query that loses any, and ``missed`` for each query the relevant
    documents that are not among the first k, with the stage that lost each; where they are many,
    those of the highest grades, and ``missed_more`` counts the rest. ``scores_unleaked`` leaves out
    the queries that stand word for word in a right document; it is empty where there are none.
    ``reachable`` is the best that any ranking scores, where expected items share documents.
    ``reading`` has for each query how many results are ``opened`` up to the first relevant one, and
    the ``tokens`` that are read by then; None where none is found.
    """

    name: str
    fingerprint: str
    configuration: Mapping[str, Any]
    status: Literal["completed", "failed", "cancelled", "beaten"] = "completed"
    scores: Mapping[str, float] = field(default_factory=dict)
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    latency_ms: Mapping[str, Any] = field(default_factory=dict)
    indexing: Mapping[str, Any] = field(default_factory=dict)
    storage: Mapping[str, Any] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)
    categories: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    per_query: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    scores_answered: Mapping[str, float] = field(default_factory=dict)
    scores_resolved: Mapping[str, float] = field(default_factory=dict)
    judged_at_10: float | None = None
    budgets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    structure: Structure | None = None
    error: str = ""
    rankings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reachable: Mapping[str, float] = field(default_factory=dict)
    ranking_scores: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    ranking_symbols: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)
    others: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    collections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    macro: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    repeats: Mapping[str, Any] = field(default_factory=dict)
    waterfall: Mapping[str, float] = field(default_factory=dict)
    losses: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    missed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    scores_unleaked: Mapping[str, float] = field(default_factory=dict)
    reading: Mapping[str, Mapping[str, int | None]] = field(default_factory=dict)
    missed_more: Mapping[str, int] = field(default_factory=dict)

    @property
    def errors(self) -> int:
        """How many queries failed."""
        return len(self.failed)

    def __repr__(self) -> str:
        scores = [f"{name} {score:.4f}" for name, score in self.scores.items()][:3]
        failed = [f"failed queries: {self.errors:,}"] if self.failed else []
        return sanitize(f"<run {self.name[:100]}: {', '.join([self.status, *scores, *failed])}>")


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """What ``assay.run`` returns.

    ``comparisons`` is None where there is only one run. ``truth`` tells how far the judgments
    carry. ``recommendations`` name a run each, by what it is the best. ``id`` is the benchmark's in
    the workspace; ``plan`` counts cells, runs, indexes, stages and searches; ``status`` is
    cancelled where it was stopped before its end. ``winner`` tells best, best_set, observed_gain,
    corrected_gain, pick and a sentence. ``queries`` has what is known of each query: its text,
    category, collection, and the grade of each document that was ``judged``; its ``difficulty`` as
    given, how hard it is ``predicted`` to be (0 to 1), whether it is ``leaked``, the
    ``file_types`` of its relevant documents and the ``cluster`` of its like, where these are known.
    ``analysis`` tells what is to be learnt from all of it, question by question; ``race`` how a
    race went: its error bound, who was beaten when and by whom, and the searches that it saved.
    ``uncompared`` has the verdicts on runs without a comparison: failed, stopped by a race, or
    without a baseline.
    """

    benchmark: Mapping[str, Any]
    dataset: Mapping[str, Any]
    corpus: Mapping[str, Any]
    environment: Mapping[str, Any]
    runs: tuple[Run, ...]
    comparisons: Comparisons | None = None
    recommendations: Mapping[str, Any] = field(default_factory=dict)
    truth: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    id: str = ""
    plan: Mapping[str, Any] = field(default_factory=dict)
    status: Literal["completed", "cancelled"] = "completed"
    winner: Mapping[str, Any] = field(default_factory=dict)
    queries: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    analysis: Mapping[str, Any] = field(default_factory=dict)
    race: Mapping[str, Any] = field(default_factory=dict)
    uncompared: Mapping[str, Verdict] = field(default_factory=dict)

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """The verdict on each candidate, by its name: first those that were compared."""
        candidates = self.comparisons.candidates if self.comparisons else ()
        return {one.run: one.verdict for one in candidates} | dict(self.uncompared)

    def frame(self, of: str = "runs") -> "pl.DataFrame":
        """Return a polars frame: a row per run, or of ``scores`` or ``queries`` one of each run."""
        from assay.records._report_frames import frame_of

        return frame_of(self, of)

    def __repr__(self) -> str:
        return self._board().text()

    def _repr_html_(self) -> str:
        """Show the runs in a notebook."""
        return self._board().html()

    def __str__(self) -> str:
        return self._board(whole=True).printed(MOST)

    def _board(self, *, whole: bool = False) -> "Board":
        from assay.records._leaderboard import leaderboard

        return leaderboard(self, whole=whole)
