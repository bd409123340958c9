"""Tables of a diff: the totals, the queries by traffic, and one query side by side."""

from collections.abc import Callable

from assay.errors import InputError
from assay.records import Cell, Interval, Table
from assay.records.diff import Diff, DiffTotals, QueryDiff
from assay.text import one_line
from assay.text.count_noun import count_noun
from assay.text.near_miss import did_you_mean
from assay.text.truncate import cut_end

__all__ = ["changes_table", "query_table", "totals_table", "values_table"]

LONGEST = 75  # characters of a query in a table
ALIKE = 0.9995  # what is printed as an RBO of 1
PREFIX = "RBO 1 beside new documents: the shorter ranking is the beginning of the longer one"
LEAST, BESIDE = 20, 46  # what a query has at least, and what the other columns take
SORTS: dict[str, Callable[[QueryDiff], float]] = {
    "traffic": lambda one: one.weight,
    "change": lambda one: one.impact,
}


def totals_table(diff: Diff) -> Table:
    """Give each total a row, by traffic and, if that is another thing, by query."""
    columns = [diff.totals, *([diff.unweighted] if diff.unweighted else [])]
    titles = ("by traffic", "by query") if diff.unweighted else ("by query",)
    rows: list[list[Cell]] = [
        [f"top {diff.k} changed", *(_share(c.changed, c.changed_interval) for c in columns)],
        [
            f"other documents in the top {diff.k}",
            *(_share(c.documents_changed, c.documents_changed_interval) for c in columns),
        ],
        [
            "first result changed",
            *(_share(c.first_changed, c.first_changed_interval) for c in columns),
        ],
        [f"mean RBO (p={diff.p:g})", *(_mean(c.rbo, c.rbo_interval) for c in columns)],
        [f"mean overlap@{diff.k}", *(f"{c.overlap:.3f}" for c in columns)],
        ["without results", *(_empty(c) for c in columns)],
    ]
    if diff.latency_ms:
        old, new = (diff.latency_ms[name]["p95"] for name in (diff.before, diff.after))
        busy = any(one.get("busy") for one in diff.latency_ms.values())
        told = f"{old:,.1f} -> {new:,.1f}{' (busy machine)' if busy else ''}"
        rows.append(["p95 ms", *([""] if diff.unweighted else []), told])
    return Table(("measure", *titles), rows, names=frozenset({0}))


def _share(value: float, interval: Interval) -> str:
    return f"{value:.1%} [{interval.low:.1%}, {interval.high:.1%}]"


def _mean(value: float, interval: Interval) -> str:
    known = abs(interval.high) < float("inf")
    return f"{value:.3f}" + (f" [{interval.low:.3f}, {interval.high:.3f}]" if known else "")


def _empty(totals: DiffTotals) -> str:
    return f"{totals.empty_before:.1%} -> {totals.empty_after:.1%}"


def changes_table(
    diff: Diff, *, sort: str = "traffic", most: int | None = None, width: int | None = None
) -> Table:
    """Give each changed query a row, those that matter most first; texts are cut to a width."""
    room = LONGEST if width is None else max(LEAST, width - BESIDE)
    ordered = sorted(diff.changed, key=SORTS[sort], reverse=True)
    shown = ordered if most is None else ordered[:most]
    rows: list[list[Cell]] = [
        [
            cut_end(one_line(one.text), room),
            one.share,
            one.rbo,
            "changed" if one.first_changed else "",
            len(one.new),
            len(one.gone),
            len(one.moved),
        ]
        for one in shown
    ]
    texts = {
        **{(at, 1): f"{one.share:.1%}" for at, one in enumerate(shown)},
        **{(at, 2): f"{one.rbo:.3f}" for at, one in enumerate(shown)},
    }
    left = len(ordered) - len(shown)
    more = count_noun(left, "more changed query", "more changed queries")
    caption = f"{more}: --most {len(ordered)}, or -o FILE" if left else ""
    if any(one.rbo > ALIKE and one.new for one in shown):
        caption = ". ".join(filter(None, [caption, PREFIX]))
    titles = ("query", "traffic", "RBO", "first", "new", "gone", "moved")
    return Table(titles, rows, caption, texts=texts, names=frozenset({0, 3}))


def query_table(diff: Diff, query: str) -> Table:
    """Put the first documents of one query side by side, with where each was before."""
    known = {one.query: one for one in diff.changes} | {one.text: one for one in diff.changes}
    if query not in known:
        hint = did_you_mean(query, [*known], otherwise="--json lists all queries")
        raise InputError(f'unknown query "{query[:60]}"', hint=hint)
    one = known[query]
    rank = {document: at for at, document in enumerate(one.before, 1)}
    depth = max(len(one.before), len(one.after))
    rows: list[list[Cell]] = [
        [at + 1, _at(one.before, at), _at(one.after, at), _moved(one, at, rank)]
        for at in range(depth)
    ]
    about = f"{one_line(one.text)}: {one.share:.1%} of the traffic, RBO {one.rbo:.3f}"
    return Table(("rank", diff.before, diff.after, "was"), rows, about, names=frozenset({1, 2}))


def _at(documents: tuple[str, ...], at: int) -> str:
    return documents[at] if at < len(documents) else ""


def _moved(one: QueryDiff, at: int, rank: dict[str, int]) -> str:
    if at >= len(one.after):
        return ""
    old = rank.get(one.after[at])
    return "new" if old is None else "" if old == at + 1 else str(old)


def values_table(diff: Diff) -> Table:
    """Write every query at full precision, for programs that read tables."""
    titles = (
        *("query", "text", "weight", "share", "rbo", f"overlap@{diff.k}", "changed"),
        *("first_changed", "new", "gone", "moved", "before", "after"),
    )
    rows: list[list[Cell]] = [
        [
            one.query,
            one.text,
            one.weight,
            one.share,
            one.rbo,
            one.overlap,
            int(one.changed),
            int(one.first_changed),
            "; ".join(one.new),
            "; ".join(one.gone),
            len(one.moved),
            "; ".join(one.before),
            "; ".join(one.after),
        ]
        for one in diff.changes
    ]
    return Table(titles, rows)
