"""``assay compare``: tell noise from difference, and decide."""

import shutil
import sys
from typing import TYPE_CHECKING, Any

import click

from assay.cli._input import read_pairs, run_names
from assay.cli._options import SHARE, common
from assay.cli._output import as_json, check_outputs, explain, one_thread, write

if TYPE_CHECKING:
    from assay.records import Comparisons, Table

__all__ = ["compare"]


@click.command(short_help="Compare runs with a baseline and decide.")
@click.argument("baseline")
@click.argument("candidates", nargs=-1, required=True, metavar="CANDIDATE...")
@click.option("--qrels", required=True, metavar="QRELS", help="The judgments.")
@common
@click.option(
    "--primary",
    metavar="METRIC",
    help="The metric that decides (default: the first named, else ndcg@10).",
)
@click.option(
    "--check",
    is_flag=True,
    help="Exit 0 if every candidate ships, 1 if one must not, 3 if undecided.",
)
@click.option(
    "--margin",
    type=SHARE,
    default=0.02,
    show_default=True,
    metavar="SHARE",
    help="Share of the baseline's score that nobody would notice, e.g. 2%.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Corrected p below which a gain ships.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bh", "max_t", "none"]),
    default="holm",
    show_default=True,
    help="How p is corrected for several candidates.",
)
@click.option(
    "--unjudged",
    type=click.Choice(["bounds", "zero"]),
    default="bounds",
    show_default=True,
    help="A gain ships only if no grading of unjudged documents undoes it, or counts them as 0.",
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
    check_outputs(outputs)
    qrels, groups = options.pop("qrels"), options.pop("collections")
    names = run_names([qrels, baseline, *candidates])[1:]
    one_thread()
    from assay.reports.comparisons.json import json
    from assay.workflows._truth import truth
    from assay.workflows.compare import compare as run

    judgments = truth(qrels, scale=options.pop("scale"))
    options["collections"] = read_pairs(groups) if groups else None
    result = run(baseline, candidates, qrels=judgments, names=names, **options)
    write(outputs, lambda extension: _tables(result, extension), lambda: json(result))
    explain(result.evaluations, missing=options["missing"])
    if json_:
        click.echo(as_json(json(result)))
    else:
        _show(result)
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
    width = min(100, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 100
    click.echo(verdicts(result, width=width))


def _tables(result: "Comparisons", extension: str) -> "list[Table]":
    """Give values to programs, marks to papers and the whole table to people."""
    from assay.reports.comparisons.decisions import decisions
    from assay.reports.comparisons.differences import differences
    from assay.reports.comparisons.marked import marked
    from assay.reports.comparisons.values import values

    if extension in ("csv", "parquet"):
        return [values(result)]
    if extension == "tex":
        return [marked(result)]
    return [decisions(result), marked(result), differences(result)]


def _exit_code(result: "Comparisons") -> int:
    outcomes = {candidate.verdict.outcome for candidate in result.candidates}
    if "dont_ship" in outcomes:
        return 1
    return 0 if outcomes == {"ship"} else 3
