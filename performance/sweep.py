"""Replaying configurations of a search in memory, beside its stages query by query."""

from statistics import median

from performance._measure import ONE_THREAD, measure, progress, script
from performance._result import Result, Row
from performance._settings import Settings

__all__ = ["sweep"]

QUERIES, DEPTH = 300, 100
CONFIGURATIONS, SEARCHED = 1_000, 20
PER_SECOND = 2_000  # configurations replayed in a second of CPU, at least
BUDGET_S = 1 / PER_SECOND  # for one of them, at most


def sweep(settings: Settings) -> Result:
    """Measure all in the same processes, on one core."""
    turns = []
    for turn in range(settings.repeats):
        progress(f"sweep: {QUERIES} queries, depth {DEPTH}, turn {turn + 1}")
        command = script("sweep_assay", QUERIES, DEPTH, CONFIGURATIONS, SEARCHED)
        turns.append(measure(command, ONE_THREAD).json())
    took = {name: median(turn[name] for turn in turns) for name in turns[0]}
    replayed, scored, live = took["replay_s"], took["scored_s"], took["live_s"]
    budget = f"{BUDGET_S * 1e3:g} ms"
    result = Result(f"Sweep: {QUERIES} queries, two lists of {DEPTH}, one core")
    result.rows.extend(
        [
            Row("a configuration", replayed, budget, BUDGET_S, target=1.0),
            Row("and its ndcg@10", scored, budget, BUDGET_S),
            Row("a configuration", replayed, "our stages", live, ratio="times"),
        ]
    )
    result.notes.append(
        f"CPU time for one of {took['count']:,.0f} configurations (rrf with four k, three "
        "thresholds and many weights; min_max, z_score and blend with many weights, lacking scores "
        f"filled in), rankings of all queries down to 100 documents, the median of "
        f"{settings.repeats} processes. Per second: {1 / replayed:,.0f} replayed, "
        f"{1 / scored:,.0f} replayed and scored. A query's lists hold {took['union']:.0f} chunks "
        f"together. To record takes {took['record_s'] * 1e3:.0f} ms once, counted apart; what "
        "configurations share is counted where it is made first. Our stages: fuse, threshold, "
        f"collapse and cut, called query by query, {took['searched']:.0f} of the configurations; "
        f"the run fails if a replay differs from them in a bit. {budget} ({PER_SECOND:,} per "
        "second) is a target, not another program."
    )
    return result
