"""``assay index``: build or update the index of a corpus."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.search_options import configured, given
from assay.cli.terminal.output import as_json, note, one_thread
from assay.cli.terminal.progress import progress
from assay.records.skipped_files import unread_files
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    from assay.searches.indexing import IndexUpdate

__all__ = ["index"]

TEN = 10  # below it, a rate has a decimal


@click.command("index", short_help="Build or update the index of a corpus.")
@click.argument("corpus")
@configured
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
def index(
    corpus: str,
    *,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    max_file_size: str | None,
    workspace: str | None,
    json_: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """Index CORPUS: a folder, a .jsonl file, git:REPOSITORY@REVISION or stdlib.

    Only files that changed since the last update are read, split into chunks and embedded. Every
    search updates the index as well; indexing in advance makes the first search faster.
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
        max_file_size=max_file_size,
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
        **unread_files(done.skipped),
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
    what = ", ".join(changes) or "no changes"
    click.echo(f"{held}: {what} ({done.seconds:.1f} s{_rate(done)})")
    for text in about(done, always=True):
        note(text)
    if fallbacks := done.counts.get("fallbacks"):
        files, verb = count_noun(fallbacks, "file"), "was" if fallbacks == 1 else "were"
        note(f"{files} could not be parsed as code and {verb} split as text")
