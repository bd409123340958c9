"""Since: what changed from one report to a later one, in tables and lines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from assay.records import Cell, Comparison, Table
from assay.records.since import CostChange, RunChange, Since
from assay.reports.comparisons.decisions import heading
from assay.text.count_noun import count_noun
from assay.text.join_list import first_few, join_list

__all__ = [
    "changed_only",
    "is_unchanged",
    "moved_costs",
    "moved_scores",
    "moved_verdicts",
    "no_change",
    "since_lines",
    "since_notes",
    "unchanged_line",
]

TITLES = ("run", "before", "now", "change", "95% CI", "p (Holm)", "W/T/L")
COSTS = {
    "latency_p50_ms": ("p50 ms", ",.2f"),
    "latency_p95_ms": ("p95 ms", ",.2f"),
    "index_seconds": ("index s", ",.1f"),
    "bytes_per_document": ("bytes/doc", ",.0f"),
}
SHOWN = {"lower": " ↓", "higher": " ↑"}
NAMED = 5  # packages that a line names


def is_unchanged(since: Since) -> bool:
    """Tell whether the same runs have the same scores on the same queries, and no other costs."""
    other = (since.new, since.gone, since.only_before, since.only_after, since.rejudged)
    if any(other) or since.uncompared or since.decisions or since.criteria:
        return False
    return not any(map(_changed, since.changes))


def changed_only(since: Since) -> Since:
    """Leave out the runs in which nothing changed, of which ``unchanged_line`` tells."""
    return replace(since, changes=tuple(filter(_changed, since.changes)))


def _changed(one: RunChange) -> bool:
    """Tell whether the settings, the score of any query, or a cost significantly differs."""
    compared = one.candidate.metrics.values()
    moved = any(found.wins or found.losses for found in compared)
    costs = any(cost.shown in SHOWN for cost in one.costs.values())
    return bool(one.settings) or moved or costs or one.before.name != one.after.name


def no_change(since: Since) -> str:
    """Say in a line that nothing changed."""
    counted = f"{count_noun(len(since.changes), 'run')}, {count_noun(since.queries, 'query')}"
    what, rest = _same(since.changes)
    return f"No change: {since.after} has the same {what} as {since.before} ({counted}){rest}."


def unchanged_line(since: Since) -> str:
    """Name the runs in which nothing changed; nothing where there are none."""
    same = [one for one in since.changes if not _changed(one)]
    if not same:
        return ""
    runs = first_few([one.candidate.run for one in same], NAMED)
    what, rest = _same(same)
    return f"no change in {what}: {runs}{rest}"


def _same(changes: Sequence[RunChange]) -> tuple[str, str]:
    """Say what is the same: costs as well only where all of them were measured and are."""
    shown = {cost.shown for one in changes for cost in one.costs.values()}
    if not shown - {"same"}:
        return "scores and costs", ""
    unlike = "some costs were not compared (busy machine, other load, or not measured in both)"
    return "scores", f"; {unlike if 'unlike' in shown else 'no significant change in costs'}"


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
    """Write the costs of each run before and now; None where nothing was measured."""
    keys = [key for key in COSTS if any(key in one.costs for one in since.changes)]
    if not keys:
        return None
    rows: list[list[Cell]] = [
        [one.candidate.run, *(_cost(one.costs.get(key), COSTS[key][1]) for key in keys)]
        for one in since.changes
    ]
    arrows = any(mark in str(cell) for row in rows for cell in row for mark in SHOWN.values())
    legend = "before → now"
    if arrows:
        legend += "; ↓ ↑: times with 95% CIs that do not overlap, bytes that differ by 1% or more"
    if not since.comparable:
        legend = "before → now; times are not comparable: machine or versions differ"
    return Table(("run", *(COSTS[key][0] for key in keys)), rows, caption=legend)


def _cost(one: CostChange | None, form: str) -> str:
    if one is None:
        return "-"
    before, after = ("-" if v is None else f"{v:{form}}" for v in (one.before, one.after))
    return f"{before} → {after}{SHOWN.get(one.shown, '')}"


def since_notes(since: Since) -> Iterator[str]:
    """Say what makes the two reports hard to compare; where nothing changed, only that."""
    if is_unchanged(since):
        yield from [_environment(since)] if since.environment else []
        return
    yield from since.notes
    if since.environment:
        yield _environment(since)
    moved = changed_only(since).changes
    metrics = [pair for one in moved for pair in one.candidate.metrics.items()]
    if unknown := list(dict.fromkeys(name for name, one in metrics if one.unbounded)):
        named = join_list(unknown)
        yield (
            "not checked, since the reports lack the data: whether grades of unjudged documents "
            f"could reverse a difference in {named}"
        )


def _environment(since: Since) -> str:
    told = [f"{name} {_value(old)} → {_value(new)}" for name, (old, new) in _parts(since)]
    shown = first_few(told, NAMED)
    if since.comparable:
        return f"same machine, different commit or version ({shown})"
    return f"different machine or versions ({shown}): times are not comparable"


def _parts(since: Since) -> list[tuple[str, tuple[object, object]]]:
    return [(name.removeprefix("packages."), pair) for name, pair in since.environment.items()]


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(one)}" for name, one in value.items()) or "none"
    text = "none" if value is None else str(value)
    return text[:12] if len(text) == 40 and text.isalnum() else text


def since_lines(since: Since) -> list[str]:
    """Write what changed in settings and verdicts, and which runs were added or removed."""
    lines = [
        f"{one.candidate.run}: {name} {_value(old)} → {_value(new)}"
        for one in since.changes
        for name, (old, new) in one.settings.items()
    ]
    lines += [
        f"{name}: {_value(old)} → {_value(new)}" for name, (old, new) in since.criteria.items()
    ]
    lines += [
        f"{run}: verdict in its report {heading(old, None)} → {heading(new, None)}"
        for run, (old, new) in since.decisions.items()
    ]
    lines += [f"added: {', '.join(_new(since))}"] if since.new else []
    return [*lines, *([f"removed: {', '.join(since.gone)}"] if since.gone else [])]


def _new(since: Since) -> Iterator[str]:
    for run in since.new:
        score = since.new_scores.get(run)
        yield run if score is None else f"{run} ({since.primary} {score:.3f})"
