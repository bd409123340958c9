"""Markdown of a gate: a comment on a pull request, or the summary of a step."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from assay.records import Table
from assay.records.gate import CheckResult, Gate
from assay.reports.formats.md import md
from assay.reports.gates.lines import compared, headline, legend, next_steps, reasons
from assay.reports.gates.table import checks_table, ordered, worst_table
from assay.text import sanitize
from assay.text.truncate import cut_end

__all__ = ["COMMENT", "SUMMARY", "markdown"]

COMMENT = 65_536  # characters of a comment on GitHub
SUMMARY = 1 << 20  # bytes of the summary of a step
ROOM = 1_000  # for what is said about the rest
WORST = 10
LONGEST = 200  # characters of a query, or of a name
SENTENCE = 600  # characters of a reason or a note
NAME = 100  # characters of a benchmark's name in the mark
ROWS = 50  # of a table, or of a list, that is left out as a whole if it does not fit
MARK = "<!-- assay-gate {} -->"
# What GitHub makes a mention, a reference to an issue, or a link.
LINKED = re.compile(r"(?i)((?<!\w)@(?=\w)|#(?=\d)|\bgh-(?=\d)|:(?=//)|\bwww(?=\.))")
FENCED = re.compile(r"`+")


def markdown(gate: Gate, *, limit: int = COMMENT) -> str:
    """Write the outcome, the checks, and the queries that lost most, in fewer bytes than a limit.

    The first line is a mark by which a workflow finds its own comment again. What does not fit is
    left out from the end and counted.
    """
    mark = re.sub(r"[^\w.-]+", "-", gate.benchmark)[:NAME] or "benchmark"
    head = [
        MARK.format(mark),
        f"### Search quality: {headline(gate).replace(': ', ', ', 1)}",
        _plain(compared(gate)),
    ]
    kept, left = _fitting(head, [*_blocks(gate)], limit - ROOM)
    rest = [f"_{left} more parts were left out: the comment would be too long._"] if left else []
    return "\n\n".join([*kept, *rest]) + "\n"


def _fitting(head: Sequence[str], blocks: Sequence[str], limit: int) -> tuple[list[str], int]:
    kept, used = [*head], sum(_size(one) for one in head)
    for at, block in enumerate(blocks):
        if used + _size(block) > limit:
            return kept, len(blocks) - at
        kept.append(block)
        used += _size(block)
    return kept, 0


def _size(text: str) -> int:
    return len(text.encode()) + 2


def _blocks(gate: Gate) -> Iterator[str]:
    """Yield the parts, the most important first; a long table is split, so that some of it fits."""
    results = ordered(gate)
    several = len({one.run for one in results}) > 1
    yield from _tables(results, several=several)
    yield from _lists(reasons(gate))
    for one in (*gate.of("fail"), *gate.of("inconclusive")):
        if one.changes:
            yield _worst(one, gate)
    yield from legend(gate)
    steps = [f"- {_code(command)}: {what}" for command, what in next_steps(gate)]
    if steps:
        yield "\n".join(steps)
    if gate.notes:
        yield "**Notes**"
        yield from _lists(gate.notes)


def _tables(results: Sequence[CheckResult], *, several: bool) -> Iterator[str]:
    for start in range(0, len(results), ROWS):
        table = checks_table(results[start : start + ROWS], several=several, marked=True)
        yield md([_coded(table, {0, 1} if several else {0})]).decode()


def _lists(lines: Iterable[str]) -> Iterator[str]:
    bullets = [f"- {_plain(line)}" for line in lines]
    for start in range(0, len(bullets), ROWS):
        yield "\n".join(bullets[start : start + ROWS])


def _worst(one: CheckResult, gate: Gate) -> str:
    table = worst_table(one, gate, most=WORST, longest=LONGEST)
    caption = _plain(table.caption)
    columns = {0, len(table.titles) - 1} if "text" in table.titles else {0}
    body = md([_coded(replace(table, caption=""), columns)]).decode()
    return f"<details><summary>{caption}</summary>\n\n{body}\n</details>"


def _coded(table: Table, columns: set[int]) -> Table:
    """Write names and texts as code: they may hold what Markdown would take for its own."""
    rows = [
        [_code(str(cell)) if at in columns and cell else cell for at, cell in enumerate(row)]
        for row in table.rows
    ]
    return replace(table, rows=rows)


def _code(text: str) -> str:
    r"""Fence a text with more backticks than it has in a row.

    >>> _code("a`b"), _code("@team")
    ('`` a`b ``', '`@team`')
    """
    line = cut_end(sanitize(" ".join(text.split())), LONGEST)
    longest = max(map(len, FENCED.findall(line)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}" if longest else f"{fence}{line}{fence}"


def _plain(text: str) -> str:
    """Keep a sentence from being read as HTML, a mention, a link or emphasis."""
    told = cut_end(" ".join(text.split()), SENTENCE).replace("&", "&amp;").replace("<", "&lt;")
    told = LINKED.sub(r"\1&#8203;", told)
    return re.sub(r"\](?=[(\[:])", "]\\\\", told).replace("*", "\\*")
