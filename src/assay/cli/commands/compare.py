"""``assay compare``: test the differences between reports or runs, and decide."""

from typing import TYPE_CHECKING, Any

import click

from assay.cli.check_options import check_options, exit_code
from assay.cli.options import (
    JUDGED,
    MATCH_WEIGHTS,
    MAX_FILE_SIZE,
    SHARE,
    WORKSPACE,
    common,
    limited_corpus,
    run_names,
)
from assay.cli.terminal.output import as_json, check_outputs, explain, note, one_thread, write
from assay.cli.terminal.size import columns, paragraph_width
from assay.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.records import Comparisons, Table, Verdict
from assay.errors import InputError

__all__ = ["compare"]

EVERY = {"json_", "outputs", "seed", "check", "check_all"}
RULES = {"primary", "alpha", "margin", "flips"}
FILES = {"qrels", *JUDGED, "max_file_size", "metrics", "correction", "unjudged", "ties", "missing"}
FILES |= {"collections"}
# Which options go with what is compared.
WITH = {
    "runs": EVERY | RULES | FILES | {"judge_most"},
    "reports": EVERY | RULES | {"run", "workspace"},
    "models": EVERY | {"models", "dataset", "corpus", "max_file_size", "workspace"},
}


@click.command(short_help="Compare reports or runs with a baseline and decide.")
@click.argument("baseline", required=False, metavar="[BASELINE]")
@click.argument("candidates", nargs=-1, metavar="[CANDIDATE]...")
@click.option("--qrels", metavar="QRELS", help="The judgments, to compare run files.")
@click.option("--run", metavar="NAME", help="Compare only this run of each report.")
@click.option("--models", metavar="A,B", help="Run these embedding models and compare them.")
@click.option("--dataset", metavar="DATASET", help="The dataset for --models.")
@click.option(
    "--corpus",
    metavar="CORPUS",
    help="The corpus for --models, or the one that the expected files of --qrels refer to "
    "(default: the dataset's own).",
)
@MAX_FILE_SIZE
@WORKSPACE
@common
@MATCH_WEIGHTS
@click.option(
    "--primary",
    metavar="METRIC",
    help="The metric that decides (default: the first one given, else ndcg@10).",
)
@check_options
@click.option(
    "--margin",
    type=SHARE,
    default=0.02,
    show_default=True,
    metavar="SHARE",
    help="Smallest gain that matters, relative to the baseline's score, e.g. 2%.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Significance level, after correction for several candidates.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bh", "max_t", "none"]),
    default="holm",
    show_default=True,
    help="Correction of p for several candidates.",
)
@click.option(
    "--unjudged",
    type=click.Choice(["bounds", "zero"]),
    default="bounds",
    show_default=True,
    help="With run files. bounds: a gain ships only if no grades of unjudged documents could "
    "reverse it; zero: they count as not relevant.",
)
@click.option(
    "--ties",
    type=click.Choice(["docid", "order"]),
    default="docid",
    show_default=True,
    help="Order of equal scores: document id descending, or file order.",
)
@click.option(
    "--missing",
    type=click.Choice(["zero", "skip"]),
    default="zero",
    show_default=True,
    help="A query that is missing from a run scores 0, or is skipped for all.",
)
@click.option(
    "--collections",
    metavar="FILE",
    help="File of query and collection per line; each collection then has the same weight.",
)
@click.option(
    "--flips",
    type=click.IntRange(min=100),
    default=10_000,
    show_default=True,
    help="Sign flips of the randomization test.",
)
@click.option(
    "--judge",
    "judge_most",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="How many documents to list that should be judged next.",
)
@click.pass_context
def compare(
    context: click.Context,
    /,
    baseline: str | None,
    candidates: tuple[str, ...],
    outputs: tuple[str, ...],
    **options: Any,  # noqa: ANN401
) -> int:
    """Compare CANDIDATE reports, or run files, with a BASELINE, paired by query, and decide.

    Reports are files, ids from `assay show`, or REPORT:RUN; runs of the same name are compared.
    With --qrels, BASELINE and CANDIDATE are run files: TREC, TSV, CSV, JSON or parquet, also
    compressed; - reads standard input.
    """
    given = {name for name in options if _is_given(context, name)}
    _refuse_mixture(baseline, candidates, given)
    check_outputs(outputs)
    if "models" in given:
        return _compare_models(outputs, options)
    if "qrels" not in given:
        options |= {name: None for name in ("alpha", "margin") if name not in given}
        return _compare_reports(str(baseline), candidates, outputs, options)
    for name in ("run", "models", "dataset", "workspace"):
        options.pop(name)
    options["corpus"] = limited_corpus(options["corpus"], options.pop("max_file_size"))
    return _compare_runs(str(baseline), candidates, outputs, **options)


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _refuse_mixture(baseline: str | None, candidates: tuple[str, ...], given: set[str]) -> None:
    """Refuse options that do not apply to what is compared."""
    if "models" in given and baseline is not None:
        hint = "remove the files, or --models"
        raise UsageError("--models cannot be combined with files to compare", hint=hint)
    if "models" not in given and not candidates:
        hint = "specify two: assay compare OLD.json NEW.json, or run files with --qrels"
        hint = "add another run file" if "qrels" in given else hint
        raise UsageError("nothing to compare with", hint=hint)
    kind = "models" if "models" in given else "runs" if "qrels" in given else "reports"
    lost = sorted(given - WITH[kind])
    if lost:
        what = {"runs": "run files", "reports": "reports", "models": "--models"}[kind]
        hint = "add --qrels to compare run files" if kind == "reports" else "remove it"
        named = "--judge" if lost[0] == "judge_most" else f"--{lost[0].replace('_', '-')}"
        raise UsageError(f"{named} cannot be used with {what}", hint=hint)


def _compare_models(outputs: tuple[str, ...], options: dict[str, Any]) -> int:
    """Run a benchmark whose configurations differ in their model alone, and show it."""
    from assay.cli.terminal.notes import show_notes
    from assay.cli.terminal.progress import progress
    from assay.cli.terminal.report import (
        check_report_outputs,
        show_short,
        write_report,
        wrote,
    )
    from assay.reports.runs.json.json import json
    from assay.workflows.run import run as workflow

    check_report_outputs(outputs)
    keys = ("dataset", "corpus", "max_file_size", "workspace", "seed")
    asked: dict[str, Any] = {key: options[key] for key in keys}
    report = workflow(None, model=options["models"], progress=progress, **asked)
    written = write_report(outputs, report)
    if options["json_"]:
        click.echo(as_json(json(report)))
    else:
        show_short(report)
    rest = f"assay show {report.id[:8]}" if report.id else ""
    show_notes(report, rest=rest, gap=not options["json_"])
    wrote(*written)
    return _exit_code(report.verdicts.values(), options)


def _compare_reports(
    baseline: str, candidates: tuple[str, ...], outputs: tuple[str, ...], options: dict[str, Any]
) -> int:
    from assay.cli.terminal.changes_since import show_since, since_tables
    from assay.reports.comparisons.since import since_notes
    from assay.reports.comparisons.since_json import since_json
    from assay.workflows.compare_reports import compare_reports

    one_thread()
    keys = ("primary", "alpha", "margin", "flips", "seed", "workspace")
    asked = {key: options[key] for key in keys}
    changes = compare_reports(baseline, candidates, run=options["run"] or "", **asked)

    def show() -> None:
        show_since(changes)

    write(outputs, lambda kind: since_tables(changes, kind), lambda: since_json(changes), show=show)
    for text in dict.fromkeys(text for since in changes for text in since_notes(since)):
        note(text)
    if options["json_"]:
        click.echo(as_json(since_json(changes)))
    else:
        show()
    found = [verdict for since in changes for verdict in since.verdicts.values()]
    return _exit_code(found, options, noun="run compared with its earlier version")


def _compare_runs(
    baseline: str,
    candidates: tuple[str, ...],
    outputs: tuple[str, ...],
    *,
    json_: bool,
    **options: Any,  # noqa: ANN401
) -> int:
    qrels, groups = options.pop("qrels"), options.pop("collections")
    asked = {name: options.pop(name) for name in ("check", "check_all")}
    names = run_names([qrels, baseline, *candidates])[1:]
    one_thread()
    from assay.reports.comparisons.json import json
    from assay.workflows.compare import compare as run
    from assay.workflows.read_judgments import read_judgments

    judgments = read_judgments(qrels, **{name: options.pop(name) for name in JUDGED})
    options["collections"] = _read_pairs(groups) if groups else None
    result = run(baseline, candidates, qrels=judgments, names=names, **options)
    write(
        outputs,
        lambda extension: _tables(result, extension),
        lambda: json(result),
        show=lambda: _show(result),
    )
    explain(result.evaluations, missing=options["missing"])
    if json_:
        click.echo(as_json(json(result)))
    else:
        _show(result)
    return _exit_code([one.verdict for one in result.candidates], asked)


def _show(result: "Comparisons") -> None:
    from assay.reports.comparisons.changes import changes
    from assay.reports.comparisons.decision_table import decision_table
    from assay.reports.comparisons.differences import differences
    from assay.reports.comparisons.verdicts import FEW, judge_next, verdicts
    from assay.reports.terminal import terminal

    if len(result.candidates) > FEW:
        terminal(decision_table(result, width=columns()))
        click.echo()
    click.echo(verdicts(result, width=paragraph_width()))
    click.echo()
    terminal(differences(result))
    for candidate in result.candidates:
        moved = changes(candidate, primary=result.primary)
        if moved:
            click.echo()
            terminal(moved)
    if documents := judge_next(result):
        click.echo(f"\n{documents}")


def _tables(result: "Comparisons", extension: str) -> "list[Table]":
    """Return values for programs, marks for papers and the whole table for people."""
    from assay.reports.comparisons.decisions import decisions
    from assay.reports.comparisons.differences import differences
    from assay.reports.comparisons.significance_table import significance_table
    from assay.reports.comparisons.values import values

    if extension in ("csv", "parquet"):
        return [values(result)]
    if extension == "tex":
        return [significance_table(result)]
    return [decisions(result), significance_table(result), differences(result)]


def _exit_code(
    verdicts: "Iterable[Verdict]", asked: dict[str, Any], *, noun: str = "candidate"
) -> int:
    return exit_code(verdicts, check=asked["check"], check_all=asked["check_all"], noun=noun) or 0


def _read_pairs(path: str) -> dict[str, str]:
    """Read lines of two words, e.g. a query and its collection."""
    from assay.columns import Source

    with Source(path) as source:
        content = source.read_all()
    pairs: dict[str, str] = {}
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        if words and len(words) != 2:
            where, hint = (
                f"{path}, line {number}",
                "write a query id and its collection on each line",
            )
            raise InputError(f"expected 2 words, found {len(words)}", where=where, hint=hint)
        pairs |= {words[0]: words[1]} if words else {}
    return pairs
