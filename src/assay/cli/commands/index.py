"""``assay index``: build the index of a corpus, or bring it up to date."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.search_options import configured, given
from assay.cli.terminal.output import as_json, note, one_thread
from assay.cli.terminal.progress import progress
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    from assay.searches.indexing import IndexUpdate

__all__ = ["index"]

TEN = 10  # below it, a rate is told with a decimal


@click.command("index", short_help="Build the index of a corpus, or bring it up to date.")
@click.argument("corpus")
@configured
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
def index(
    corpus: str,
    *,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    workspace: str | None,
    json_: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """Index CORPUS: a folder, a .jsonl file, git:REPOSITORY@REVISION or stdlib.

    Only files that changed since the last time are read, cut and embedded again. Searching does
    the same by itself; indexing before spares the first search the wait.
    """
    one_thread()
    from assay.searches.configuration.configuration import configuration
    from assay.workflows.index import index as workflow

    chosen = configuration({"name": "index", **given(options)})
    done = workflow(
        corpus,
        configuration=chosen,
        include=include,
        exclude=exclude,
        workspace=workspace,
        track=progress,
        waiting=note,
        note=note,
    )
    if json_:
        click.echo(as_json(_json(done)))
    else:
        _show(done)


def _json(done: "IndexUpdate") -> dict[str, Any]:
    names = ("documents", "chunks", "added", "changed", "removed", "read", "embedded", "seconds")
    return {
        **{name: getattr(done, name) for name in names},
        "rebuilt": done.rebuilt,
        "repaired": done.repaired,
        "skipped": dict(done.skipped),
        "counts": dict(done.counts),
        "storage": dict(done.storage),
    }


def _rate(done: "IndexUpdate") -> str:
    """Tell how fast it was: in chunks where the model took the time, or else in files."""
    if done.read < 2 or not done.seconds:
        return ""
    noun, number = ("chunks", done.embedded) if done.embedded else ("files", done.read)
    rate = number / done.seconds
    return f", {rate:,.0f} {noun}/s" if rate >= TEN else f", {rate:.1f} {noun}/s"


def _show(done: "IndexUpdate") -> None:
    from assay.reports.searches.about import about

    held = f"{count_noun(done.documents, 'document')} in {count_noun(done.chunks, 'chunk')}"
    changes = [
        f"{getattr(done, name):,} {name}"
        for name in ("added", "changed", "removed")
        if getattr(done, name)
    ]
    what = ", ".join(changes) or "nothing changed"
    click.echo(f"{held}: {what} ({done.seconds:.1f} s{_rate(done)})")
    for text in about(done, always=True):
        note(text)
    if fallbacks := done.counts.get("fallbacks"):
        note(f"{count_noun(fallbacks, 'file')} did not parse and {_were(fallbacks)} cut as text")


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
