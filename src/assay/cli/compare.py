"""``assay compare``: tell noise from difference, and decide."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli._input import read_pairs, run_names
from assay.cli._output import as_json, count, note, one_thread, write

if TYPE_CHECKING:
    from assay.records import Comparisons, Table

__all__ = ["compare"]


@click.command(short_help="Compare runs with a baseline and decide.")
@click.argument("baseline")
@click.argument("candidates", nargs=-1, required=True, metavar="CANDIDATE...")
@click.option("--qrels", required=True, metavar="QRELS", help="The judgments.")
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help="Metrics to compare; repeat or separate by commas.",
)
@click.option(
    "--primary",
    metavar="METRIC",
    help="The metric that decides (default: the first named, else ndcg@10).",
)
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
    "--check",
    is_flag=True,
    help="Exit 0 if every candidate ships, 1 if one must not, 3 if undecided.",
)
@click.option(
    "--margin",
    type=click.FloatRange(min=0),
    default=0.02,
    show_default=True,
    help="Share of the baseline's score that nobody would notice.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Error that is accepted.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bh", "max_t", "none"]),
    default="holm",
    show_default=True,
    help="How p is corrected for several candidates.",
)
@click.option(
    "--ties",
    type=click.Choice(["docid", "order"]),
    default="docid",
    show_default=True,
    help="Equal scores: by document id descending, or as in the file.",
)
@click.option(
    "--missing",
    type=click.Choice(["zero", "skip"]),
    default="zero",
    show_default=True,
    help="A query that a run lacks scores 0, or is left out for all.",
)
@click.option(
    "--scale",
    type=click.IntRange(min=1),
    help="Largest grade of the judges' scale (default: the largest given).",
)
@click.option(
    "--collections",
    metavar="FILE",
    help="Lines of query and collection; the means of collections then count alike.",
)
@click.option(
    "--flips",
    type=click.IntRange(min=100),
    default=10_000,
    show_default=True,
    help="Sign flips of the randomisation test.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Start of the random numbers.")
@click.option(
    "--judge",
    "judge_most",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many documents to judge next to list.",
)
def compare(
    baseline: str,
    candidates: tuple[str, ...],
    outputs: tuple[str, ...],
    *,
    json_: bool,
    check: bool,
    **options: Any,  # noqa: ANN401
) -> int:
    """Compare CANDIDATE runs with a BASELINE run, paired by query, and decide on each.

    Files may be TREC, TSV, CSV, JSON or parquet, also compressed; - reads standard input.
    """
    one_thread()
    from assay.datasets.load_judgments import load_judgments
    from assay.reports.comparisons.json import json
    from assay.workflows.compare import compare as run

    judgments = load_judgments(options.pop("qrels"), scale=options.pop("scale"))
    groups = options.pop("collections")
    options["collections"] = read_pairs(groups) if groups else None
    names = run_names([baseline, *candidates])
    result = run(baseline, candidates, qrels=judgments, names=names, **options)
    if json_:
        click.echo(as_json(json(result)))
    else:
        _show(result)
    _explain(result)
    write(outputs, lambda extension: _tables(result, extension), lambda: json(result))
    return _exit_code(result) if check else 0


def _show(result: "Comparisons") -> None:
    from assay.reports.comparisons.changes import changes
    from assay.reports.comparisons.differences import differences
    from assay.reports.comparisons.verdicts import verdicts
    from assay.reports.terminal import terminal

    terminal(differences(result))
    for candidate in result.candidates:
        moved = changes(candidate, primary=result.primary)
        if moved:
            click.echo()
            terminal(moved)
    click.echo()
    click.echo(verdicts(result))


def _tables(result: "Comparisons", extension: str) -> "list[Table]":
    """Give values to programs, marks to papers and the whole table to people."""
    from assay.reports.comparisons.differences import differences
    from assay.reports.comparisons.marked import marked
    from assay.reports.comparisons.values import values

    if extension in ("csv", "parquet"):
        return [values(result)]
    return [marked(result)] if extension == "tex" else [marked(result), differences(result)]


def _explain(result: "Comparisons") -> None:
    what = "scored 0" if result.settings["missing"] == "zero" else "left out"
    for evaluation in result.evaluations:
        for text in evaluation.notes:
            note(f"{evaluation.run}: {text}")
        if missing := evaluation.missing_queries:
            note(f"{evaluation.run}: no answer to {count(missing, 'judged query')}: {what}")


def _exit_code(result: "Comparisons") -> int:
    outcomes = {candidate.verdict.outcome for candidate in result.candidates}
    if "dont_ship" in outcomes:
        return 1
    return 0 if outcomes == {"ship"} else 3
