"""Show: what a benchmark measured, from a file or from the workspace, and which there are."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assay.benchmarks.open_report import open_report
from assay.errors import InputError
from assay.records import Report, Run
from assay.workflows._meant import meant
from assay.workspace.locate import locate

if TYPE_CHECKING:
    from assay.workspace.ledger.ledger import Listed

__all__ = ["benchmarks", "find_query", "find_run", "show"]

SHOWN = 10  # names that a hint lists


def show(report: object, *, workspace: str | Path | None = None) -> Report:
    """Return a report: of a file, or of the benchmark in the workspace whose id begins so."""
    return open_report(report, workspace=workspace)


def benchmarks(*, workspace: str | Path | None = None) -> "list[Listed]":
    """List the benchmarks of a workspace, newest first."""
    place = locate(given=workspace).ledger
    if not place.is_file():
        return []
    from assay.workspace.ledger.ledger import ledger  # a database, which a file does not need

    opened = ledger(place)
    try:
        return opened.benchmarks()
    finally:
        opened.close()


def find_run(report: Report, name: str) -> Run:
    """Return the run of a name or an alias, as it is or as a table prints it.

    Its number, the start of its fingerprint, or a part of the name that no other has will do.
    """
    found = meant(report.runs, name)
    if len(found) == 1:
        return found[0]
    known = [one for run in report.runs for one in (run.name, *run.aliases)]
    if not found:
        raise _unknown("run", name, known)
    listed = ", ".join(run.name for run in found[:SHOWN]) + (", ..." if found[SHOWN:] else "")
    hint = f"write more of it, or its number: {listed}"
    raise InputError(f'{len(found)} runs may be meant by "{name[:100]}"', hint=hint)


def find_query(report: Report, name: str) -> str:
    """Return the key of a query; its text, or the beginning of one key alone, will do, too."""
    keys = list(
        dict.fromkeys(
            query for run in report.runs for query in (*run.per_query, *run.failed, *run.rankings)
        )
    )
    if name in keys:
        return name
    texts = [key for key in keys if report.queries.get(key, {}).get("text") == name]
    begun = [key for key in keys if name and key.startswith(name)]
    found = texts or begun
    if len(found) != 1:
        raise _unknown("query", name, begun or keys)
    return found[0]


def _unknown(what: str, name: str, known: Sequence[str]) -> InputError:
    import difflib  # only a wrong name needs it

    close = difflib.get_close_matches(name, known[:5000], n=3, cutoff=0.5)
    listed = ", ".join(known[:SHOWN]) + (", ..." if len(known) > SHOWN else "")
    hint = f'did you mean "{close[0]}"?' if close else f"there are: {listed or 'none'}"
    return InputError(f'the report has no {what} "{name[:100]}"', hint=hint)
