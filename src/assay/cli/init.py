"""``assay init``: a benchmark file for the folder one is in."""

from dataclasses import asdict

import click

from assay.cli._output import as_json, count

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
    click.echo(f"wrote {started.file}")
    queries = f"{started.dataset}, {count(started.queries, 'query')}"
    click.echo(f"dataset: {queries if started.dataset else 'none was found'}")
    corpus = started.corpus or ("the dataset's own" if started.dataset else ".")
    number = f", {count(started.documents, 'document')}" if started.documents else ""
    click.echo(f"corpus: {corpus}{number}")
    click.echo(f"next: {started.next}", err=True)
