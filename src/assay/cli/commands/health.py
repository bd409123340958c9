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

if TYPE_CHECKING:
    from assay.records import Health

__all__ = ["health"]

COLOURS = {"bad": "red", "watch": "yellow", "unknown": "cyan", "good": "green"}
EXPECT = re.compile(r"([a-z]+)=(?:(\d+)|(\d*):(\d*))")


@click.command("health", short_help="Look at an index: what it holds, misses and mixes up.")
@click.argument("corpus")
@click.option("--dataset", metavar="DATASET", help="Measure with its queries and their answers.")
@click.option(
    "--expect",
    "expect",
    multiple=True,
    metavar="NAME=NUMBER",
    help="What the index should hold: documents=1200, chunks=5000:6000, bytes=:90000000, ...",
)
@configured
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the samples."
)
@click.option("--explain", is_flag=True, help="Say of every finding what it means.")
@click.option("--check", "strict", is_flag=True, help="Exit with 1 if something is bad.")
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
    """Look at the index of CORPUS as it is: nothing is brought up to date.

    Compares what it holds with what the corpus holds now; looks for empty, oversized and equal
    chunks, for what approximate search misses, and for vectors that cannot be told apart.
    """
    check_outputs(outputs)
    one_thread()
    found = _looked(corpus, _expected(expect), options)

    def value() -> Any:  # noqa: ANN401
        from assay.reports.health.json import json

        return json(found)

    from assay.reports.health.table import table

    write(outputs, lambda _: [table(found)], value)
    for text in found.notes:
        note(text)
    if json_:
        click.echo(as_json(value()))
    else:
        _show(found, explain=explain)
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
            hint = "e.g. documents=1200 or chunks=5000:6000"
            raise UsageError(f"--expect cannot be {text!r}", hint=hint)
        name, number, least, most = parts.groups()
        if name in found:
            raise UsageError(f"--expect names {name} twice", hint="give it once")
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
