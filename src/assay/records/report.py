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
    from assay.records.arrays import Floats

__all__ = ["Report", "Run", "query_weights"]

MOST = 18  # runs that are printed


RESULTS_KEPT = 10  # of each query, in a report
NO_CORPUS = "none"  # the name of a corpus that was not given: a report counts no documents then


@dataclass(frozen=True, slots=True)
class Run:
    """One configuration as it was built and measured.

    ``configuration`` has only the settings that took effect, ``fingerprint`` identifies the search
    that was run, and ``aliases`` are further configurations with the same search. ``errors`` counts
    the queries whose search failed (``failed`` has the reasons): they score 0 in ``scores``, and
    ``scores_answered`` excludes them. ``scores_resolved`` excludes the judgments whose document is
    not in the corpus. Both are empty if nothing is excluded. ``scores_unweighted`` has the plain
    means beside weighted ones, if queries have weights. ``latency_ms`` has mean, p50, p95 and
    p99, also for each stage; ``budgets`` has for each budget its limit, the measured value, and
    whether it is significantly beyond it; ``direction`` is min or max. ``structure`` is the effect
    of coherence, if it is used. ``error`` is the reason why the whole run failed.

    ``rankings`` has the top documents of each query, ``ranking_scores`` their scores,
    ``ranking_symbols`` the symbols that the best chunk of each defines (empty if none is known, as
    for external systems), and ``others`` for each query the metrics that only the report layouts of
    other tools need. With several datasets ``collections`` has the scores of each, with its
    ``queries``, and ``macro`` for each metric the mean, sd, best, worst and range over them
    (``scores`` holds the mean). ``repeats`` separates the variation between builds from that
    between queries, if each index was built more than once.

    A run that a race stopped early is ``beaten``: its scores are over the queries that were run,
    and it is not compared. ``waterfall`` is what each stage loses of the primary nDCG, ``losses``
    the same for each query that loses any, and ``missed`` for each query the relevant documents
    that are not in the top k, with the stage that lost each; if there are many, those of the
    highest grades, and ``missed_more`` counts the rest. ``scores_unleaked`` excludes the queries
    whose text occurs verbatim in a relevant document; it is empty if there are none. ``reachable``
    is the best possible score, if expected items share documents. ``reading`` has for each query
    how many results are ``opened`` up to the first relevant one, and the ``tokens`` read by then;
    None if none is found.
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
    scores_unweighted: Mapping[str, float] = field(default_factory=dict)

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

    ``comparisons`` is None if there is only one run. ``truth`` describes the quality of the
    judgments. ``recommendations`` maps each criterion to the best run. ``id`` is that of the
    benchmark in the workspace; ``plan`` counts combinations, runs, indexes, stages and searches;
    ``status`` is cancelled if not everything was measured. ``winner`` has best, best_set,
    observed_gain, corrected_gain, pick and a sentence. ``queries`` has for each query its text,
    category, collection, and the grade of each document that was ``judged``; its ``difficulty`` as
    given and as ``predicted`` (0 to 1), whether it is ``leaked``, the ``file_types`` of its
    relevant documents and the ``cluster`` of similar queries, if known. ``analysis`` has the
    findings, question by question; ``race`` the error bound of a race, which runs were stopped
    early, when and by which run, and the searches that this saved. ``uncompared`` has the verdicts
    on runs without a comparison: failed, stopped early by a race, or without a baseline.
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
        """Return a polars frame: a row per run, per run and score, or per run and query."""
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


def query_weights(report: Report, queries: Sequence[str]) -> "Floats | None":
    """Return how much each of some queries of a report counts; None where all count the same."""
    given = [report.queries.get(query, {}).get("weight") for query in queries]
    if not any(given):
        return None
    import numpy as np

    return np.array([float(one or 1.0) for one in given], np.float64)
