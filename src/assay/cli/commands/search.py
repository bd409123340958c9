"""``assay search``: the best matching documents of a corpus, and why."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.search_options import KEYS, configured, given, structured
from assay.cli.terminal.output import as_json, echo_styled, note, wrap
from assay.cli.terminal.progress import progress
from assay.cli.terminal.size import columns
from assay.text import sanitize
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from assay.records import Answer

__all__ = ["search"]

WIDTH = 100  # of lines that go to a file or another program
SEARCHING = (*KEYS, "fusion", "rerank", "threshold", "depth", "collapse")


@click.command("search", short_help="Search a corpus and explain the results.")
@click.argument("corpus")
@click.argument("query")
@click.option(
    "-k",
    "--top",
    type=click.IntRange(1, 1000),
    default=10,
    show_default=True,
    help="Number of results.",
)
@click.option(
    "--filter",
    "filters",
    multiple=True,
    metavar="CONDITION",
    help="Only documents with this metadata, e.g. language=de or 'year>=2020' (repeatable: all).",
)
@click.option("--explain", is_flag=True, help="Show matched terms, ranks and scores by stage.")
@click.option(
    "--why-not",
    metavar="PATH",
    help="Explain why this document is not in the results; also PATH::SYMBOL or PATH:LINES.",
)
@click.option("--rerank", metavar="MODEL", help="Reranker: maxsim or cross-encoder:FOLDER.")
@click.option(
    "--fusion", metavar="NAME", help="Fusion of lexical and dense results: see assay list fusions."
)
@click.option("--threshold", type=float, metavar="SCORE", help="Minimum score, from 0 to 1.")
@click.option(
    "--collapse", metavar="NAME", help="Document score from its chunks: max, sum or top3."
)
@click.option("--coherence", is_flag=True, help="Rerank by coherence (implies --search dense).")
@click.option("--mmr", is_flag=True, help="Diversify the top results with MMR.")
@click.option(
    "--override",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="Setting of coherence (alpha=0.2), of MMR (mmr.lambda=0.5) or of lexical search (k1=0.9, "
    "fields.title=2, synonyms=FILE).",
)
@click.option(
    "--depth",
    type=int,
    metavar="NUMBER",
    help="Chunks to retrieve by each of lexical and dense search.",
)
@configured
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
def search(  # noqa: PLR0913 (each is an option of the command)
    corpus: str,
    query: str,
    *,
    top: int,
    filters: tuple[str, ...],
    explain: bool,
    why_not: str | None,
    coherence: bool,
    mmr: bool,
    overrides: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    max_file_size: str | None,
    workspace: str | None,
    json_: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """Search CORPUS (a folder, a .jsonl file, git:REPOSITORY@REVISION or stdlib) for QUERY.

    The index is built on first use and updated on every search, so results are never stale. QUERY
    is plain text: there is no query syntax.
    """
    from assay.searches.configuration.configuration import configuration
    from assay.workflows.search import search as workflow

    structure = structured(coherence=coherence, mmr=mmr, overrides=overrides)
    if coherence:
        structure = {"search": "dense"} | structure
    found = workflow(
        corpus,
        query,
        top=top,
        filters=filters,
        explain=explain,
        why_not=why_not,
        configuration=configuration({"name": "search", **structure, **given(options, SEARCHING)}),
        include=include,
        exclude=exclude,
        max_file_size=max_file_size,
        workspace=workspace,
        track=progress,
        waiting=note,
        note=note,
    )
    if json_:
        from assay.reports.searches.json import json

        click.echo(as_json(json(found)))
        return
    _show(found, explain=explain, lost=why_not)


def _show(found: "Answer", *, explain: bool, lost: str | None) -> None:
    from assay.reports.searches.lines import hit_lines

    width = columns() or WIDTH
    for hit in found.hits:
        if hit.rank > 1:
            click.echo()
        for pieces in hit_lines(hit, width, explain=explain):
            echo_styled(*pieces)
    if not found.hits:
        click.echo("no results" if found.query.strip() else "no results: the query is empty")
    elif not found.query.strip():
        note("the query is empty")
    _show_account(found, width, explain=explain, lost=lost)
    for text in found.notes:
        note(text)
    _show_time(found)


def _show_account(found: "Answer", width: int, *, explain: bool, lost: str | None) -> None:
    """Tell what stages did to all results, and what became of one that is not among them."""
    if explain and found.mmr is not None:
        click.echo(f"\n{_mixed(found.mmr)}")
    if found.receipt is not None:
        from assay.reports.searches.receipt import receipt

        told = receipt(found.receipt, shown=len(found.hits), width=width)
        click.echo("\n" + "\n".join(map(sanitize, told)))
    if found.loss is not None:
        from assay.reports.searches.loss import loss

        click.echo("\n" + "\n".join(map(sanitize, loss(found.loss, str(lost)))))


def _mixed(told: "Mapping[str, Any]") -> str:
    """Say whether MMR changed the top results."""
    before = "" if told["redundancy"] is None else f" (redundancy {told['redundancy']:.2f})"
    return f"MMR {'reordered' if told['acted'] else 'did not change'} the top {told['k']}{before}"


def _show_time(found: "Answer") -> None:
    parts = [
        f"{stage} {taken:.1f}" for stage, taken in found.latency_ms.items() if stage != "total"
    ]
    searched = f"{count_noun(found.documents, 'document')} in {count_noun(found.chunks, 'chunk')}"
    taken = f"{found.latency_ms['total']:.1f} ms ({', '.join(parts)})"
    click.echo(wrap(f"{searched}, {taken}"), err=True)
