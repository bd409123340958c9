"""Decision table: a line per candidate, where there are too many for a paragraph each."""

from assay.records import Candidate, Cell, Comparisons, Interval, Table
from assay.reports.comparisons.decisions import heading
from assay.reports.layout import StyledText, layout
from assay.text.figures import difference_text
from assay.text.quote import quote

__all__ = ["decision_table"]

TITLES = ("run", "change", "95% CI", "p (Holm)", "verdict")
CORRECTIONS = {"holm": "p (Holm)", "bh": "p (BH)", "max_t": "p (max-T)", "none": "p"}


def decision_table(comparisons: Comparisons, *, width: int | None = None) -> Table:
    """Give each candidate a row, in the order of the runs; without p if ``width`` is too small."""
    rows = [_row(one, comparisons.primary) for one in comparisons.candidates]
    texts = {
        (row, column): shown
        for row, one in enumerate(comparisons.candidates)
        for column, shown in _texts(one, comparisons.primary).items()
    }
    rule = CORRECTIONS.get(str(comparisons.settings.get("correction")), "p")
    caption = f"{comparisons.primary} compared with {quote(comparisons.baseline)}"
    titles = (*TITLES[:3], rule, TITLES[4])
    table = Table(titles, rows, caption, texts=texts, names=frozenset([4]))
    wide = width is not None and any(sum(map(_columns, line)) > width for line in layout(table))
    return _without_p(table) if wide else table


def _columns(piece: StyledText) -> int:
    return len(piece.text)


def _without_p(table: Table) -> Table:
    rows = [[*row[:3], row[4]] for row in table.rows]
    texts = {at: text for at, text in table.texts.items() if at[1] < 3}
    titles = (*table.titles[:3], table.titles[4])
    return Table(titles, rows, table.caption, texts=texts, names=frozenset([3]))


def _row(one: Candidate, primary: str) -> list[Cell]:
    found, verdict = one.metrics[primary], one.verdict
    ends = _range(found.interval)
    shout = heading(verdict.outcome, verdict.queries_needed)
    return [one.run, found.difference, ends, found.p_corrected, shout]


def _texts(one: Candidate, primary: str) -> dict[int, str]:
    found = one.metrics[primary]
    p = "<.0001" if found.p_corrected < 0.0001 else f"{found.p_corrected:.4f}"
    return {1: difference_text(found.difference), 3: p}


def _range(interval: Interval) -> str:
    if interval.high == float("inf"):
        return "-"
    return f"[{interval.low:+.3f}, {interval.high:+.3f}]"
