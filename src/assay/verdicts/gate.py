"""Gate: whether a check passes, fails, or cannot be decided on the evidence there is."""

import math
from dataclasses import dataclass

from assay.records.comparisons import Change
from assay.records.gate import Check, CheckResult, GateOutcome
from assay.records.interval import Interval
from assay.text.count_noun import count_noun
from assay.text.figures import amount_text, p_text
from assay.verdicts._case import further

__all__ = ["GATE_ALPHA", "CheckEvidence", "check_gate"]

GATE_ALPHA = 0.005  # one-sided, over all tests of a gate
ROUNDING = 1e-9  # what sums in another order may differ by
RELATIVE = 1e-12  # the same of large numbers: of bytes it is less than one
DIGITS = range(4, 13)  # of a value beside its limit: as many as show that they differ
SCORES = "no per-query scores to test the difference with"


@dataclass(frozen=True, slots=True)
class CheckEvidence:
    """What is known of one check on one run.

    ``exact`` figures are counted and need no test. ``p`` is one-sided, of "not beyond the limit";
    ``tests`` counts those that it is corrected for. Where there is no p, intervals decide.
    ``warning`` says why a time or a memory must not fail a gate. ``broken`` says why the run counts
    as failed, ``unknown`` why nothing can be decided. ``left_out`` counts the queries of the
    baseline that cannot be compared; ``worst`` are the means of the baseline and of the current run
    if these scored as badly as possible.
    """

    check: Check
    run: str
    higher_is_better: bool
    current: float | None = None
    baseline: float | None = None
    exact: bool = False
    p: float | None = None
    p_corrected: float | None = None
    tests: int = 1
    interval: Interval | None = None
    baseline_interval: Interval | None = None
    queries: int | None = None
    queries_needed: int | None = None
    changes: tuple[Change, ...] = ()
    warning: str = ""
    broken: str = ""
    unknown: str = ""
    baseline_run: str = ""
    lacking: str = SCORES
    left_out: int = 0
    worst: tuple[float, float] | None = None

    @property
    def limit(self) -> float | None:
        """The value that the current one must keep."""
        if self.check.kind != "allow":
            return self.check.amount
        if self.baseline is None:
            return None
        return self._worse_by(self.baseline)

    def _worse_by(self, value: float) -> float:
        """Return a value that is worse by what is allowed."""
        amount = self.check.amount * (abs(value) if self.check.relative else 1.0)
        return value - amount if self.is_floor else value + amount

    @property
    def may_hide_a_loss(self) -> bool:
        """Whether queries that cannot be compared could have lost more than is allowed."""
        if self.worst is None:
            return False
        baseline, current = self.worst
        return self.is_beyond(current, self._worse_by(baseline))

    @property
    def is_floor(self) -> bool:
        """Whether the value must not be below its limit; else it must not be above."""
        if self.check.kind == "allow":
            return self.higher_is_better
        return self.check.kind == "min"

    def is_beyond(self, value: float, limit: float) -> bool:
        """Tell whether a value breaks a limit, whatever rounding did to either."""
        by = limit - value if self.is_floor else value - limit
        return by > ROUNDING + RELATIVE * abs(limit)

    @property
    def is_apart(self) -> bool:
        """Whether the whole interval is beyond the limit, by the baseline's worse end."""
        if self.interval is None:
            return False
        best = self.interval.high if self.is_floor else self.interval.low
        if self.check.kind != "allow":
            return self.is_beyond(best, self.check.amount)
        if self.baseline_interval is None:
            return False
        of = self.baseline_interval
        worst = of.low if self.is_floor else of.high
        return math.isfinite(worst) and self.is_beyond(best, self._worse_by(worst))


def check_gate(evidence: CheckEvidence, *, bare: bool = False) -> CheckResult:
    """Decide one check; a ``bare`` one compares the values and asks for no evidence."""
    outcome, reason = _decide(evidence, bare=bare)
    baseline, current = evidence.baseline, evidence.current
    delta = None if baseline is None or current is None else current - baseline
    limit = evidence.limit
    beyond = current is not None and limit is not None and evidence.is_beyond(current, limit)
    undecided = outcome == "inconclusive" and beyond
    return CheckResult(
        check=evidence.check,
        run=evidence.run,
        outcome=outcome,
        reason=reason,
        baseline=baseline,
        current=current,
        delta=delta,
        relative=delta / abs(baseline) if delta is not None and baseline else None,
        limit=limit,
        p=evidence.p,
        p_corrected=evidence.p_corrected,
        queries=evidence.queries,
        queries_needed=evidence.queries_needed if undecided else None,
        changes=evidence.changes if outcome != "pass" else (),
        warning=evidence.warning,
        baseline_run=evidence.baseline_run,
        interval=evidence.interval,
        baseline_interval=evidence.baseline_interval,
    )


def _decide(one: CheckEvidence, *, bare: bool) -> tuple[GateOutcome, str]:
    if one.broken:
        return "fail", one.broken
    if one.unknown or one.current is None or one.limit is None:
        return "inconclusive", one.unknown or "not measured"
    moved = _moved(one)
    if not one.is_beyond(one.current, one.limit):
        if not bare and one.may_hide_a_loss:
            return "inconclusive", f"{moved}; {_hidden(one)}"
        return "pass", f"{moved}{_of_nothing(one)}"
    if bare:
        return "fail", f"{moved}{_of_nothing(one)} (--bare: not tested)"
    if one.warning:
        return "inconclusive", f"{moved}, but {one.warning}"
    outcome, evidence = _weigh(one)
    return outcome, f"{moved}{_of_nothing(one)}{evidence}"


def _hidden(one: CheckEvidence) -> str:
    every = count_noun(one.left_out + (one.queries or 0), "query")
    return f"{one.left_out:,} of {every} of the baseline cannot be compared, and may have lost more"


def _weigh(one: CheckEvidence) -> tuple[GateOutcome, str]:
    """Ask whether the evidence supports that a value is beyond its limit."""
    if one.exact:
        return "fail", ""
    if one.p_corrected is not None:
        if one.p_corrected <= GATE_ALPHA:
            return "fail", f"; {_tested(one)}"
        return "inconclusive", f"; not significant ({_tested(one)}){_missing(one)}"
    if one.interval is None or (one.check.kind == "allow" and one.baseline_interval is None):
        return "inconclusive", f"; {one.lacking}"
    if one.is_apart:
        return "fail", f"; {_ends(one)}"
    return "inconclusive", f"; {_ends(one)}: too close to decide{_missing(one)}"


def _tested(one: CheckEvidence) -> str:
    corrected = "corrected " if one.tests > 1 else ""
    counted = f", {count_noun(one.queries, 'query')}" if one.queries else ""
    return f"{corrected}{p_text(one.p_corrected or 0.0)}{counted}"


def _missing(one: CheckEvidence) -> str:
    """Say how many queries are missing, if a drop of the observed size is the true one."""
    if one.queries_needed is None:
        return ""
    what = "change is as large" if one.check.kind == "allow" else "value is the same"
    return f"; {further(one.queries_needed)} would decide it if the true {what}"


def _ends(one: CheckEvidence) -> str:
    """Write the interval of the current value, and of the baseline's where that decides."""
    now = _interval(one, one.interval)
    if one.check.kind != "allow":
        return f"95% CI {now}"
    return f"95% CI {now}, baseline {_interval(one, one.baseline_interval)}"


def _interval(one: CheckEvidence, of: Interval | None) -> str:
    """Write an interval; few values leave an end of it open."""
    if of is None:
        return "unknown"
    low, high = (amount_text(one.check.figure, end) for end in (of.low, of.high))
    if math.isfinite(of.low) and math.isfinite(of.high):
        return f"{low} to {high}"
    known = [f"at least {low}"] if math.isfinite(of.low) else []
    known += [f"at most {high}"] if math.isfinite(of.high) else []
    return known[0] if known else "unknown"


def _moved(one: CheckEvidence) -> str:
    """Say what the value is, or how far it moved, beside what the check asks for."""
    figure, current, check = one.check.figure, one.current or 0.0, one.check
    if check.kind != "allow":
        kept = not one.is_beyond(current, check.amount)
        bound = f"the {'minimum' if check.kind == 'min' else 'maximum'} of"
        verbs = ("reaches", "is below") if check.kind == "min" else ("is within", "is above")
        value, limit = _texts(figure, current, check.amount, alike=kept)
        return f"{value} {verbs[not kept]} {bound} {limit}"
    baseline = one.baseline or 0.0
    delta = current - baseline
    if abs(delta) <= ROUNDING + RELATIVE * abs(baseline):
        return "no change"
    verb = "fell" if delta < 0 else "rose"
    share = f" ({delta / abs(baseline):+.1%})" if baseline else ""
    allowed = check.amount_text if check.relative else amount_text(figure, check.amount)
    told = f"{verb} by {amount_text(figure, abs(delta))}{share}"
    worse = (delta < 0) == one.is_floor
    limit = f"{allowed} is allowed" if check.amount else "no loss is allowed"
    return f"{told}; {limit}" if worse else told


def _texts(figure: str, value: float, limit: float, *, alike: bool) -> tuple[str, str]:
    """Write a value and its limit; one that is beyond its limit never looks as if it were not."""
    pairs = [(amount_text(figure, value, n), amount_text(figure, limit, n)) for n in DIGITS]
    return pairs[0] if alike else next((one for one in pairs if one[0] != one[1]), pairs[-1])


def _of_nothing(one: CheckEvidence) -> str:
    """Say that a share of a baseline of 0 allows no change."""
    if one.check.kind == "allow" and one.check.relative and one.baseline == 0:
        return f" ({one.check.amount_text} of a baseline of 0 is 0)"
    return ""
