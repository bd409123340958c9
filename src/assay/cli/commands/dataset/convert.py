"""``assay dataset convert``: from any format into any other, saying what is lost."""

from pathlib import Path
from typing import Any

import click

from assay.cli.commands.dataset._options import limited
from assay.cli.terminal.output import as_json, note
from assay.errors import InputError
from assay.text import sanitize

__all__ = ["convert"]


@click.command("convert", short_help="Write a dataset in another format.")
@click.argument("dataset")
@click.option("-o", "--output", required=True, metavar="PATH", help="File or folder to write.")
@click.option("--to", metavar="NAME", help="Format to write (default: by the extension).")
@limited
@click.option("--check", "strict", is_flag=True, help="Exit with 1 if any data is lost.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
def convert(
    dataset: str,
    *,
    output: str,
    to: str | None,
    reading: dict[str, Any],
    strict: bool,
    force: bool,
    json_: bool,
) -> int:
    """Write DATASET in another format, and report data that this format cannot store."""
    from assay.workflows.convert import convert as workflow
    from assay.workflows.load_dataset import load_dataset

    there = Path(output)
    if not force and (there.is_file() or (there.is_dir() and any(there.iterdir()))):
        raise InputError("already exists", where=output, hint="use --force to overwrite it")
    loaded = load_dataset(dataset, **reading)
    lost = workflow(loaded, output, to=to)
    if json_:
        click.echo(as_json({"path": output, "lost": lost, "notes": list(loaded.notes)}))
    for text in dict.fromkeys((*loaded.notes, *lost)):
        note(text)
    click.echo(f"wrote {sanitize(output)}{'' if lost else ', no data lost'}", err=True)
    return int(strict and bool(lost))
