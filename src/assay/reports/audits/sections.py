"""Sections: each finding with its table, the most important first, for people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.records import Agreement, Audit, Cell, Coefficient, Finding, Table
from assay.text import one_line
from assay.text.count_noun import count_noun
from assay.text.truncate import cut_end

__all__ = ["AuditSection", "sections"]

SHOWN = 10  # rows of a table
LONGEST = 60  # characters of a text in a table
TITLES = {"other": "other query", "share": "percentage"}


@dataclass(frozen=True, slots=True)
class AuditSection:
    """A part of a report: what it says, its table, and how many rows the table left out."""

    title: str
    said: str = ""
    table: Table | None = None
    more: int = 0


def sections(audit: Audit, *, most: int | None = SHOWN) -> list[AuditSection]:
    """Return what was found, what is known, what was not found, and what could not be done."""
    told = [(name, one) for name, one in audit.findings.items() if _is_told(one)]
    shown = [_cut(_section(name, finding, audit), most) for name, finding in told]
    powers = [_detectable(audit), _power(audit)] if audit.queries else []
    agreed = [_cut(one, most) for one in _agreement(audit.agreement)] if audit.agreement else []
    silent = [name for name, one in audit.findings.items() if not (_is_told(one) or one.undone)]
    nothing = [AuditSection("no findings", ", ".join(map(_name, silent)))] if silent else []
    return [*powers, *shown, *agreed, *nothing, *_undone(audit.findings)]


def _is_told(finding: Finding) -> bool:
    return bool(finding.rows or finding.table or finding.noted)


def _section(name: str, finding: Finding, audit: Audit) -> AuditSection:
    if name == "categories":
        by_category = audit.smallest_detectable["categories"]
        table = _spreads("category", by_category)
        said = f"minimum detectable difference per category. {finding.said}".strip()
        return AuditSection(_name(name), said, table)
    said = one_line(f"{finding.said} {finding.noted}")
    return AuditSection(
        _name(name), said, finding.table or (_listed(finding) if finding.rows else None)
    )


def _listed(finding: Finding) -> Table:
    rows = [[_cell(row[key]) for key in finding.shown] for row in finding.rows]
    shares = {
        (at, column): f"{row[key]:.0%}"
        for at, row in enumerate(finding.rows[:SHOWN])
        for column, key in enumerate(finding.shown)
        if key == "share"
    }
    titles = tuple(TITLES.get(key, key) for key in finding.shown)
    return Table(titles, rows, texts=shares)


def _cell(value: Any) -> Cell:  # noqa: ANN401
    """Make a value fit for a table: lists joined, texts on one line and not too long."""
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    if not isinstance(value, str):
        number: Cell = value
        return number
    return cut_end(one_line(value), LONGEST)


def _cut(section: AuditSection, most: int | None) -> AuditSection:
    table = section.table
    if table is None or most is None or len(table.rows) <= most:
        return section
    texts = {place: text for place, text in table.texts.items() if place[0] < most}
    kept = replace(table, rows=table.rows[:most], texts=texts)
    return replace(section, table=kept, more=len(table.rows) - most)


def _detectable(audit: Audit) -> AuditSection:
    rows = {str(row["queries"]): row for row in audit.smallest_detectable["by_queries"]}
    table = _spreads("queries", rows)
    here = next(at for at, name in enumerate(rows) if name == str(audit.queries))
    marked = frozenset((here, column) for column in range(len(table.titles)))
    said = f"in {audit.metric} with 80% power, by number of queries and sd of the differences."
    return AuditSection("minimum detectable difference", said, replace(table, best=marked))


def _spreads(what: str, rows: Mapping[str, Mapping[str, Any]]) -> Table:
    """Give each number of queries, or each category, a row, and each spread a column."""
    keys = [key for key in next(iter(rows.values()), {}) if key.startswith("sd=")]
    named = what != "queries"
    cells: list[list[Cell]] = [
        [*([name] if named else []), row["queries"], *(row[key] for key in keys)]
        for name, row in rows.items()
    ]
    impossible = {
        (at, column): "none"
        for at, row in enumerate(cells)
        for column, value in enumerate(row)
        if column > named and value is None
    }
    return Table((*([what] if named else []), "queries", *keys), cells, texts=impossible)


def _power(audit: Audit) -> AuditSection:
    sizes = list(next(iter(audit.power.values())))
    rows: list[list[Cell]] = []
    texts: dict[tuple[int, int], str] = {}
    for at, (spread, found) in enumerate(audit.power.items()):
        rows.append([spread, *(found[size] for size in sizes)])
        texts |= {(at, column): f"{found[size]:.0%}" for column, size in enumerate(sizes, 1)}
    titles = ("difference", *sizes)
    number = count_noun(audit.queries, "query")
    said = f"probability of detecting a true difference with {number}, by its size and sd."
    return AuditSection("power", said, Table(titles, rows, texts=texts))


def _agreement(agreement: Agreement) -> list[AuditSection]:
    one, other = agreement.judges
    judgments = count_noun(agreement.pairs, "judgment")
    said = f"{judgments} by both {one} and {other}, {agreement.equal:,} with the same grade"
    only = (
        f"{agreement.only_first:,} only by the first, {agreement.only_second:,} only by the second"
    )
    said = f"{said}; {only}."
    rows = [_coefficient(name, each) for name, each in agreement.coefficients.items()]
    figures = Table(("coefficient", "value", "from", "to", "note"), rows)
    found = [AuditSection("agreement", said, figures)]
    if agreement.pairs:
        grades = list(map(str, agreement.grades))
        counts: list[list[Cell]] = [
            [g, *row] for g, row in zip(grades, agreement.confusion, strict=True)
        ]
        table = Table((f"{one} \\ {other}", *grades), counts)
        found.append(AuditSection("grades", "first judge in rows, second judge in columns.", table))
    if agreement.disagreements:
        keys = ("query", "text", "reference", "first", "second")
        cells = [[_cell(row.get(key)) for key in keys] for row in agreement.disagreements]
        found.append(AuditSection("disagreements", "largest first.", Table(keys, cells)))
    return found


def _coefficient(name: str, one: Coefficient) -> list[Cell]:
    ends: Sequence[Cell] = (one.interval.low, one.interval.high) if one.interval else (None, None)
    note = one.note or (one.interval.note if one.interval else "")
    return [name.replace("_", ", "), one.value, *ends, note]


def _undone(findings: Mapping[str, Finding]) -> list[AuditSection]:
    """Put the checks that could not be done for one reason together."""
    reasons: dict[str, list[str]] = {}
    for name, finding in findings.items():
        if finding.undone:
            reasons.setdefault(finding.undone, []).append(_name(name))
    return [
        AuditSection(f"skipped: {', '.join(names)}", f"{reason}.")
        for reason, names in reasons.items()
    ]


def _name(check: str) -> str:
    return check.replace("_", " ")
