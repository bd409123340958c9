"""Lines: findings for a person, the worst first with what to do, the good ones in brief."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from assay.records import Health, HealthFinding
from assay.reports.health.finding_values import cases, expected, value
from assay.text import one_line
from assay.text.fit_width import fit_width
from assay.text.wrap import wrap_prose

__all__ = ["Line", "lines"]

ORDER = ("bad", "watch", "unknown", "good")
STATE = len("unknown")


@dataclass(frozen=True, slots=True)
class Line:
    """A line, and the state that it tells of, as long as its beginning is that state."""

    text: str
    state: str = ""


def lines(health: Health, *, width: int = 80, explained: bool = False) -> list[Line]:
    """Return a line for each finding that is bad or to be watched, with its sentence below.

    Then, section by section, what is unknown and why, and what is good in brief; ``explained``
    gives the good ones their lines and sentences, too.
    """
    told = {state: [one for one in health.findings if one.state == state] for state in ORDER}
    known, unknown, good = [*told["bad"], *told["watch"]], told["unknown"], told["good"]
    column = _column([*known, *unknown, *(good if explained else ())])
    shown = [*_full(known, column, width), *_joined(unknown, column, width, named=explained)]
    if explained:
        return [*shown, *_full(good, column, width)]
    return [*shown, *([Line("")] if shown and good else []), *_brief(good, width)]


def _column(findings: list[HealthFinding]) -> int:
    """Return the width of the sections' names."""
    return max((len(one.section) for one in findings), default=0)


def _full(findings: list[HealthFinding], column: int, width: int) -> Iterator[Line]:
    """Give each finding its line, and its sentence below."""
    name = max((len(one.name) for one in findings), default=0)
    for at, one in enumerate(findings):
        start = f"{one.state:<{STATE}}  {one.section:<{column}}  {one.name:<{name}}  "
        what = value(one) + (f"  (expected {expected(one)})" if expected(one) else "")
        for line in _wrapped(start, what, one.state, width):
            yield Line(fit_width(line.text.rstrip(), width), line.state)
        if at + 1 == len(findings) or findings[at + 1].meaning != one.meaning:
            yield from _indented(one, width)  # what several findings share is said once


def _indented(one: HealthFinding, width: int) -> Iterator[Line]:
    indent = " " * (STATE + 2)
    start = "A bad value means: " if one.state == "good" and one.compared else ""
    reason = f" {one.reason}" if one.state == "good" else ""
    said = one_line(f"{start}{one.meaning}{reason}{cases(one)}")
    for line in wrap_prose(said, max(20, width - len(indent))):
        yield Line(f"{indent}{line}")


def _joined(
    unknown: list[HealthFinding], column: int, width: int, *, named: bool
) -> Iterator[Line]:
    """Join what is unknown of a section: a small index has too little for many figures."""
    for section in dict.fromkeys(one.section for one in unknown):
        own = [one for one in unknown if one.section == section]
        names = ", ".join(one.name for one in own)
        what = names if named or len(own) == 1 else f"{len(own)} figures"
        why = " ".join(one for one, _ in Counter(one.meaning for one in own).most_common())
        start = f"{'unknown':<{STATE}}  {section:<{column}}  "
        yield from _wrapped(start, f"{what}: {why}", "unknown", width)


def _brief(good: list[HealthFinding], width: int) -> Iterator[Line]:
    """Put the good findings of a section on one line, or as many as they need."""
    column = _column(good)
    for section in dict.fromkeys(one.section for one in good):
        said = "; ".join(f"{one.name} {value(one)}" for one in good if one.section == section)
        yield from _wrapped(f"{'good':<{STATE}}  {section:<{column}}  ", said, "good", width)


def _wrapped(start: str, said: str, state: str, width: int) -> Iterator[Line]:
    """Break a text between words, below where it began."""
    first, *rest = wrap_prose(one_line(said), max(20, width - len(start))) or [""]
    yield Line(f"{start}{first}", state)
    yield from (Line(" " * len(start) + line) for line in rest)
