"""Files of a report: invalid ones are refused first, and one that fails costs no other."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from assay import catalogue
from assay.columns.files.atomic_write import atomic_write
from assay.columns.files.file_names import file_names
from assay.columns.files.refuse_place import refuse_place
from assay.errors import InputError, ProblemsError
from assay.extras import require_extra
from assay.records import Report
from assay.text.near_miss import near_miss
from assay.workflows.report_files.content import (
    CHARTS,
    EXTRAS,
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
FILE_PER_RUN = ("sia_code",)  # layouts with a file for each configuration beside the summary


def refuse_run(paths: Sequence[str], run: str) -> None:
    """Refuse a run that no file is about."""
    kinds = [chart_of(path) for path in paths if kind_of(path)[0] in CHARTS]
    if not any(ancestor_of(path) for path in paths) and not {*kinds} & {*OF_ONE_RUN}:
        files = [*(f"{one}.svg" for one in OF_ONE_RUN), *(f"x.{name}.json" for name in SHAPED)]
        hint = f"omit it; it is for {', '.join(files)}"
        what = f'no output file is about a single run ("{run}")'
        raise InputError(what, where="--run", hint=hint)


def refuse_files(paths: Sequence[str], *, also: Sequence[str] = ()) -> None:
    """Refuse files that no report can be written to, before anything is measured.

    ``also`` are further extensions, of files that the caller writes.
    """
    for path in paths:
        extension, _ = kind_of(path)
        _refuse_extension(path, extension, also)
        if extension in CHARTS:
            chart_of(path)
        _refuse_missing(path, extension)
        _refuse_shape(path, extension)
        refuse_place(path)
    places = Counter(os.path.normcase(os.path.realpath(path)) for path in paths)
    for path in paths:
        if places[os.path.normcase(os.path.realpath(path))] > 1:
            raise InputError("output file given twice", where=path, hint="give it once")


def _refuse_extension(path: str, extension: str, also: Sequence[str]) -> None:
    from assay.reports import formats

    if extension in RUN_FILES:
        hint = "`assay run --save-runs FOLDER` writes a run file for each configuration"
        raise InputError("a report cannot be written as a run file", where=path, hint=hint)
    known = ["json", "html", *catalogue.files(formats), *CHARTS, *also]
    if extension not in known:
        hint = f"the extension selects the format: {', '.join(known)}"
        problem = f'unknown format "{extension[:60]}"' if extension else "the file has no extension"
        raise InputError(problem, where=path, hint=hint)


def _refuse_missing(path: str, extension: str) -> None:
    """Look for what only some files need, without importing it."""
    if extra := EXTRAS.get(extension):
        require_extra(extra, f".{extension} files need packages that are not installed", where=path)


def _refuse_shape(path: str, extension: str) -> None:
    name = ancestor_of(path)
    if name and extension not in SHAPED[name]:
        hint = f"use {' or '.join(f'x.{name}.{one}' for one in SHAPED[name])}"
        raise InputError(f"the layout {name} has no .{extension} files", where=path, hint=hint)
    kind = kind_of(path)[1]
    known = [*SHAPED, *(TABLES if extension not in ("json", "html") else ())]
    odd = extension not in CHARTS and kind not in known
    if odd and (meant := near_miss(kind, known, alike=ALIKE)):
        stem = Path(path).name.removesuffix(f"{Path(path).suffix}")[: -len(kind)]
        hint = f"did you mean {stem}{meant}.{extension}? Otherwise remove .{kind} from the name"
        raise InputError(f'unknown layout "{kind}"', where=path, hint=hint)


def write_files(
    report: Report,
    paths: Sequence[str],
    *,
    run: str | None = None,
    later: str = "",
    wrote: Callable[[str], None] = lambda _: None,
) -> None:
    """Write each file, and call ``wrote`` with its path; failures are reported at the end.

    ``later`` says how to write what failed without measuring again.
    """
    failed: list[InputError] = []
    written: list[str] = []
    parts = [part for one in paths for part in _parts(report, one, run)]
    for path, about in parts:
        try:
            _write(report, path, about)
        except InputError as error:
            failed.append(error)
        else:
            written.append(path)
            wrote(path)
    if failed:
        raise _failure(failed, written, later)


def _parts(report: Report, path: str, run: str | None) -> Iterator[tuple[str, str | None]]:
    """Yield a file and the run that it is about; sia-code has one for each configuration, too."""
    yield path, run
    if run is not None or ancestor_of(path) not in FILE_PER_RUN or len(report.runs) < 2:
        return
    names = [one.name for one in report.runs]
    end = f".{'.'.join(reversed(kind_of(path)))}"
    for one, name in file_names(names).items():
        yield f"{path[: -len(end)]}.{name}{end}", one


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
