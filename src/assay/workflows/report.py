"""Report: what a benchmark measured -> what is to be learnt from it, on the screen or in files."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from assay.benchmarks.open_report import list_benchmarks, open_report
from assay.errors import InputError, UsageError
from assay.records import Report
from assay.workflows.report_files.output_files import refuse_files, refuse_run, write_files
from assay.workflows.report_files.with_analysis import with_analysis
from assay.workflows.show import find_run

__all__ = ["report"]


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

    ``report`` is a file, an id of the workspace or its beginning, or what ``assay.run`` returned;
    without one it is the newest of the workspace. The extension of a file picks the format, and
    the name before it the chart (``quality.svg``) or the shape (``x.akashic.json``); ``run``
    chooses the run that these are about. ``load`` simulates that many queries per second on
    ``cores``, at a ``price`` per core and hour. ``wrote`` is told each file that was written.
    """
    paths = [output] if isinstance(output, str | Path) else output
    files = [str(path) for path in paths]
    refuse_files(files)
    if run is not None:
        refuse_run(files, run)
    place = _newest(workspace) if report is None else report
    told = with_analysis(open_report(place, workspace=workspace))
    told = _loaded(told, load=load, cores=cores, price=price)
    write_files(told, files, run=None if run is None else find_run(told, run).name, wrote=wrote)
    return told


def _newest(workspace: str | Path | None) -> str:
    found = [one.id for one in list_benchmarks(workspace=workspace) if one.reported]
    if not found:
        hint = "name a file of `assay run -o report.json`, or run a benchmark first"
        raise InputError("there is no report in this workspace yet", hint=hint)
    return found[0]


def _loaded(
    told: Report,
    *,
    load: float | Sequence[float] | None,
    cores: int | None,
    price: float | None,
) -> Report:
    """Simulate the load that is asked for, instead of those that a report chooses itself."""
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
        hint = "run the benchmark without --untimed, and report that"
        raise InputError("no run of this report was timed: no load can be simulated", hint=hint)
    return replace(told, analysis={**told.analysis, "load": found})


def _check(loads: Sequence[float] | None, cores: int | None, price: float | None) -> None:
    numbers = [*(loads or ()), *([] if cores is None else [cores])]
    if not all(0 < one < float("inf") for one in numbers):
        raise UsageError("loads and cores are above 0", hint="such as load=50, cores=4")
    if price is not None and not 0 <= price < float("inf"):
        raise UsageError(
            "a price is 0 or more", hint="the price of a core for an hour, such as 0.04"
        )
