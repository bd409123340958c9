"""Lines: findings for a person, the worst first with what to do, the good ones in brief."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from assay.records import Health, HealthFinding
from assay.reports.health.shown import expected, value
from assay.reports.spelled import spelled

__all__ = ["Line", "lines"]

ORDER = ("bad", "watch", "unknown", "good")
STATE = len("unknown")
NAMED = 3  # cases that are named


@dataclass(frozen=True, slots=True)
class Line:
    """A line, and the state that it tells of, as long as its beginning is that state."""

    text: str
    state: str = ""


def lines(health: Health, *, width: int = 80, explained: bool = False) -> list[Line]:
    """Return a line for each finding that is not good, with its sentence below, then the rest.

    ``explained`` gives the good ones their lines and sentences, too.
    """
    told = [one for state in ORDER for one in health.findings if one.state == state]
    spelled = [one for one in told if explained or one.state != "good"]
    shown = [*_spelled(spelled, width)]
    good = [one for one in told if one.state == "good"]
    if explained or not good:
        return shown
    return [*shown, *([Line("")] if shown else []), *_brief(good, width)]


def _spelled(findings: list[HealthFinding], width: int) -> Iterator[Line]:
    section = max((len(one.section) for one in findings), default=0)
    name = max((len(one.name) for one in findings), default=0)
    for at, one in enumerate(findings):
        start = f"{one.state:<{STATE}}  {one.section:<{section}}  {one.name:<{name}}  "
        what = value(one) + (f"  (expected {expected(one)})" if expected(one) else "")
        yield Line(_cut(f"{start}{_line(what)}".rstrip(), width), one.state)
        if at + 1 == len(findings) or findings[at + 1].meaning != one.meaning:
            yield from _indented(one, width)  # what several findings share is said once


def _indented(one: HealthFinding, width: int) -> Iterator[Line]:
    indent = " " * (STATE + 2)
    compared = one.least is not None or one.most is not None
    start = "Otherwise: " if one.state == "good" and compared else ""
    reason = f" {one.reason}" if one.state == "good" else ""
    said = _line(f"{start}{one.meaning}{reason}{_cases(one)}")
    for line in textwrap.wrap(said, max(20, width - len(indent))):
        yield Line(f"{indent}{line}")


def _cases(one: HealthFinding) -> str:
    if not one.cases:
        return ""
    more = len(one.cases) - NAMED
    named = ", ".join(one.cases[:NAMED])
    return f" In: {named}{f' and {more:,} more' if more > 0 else ''}."


def _brief(good: list[HealthFinding], width: int) -> Iterator[Line]:
    """Put the good findings of a section on one line, or as many as they need."""
    sections = dict.fromkeys(one.section for one in good)
    start = STATE + 2 + max(map(len, sections)) + 2
    for section in sections:
        said = "; ".join(f"{one.name} {value(one)}" for one in good if one.section == section)
        first = f"{'good':<{STATE}}  {section}".ljust(start)
        wrapped = textwrap.wrap(_line(said), max(20, width - start)) or [""]
        yield Line(f"{first}{wrapped[0]}", "good")
        yield from (Line(" " * start + rest) for rest in wrapped[1:])


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _line(text: str) -> str:
    """Put a text on one line that cannot steer a terminal."""
    return spelled(" ".join(text.split()))
