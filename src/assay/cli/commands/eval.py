"""``assay eval``: score runs against judgments."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    CORPUS,
    JUDGED,
    MATCH_WEIGHTS,
    MAX_FILE_SIZE,
    common,
    limited_corpus,
    run_names,
)
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
@MAX_FILE_SIZE
@MATCH_WEIGHTS
@click.option("--per-query", is_flag=True, help="Also show the scores of each query.")
@click.option("--intervals", is_flag=True, help="Show the 95% CI of each mean (bootstrap).")
@click.option(
    "--ties",
    type=click.Choice(["docid", "order", "expected"]),
    default="docid",
    show_default=True,
    help="Order of equal scores: document id descending, file order, or the mean over all orders.",
)
@click.option(
    "--missing",
    type=click.Choice(["zero", "skip"]),
    default="zero",
    show_default=True,
    help="A judged query that is missing from the run scores 0, or is skipped.",
)
@click.option(
    "--unjudged",
    type=click.Choice(["zero", "condense", "bounds"]),
    default="zero",
    show_default=True,
    help="Unjudged documents count as not relevant, are removed, or give bounds of the score.",
)
@click.option(
    "--no-relevant",
    type=click.Choice(["zero", "skip"]),
    default="zero",
    show_default=True,
    help="A query without a relevant document scores 0, or is skipped.",
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

    options["corpus"] = limited_corpus(options["corpus"], options.pop("max_file_size"))
    judgments = read_judgments(qrels, **{name: options.pop(name) for name in JUDGED})
    results = [
        evaluate(judgments, run, metrics, name=name, **options)
        for run, name in zip(runs, names, strict=True)
    ]

    def value() -> Any:  # noqa: ANN401
        from assay.reports.evaluations.json import json

        return json(results, queries=len(judgments.queries), per_query=per_query)

    def show() -> None:
        _show(results, per_query=per_query)

    def tables(extension: str) -> "list[Table]":
        return _tables(results, extension, per_query=per_query)

    write(outputs, tables, value, show=show)
    explain(results, missing=options["missing"], no_relevant=options["no_relevant"])
    _explain_bounds(results)
    if json_:
        click.echo(as_json(value()))
    else:
        show()


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
    """Return values for programs and the drawn table for people."""
    from assay.reports.evaluations.scores import scores

    values = scores(results, per_query=per_query)
    if extension in ("csv", "parquet"):
        return [values]
    return [_summary(results), values] if per_query else [_summary(results)]


def _explain_bounds(results: "Sequence[Evaluation]") -> None:
    """Name the metrics without known bounds."""
    open_ends = [name for name, ends in (results[0].bounds or {}).items() if ends is None]
    if open_ends:
        note(f"no exact bounds for {', '.join(open_ends)}")
