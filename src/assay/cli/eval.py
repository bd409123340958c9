"""``assay eval``: score runs against judgments."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli._input import run_names
from assay.cli._output import as_json, count, note, one_thread, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.records import Evaluation, Table

__all__ = ["eval_"]


@click.command("eval", short_help="Score runs against judgments.")
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help="ndcg@10, recall(rel=2)@5, rbp(p=0.8), ...; repeat or separate by commas.",
)
@click.option("--per-query", is_flag=True, help="Show the scores of each query too.")
@click.option("--json", "json_", is_flag=True, help="Print JSON at full precision.")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Write csv, json, parquet, md or tex; the extension picks.",
)
@click.option(
    "--ties",
    type=click.Choice(["docid", "order", "expected"]),
    default="docid",
    show_default=True,
    help="Equal scores: by document id descending, as in the file, or the mean over all orders.",
)
@click.option(
    "--missing",
    type=click.Choice(["zero", "skip"]),
    default="zero",
    show_default=True,
    help="A judged query that the run lacks scores 0, or is left out.",
)
@click.option(
    "--unjudged",
    type=click.Choice(["zero", "condense", "bounds"]),
    default="zero",
    show_default=True,
    help="Unjudged documents gain 0, are taken out, or give the score's bounds.",
)
@click.option(
    "--no-relevant",
    type=click.Choice(["zero", "skip"]),
    default="zero",
    show_default=True,
    help="A query without any relevant document scores 0, or is left out.",
)
@click.option(
    "--scale",
    type=click.IntRange(min=1),
    help="Largest grade of the judges' scale (default: the largest given).",
)
def eval_(
    qrels: str,
    runs: tuple[str, ...],
    metrics: tuple[str, ...],
    outputs: tuple[str, ...],
    *,
    per_query: bool,
    json_: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """Score one or more RUN files against the judgments in QRELS.

    Files may be TREC, TSV (BEIR), CSV, JSON or parquet, also compressed; - reads standard input.
    """
    one_thread()
    from assay.datasets.load_judgments import load_judgments
    from assay.reports.evaluations.json import json
    from assay.workflows.evaluate import evaluate

    judgments = load_judgments(qrels, scale=options.pop("scale"))
    names = run_names(runs)
    results = [
        evaluate(judgments, run, metrics, name=name, **options)
        for run, name in zip(runs, names, strict=True)
    ]

    def value() -> Any:  # noqa: ANN401
        return json(results, queries=len(judgments.queries), per_query=per_query)

    if json_:
        click.echo(as_json(value()))
    else:
        _show(results, per_query=per_query)
    for result in results:
        _explain(result, options)
    write(outputs, lambda extension: _tables(results, extension, per_query=per_query), value)


def _show(results: "Sequence[Evaluation]", *, per_query: bool) -> None:
    from assay.reports.evaluations.scores import scores
    from assay.reports.terminal import terminal

    if per_query:
        terminal(scores(results, per_query=True))
    terminal(_summary(results))


def _summary(results: "Sequence[Evaluation]") -> "Table":
    from assay.metrics import parse
    from assay.reports.evaluations.summary import summary

    lower = (name for name in results[0].scores if not parse(name).kind.higher_is_better)
    return summary(results, lower_is_better=frozenset(lower))


def _tables(results: "Sequence[Evaluation]", extension: str, *, per_query: bool) -> "list[Table]":
    """Give values to programs and the drawn table to people."""
    from assay.reports.evaluations.scores import scores

    values = scores(results, per_query=per_query)
    if extension in ("csv", "parquet"):
        return [values]
    return [_summary(results), values] if per_query else [_summary(results)]


def _explain(result: "Evaluation", options: dict[str, Any]) -> None:
    """Say in words what the table only counts."""
    for text in result.notes:
        note(f"{result.run}: {text}")
    if result.missing_queries:
        what = "scored 0" if options["missing"] == "zero" else "left out"
        note(f"{result.run}: no answer to {count(result.missing_queries, 'judged query')}: {what}")
    if result.unknown_queries:
        note(f"{result.run}: {count(result.unknown_queries, 'query')} without judgments: ignored")
    if result.without_relevant:
        what = "scored 0" if options["no_relevant"] == "zero" else "left out"
        note(f"nothing is relevant to {count(result.without_relevant, 'judged query')}: {what}")
    if result.tied:
        rule = {"docid": "by document id, descending", "order": "as in the file"}
        how = rule.get(options["ties"], "by the mean over all orders")
        note(f"{result.run}: {count(result.tied, 'tie')} between neighbours: resolved {how}")
