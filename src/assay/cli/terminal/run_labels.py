"""Names of runs in lines that stand beside a table: by the numbers that it has."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.records import Report

__all__ = ["label_run", "shorten_labels"]


def label_run(report: "Report", line: str) -> str:
    """Call the run that a line begins with, or its label is about, as the tables beside it do."""
    from assay.reports.runs.phrases.run_label import run_label
    from assay.reports.runs.phrases.run_numbers import is_numbered

    names = sorted((run.name for run in report.runs), key=len, reverse=True)
    if not is_numbered(names):
        return line
    known = "|".join(map(re.escape, names))
    found = re.match(rf"((?:[a-z ]+: )?)({known})(?=: |\. | \(|$)", line)
    if not found:
        return line
    told, rest = run_label(report, found[2]), line[found.end() :]
    told, rest = (f"{told[:-1]}; ", rest[2:]) if rest.startswith(" (") else (told, rest)
    return f"{found[1]}{told}{rest}"


def shorten_labels(report: "Report", lines: Sequence[str]) -> list[str]:
    """Leave the name behind the number of a run to its first mention, and to a pick.

    A table beside has both. What a number follows on keeps its name between the two.
    """
    from assay.reports.runs.phrases.run_label import run_label

    known = {run_label(report, run.name): f"run {at}" for at, run in enumerate(report.runs, 1)}
    named = [re.escape(one) for one in known if one.startswith("run ")]
    pattern = re.compile(rf"({'|'.join(named)})(?! \d)" if named else "$^")
    seen: set[str] = set()

    def short(found: re.Match[str]) -> str:
        told = known[found[0]] if found[0] in seen else found[0]
        seen.add(found[0])
        return told

    told = []
    for line in lines:
        if line.startswith(("Pick", "Leading")) and (first := pattern.search(line)):
            seen.discard(first[0])
        told.append(pattern.sub(short, line))
    return told
