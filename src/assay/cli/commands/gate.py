"""``assay gate``: fail a build if search became worse, and only then."""

import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from assay.cli.gate_options import BASELINES, gate_checks
from assay.cli.options import (
    FORMAT,
    JSON,
    JUDGED,
    MATCH_WEIGHTS,
    MAX_FILE_SIZE,
    QUERY_WEIGHTS,
    READING,
    SCALE,
    SEED,
    URL,
    WORKSPACE,
    Decorator,
    limited_corpus,
    run_names,
)
from assay.cli.terminal.output import as_json, check_outputs, note, one_thread, wrap, write
from assay.errors import InputError, UsageError

if TYPE_CHECKING:
    from assay.records import Report, Table
    from assay.records.gate import Gate

__all__ = ["gate"]

XML, MARKDOWN, SHAPE = ".xml", ".md", ".exocortex.json"
TABLES = (".json", ".csv", ".parquet", ".tex", ".txt")
FORMATS = "the extension selects the format: md, xml, json, exocortex.json, csv, parquet, tex, txt"
FILES = {*JUDGED, "ties", "missing", "max_file_size"}  # options that go with --qrels
QUERIES = 5  # that are shown of a check
CHECKS = 3  # whose queries are shown
TEXT = 60  # characters of a query
FLAGS: list[Decorator] = [
    click.option("--qrels", metavar="QRELS", help="The judgments, to compare run files."),
    click.option("--run", metavar="NAME", default="", help="Check only this run of each report."),
    click.option(
        "--bare",
        is_flag=True,
        help="Compare values only, without a test: builds can then fail by chance.",
    ),
    click.option(
        "--strict", is_flag=True, help="Exit with 3 if a check is inconclusive, instead of 0."
    ),
    click.option(
        "--strict-env",
        is_flag=True,
        help="Let times fail that were measured on another machine, or a busy one.",
    ),
    BASELINES,
    WORKSPACE,
    URL,
    JSON,
    click.option(
        "-o",
        "--output",
        "outputs",
        multiple=True,
        metavar="FILE",
        help="Write to a .md (comment on a pull request), .xml (JUnit), .json, .exocortex.json, "
        ".csv, .parquet, .tex or .txt file; can be repeated.",
    ),
    click.option(
        "--github",
        is_flag=True,
        help="In GitHub Actions: print annotations, write the step's summary and output.",
    ),
    SEED,
    SCALE,
    FORMAT,
    *READING,
    click.option(
        "--corpus",
        metavar="CORPUS",
        help="Corpus that the expected files of --qrels refer to (default: the dataset's own).",
    ),
    MAX_FILE_SIZE,
    MATCH_WEIGHTS,
    QUERY_WEIGHTS,
    click.option(
        "--ties",
        type=click.Choice(["docid", "order"]),
        default="docid",
        show_default=True,
        help="Order of equal scores: document id descending, or file order.",
    ),
    click.option(
        "--missing",
        type=click.Choice(["zero", "skip"]),
        default="zero",
        show_default=True,
        help="A query that is missing from a run scores 0, or is skipped.",
    ),
]


def _flags(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(FLAGS):
        command = option(command)
    return command


@click.command("gate", short_help="Fail a build if search became worse than its baseline.")
@click.argument("reports", nargs=-1, metavar="[BASELINE] CURRENT")
@gate_checks
@_flags
@click.pass_context
def gate(
    context: click.Context,
    /,
    reports: tuple[str, ...],
    *,
    outputs: tuple[str, ...],
    strict: bool,
    **options: Any,  # noqa: ANN401
) -> int:
    """Check whether CURRENT is worse than BASELINE by more than is allowed.

    A check fails if the drop is larger than allowed and significant: one-sided sign-flip test,
    p <= 0.005 after Holm's correction over checks and runs. A larger drop that is not significant
    is inconclusive and exits with 0. Both arguments are reports, ids, blessed baselines, JSON
    layouts of other tools, or run files with --qrels. Without BASELINE it is the baseline that
    `assay baseline bless` stored. Exits with 0 if nothing failed, 1 if a check failed, 3 with
    --strict if one is inconclusive.
    """
    if not 1 <= len(reports) <= 2:
        hint = "write assay gate CURRENT, or assay gate BASELINE CURRENT"
        raise UsageError(f"expected one or two reports, got {len(reports)}", hint=hint)
    _check_outputs(outputs)
    one_thread()
    found = _gate(context, reports, options)
    _write(found, outputs, strict=strict)
    stream = sys.stderr if options["json_"] else sys.stdout
    with _no_commands(stream) if options["github"] else nullcontext():
        _print(found, json_=options["json_"])
    if options["github"]:
        _tell_github(found, strict=strict, stream=stream)
    return found.exit_code(strict=strict)


def _print(found: "Gate", *, json_: bool) -> None:
    """Show the outcome first, then what else to know, and what to type next."""
    if json_:
        from assay.reports.gates.json import json

        click.echo(as_json(json(found)))
    else:
        _show(found)
    for text in found.notes:
        note(text)
    if not json_:
        _show_next(found)


def _show_next(found: "Gate") -> None:
    from assay.cli.terminal.report_parts import show_commands
    from assay.reports.gates.lines import next_steps

    if steps := [*next_steps(found)]:
        show_commands("Next", steps)


@contextmanager
def _no_commands(stream: TextIO) -> Iterator[None]:
    """Let a runner of GitHub take nothing for a command meanwhile, whatever a query is called."""
    token = secrets.token_hex(16)
    print(f"::stop-commands::{token}", file=stream, flush=True)
    try:
        yield
    finally:
        sys.stdout.flush()
        print(f"::{token}::", file=stream, flush=True)


def _gate(context: click.Context, reports: tuple[str, ...], options: dict[str, Any]) -> "Gate":
    from assay.workflows.gate import gate as workflow

    shared = ("allow", "min", "max", "preset", "bare", "strict_env", "seed")
    asked = {name: options[name] for name in shared}
    given = {name for name in FILES if _is_given(context, name)}
    if options["qrels"] is None:
        if given:
            named = f"--{min(given).replace('_', '-')}"
            raise UsageError(f"{named} has no effect without --qrels", hint="add --qrels")
        places = {name: options[name] for name in ("run", "baselines", "workspace")}
        return workflow(*_sides(reports, options["url"]), **asked, **places)
    for name in ("run", "baselines", "workspace", "url"):
        if _is_given(context, name):
            hint = "the options of reports do not go with run files"
            raise UsageError(f"--{name} has no effect with --qrels", hint=hint)
    reading = {name: options[name] for name in (*JUDGED, "ties", "missing")}
    reading["corpus"] = limited_corpus(options["corpus"], options["max_file_size"])
    names = run_names([options["qrels"], *reports])[1:]
    return workflow(*reports, qrels=options["qrels"], names=names, **asked, **reading)


def _sides(reports: tuple[str, ...], url: str | None) -> "Sequence[str | Report]":
    """Fetch the reports of a service; what is a file of this machine stays one."""
    if url is None:
        return reports
    from assay.cli.remote.reports import fetch_sides

    return fetch_sides(url, reports)


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _is_own(path: str) -> bool:
    """Tell whether a file has a form that only a gate has."""
    return path.lower().endswith((XML, MARKDOWN, SHAPE))


def _check_outputs(outputs: tuple[str, ...]) -> None:
    from assay.columns.files.refuse_place import refuse_place

    twice = [path for path in outputs if outputs.count(path) > 1]
    if twice:
        raise InputError("output file given twice", where=twice[0], hint="give it once")
    for path in outputs:
        if _is_own(path):
            refuse_place(path)
        elif "." not in Path(path).name:
            raise InputError("has no extension", where=path, hint=FORMATS)
    others = [path for path in outputs if not _is_own(path)]
    for path in others:
        if Path(path).suffix.lower() not in TABLES:
            raise InputError("unknown format", where=path, hint=FORMATS)
    check_outputs(others)


def _write(found: "Gate", outputs: tuple[str, ...], *, strict: bool) -> None:
    from assay.columns.files.atomic_write import atomic_write
    from assay.reports.gates.json import json

    for path in outputs:
        if _is_own(path):
            with atomic_write(path) as new:
                new.write_bytes(_content(found, path, strict=strict))
            click.echo(wrap(f"wrote {path}"), err=True)
    others = [path for path in outputs if not _is_own(path)]
    write(others, lambda kind: _tables(found, kind), lambda: json(found), show=lambda: _show(found))


def _content(found: "Gate", path: str, *, strict: bool) -> bytes:
    from assay.reports.gates.exocortex import exocortex
    from assay.reports.gates.junit import junit
    from assay.reports.gates.markdown import markdown

    if path.lower().endswith(MARKDOWN):
        return markdown(found).encode()
    if path.lower().endswith(XML):
        return junit(found, date=time.strftime("%Y-%m-%dT%H:%M:%S"), strict=strict)
    return as_json(exocortex(found)).encode() + b"\n"


def _tables(found: "Gate", kind: str) -> "list[Table]":
    from assay.reports.gates.table import checks_table, ordered, values_table

    return [values_table(found)] if kind in ("csv", "parquet") else [checks_table(ordered(found))]


def _show(found: "Gate") -> None:
    from assay.reports.gates.lines import compared, headline, reasons
    from assay.reports.gates.table import ordered, screen_table, worst_table
    from assay.reports.terminal import terminal

    click.echo(wrap(f"{headline(found)}    {compared(found)}", out=True))
    click.echo()
    terminal(screen_table(ordered(found)))
    if lines := [*reasons(found)]:
        click.echo()
        click.echo("\n".join(wrap(line, out=True) for line in lines))
    bad = found.of("fail") or found.of("inconclusive")
    for one in [one for one in bad if one.changes][:CHECKS]:
        click.echo()
        terminal(worst_table(one, found, most=QUERIES, longest=TEXT))


def _tell_github(found: "Gate", *, strict: bool, stream: TextIO) -> None:
    """Print annotations, and write the summary and the output of a step, where it has places.

    A summary that would be too long with what other commands wrote is left out: GitHub would show
    none of it.
    """
    from assay.reports.gates.github import annotations
    from assay.reports.gates.markdown import SUMMARY, markdown

    named = replace(found, file=_in_repository(found.file))
    for line in annotations(named, strict=strict):
        print(line, file=stream)
    summary, output = (os.environ.get(f"GITHUB_{name}") for name in ("STEP_SUMMARY", "OUTPUT"))
    if summary:
        used = Path(summary).stat().st_size if Path(summary).is_file() else 0
        text = "\n\n" * (used > 0) + markdown(found, limit=SUMMARY - used)
        if used + len(text.encode()) < SUMMARY:
            _append(summary, text)
        else:
            note("no room is left in the summary of this step: the gate is not in it")
    if output:
        _append(output, f"outcome={found.outcome}\n")


def _in_repository(file: str) -> str:
    """Name a file as GitHub does: from the root of the repository; nothing outside of it."""
    root = os.environ.get("GITHUB_WORKSPACE")
    if not (root and file):
        return file
    named = os.path.relpath(file, root)
    return "" if named.startswith("..") else Path(named).as_posix()


def _append(path: str, text: str) -> None:
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=path) from None
