"""``assay init``: a benchmark file for the folder one is in."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from assay.cli.terminal.output import as_json, wrap
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.workflows.init import InitResult

__all__ = ["init"]


@click.command("init", short_help="Write a benchmark file for this folder.")
@click.argument("folder", default=".", type=click.Path(), metavar="[FOLDER]")
@click.option("-o", "--output", metavar="FILE", help="Where to write it (default: assay.yaml).")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
def init(folder: str, *, output: str | None, force: bool, json_: bool) -> None:
    """Look for a dataset and for documents in FOLDER, and write a benchmark file that fits them.

    Every line of the file has a comment. A file that is there is never written over unasked.
    """
    from assay.workflows.init import init as workflow

    started = workflow(folder, output=output, force=force)
    if json_:
        click.echo(as_json(asdict(started)))
        return
    for line in (f"wrote {started.file}", *_found(started)):
        click.echo(wrap(line, out=True))
    click.echo(wrap(f"next: {started.next}", indent=len("next: ")), err=True)


def _found(started: "InitResult") -> "Iterator[str]":
    queries = f"{started.dataset}, {count_noun(started.queries, 'query')}"
    yield f"dataset: {queries if started.dataset else 'none was found'}"
    if started.others:
        yield f"also here: {', '.join(started.others)}"
    number = f", {count_noun(started.documents, 'document')}" if started.documents else ""
    several = f": {', '.join(started.folders)}" if started.folders else ""
    own = "the dataset's own" if started.holds_corpus else "none was found"
    yield f"corpus: {started.corpus or own}{number}{several}"
    if started.left_out:
        yield f"left out: {', '.join(started.left_out)}"
