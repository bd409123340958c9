"""What changed from one report to a later one, run by run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from assay.records._board import Board, figure, spanned
from assay.records._comparison_frames import frame_of_candidates
from assay.records.comparisons import Candidate, ToJudge
from assay.records.interval import Interval
from assay.records.report import Run
from assay.records.verdict import OUTCOMES, Verdict
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CostChange", "ReportChanges", "RunChange", "Since"]

MOST = 20  # runs that are printed
BEFORE = ("report", "baseline_run")


@dataclass(frozen=True, slots=True)
class CostChange:
    """What one figure of the costs was and is; None where it was not measured.

    ``shown`` is lower, higher or same; unknown if the two are not significantly different, and
    unlike if the conditions of their measurements cannot be compared.
    """

    before: float | None
    after: float | None
    shown: Literal["lower", "higher", "same", "unknown", "unlike"] = "unknown"
    before_interval: Interval | None = None
    after_interval: Interval | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RunChange:
    """A run of an earlier report, and the run of the same name in a later report.

    ``candidate`` compares the two, paired by query; ``settings`` has the old and the new value of
    each setting that differs.
    """

    before: Run
    after: Run
    candidate: Candidate
    settings: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    costs: Mapping[str, CostChange] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Since:
    """What changed since the report ``before``.

    Only the ``queries`` with the same judgments in both reports are compared: ``only_before`` and
    ``only_after`` are in one report only, ``rejudged`` have other judgments or another text.
    ``new`` and ``gone`` are runs of one report only. ``environment`` has the old and new values of
    the machine and its software that differ; times are ``comparable`` if none of them affects
    times. ``uncompared`` has the verdicts on runs that could not be compared: one of the two
    failed, or was stopped early by a race. ``judge_next`` are the unjudged documents whose grades
    would matter most. ``decisions`` has the old and the new outcome of each run whose verdict
    against the baseline of its report changed, ``criteria`` the old and the new value of what
    decided (baseline, margin and others, and the pick), ``new_scores`` the primary scores of
    ``new`` runs.
    """

    before: str
    after: str
    primary: str
    queries: int
    changes: tuple[RunChange, ...]
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    only_before: tuple[str, ...] = ()
    only_after: tuple[str, ...] = ()
    rejudged: tuple[str, ...] = ()
    environment: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    comparable: bool = True
    notes: tuple[str, ...] = ()
    settings: Mapping[str, str | int | float] = field(default_factory=dict)
    uncompared: Mapping[str, Verdict] = field(default_factory=dict)
    judge_next: tuple[ToJudge, ...] = ()
    decisions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    new_scores: Mapping[str, float] = field(default_factory=dict)
    criteria: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """The verdict on each run, by its name: first those that were compared."""
        found = {one.candidate.run: one.candidate.verdict for one in self.changes}
        return found | dict(self.uncompared)

    def frame(self) -> "pl.DataFrame":
        """Return a row per run and metric as a polars frame, with the report and earlier run."""
        return ReportChanges([self]).frame()

    def __repr__(self) -> str:
        return self._board().text()

    def _repr_html_(self) -> str:
        """Show in a notebook what changed."""
        return self._board().html()

    def _board(self) -> Board:
        return Board(
            f"{self._about()}: {self._counted()}",
            ("run", "before", "after", "change", "interval", "verdict"),
            [_row(one, self.primary) for one in self.changes],
            "more: print() for reasons, .frame() for all metrics as a polars frame",
        )

    def _about(self) -> str:
        return f"{self.after} compared with {self.before} by {self.primary}"

    def _counted(self) -> str:
        """Count the queries that are compared, and those that are not."""
        left = len(self.only_before) + len(self.only_after) + len(self.rejudged)
        both = f"{count_noun(self.queries, 'query')} in both reports"
        return f"{both}, {left:,} excluded" if left else both

    def __str__(self) -> str:
        lines = [f"{self._about()} ({self._counted()})"]
        lines += [f"note: {text}" for text in self.notes]
        found = [(one.candidate.run, one.candidate.verdict) for one in self.changes[:MOST]]
        for run, verdict in [*found, *self.uncompared.items()]:
            lines.append(f"{run}: {OUTCOMES[verdict.outcome]}. {verdict.reason}")
        left = len(self.changes) - MOST
        return "\n".join([*lines, *([f"and {left:,} more: .frame()"] if left > 0 else [])])


class ReportChanges(tuple[Since, ...]):
    """What ``assay.compare_reports`` returns: for each later report what changed since the first.

    It is a tuple; a notebook shows all of them.
    """

    __slots__ = ()

    def frame(self) -> "pl.DataFrame":
        """Return a row per report, run and metric as a polars frame."""
        rows = (
            (dict(zip(BEFORE, (since.after, one.before.name), strict=True)), one.candidate)
            for since in self
            for one in since.changes
        )
        return frame_of_candidates(rows, before=BEFORE)

    def __repr__(self) -> str:
        return "\n".join(map(repr, self)) or "<no reports to compare>"

    def _repr_html_(self) -> str:
        return "".join(one._repr_html_() for one in self)

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))


def _row(change: RunChange, primary: str) -> tuple[str, ...]:
    verdict = OUTCOMES[change.candidate.verdict.outcome]
    about = change.candidate.metrics.get(primary)
    if about is None:
        return (change.candidate.run, "", "", "", "", verdict)
    figures = (figure(about.baseline), figure(about.candidate), f"{about.difference:+.4f}")
    span = spanned(about.interval.low, about.interval.high)
    return (change.candidate.run, *figures, span, verdict)
