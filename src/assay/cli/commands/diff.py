"""``assay diff``: what changes between two searches, without judgments."""

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import OUTPUT, SHARE, WORKSPACE
from assay.cli.record_options import record_options
from assay.cli.terminal.interruption import explain_interruption
from assay.cli.terminal.output import as_json, check_outputs, note, one_thread, wrap, write
from assay.cli.terminal.progress import progress
from assay.cli.terminal.size import columns
from assay.errors import UsageError
from assay.records.run_settings import Invocation, RunSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.records import Table
    from assay.records.diff import Diff

__all__ = ["diff"]

MOST = 20  # queries that are shown
JUDGING = ("to_judge", "sample", "detect", "outputs", "json_")  # not part of a command to repeat


def _with_options(command: "Callable[..., Any]") -> "Callable[..., Any]":
    """Add the options of a run that a diff has, too."""
    names = ("seed", "untimed", "parallel", "resume", "retry_failed", "fresh")
    for option in reversed(record_options(RunSettings, Invocation, only=names)):
        command = option(command)
    return command


@click.command(short_help="Show what changes between two searches, without judgments.")
@click.argument("first", metavar="FILE")
@click.argument("rest", nargs=-1, metavar="[BEFORE AFTER]")
@click.option(
    "--queries",
    metavar="LOG",
    help="Queries with their traffic, instead of those of the benchmark, or for run files: a log "
    "(.txt with one query per line, .csv with query and count, .jsonl) or a dataset.",
)
@click.option(
    "-k",
    "--k",
    type=click.IntRange(1, 1000),
    help="Compare the first K results (default: as many as the primary metric uses, else 10).",
)
@click.option(
    "--sort",
    type=click.Choice(["traffic", "change"]),
    default="traffic",
    show_default=True,
    help="Order of the queries: by traffic, or by traffic times change.",
)
@click.option(
    "--most",
    type=click.IntRange(min=0),
    default=MOST,
    show_default=True,
    metavar="N",
    help="Show N changed queries.",
)
@click.option("--query", metavar="KEY", help="Show the results of one query side by side.")
@click.option(
    "--to-judge",
    metavar="FILE",
    help="Write a sample of the changed queries, with the documents to judge, as a dataset (.json "
    "for `assay judge`, .csv for a spreadsheet).",
)
@click.option(
    "--sample",
    type=click.IntRange(min=2),
    metavar="N",
    help="Draw N queries (default: as many as --detect needs).",
)
@click.option(
    "--detect",
    type=SHARE,
    default=0.02,
    show_default=True,
    metavar="D",
    help="Difference of the mean over all traffic that the sample shows with 80% power.",
)
@click.option(
    "--asks",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Run each query N times; the median is its latency (default: 1).",
)
@_with_options
@WORKSPACE
@click.option("--json", "json_", is_flag=True, help="Print JSON at full precision.")
@OUTPUT
@click.pass_context
def diff(
    context: click.Context,
    /,
    first: str,
    rest: tuple[str, ...],
    outputs: tuple[str, ...],
    *,
    json_: bool,
    sort: str,
    most: int,
    query: str | None,
    **options: Any,  # noqa: ANN401
) -> int:
    """Show which queries two searches answer differently: no judgments, and no verdict.

    FILE is a benchmark file, whose two configurations (or those named BEFORE and AFTER) are built
    and run over its queries; a report, or its id, with two runs; or a run file, with a second one.
    Queries are sorted by their traffic. With --to-judge a sample of the changed queries is written
    that `assay judge` takes; judged, it gives a verdict by traffic.
    """
    check_outputs(outputs)
    _refuse_unused(context, options)
    if len(rest) == 1:  # a benchmark is timed with the threads that `assay run` has
        one_thread()
    from assay.reports.diffs.json import json
    from assay.workflows.diff import diff as workflow

    after, runs = _arguments(first, rest)
    since = time.time()
    try:
        result = workflow(first, after, runs=runs, progress=progress, **options)
    except (KeyboardInterrupt, SystemExit):
        again = "the same command with --resume"
        explain_interruption(again, since=since, workspace=options["workspace"])
        raise

    def show() -> None:
        _show(result, sort=sort, most=most, query=query)

    write(outputs, lambda kind: _tables(result, kind, sort=sort), lambda: json(result), show=show)
    for text in dict.fromkeys(result.notes):
        note(text)
    if json_:
        click.echo(as_json(json(result)))
        return 0
    show()
    if query is None:
        _show_next(context, result, first, options["to_judge"])
    return 0


def _refuse_unused(context: click.Context, options: dict[str, Any]) -> None:
    """Refuse the size of a sample that nobody asked for."""
    given = [name for name in ("sample", "detect") if _is_given(context, name)]
    if given and options["to_judge"] is None:
        hint = "add --to-judge FILE, e.g. --to-judge to_judge.json"
        raise UsageError(f"--{given[0]} has no effect without --to-judge", hint=hint)
    if len(given) > 1:
        hint = "--sample sets the number of queries, --detect computes it"
        raise UsageError("--sample and --detect cannot be combined", hint=hint)


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _arguments(first: str, rest: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """Tell a second file from the names of two runs."""
    if len(rest) == 1:
        return rest[0], ()
    if len(rest) in (0, 2):
        return None, rest
    hint = "write: assay diff FILE [BEFORE AFTER], or assay diff OLD.run NEW.run"
    raise UsageError(f"{len(rest)} names after {first}, expected two", hint=hint)


def _show(result: "Diff", *, sort: str, most: int, query: str | None) -> None:
    from assay.reports.diffs.lines import headline
    from assay.reports.diffs.tables import changes_table, query_table, totals_table
    from assay.reports.terminal import terminal

    if query is not None:
        terminal(query_table(result, query))
        return
    click.echo(wrap(headline(result), out=True))
    click.echo()
    terminal(totals_table(result))
    if result.changed and most:
        click.echo()
        terminal(changes_table(result, sort=sort, most=most, width=columns()))


def _tables(result: "Diff", extension: str, *, sort: str) -> "list[Table]":
    """Return values for programs, and the drawn tables for people."""
    from assay.reports.diffs.tables import changes_table, totals_table, values_table

    if extension in ("csv", "parquet"):
        return [values_table(result)]
    return [totals_table(result), changes_table(result, sort=sort)]


def _show_next(context: click.Context, result: "Diff", first: str, to_judge: str | None) -> None:
    """Say what a diff does not tell, and which command does."""
    from assay.benchmarks.file.read_benchmark import is_benchmark
    from assay.reports.diffs.lines import next_lines, sample_lines

    click.echo()
    if to_judge is None:
        kind = "json" if is_benchmark(first) else "csv"  # which is graded in a spreadsheet
        place = ("--to-judge", f"to_judge.{kind}")
        typed = shlex.join(["assay", "diff", first, *_repeated(context), *place])
        lines = next_lines(result, typed)
    else:
        lines = sample_lines(result, _judging(first, context.params["rest"], to_judge))
    for line in lines:
        click.echo(wrap(line, out=True))


def _repeated(context: click.Context) -> list[str]:
    """Return the arguments and options that decide what is compared, as they were typed."""
    words = [*context.params["rest"]]
    for name in ("queries", "k", "workspace"):
        if _is_given(context, name):
            words += [f"--{name}", str(context.params[name])]
    return words


def _judging(first: str, rest: tuple[str, ...], to_judge: str) -> str:
    """Say how the sample is judged: at the terminal for a benchmark, else as a spreadsheet."""
    from assay.benchmarks.file.read_benchmark import is_benchmark

    file, place = shlex.quote(first), shlex.quote(to_judge)
    how = f"replace each grade -1 in {place} by the grade of the document"
    if is_benchmark(first) and Path(to_judge).suffix.lower() == ".json":
        judge = f"`assay judge {file} --dataset {place}`"
        return f"{judge} asks for the grades, and names the command that decides."
    if is_benchmark(first):
        return f"Next: {how}; `assay run {file} --dataset {place}` decides."
    if len(rest) == 1:
        runs = shlex.join(["assay", "compare", first, rest[0], "--qrels", to_judge])
        return f"Next: {how}; `{runs}` decides."
    return f"Next: {how}; run the benchmark of the report with --dataset {place}."
