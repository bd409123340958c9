"""Annotations of a gate: the commands that a step of GitHub Actions prints."""

from collections.abc import Iterator, Sequence

from assay.records.gate import CheckResult, Gate
from assay.reports.gates.lines import headline
from assay.text import sanitize
from assay.text.count_noun import count_noun

__all__ = ["annotations"]

MOST = 10  # errors, and warnings, that GitHub shows of a step
LONGEST = 4_000  # characters of a message
TITLE = 200
NAMED = 3  # queries that a message names


def annotations(gate: Gate, *, strict: bool = False) -> list[str]:
    """Write at most ten errors and ten warnings, the worst first; the last one counts the rest.

    What is inconclusive is a warning, and an error if it ``strict``ly counts as one.
    """
    errors, warnings = gate.of("fail"), gate.of("inconclusive")
    if strict:
        errors, warnings = (*errors, *warnings), ()
    found = [*_commands("error", errors, gate), *_commands("warning", warnings, gate)]
    return [*found, f"::notice title=Search quality::{_data(headline(gate))}"]


def _commands(kind: str, results: Sequence[CheckResult], gate: Gate) -> Iterator[str]:
    shown = results if len(results) <= MOST else results[: MOST - 1]
    for one in shown:
        yield _command(kind, f"{one.run}: {one.check.name}", _message(one), gate.file)
    if len(results) > len(shown):
        rest = count_noun(len(results) - len(shown), "further check")
        what = "failed" if kind == "error" else "inconclusive"
        yield _command(kind, "Search quality", f"{rest} {what}; see the summary", gate.file)


def _message(one: CheckResult) -> str:
    named = ", ".join(change.query for change in one.changes[:NAMED])
    return f"{one.reason}{f'. Queries that lost most: {named}' if named else ''}"


def _command(kind: str, title: str, message: str, file: str) -> str:
    place = f"file={_property(file)}," if file else ""
    return f"::{kind} {place}title={_property(title[:TITLE])}::{_data(message[:LONGEST])}"


def _data(text: str) -> str:
    """Escape what would end a command: a query's text must not start another one."""
    line = sanitize(text, keep="\n")
    return line.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
