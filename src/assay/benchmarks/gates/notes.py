"""What to know before reading the result of a gate."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.benchmarks.gates.cost_evidence import fewest_times
from assay.benchmarks.gates.figures import find_figure
from assay.benchmarks.gates.more_queries import fewest_queries
from assay.benchmarks.since.costs import times_are_comparable
from assay.benchmarks.since.match import ReportSide, shared_queries
from assay.benchmarks.since.notes import changed_data, left_out, other_weights
from assay.records import Report, Run
from assay.records.costs import COSTS
from assay.records.gate import CheckResult
from assay.text.count_noun import count_noun
from assay.text.join_list import first_few
from assay.text.quote import quote

__all__ = ["gate_notes"]

NAMED = 3
LESS_JUDGED = 0.01  # of the top 10, from which on a drop may be one of judgments

Pairs = Sequence[tuple[Run | None, Run]]


def gate_notes(
    baseline: ReportSide | None,
    current: ReportSide,
    matched: Pairs,
    results: Sequence[CheckResult],
    *,
    changed: Mapping[str, tuple[Any, Any]],
    bare: bool,
) -> Iterator[str]:
    """Note what differs besides the search, what is not checked, and what failed."""
    yield from _layouts(baseline, current)
    if not bare:
        yield from _powerless(results)
        yield from _open_ended(results)
    if baseline is not None:
        yield from _about_queries(baseline, current, matched)
        yield from _environment(changed, results)
        new = [quote(run.name) for old, run in matched if old is None]
        if new:
            yield f"not in the baseline, checked against limits only: {first_few(new, NAMED)}"
    for old, new_run in matched:
        yield from _failures(new_run)
        yield from _less_judged(old, new_run, results)


def _layouts(baseline: ReportSide | None, current: ReportSide) -> Iterator[str]:
    """Say that scores of two programs may not mean the same, and what a layout leaves open."""
    sides = [side for side in (baseline, current) if side is not None]
    names = [str(side.report.benchmark.get("layout") or "") for side in sides]
    for side, name in zip(sides, names, strict=True):
        if name and len(set(names)) > 1:
            yield f"{side.name} is a report of {name}: it may define scores and times differently"
        if name:
            yield from (f"{side.name}: {text}" for text in side.report.notes)


def _powerless(results: Sequence[CheckResult]) -> Iterator[str]:
    """Say that checks can never fail: with so few queries not even a drop in each is shown."""
    tests = sum(one.p is not None for one in results)
    few = [one for one in results if find_figure(one.check.figure).metric and one.queries and tests]
    few = [one for one in few if (one.queries or 0) < fewest_queries(tests)]
    if few:
        least = min(one.queries or 0 for one in few)
        names = first_few([*dict.fromkeys(one.check.name for one in few)], NAMED)
        yield (
            f"{count_noun(least, 'query is', 'queries are')} too few for {names} to fail, whatever "
            f"the scores: {count_noun(tests, 'test needs', 'tests need')} at least "
            f"{fewest_queries(tests)}"
        )


def _open_ended(results: Sequence[CheckResult]) -> Iterator[str]:
    """Say that percentiles of so few queries have no upper end, so that no rise is beyond it."""
    ends = {one.check.figure: one.baseline_interval for one in results if one.check.kind == "allow"}
    named = [name for name, of in ends.items() if of is not None and math.isinf(of.high)]
    for name in named:
        least = fewest_times(name)
        if least:
            yield (
                f"{name} cannot fail with so few queries: the interval of the baseline has no "
                f"upper end below {count_noun(least, 'query')}; latency_p50_ms and "
                "latency_mean_ms need fewer"
            )


def _about_queries(baseline: ReportSide, current: ReportSide, matched: Pairs) -> Iterator[str]:
    pairs = [(old, new) for old, new in matched if old and old.per_query and new.per_query]
    yield from changed_data(baseline, current)
    yield from _lost_documents(baseline.report, current.report)
    if pairs:
        shared = shared_queries(baseline.report, current.report, pairs, by_dataset=True)
        yield from left_out(baseline.name, current.name, shared)
        yield from other_weights(baseline, current, shared)


def _lost_documents(before: Report, now: Report) -> Iterator[str]:
    """Say that judged documents are no longer in the corpus: their queries cannot find them."""
    old, new = (one.truth.get("missing") for one in (before, now))
    if isinstance(old, int) and isinstance(new, int) and new > old:
        yield (
            f"{count_noun(new, 'judgment')} of documents that are not in the corpus "
            f"({old:,} in the baseline): they count as missed (see `assay dataset resolve`)"
        )


def _environment(
    changed: Mapping[str, tuple[Any, Any]], results: Sequence[CheckResult]
) -> Iterator[str]:
    """Say that the machine or its software differs, where a check depends on it."""
    timed = any(COSTS[one.check.figure].is_timed for one in results if one.check.figure in COSTS)
    if not timed or times_are_comparable(changed):
        return
    named = [
        f"{name.removeprefix('packages.')} {old} → {new}"
        for name, (old, new) in changed.items()
        if name != "git_commit"
    ]
    yield (
        f"another environment than the baseline's ({first_few(named, NAMED)}): "
        "times and memory do not fail the gate (--strict-env lets them)"
    )


def _failures(run: Run) -> Iterator[str]:
    if run.status != "failed" and run.errors:
        many = count_noun(run.errors, "query failed and scores 0", "queries failed and score 0")
        yield f"{quote(run.name)}: {many}"


def _less_judged(old: Run | None, new: Run, results: Sequence[CheckResult]) -> Iterator[str]:
    """Say that unjudged documents may explain a drop, where fewer of the results are judged."""
    before, now = old.judged_at_10 if old else None, new.judged_at_10
    fell = any(one.run == new.name and one.outcome != "pass" and one.changes for one in results)
    if fell and before is not None and now is not None and before - now >= LESS_JUDGED:
        yield (
            f"{quote(new.name)}: {now:.1%} of the top 10 are judged, {before:.1%} in the baseline; "
            "unjudged documents count as not relevant and may explain a drop (see `assay judge`)"
        )
