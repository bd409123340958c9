"""A report wherever it is: a file, the id of a benchmark in the workspace, or at hand."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from assay.columns.files.near_file import near_file
from assay.errors import InputError
from assay.records import Report
from assay.records.command import resume_command
from assay.reports.runs.json.read import load_report
from assay.workspace.locate import Workspace, locate

if TYPE_CHECKING:
    from assay.records.work import StoredJob
    from assay.workspace.ledger.ledger import BenchmarkEntry

__all__ = ["list_benchmarks", "open_report", "split_run"]

HINT = "give a report file of `assay run -o`, or an id that `assay show` lists"
ENDINGS = (".json", ".json.gz")


def open_report(where: object, *, workspace: str | Path | None = None) -> Report:
    """Read a report; a name that is not a file is looked up in the workspace."""
    if isinstance(where, Report):
        return where
    if not isinstance(where, str | Path) or not str(where):
        what = type(where).__name__ if not isinstance(where, str | Path) else "an empty name"
        raise InputError(f"cannot read a report from {what}", hint=HINT)
    if _is_file(where) or str(where) == "-":
        return load_report(where)
    if os.path.isdir(where):  # noqa: PTH112 - never raises
        raise InputError("this is a folder, not a report", where=str(where), hint=HINT)
    place = locate(given=workspace)
    if str(where).endswith(ENDINGS) or len(Path(where).parts) > 1 or not place.has_database:
        raise InputError("no such report", where=str(where), hint=HINT)
    files = [one.name for one in Path().iterdir()] if "." in str(where) else []  # ids have no dot
    if close := near_file(str(where), files):
        hint = f'did you mean "{close}"?'
        raise InputError("no such file or benchmark", where=str(where), hint=hint)
    return _recorded(str(where), place)


def _recorded(name: str, place: Workspace) -> Report:
    from assay.workspace.ledger.ledger import open_ledger  # a database, which a file does not need

    opened = open_ledger(place.database)
    try:
        content = opened.report(name)
        if content is None:
            raise _unfinished(opened.job(name), opened.benchmarks(), name)
    finally:
        opened.close()
    return load_report(content, where=name)


def _unfinished(job: "StoredJob", listed: "list[BenchmarkEntry]", name: str) -> InputError:
    """Say that there is no report yet, and how to finish it."""
    reason = job.error.partition("\n")[0]
    why = f": it failed ({reason})" if reason else ""
    about = next((one.about for one in listed if one.id == job.id), {})
    hint = f"finish it with `{resume_command(about)}`"
    return InputError(f"this benchmark has no report yet{why}", where=name, hint=hint)


def split_run(where: str) -> tuple[str, str]:
    """Take REPORT:RUN apart; what is a file as it stands names no run.

    >>> split_run("5f3a:bm25")
    ('5f3a', 'bm25')
    """
    if _is_file(where):
        return where, ""
    marks = [at for at, letter in enumerate(where) if letter == ":"]
    files = [at for at in marks if _is_file(where[:at])]
    if not files and (not marks or len(Path(where[: marks[0]]).parts) != 1 or marks[0] < 2):
        return where, ""
    at = (files or marks)[0]
    return where[:at], where[at + 1 :]


def _is_file(where: str | Path) -> bool:
    return os.path.isfile(where)  # noqa: PTH113 - never raises


def list_benchmarks(*, workspace: str | Path | None = None) -> "list[BenchmarkEntry]":
    """List the benchmarks of a workspace, newest first."""
    place = locate(given=workspace)
    if not place.has_database:
        return []
    from assay.workspace.ledger.ledger import open_ledger  # a database, which a file does not need

    opened = open_ledger(place.database)
    try:
        return opened.benchmarks()
    finally:
        opened.close()
