"""Why a gate fails a test: the reasons, what was compared, and the queries that lost most."""

from collections.abc import Iterator, Sequence

from assay.records.gate import CheckResult, Gate
from assay.reports.gates.lines import compared, headline
from assay.text import sanitize
from assay.text.truncate import cut_end

__all__ = ["check_text", "gate_text"]

QUERIES = 5  # that are shown of a check
CHECKS = 3  # whose queries are shown
TEXT = 60  # characters of a query


def check_text(gate: Gate, failed: CheckResult) -> str:
    """Say why one check failed, below a headline that names it: the reason is in the first line."""
    return _joined([_reason(failed), compared(gate), *_queries(failed, gate)])


def gate_text(gate: Gate, failed: Sequence[CheckResult]) -> str:
    """Say why a gate failed; one check needs no headline of its own."""
    lines = [headline(gate)] if len(failed) > 1 else []
    lines += [f"{one.name}: {_reason(one)}" for one in failed]
    lines.append(compared(gate))
    for one in [one for one in failed if one.changes][:CHECKS]:
        lines += _queries(one, gate)
    return _joined(lines)


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(map(sanitize, lines))


def _reason(one: CheckResult) -> str:
    return one.reason if one.outcome == "fail" else f"inconclusive: {one.reason}"


def _queries(one: CheckResult, gate: Gate) -> Iterator[str]:
    """Name the queries that lost most, one per line."""
    shown = one.changes[:QUERIES]
    if not shown:
        return
    yield f"queries that lost most ({one.check.name}, {one.run}):"
    width = max(len(change.query) for change in shown)
    for change in shown:
        text = cut_end(gate.texts.get(change.query, ""), TEXT)
        moved = f"{change.baseline:.4f} -> {change.candidate:.4f}"
        yield f"  {change.query:{width}}  {moved}  {text}".rstrip()
