"""``assay dataset check``: whether a dataset can be read, and what is in it."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.commands.dataset._options import limited
from assay.cli.terminal.output import as_json, note
from assay.text import sanitize
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.records import Contents

__all__ = ["check"]


def _print_schema(context: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    """Print the schema instead of checking anything."""
    if wanted:
        from assay.datasets.formats.assay_json import SCHEMA

        click.echo(SCHEMA.read_text(encoding="utf-8"), nl=False)
        context.exit()


@click.command("check", short_help="Validate a dataset and list all problems.")
@click.argument("dataset")
@limited
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_schema,
    help="Print the JSON Schema of the format assay_json and exit.",
)
def check(dataset: str, *, reading: dict[str, Any], json_: bool) -> None:
    """Read DATASET and summarize its contents, or list all of its problems."""
    from dataclasses import asdict

    from assay.workflows.check import check as workflow

    contents = workflow(dataset, **reading)
    for text in contents.notes:
        note(text)
    if json_:
        click.echo(as_json(asdict(contents)))
    else:
        _show(contents)


def _show(contents: "Contents") -> None:
    parts = [count_noun(contents.queries, "query"), count_noun(contents.judgments, "judgment")]
    parts += [count_noun(contents.documents, "document")] if contents.documents else []
    form = f" ({contents.format})" if contents.format else ""
    shown = sanitize(f"{contents.name}{form}")
    click.echo(f"{shown}: {', '.join(parts)}, grades 0..{contents.scale}")
    _line("grades", contents.grades)
    _line("categories", contents.categories)
    _line("collections", contents.collections)
    if contents.groups:
        click.echo(
            f"  groups       {contents.groups:,} (any member of a group is a correct result)"
        )
    if contents.corpus:
        click.echo(f"  corpus       {sanitize(_shown(contents.corpus))}")
    if contents.without_text:
        click.echo(f"  {count_noun(contents.without_text, 'query')} without text")


def _shown(corpus: "Mapping[str, Any]") -> str:
    """Name a corpus in a few words."""
    place = next((corpus[key] for key in ("path", "git", "source") if key in corpus), corpus)
    return str(place)


def _line(title: str, numbers: "Mapping[int, int] | Mapping[str, int]") -> None:
    if numbers:
        shown = ", ".join(f"{name}: {number:,}" for name, number in numbers.items())
        click.echo(f"  {title:<12} {sanitize(shown)}")
