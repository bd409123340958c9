"""``assay eval``: score runs against judgments."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import CORPUS, JUDGED, MATCH_WEIGHTS, common, run_names
from assay.cli.terminal.output import as_json, check_outputs, explain, note, one_thread, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.records import Evaluation, Table

__all__ = ["eval_"]


@click.command("eval", short_help="Score runs against judgments.")
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@common
@CORPUS
@MATCH_WEIGHTS
@click.option("--per-query", is_flag=True, help="Show the scores of each query too.")
@click.option("--intervals", is_flag=True, help="Show the 95 % interval of each mean (bootstrap).")
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
    check_outputs(outputs)
    names = run_names([qrels, *runs])[1:]
    one_thread()
    from assay.workflows.evaluate import evaluate
    from assay.workflows.read_judgments import read_judgments

    judgments = read_judgments(qrels, **{name: options.pop(name) for name in JUDGED})
    results = [
        evaluate(judgments, run, metrics, name=name, **options)
        for run, name in zip(runs, names, strict=True)
    ]

    def value() -> Any:  # noqa: ANN401
        from assay.reports.evaluations.json import json

        return json(results, queries=len(judgments.queries), per_query=per_query)

    write(outputs, lambda extension: _tables(results, extension, per_query=per_query), value)
    explain(results, missing=options["missing"], no_relevant=options["no_relevant"])
    _explain_bounds(results)
    if json_:
        click.echo(as_json(value()))
    else:
        _show(results, per_query=per_query)


def _show(results: "Sequence[Evaluation]", *, per_query: bool) -> None:
    from assay.reports.evaluations.scores import scores
    from assay.reports.terminal import terminal

    if per_query:
        terminal(scores(results, per_query=True))
        click.echo()
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


def _explain_bounds(results: "Sequence[Evaluation]") -> None:
    """Say of which metrics no bounds are known."""
    open_ends = [name for name, ends in (results[0].bounds or {}).items() if ends is None]
    if open_ends:
        note(f"no exact bounds are known for {', '.join(open_ends)}")
