"""Tables of a gate: one row per check and run, and the queries that lost most."""

from collections.abc import Sequence
from dataclasses import replace

from assay.records import Cell, Table
from assay.records.gate import GATE_OUTCOMES, CheckResult, Gate
from assay.text.figures import amount_text, p_text
from assay.text.truncate import cut_end

__all__ = ["checks_table", "ordered", "screen_table", "values_table", "worst_table"]

TITLES = ("check", "run", "baseline", "current", "change", "allowed", "p", "outcome")
VALUES = (
    *("run", "metric", "group", "check", "allowed", "allowed_is_relative", "limit"),
    *("baseline", "current", "delta", "relative", "p", "p_corrected", "queries"),
    *("queries_needed", "outcome", "reason"),
)
ORDER = {"fail": 0, "inconclusive": 1, "pass": 2}


def ordered(gate: Gate) -> list[CheckResult]:
    """Return the results, failed ones first, the worst of each outcome first."""
    bad = [*gate.of("fail"), *gate.of("inconclusive")]
    return [*bad, *(one for one in gate.results if one.outcome == "pass")]


def screen_table(results: Sequence[CheckResult]) -> Table:
    """Show each check, with its run in the first column: a narrow screen repeats that one."""
    table = checks_table(results, several=False)
    if len({one.run for one in results}) < 2:
        return table
    names = [f"{one.run}: {one.check.name}" for one in results]
    rows = [[name, *row[1:]] for name, row in zip(names, table.rows, strict=True)]
    return replace(table, titles=("run: check", *table.titles[1:]), rows=rows)


def checks_table(
    results: Sequence[CheckResult], *, several: bool = True, marked: bool = False
) -> Table:
    """Show each check on each run; without ``several`` runs, not which run it is.

    Outcomes that failed are ``marked`` on request: a terminal marks what is best, in green.
    """
    rows = [_row(one) for one in results]
    bad = [at for at, one in enumerate(results) if marked and one.outcome == "fail"]
    marks = frozenset((at, 7) for at in bad)
    table = Table(TITLES, rows, best=marks, names=frozenset({0, 1, 7}))
    return table if several else _without_run(table)


def _without_run(table: Table) -> Table:
    return Table(
        (table.titles[0], *table.titles[2:]),
        [[row[0], *row[2:]] for row in table.rows],
        best=frozenset((row, column - 1) for row, column in table.best),
        names=frozenset({0, 6}),
    )


def _row(one: CheckResult) -> list[Cell]:
    p = "" if one.p_corrected is None else p_text(one.p_corrected).removeprefix("p ")
    return [
        one.check.name,
        one.run,
        _amount(one, one.baseline) if one.check.kind == "allow" else "",
        _amount(one, one.current),
        _change(one) if one.check.kind == "allow" else "",
        _limit(one),
        p.removeprefix("= "),
        GATE_OUTCOMES[one.outcome],
    ]


def _amount(one: CheckResult, value: float | None) -> str:
    return "-" if value is None else amount_text(one.check.figure, value)


def _change(one: CheckResult) -> str:
    if one.relative is not None:
        return f"{one.relative:+.1%}"
    return "" if one.delta is None else f"{one.delta:+.4g}"


def _limit(one: CheckResult) -> str:
    """Write what is allowed: a share, or the value that must be kept."""
    if one.check.kind == "allow":
        told = one.check.amount_text
        return f"{told} worse" if one.check.amount else "no worse"
    sign = ">=" if one.check.kind == "min" else "<="
    return f"{sign} {amount_text(one.check.figure, one.check.amount)}"


def worst_table(one: CheckResult, gate: Gate, *, most: int, longest: int) -> Table:
    """Name the queries that lost most in a check, with the beginnings of their texts."""
    known = any(change.query in gate.texts for change in one.changes)
    titles = ("query", "before", "now", "change", *(("text",) if known else ()))
    rows: list[list[Cell]] = [
        [
            change.query,
            change.baseline,
            change.candidate,
            f"{change.difference:+.4f}",
            *((cut_end(gate.texts.get(change.query, ""), longest),) if known else ()),
        ]
        for change in one.changes[:most]
    ]
    return Table(titles, rows, caption=f"Queries that lost most: {one.check.name}, {one.run}")


def values_table(gate: Gate) -> Table:
    """Give every value at full precision, for files that programs read."""
    rows: list[list[Cell]] = []
    for one in gate.results:
        group = f"{one.check.group[0]}={one.check.group[1]}" if one.check.group else None
        relative = "true" if one.check.relative else "false"
        about: list[Cell] = [one.run, one.check.figure, group, one.check.kind, one.check.amount]
        rows.append([*about, relative, *(getattr(one, name) for name in VALUES[6:])])
    return Table(VALUES, rows)
