"""``assay init``: a benchmark file for the folder one is in."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from assay.cli.terminal.output import as_json, note, wrap
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.workflows.init import InitResult

__all__ = ["init"]

WRITE = "To write a dataset, save this as questions.yaml and put in your own questions:"


@click.command("init", short_help="Write a benchmark file for this folder.")
@click.argument("folder", default=".", type=click.Path(), metavar="[FOLDER]")
@click.option("-o", "--output", metavar="FILE", help="Where to write it (default: assay.yaml).")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
def init(folder: str, *, output: str | None, force: bool, json_: bool) -> None:
    """Find a dataset and the documents that it refers to in FOLDER, and write a benchmark file.

    The corpus is the folder in which most references of the dataset are found, whatever its files
    are called. Search mode, model, reranker and chunk size are taken from config/settings.yaml
    if it exists. An existing file is never overwritten without --force.
    """
    from assay.workflows.init import init as workflow

    started = workflow(folder, output=output, force=force)
    if json_:
        click.echo(as_json(asdict(started)))
        return
    for line in (_wrote(started), *_found(started)):
        click.echo(wrap(line, out=True))
    for line in started.left_out:
        click.echo(wrap(f"not searched: {line}", out=True))
    _show_example(started)
    for text in started.notes:
        note(text)
    click.echo(wrap(f"next: {started.next}", indent=len("next: ")), err=True)


def _wrote(started: "InitResult") -> str:
    """Say whether the file can be run as it is."""
    lacks = " and ".join(f"no {one}" for one in started.lacks)
    return f"wrote {started.file}{f' (not ready to run: {lacks})' if lacks else ''}"


def _found(started: "InitResult") -> "Iterator[str]":
    queries = f"{started.dataset}, {count_noun(started.queries, 'query')}"
    yield f"dataset: {queries if started.dataset else 'none found'}"
    if started.log:
        many = count_noun(started.logged, "query")
        yield f"query log: {started.log}, {many} without judgments"
    if started.others:
        yield f"also found: {', '.join(started.others)}"
    yield f"corpus: {_corpus(started)}"
    if started.current:
        source, *settings = started.current
        yield f"baseline: {started.baseline}, from {source}: {', '.join(settings)}"
        if started.not_used:
            yield f"not used from {source}: {', '.join(started.not_used)}"


def _corpus(started: "InitResult") -> str:
    own = "the dataset's own documents" if started.holds_corpus else "none found"
    link = f" (link to {started.link})" if started.link else ""
    parts = [f"{started.corpus or own}{link}"]
    if started.documents:
        least = "" if started.documents_complete else "at least "
        patterns = f" ({', '.join(started.include)})" if started.include else ""
        folders = f": {', '.join(started.folders)}" if started.folders else patterns
        parts.append(f"{least}{count_noun(started.documents, 'document')}{folders}")
    if started.references and started.corpus:
        total = count_noun(started.references, "reference")
        parts.append(f"{started.references_found:,} of {total} found")
    return ", ".join(parts)


def _show_example(started: "InitResult") -> None:
    """Show how to write a dataset, where there is none."""
    if not started.example:
        return
    click.echo(f"\n{WRITE}\n")
    for line in started.example.splitlines():
        click.echo(f"  {line}")
    if started.make:
        click.echo(f"\nOr make one from this folder:\n\n  {started.make}")
    click.echo()
