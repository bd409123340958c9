"""``assay dataset resolve``: whether the documents that a dataset expects are in a corpus."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.commands.dataset._options import limited
from assay.cli.options import MAX_FILE_SIZE, OUTPUT, limited_corpus
from assay.cli.terminal.output import as_json, check_outputs, echo_styled, note, write
from assay.cli.terminal.progress import progress
from assay.records.skipped_files import describe_skipped
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    from assay.records import Resolution, Table

__all__ = ["resolve"]

COLOURS = {"resolved": "green", "partial": "yellow", "unresolved": "red"}
SHOWN = 20  # unresolved references that are spelled out


@click.command("resolve", short_help="Find the documents that a dataset refers to.")
@click.argument("dataset")
@click.option(
    "--corpus",
    metavar="CORPUS",
    help="A folder, a .jsonl file, git:REPOSITORY@REVISION, stdlib, or collections:FOLDER with a "
    "folder for each collection (default: the dataset's own).",
)
@MAX_FILE_SIZE
@limited
@click.option("--check", "strict", is_flag=True, help="Exit with 1 unless everything is resolved.")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@OUTPUT
def resolve(
    dataset: str,
    *,
    corpus: str | None,
    max_file_size: str | None,
    reading: dict[str, Any],
    strict: bool,
    json_: bool,
    outputs: tuple[str, ...],
) -> int:
    """Look up every reference of DATASET in a corpus, by id, uri, hash, path, file name or symbol.

    Lists ambiguous and missing references, with similar documents.
    """
    check_outputs(outputs)
    from assay.workflows.resolve import resolve as workflow

    found = workflow(dataset, limited_corpus(corpus, max_file_size), track=progress, **reading)

    def value() -> Any:  # noqa: ANN401
        from assay.reports.resolutions.json import json

        return json(found)

    write(outputs, lambda extension: _tables(found, extension), value, show=lambda: _show(found))
    _explain(found)
    if json_:
        click.echo(as_json(value()))
    else:
        _show(found)
        _advise(found)
    return int(strict and found.status != "resolved")


def _explain(found: "Resolution") -> None:
    """Say what was not read: a missing document may be among it."""
    if found.skipped:
        note(f"{found.corpus}: {describe_skipped(found.skipped)}")
    from assay.datasets.resolve.matching_notes import matching_notes
    from assay.reports.resolutions.unknown_symbols import unknown_symbols

    for text in (*matching_notes(found.rows), *unknown_symbols(found.unknown_symbols)):
        note(text)


def _tables(found: "Resolution", extension: str) -> "list[Table]":
    """Give the whole mapping to programs, and the summary before it to people."""
    from assay.reports.resolutions.mapping import mapping
    from assay.reports.resolutions.summary import summary

    whole = [mapping(found)]
    return whole if extension in ("csv", "parquet") else [summary(found), *whole]


def _show(found: "Resolution") -> None:
    from assay.reports.resolutions.summary import summary
    from assay.reports.resolutions.unresolved import unresolved
    from assay.reports.terminal import terminal

    echo_styled((found.status, {"fg": COLOURS[found.status], "bold": True}), _headline(found))
    if found.rows:
        click.echo()
        terminal(summary(found))
    lines = unresolved(found)
    for at, (problem, near) in enumerate(lines[:SHOWN]):
        click.echo(problem if at else f"\n{problem}")
        if near:
            echo_styled((f"  {near}", {"dim": True}))
    if len(lines) > SHOWN:
        more = len(lines) - SHOWN
        click.echo(f"... and {more:,} more; --json and -o FILE list all")


def _advise(found: "Resolution") -> None:
    """Say what next, once for all."""
    reasons = {row.reason for row in found.rows if not row.spared}
    if "ambiguous" in reasons:
        note('ambiguous references count as missed: add a "path", "uri" or "document_id"')
    elif "not_found" in reasons or "invalid" in reasons:
        note("missing references count as missed: check that the dataset was made for this corpus")


def _headline(found: "Resolution") -> str:
    doubts = [f"{found.ambiguous:,} ambiguous"] if found.ambiguous else []
    doubts += [f"{found.missing:,} missing"] if found.missing else []
    where = f"{found.corpus} ({count_noun(found.documents, 'document')})"
    verb = "is" if found.resolved == 1 else "are"
    said = f"{found.resolved:,} of {count_noun(found.total, found.noun)} {verb} in {where}"
    if len(found.rows) > found.total:
        said += f" ({len(found.rows):,} judgments; the members of a group count once)"
    return f": {'; '.join([said, *filter(None, [', '.join(doubts)])])}"
