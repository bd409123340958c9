"""``assay health``: whether an index holds what it should, and whether its vectors separate."""

import re
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import OUTPUT
from assay.cli.search_options import configured, given
from assay.cli.terminal.output import as_json, check_outputs, echo_styled, note, one_thread, write
from assay.cli.terminal.progress import progress
from assay.cli.terminal.size import paragraph_width
from assay.errors import UsageError
from assay.text import sanitize
from assay.text.quote import quote_value

if TYPE_CHECKING:
    from assay.records import Health

__all__ = ["health"]

COLOURS = {"bad": "red", "watch": "yellow", "unknown": "cyan", "good": "green"}
EXPECT = re.compile(r"([a-z]+)=(?:(\d+)|(\d*):(\d*))")


@click.command("health", short_help="Check an index: contents, duplicates, staleness, vectors.")
@click.argument("corpus")
@click.option(
    "--dataset",
    metavar="DATASET",
    help="Also measure with the queries and judgments of this dataset.",
)
@click.option(
    "--expect",
    "expect",
    multiple=True,
    metavar="NAME=NUMBER",
    help="What the index should contain, e.g. documents=1200, chunks=5000:6000 or "
    "bytes=:90000000; can be repeated.",
)
@configured
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Random seed of the samples.",
)
@click.option("--explain", is_flag=True, help="Explain every finding, including the good ones.")
@click.option("--check", "strict", is_flag=True, help="Exit with code 1 if a finding is bad.")
@click.option("--json", "json_", is_flag=True, help="Print JSON at full precision.")
@OUTPUT
def health(
    corpus: str,
    *,
    expect: tuple[str, ...],
    outputs: tuple[str, ...],
    explain: bool,
    strict: bool,
    json_: bool,
    **options: Any,  # noqa: ANN401
) -> int:
    """Check the index of CORPUS as it is, without updating it.

    Compares the index with the current files of the corpus. Looks for empty, oversized and
    duplicate chunks, for results that approximate search misses, and for vectors that are too
    similar to distinguish.
    """
    check_outputs(outputs)
    one_thread()
    found = _looked(corpus, _expected(expect), options)

    def value() -> Any:  # noqa: ANN401
        from assay.reports.health.json import json

        return json(found)

    from assay.reports.health.table import table

    def show() -> None:
        _show(found, explain=explain)

    write(outputs, lambda _: [table(found)], value, show=show)
    for text in found.notes:
        note(text)
    if json_:
        click.echo(as_json(value()))
    else:
        show()
    return int(strict and bool(found.bad))


def _looked(corpus: str, expect: dict[str, Any], options: dict[str, Any]) -> "Health":
    from assay.workflows.health import health as workflow

    return workflow(
        corpus,
        dataset=options["dataset"],
        expect=expect,
        configuration={"name": "health", **given(options)},
        include=options["include"],
        exclude=options["exclude"],
        max_file_size=options["max_file_size"],
        workspace=options["workspace"],
        seed=options["seed"],
        track=progress,
    )


def _expected(texts: tuple[str, ...]) -> dict[str, Any]:
    """Read NAME=NUMBER and NAME=LEAST:MOST, of which one end may be left out."""
    found: dict[str, Any] = {}
    for text in texts:
        parts = EXPECT.fullmatch(text.strip())
        if parts is None or text.strip().endswith("=:"):
            form = "NAME=NUMBER or NAME=LEAST:MOST"
            hint = f"expected {form}, e.g. documents=1200 or chunks=5000:6000"
            raise UsageError(f"--expect: invalid value {quote_value(text)}", hint=hint)
        name, number, least, most = parts.groups()
        if name in found:
            raise UsageError(f"--expect: {name} is given twice", hint="give it once")
        ends = (int(least) if least else None, int(most) if most else None)
        found[name] = int(number) if number else ends
    return found


def _show(found: "Health", *, explain: bool) -> None:
    from assay.reports.health.headline import headline
    from assay.reports.health.lines import lines

    click.echo(sanitize(headline(found)))
    click.echo()
    for line in lines(found, width=paragraph_width(), explained=explain):
        rest = line.text.removeprefix(line.state)
        style = {"fg": COLOURS[line.state], "bold": True} if line.state else {}
        echo_styled((line.state, style), rest)
