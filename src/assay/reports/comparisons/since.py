"""Since: what changed from one report to a later one, in tables and lines."""

from collections.abc import Iterator

from assay.records import Cell, Comparison, Table
from assay.records.since import CostChange, RunChange, Since
from assay.reports.comparisons.decisions import heading
from assay.text.join_list import first_few

__all__ = ["moved_costs", "moved_scores", "moved_verdicts", "since_lines", "since_notes"]

TITLES = ("run", "before", "now", "change", "95 % interval", "p (Holm)", "W/T/L")
COSTS = {
    "latency_p50_ms": ("p50 ms", ",.2f"),
    "latency_p95_ms": ("p95 ms", ",.2f"),
    "index_seconds": ("index s", ",.1f"),
    "bytes_per_document": ("bytes/doc", ",.0f"),
}
SHOWN = {"lower": " ↓", "higher": " ↑"}
NAMED = 5  # packages that a line names


def moved_scores(since: Since) -> Table:
    """Give each metric a block with a row per run."""
    rows: list[list[Cell]] = []
    texts: dict[tuple[int, int], str] = {}
    names = list(since.changes[0].candidate.metrics)
    for name in names:
        rows.append([name, *[""] * (len(TITLES) - 1)])
        for one in since.changes:
            rows.append(_scored(one, name))
            texts |= {(len(rows) - 1, c): t for c, t in _texts(one.candidate.metrics[name]).items()}
    return Table(TITLES, rows, texts=texts)


def moved_verdicts(since: Since) -> Table:
    """Write the verdict on each run, and why."""
    told = [one.candidate for one in since.changes]
    rows: list[list[Cell]] = [
        [c.run, heading(c.verdict.outcome, c.verdict.queries_needed), c.verdict.reason]
        for c in told
    ]
    rows += [
        [run, heading(one.outcome, one.queries_needed), one.reason]
        for run, one in since.uncompared.items()
    ]
    return Table(("run", "verdict", "reason"), rows, names=frozenset([1]))


def _scored(one: RunChange, name: str) -> list[Cell]:
    found = one.candidate.metrics[name]
    counts = f"{found.wins}/{found.ties}/{found.losses}"
    scores: list[Cell] = [found.baseline, found.candidate, found.difference]
    return [f"  {one.candidate.run}", *scores, _range(found), found.p_corrected, counts]


def _texts(found: Comparison) -> dict[int, str]:
    p = "<.0001" if found.p_corrected < 0.0001 else f"{found.p_corrected:.4f}"
    return {3: f"{found.difference:+.4f}", 5: p}


def _range(found: Comparison) -> str:
    low, high = found.interval.low, found.interval.high
    return "-" if high == float("inf") else f"[{low:+.3f}, {high:+.3f}]"


def moved_costs(since: Since) -> Table | None:
    """Write what each run cost and costs; None where nothing was measured."""
    keys = [key for key in COSTS if any(key in one.costs for one in since.changes)]
    if not keys:
        return None
    rows: list[list[Cell]] = [
        [one.candidate.run, *(_cost(one.costs.get(key), COSTS[key][1]) for key in keys)]
        for one in since.changes
    ]
    legend = (
        "↓ ↑: 95 % intervals that lie apart (a busier machine does that, too), or 1 % more bytes"
    )
    if not since.comparable:
        legend = "before → now; times are not compared: machine or versions differ"
    return Table(("run", *(COSTS[key][0] for key in keys)), rows, caption=legend)


def _cost(one: CostChange | None, form: str) -> str:
    if one is None:
        return "-"
    before, after = ("-" if v is None else f"{v:{form}}" for v in (one.before, one.after))
    return f"{before} → {after}{SHOWN.get(one.shown, '')}"


def since_notes(since: Since) -> Iterator[str]:
    """Say what keeps the two from being like for like."""
    yield from since.notes
    if since.environment:
        yield _environment(since)
    if any(one.unbounded for c in since.changes for one in c.candidate.metrics.values()):
        yield "what unjudged documents could change is not known from reports"


def _environment(since: Since) -> str:
    told = [f"{name} {_value(old)} → {_value(new)}" for name, (old, new) in _parts(since)]
    shown = first_few(told, NAMED)
    if since.comparable:
        return f"measured on the same machine, of another commit or version ({shown})"
    unlike = "times are not compared as like for like"
    return f"measured elsewhere or with other versions ({shown}): {unlike}"


def _parts(since: Since) -> list[tuple[str, tuple[object, object]]]:
    return [(name.removeprefix("packages."), pair) for name, pair in since.environment.items()]


def _value(value: object) -> str:
    text = "none" if value is None else str(value)
    return text[:12] if len(text) == 40 and text.isalnum() else text


def since_lines(since: Since) -> list[str]:
    """Write what changed in the settings, and which runs came and went."""
    lines = [
        f"{one.candidate.run}: {name} {_value(old)} → {_value(new)}"
        for one in since.changes
        for name, (old, new) in one.settings.items()
    ]
    lines += [f"new: {', '.join(since.new)}"] if since.new else []
    return [*lines, *([f"gone: {', '.join(since.gone)}"] if since.gone else [])]
