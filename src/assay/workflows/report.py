"""Report: what a benchmark measured -> its findings, on the screen or in files."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from assay.benchmarks.open_report import list_benchmarks, open_report
from assay.errors import InputError, UsageError
from assay.records import Report
from assay.records.command import resume_command
from assay.text import sanitize
from assay.workflows.report_files.output_files import refuse_files, refuse_run, write_files
from assay.workflows.report_files.with_analysis import with_analysis
from assay.workflows.show import find_run

__all__ = ["newest", "report"]


def report(
    report: object = None,
    output: str | Path | Sequence[str | Path] = (),
    *,
    run: str | None = None,
    load: float | Sequence[float] | None = None,
    cores: int | None = None,
    price: float | None = None,
    workspace: str | Path | None = None,
    wrote: Callable[[str], None] = lambda _: None,
) -> Report:
    """Return a report with its analysis, and write it to each file of ``output``.

    ``report`` is a file, an id of the workspace or its first characters, or what ``assay.run``
    returned (default: the newest report of the workspace). The extension of a file selects the
    format, and the name before it the chart (``quality.svg``) or the layout of another tool
    (``x.akashic.json``); ``run`` selects the run for these. ``load`` simulates that many queries
    per second on ``cores``, at a ``price`` per core and hour. ``wrote`` is called with each file
    that was written.
    """
    paths = [output] if isinstance(output, str | Path) else output
    files = [str(path) for path in paths]
    refuse_files(files)
    if run is not None:
        refuse_run(files, run)
    place = newest(workspace) if report is None else report
    told = with_analysis(open_report(place, workspace=workspace))
    told = _loaded(told, load=load, cores=cores, price=price)
    write_files(told, files, run=None if run is None else find_run(told, run).name, wrote=wrote)
    return told


def newest(workspace: str | Path | None = None) -> str:
    """Return the id of the newest report of a workspace."""
    listed = list_benchmarks(workspace=workspace)
    found = [one.id for one in listed if one.reported]
    if not found:
        hint = "give a report file of `assay run -o report.json`, or run a benchmark first"
        if listed:
            again = resume_command(listed[0].about)
            hint = f'finish the benchmark "{sanitize(listed[0].name)}" with `{again}`'
        raise InputError("the workspace contains no reports", hint=hint)
    return found[0]


def _loaded(
    told: Report,
    *,
    load: float | Sequence[float] | None,
    cores: int | None,
    price: float | None,
) -> Report:
    """Simulate the given load, instead of those that a report chooses itself."""
    if load is None and cores is None and price is None:
        return told
    loads = None if load is None else [load] if isinstance(load, int | float) else [*load]
    _check(loads, cores, price)
    from assay.benchmarks.analysis.load import load as simulated

    seed = told.environment.get("seed")
    found = simulated(
        told, seed=seed if isinstance(seed, int) else 0, loads=loads, cores=cores, price=price
    )
    if not found:
        hint = "run the benchmark without --untimed"
        raise InputError("no load can be simulated: no run of this report was timed", hint=hint)
    return replace(told, analysis={**told.analysis, "load": found})


def _check(loads: Sequence[float] | None, cores: int | None, price: float | None) -> None:
    numbers = [*(loads or ()), *([] if cores is None else [cores])]
    if not all(0 < one < float("inf") for one in numbers):
        hint = "expected numbers above 0, e.g. 50 queries per second on 4 cores"
        raise UsageError("invalid load or number of cores", hint=hint)
    if price is not None and not 0 <= price < float("inf"):
        hint = "expected the price of a core per hour, e.g. 0.04"
        raise UsageError(f"price: invalid value {price}", hint=hint)
