"""The options that several commands have in common."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from assay.errors import InputError, UsageError

__all__ = [
    "CORPUS",
    "FORMAT",
    "JSON",
    "JUDGED",
    "MATCH_WEIGHTS",
    "MAX_FILE_SIZE",
    "OUTPUT",
    "QUERY_WEIGHTS",
    "READING",
    "REPORT_OUTPUT",
    "SCALE",
    "SEED",
    "SHARE",
    "URL",
    "WORKSPACE",
    "Decorator",
    "common",
    "limited_corpus",
    "refuse_workspace",
    "run_names",
]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class _Share(click.ParamType[float]):
    """A share, written as 0.02 or 2%."""

    name = "share"

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        text = str(value).strip()
        try:
            number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            number = math.nan
        if not 0 <= number < math.inf:
            self.fail(f"{text} is not a fraction or percentage, e.g. 0.02 or 2%", param, ctx)
        return number


SHARE = _Share()
OUTPUT: Decorator = click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Write to a .csv, .json, .parquet, .md, .tex or .txt file; can be repeated.",
)
REPORT_OUTPUT: Decorator = click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Write to a .html, .md, .json, .csv, .parquet, .tex or .txt file, a chart (quality.svg or "
    "quality.png, see assay list charts) or the layout of another tool (see assay list shapes); "
    "can be repeated.",
)
WORKSPACE: Decorator = click.option(
    "--workspace",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Workspace folder (default: the nearest .assay).",
)
URL: Decorator = click.option(
    "--url",
    metavar="URL",
    help="Use the service at this address instead; ASSAY_TOKEN contains the token.",
)
# Options that say what is right.
JUDGED = ("scale", "format", "binary", "subtopics", "corpus", "match_weights", "query_weights")
READING: list[Decorator] = [
    click.option(
        "--binary",
        is_flag=True,
        help="Judgments without a grade column: every listed document is relevant.",
    ),
    click.option(
        "--subtopics",
        is_flag=True,
        help="The second column of TREC judgments names the subtopic of a document.",
    ),
]
CORPUS: Decorator = click.option(
    "--corpus",
    metavar="CORPUS",
    help="Corpus in which the dataset's references are resolved: a folder, a .jsonl file, "
    "git:REPOSITORY@REVISION, stdlib, or collections:FOLDER with a folder for each collection "
    "(default: the dataset's own).",
)
MAX_FILE_SIZE: Decorator = click.option(
    "--max-file-size",
    metavar="SIZE",
    help="Largest file of the corpus that is read, e.g. 5MB or none (default: 1MB).",
)
MATCH_WEIGHTS: Decorator = click.option(
    "--match-weights",
    is_flag=True,
    help="Weight grades by match: 1.0 for an expected symbol, 0.7 for a file, 0.4 for part of a "
    "name.",
)
JSON: Decorator = click.option(
    "--json", "json_", is_flag=True, help="Print JSON at full precision."
)
SCALE: Decorator = click.option(
    "--scale",
    type=click.IntRange(1, 1000),
    help="Highest grade of the judging scale (default: the highest grade given).",
)
FORMAT: Decorator = click.option(
    "--format",
    metavar="NAME",
    help="Format of the judgments, see `assay list judgments formats` (default: detected).",
)
QUERY_WEIGHTS: Decorator = click.option(
    "--query-weights",
    type=click.Choice(["use", "ignore"]),
    default="use",
    show_default=True,
    help="Whether the weights that a dataset gives its queries count.",
)
SEED: Decorator = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Random seed.",
)
_COMMON: list[Decorator] = [
    click.option(
        "-m",
        "--metric",
        "metrics",
        multiple=True,
        metavar="METRIC",
        help="Metric, e.g. ndcg@10, recall(rel=2)@5 or rbp(p=0.8); repeat, or separate by commas.",
    ),
    JSON,
    OUTPUT,
    SCALE,
    FORMAT,
    *READING,
    QUERY_WEIGHTS,
    SEED,
]


def common(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options for metrics, output, judgments and seed."""
    for option in reversed(_COMMON):
        command = option(command)
    return command


def limited_corpus(corpus: str | None, max_file_size: str | None) -> Any:  # noqa: ANN401
    """Return what --corpus and --max-file-size describe together."""
    if max_file_size is None:
        return corpus
    from assay.corpora.size_limit import with_limit

    return with_limit(corpus, max_file_size)


def refuse_workspace(url: str | None, workspace: str | None) -> None:
    """Refuse --workspace with --url."""
    if url is not None and workspace is not None:
        hint = "remove one of them: a service has a workspace of its own"
        raise UsageError("--url and --workspace cannot be combined", hint=hint)


def run_names(paths: Sequence[str]) -> list[str | None]:
    """Let files name their runs; only files of one name keep their folders, or get a number."""
    if list(paths).count("-") > 1:
        hint = "give all but one as files"
        raise InputError("standard input (-) is given twice", hint=hint)
    last = [Path(path).name for path in paths]
    names: list[str | None] = []
    for at, path in enumerate(paths):
        again = list(paths[:at]).count(path)
        alone = last.count(Path(path).name) == 1
        names.append(None if alone else f"{path} ({again + 1})" if again else path)
    return names
