"""Plot: the charts of a report, for a notebook or for files."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from assay.benchmarks.open_report import open_report
from assay.errors import InputError
from assay.records import Report
from assay.reports.charts.draw import chart as draw_chart
from assay.reports.charts.draw import names, svg
from assay.reports.charts.missing_data import missing_data
from assay.reports.charts.refuse_run import refuse_run
from assay.text.count_noun import count_noun
from assay.workflows.report_files.find_chart import find_chart
from assay.workflows.report_files.output_files import OF_ONE_RUN, refuse_files, write_files
from assay.workflows.report_files.with_analysis import with_analysis
from assay.workflows.show import find_run

__all__ = ["Plots", "plot"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Plots:
    """All charts that a report has data for; a notebook shows them."""

    report: Report
    run: str | None = None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Draw one chart after the other: its name, and the SVG."""
        for name, _ in names():
            if drawn := svg(self.report, name, run=self.run):
                yield name, drawn

    def save(self, where: str | Path) -> list[Path]:
        """Write all charts into a folder as SVG, or the one that a file is named after.

        ``quality.svg`` and ``quality.png`` are the chart ``quality``; the files are returned.
        """
        paths = [Path(where)] if Path(where).suffix else self._files(Path(where))
        refuse_files([str(path) for path in paths])
        write_files(self.report, [str(path) for path in paths], run=self.run)
        return paths

    def _files(self, folder: Path) -> list[Path]:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            problem = f"cannot create the folder ({error.strerror})"
            raise InputError(problem, where=str(folder), hint="choose another folder") from None
        return [folder / f"{name}.svg" for name, _ in self]

    def _repr_html_(self) -> str:
        """Show the charts below each other; nothing is loaded from anywhere."""
        shown = [f'<figure style="margin:0 0 1.5em">{drawn}</figure>' for _, drawn in self]
        name = escape(str(self.report.benchmark.get("name") or "benchmark"))
        return "".join(shown) or f"<p>{name}: no data for any chart.</p>"

    def __repr__(self) -> str:
        name = str(self.report.benchmark.get("name") or "benchmark")
        runs = count_noun(len(self.report.runs), "run")
        return f"<charts of {name}: {runs}; .save(FOLDER) writes them>"

    def __str__(self) -> str:
        return f"charts: {', '.join(name for name, _ in self) or 'none'}"


def plot(
    report: object,
    chart: str | None = None,
    *,
    run: str | None = None,
    workspace: str | Path | None = None,
) -> Any:  # noqa: ANN401 - Altair's chart, which is not imported here
    """Return a chart of a report as an Altair chart; without a name, all charts.

    ``report`` is a record, a file, or an id of the workspace. ``run`` is the run that a chart of
    one run is about, such as ``differences``. A notebook displays the result, and ``.save`` writes
    it to files.
    """
    if chart is not None and not isinstance(chart, str):
        hint = f"available charts: {', '.join(name for name, _ in names())}"
        problem = f"chart: expected a name, got {type(chart).__name__}"
        raise InputError(problem, hint=hint)
    wanted = find_chart(chart) if chart is not None else None
    opened = with_analysis(open_report(report, workspace=workspace))
    named = _named(opened, wanted, run) if run is not None else None
    if wanted is None:
        return Plots(opened, named)
    made = draw_chart(opened, wanted, run=named)
    if made is None:
        hint = "; ".join(filter(None, [missing_data(opened, wanted), _drawable(opened, named)]))
        raise InputError(f"the report has no data for the chart {wanted}", hint=hint)
    return made


def _named(report: Report, chart: str | None, run: str) -> str:
    """Return the name of the run that a chart is to be about; others are about all runs."""
    if chart is not None and chart not in OF_ONE_RUN:
        hint = f"omit run; it is for {', '.join(OF_ONE_RUN)}"
        raise InputError(f"the chart {chart} shows all runs, not one ({run!s:.100})", hint=hint)
    name = find_run(report, run).name
    refuse_run(report, name)
    return name


def _drawable(report: Report, run: str | None) -> str:
    """List the charts that a report has data for."""
    found = [name for name, _ in names() if draw_chart(report, name, run=run) is not None]
    return f"charts with data: {', '.join(found) or 'none'}"
