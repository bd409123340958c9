"""``assay dataset audit``: whether a dataset can answer a question, before anything is run."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.commands.dataset._options import limited
from assay.cli.options import MATCH_WEIGHTS, MAX_FILE_SIZE, OUTPUT, SHARE, limited_corpus, run_names
from assay.cli.terminal.output import as_json, check_outputs, echo_styled, note, one_thread, write
from assay.cli.terminal.progress import progress
from assay.cli.terminal.size import paragraph_width
from assay.text import sanitize
from assay.text.wrap import wrap_prose

if TYPE_CHECKING:
    from assay.records import Audit, Table
    from assay.reports.audits.sections import AuditSection

__all__ = ["audit"]


@click.command("audit", short_help="Audit a dataset: minimum detectable difference and defects.")
@click.argument("dataset")
@click.option(
    "--corpus",
    metavar="CORPUS",
    help="A folder, a .jsonl file, git:REPOSITORY@REVISION, stdlib, or collections:FOLDER with a "
    "folder for each collection (default: the dataset's own).",
)
@MAX_FILE_SIZE
@click.option("--judge", metavar="DATASET", help="Compare with the grades of a second judge.")
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="RUN",
    help="A run on these queries; two or more measure the sd of paired differences.",
)
@click.option(
    "--sd",
    "spreads",
    multiple=True,
    type=click.FloatRange(0, 1, min_open=True),
    metavar="SD",
    help="Assumed sd of paired differences (default: 0.1, 0.2 and 0.3).",
)
@click.option("-m", "--metric", default="ndcg@10", show_default=True, help="Metric of the runs.")
@MATCH_WEIGHTS
@click.option(
    "--near",
    type=SHARE,
    default=0.8,
    show_default=True,
    metavar="SHARE",
    help="Fraction of common words above which two queries are near-duplicates.",
)
@click.option(
    "--leak",
    type=SHARE,
    default=0.8,
    show_default=True,
    metavar="SHARE",
    help="Fraction of a query that must occur verbatim in its document to be a leak.",
)
@limited
@click.option(
    "--check",
    "strict",
    is_flag=True,
    help="Exit with 1 if there are leaked queries, queries without relevant documents, "
    "contradictions or unresolved references.",
)
@click.option("--json", "json_", is_flag=True, help="Print JSON at full precision.")
@OUTPUT
def audit(
    dataset: str,
    runs: tuple[str, ...],
    spreads: tuple[float, ...],
    outputs: tuple[str, ...],
    *,
    json_: bool,
    strict: bool,
    **options: Any,  # noqa: ANN401
) -> int:
    """Audit DATASET: the minimum detectable difference, and defects of its queries and judgments.

    Finds leaked and duplicate queries, queries without relevant documents, contradicting judgments,
    unresolved references, and queries that name the document to find. Counts grades, categories and
    difficulty levels.
    """
    check_outputs(outputs)
    one_thread()
    found = _audit(dataset, runs, spreads, **options)

    def value() -> Any:  # noqa: ANN401
        from assay.reports.audits.json import json

        return json(found)

    write(outputs, lambda extension: _tables(found, extension), value, show=lambda: _show(found))
    for text in found.notes:
        note(text)
    if json_:
        click.echo(as_json(value()))
    else:
        _show(found)
    return int(strict and bool(found.defects))


def _audit(
    dataset: str,
    runs: tuple[str, ...],
    spreads: tuple[float, ...],
    *,
    near: float,
    leak: float,
    reading: dict[str, Any],
    **options: Any,  # noqa: ANN401
) -> "Audit":
    from assay.errors import UsageError
    from assay.records import AuditSettings
    from assay.workflows.audit import SPREADS
    from assay.workflows.audit import audit as workflow

    if not (0 < near <= 1 and 0 < leak <= 1):
        raise UsageError("--near and --leak must be > 0 and <= 1", hint="e.g. 80%")
    options["corpus"] = limited_corpus(options["corpus"], options.pop("max_file_size"))
    options |= {"sd": spreads or SPREADS, "names": run_names(runs), "track": progress}
    settings = AuditSettings(near=near, leaked_share=leak)
    return workflow(dataset, runs=runs, settings=settings, **options, **reading)


def _tables(found: "Audit", extension: str) -> "list[Table]":
    """Give every case to programs, and the sections to people."""
    from dataclasses import replace

    from assay.reports.audits.cases import cases
    from assay.reports.audits.overview import overview
    from assay.reports.audits.sections import sections

    if extension in ("csv", "parquet"):
        return [cases(found)]
    told = sections(found, most=None)
    tables = [replace(one.table, caption=_caption(one)) for one in told if one.table]
    return [overview(found), *tables]


def _show_paragraph(section: "AuditSection", width: int) -> None:
    first, *rest = wrap_prose(sanitize(_caption(section)), width)
    titled = first.startswith(section.title)  # unless the title takes several lines
    title = section.title if titled else ""
    echo_styled((title, {"bold": True}), first.removeprefix(title))
    for line in rest:
        click.echo(line)


def _caption(section: "AuditSection") -> str:
    return f"{section.title}: {section.said}" if section.said else section.title


def _show(found: "Audit") -> None:
    from assay.reports.audits.headline import headline
    from assay.reports.audits.sections import sections
    from assay.reports.terminal import terminal

    width = paragraph_width()
    click.echo("\n".join(wrap_prose(sanitize(headline(found)), width)))
    for section in sections(found):
        click.echo()
        _show_paragraph(section, width)
        if section.table:
            terminal(section.table)
        if section.more:
            click.echo(f"... and {section.more:,} more; --json and -o FILE list all")
