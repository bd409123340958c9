"""Files of a report: what cannot be written is refused first, and what fails costs no other."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from assay import catalogue
from assay.columns.files.atomic_write import atomic_write
from assay.errors import InputError, ProblemsError
from assay.records import Report
from assay.text.near_miss import near_miss
from assay.workflows.report_files.content import (
    CHARTS,
    PLOTS,
    SHAPED,
    ancestor_of,
    chart_of,
    content,
    kind_of,
)

__all__ = ["OF_ONE_RUN", "refuse_files", "refuse_run", "write_files"]

ALIKE = 0.82  # share of letters that a misspelled kind of file has in common with one

RUN_FILES = ("run", "trec")
TABLES = ("queries", "scores")  # of a report that a file may be named for
OF_ONE_RUN = ("differences",)  # charts


def refuse_run(paths: Sequence[str], run: str) -> None:
    """Refuse a run that no file is about."""
    kinds = [chart_of(path) for path in paths if kind_of(path)[0] in CHARTS]
    if not any(ancestor_of(path) for path in paths) and not {*kinds} & {*OF_ONE_RUN}:
        hint = f"leave --run away; it is for {', '.join(f'{one}.svg' for one in OF_ONE_RUN)}"
        hint += f" and for {', '.join(f'x.{name}.json' for name in SHAPED)}"
        raise InputError(f"none of these files is about one run ({run})", where="--run", hint=hint)


def refuse_files(paths: Sequence[str]) -> None:
    """Refuse files that no report can be written to, before anything is measured."""
    for path in paths:
        extension, _ = kind_of(path)
        _refuse_extension(path, extension)
        if extension in CHARTS:
            chart_of(path)
        _refuse_missing(path, extension)
        _refuse_shape(path, extension)
        _refuse_place(path)
    places = Counter(os.path.normcase(os.path.realpath(path)) for path in paths)
    for path in paths:
        if places[os.path.normcase(os.path.realpath(path))] > 1:
            raise InputError("is to be written twice", where=path, hint="name it once")


def _refuse_extension(path: str, extension: str) -> None:
    from assay.reports import formats

    if extension in RUN_FILES:
        hint = "--save-runs FOLDER writes a run file for each configuration"
        raise InputError("a report is no run file", where=path, hint=hint)
    known = ["json", "html", *catalogue.files(formats), *CHARTS]
    if extension not in known:
        hint = f"the extension picks the format: {', '.join(known)}"
        problem = f'no format is called "{extension[:60]}"' if extension else "has no extension"
        raise InputError(problem, where=path, hint=hint)


def _refuse_missing(path: str, extension: str) -> None:
    """Look for what only some files need, without importing it."""
    if any(find_spec(name) is None for name in PLOTS.get(extension, ())):
        hint = "pip install 'assay-search[plots]' (or '.[plots]' in a clone)"
        raise InputError("pages and charts need what is not installed", where=path, hint=hint)


def _refuse_shape(path: str, extension: str) -> None:
    name = ancestor_of(path)
    if name and extension not in SHAPED[name]:
        hint = f"write {' or '.join(f'x.{name}.{one}' for one in SHAPED[name])}"
        raise InputError(f"{name} has no reports in {extension}", where=path, hint=hint)
    kind = kind_of(path)[1]
    known = [*SHAPED, *(TABLES if extension not in ("json", "html") else ())]
    odd = extension not in CHARTS and kind not in known
    if odd and (meant := near_miss(kind, known, alike=ALIKE)):
        stem = Path(path).name.removesuffix(f"{Path(path).suffix}")[: -len(kind)]
        hint = f"did you mean {stem}{meant}.{extension}? Else let the name have no such middle"
        raise InputError(f'no shape of a report is called "{kind}"', where=path, hint=hint)


def _refuse_place(path: str) -> None:
    """Look at the place; ``os`` never raises where a name is too long or no name at all."""
    folder = os.path.dirname(os.path.abspath(path)) if "\0" not in path else ""  # noqa: PTH100, PTH120
    there = path if os.path.exists(path) else folder  # noqa: PTH110
    blocked = os.path.isdir(path) or not os.path.isdir(folder)  # noqa: PTH112
    if blocked or not os.access(there, os.W_OK):
        raise InputError("cannot be written there", where=path, hint="check the folder")


def write_files(
    report: Report,
    paths: Sequence[str],
    *,
    run: str | None = None,
    later: str = "",
    wrote: Callable[[str], None] = lambda _: None,
) -> None:
    """Write each file, and tell ``wrote`` its path; what fails is told when all are tried.

    ``later`` says how to write what failed without measuring again.
    """
    failed: list[InputError] = []
    written: list[str] = []
    for path in paths:
        try:
            _write(report, path, run)
        except InputError as error:
            failed.append(error)
        else:
            written.append(path)
            wrote(path)
    if failed:
        raise _failure(failed, written, later)


def _write(report: Report, path: str, run: str | None) -> None:
    found = content(report, path, run=run)
    with atomic_write(path) as new:
        new.write_bytes(found)


def _failure(failed: Sequence[InputError], written: Sequence[str], later: str) -> InputError:
    """Say what was not written, what was, and what to do about it."""
    done = f"written: {', '.join(written)}" if written else ""
    then = "; ".join(filter(None, [done, later]))
    if len(failed) > 1:
        return ProblemsError(failed, where="-o", then=then)
    hint = "; ".join(filter(None, [failed[0].hint, then]))
    return InputError(failed[0].problem, where=failed[0].where, hint=hint)
