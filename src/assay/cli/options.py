"""The options that several commands have in common."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from assay.errors import InputError

__all__ = [
    "CORPUS",
    "JUDGED",
    "MATCH_WEIGHTS",
    "OUTPUT",
    "READING",
    "REPORT_OUTPUT",
    "SHARE",
    "common",
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
            self.fail(f"{text} is not a share, such as 0.02 or 2%", param, ctx)
        return number


SHARE = _Share()
OUTPUT: Decorator = click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Write csv, json, parquet, md or tex; the extension picks.",
)
REPORT_OUTPUT: Decorator = click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Write html, md, json, csv, parquet or tex, by the extension; a chart by its name, as "
    "quality.svg or quality.png; the shape of others, as x.akashic.json.",
)
# Options that say what is right.
JUDGED = ("scale", "format", "binary", "subtopics", "corpus", "match_weights")
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
    help="Where a dataset's expected files are looked up: a folder, a .jsonl file, "
    "git:REPOSITORY@REVISION or stdlib (default: the dataset's own).",
)
MATCH_WEIGHTS: Decorator = click.option(
    "--match-weights",
    is_flag=True,
    help="An expected symbol counts 1.0 of its grade, a file 0.7, a part of a name 0.4.",
)
_COMMON: list[Decorator] = [
    click.option(
        "-m",
        "--metric",
        "metrics",
        multiple=True,
        metavar="METRIC",
        help="ndcg@10, recall(rel=2)@5, rbp(p=0.8), ...; repeat or separate by commas.",
    ),
    click.option("--json", "json_", is_flag=True, help="Print JSON at full precision."),
    OUTPUT,
    click.option(
        "--scale",
        type=click.IntRange(1, 1000),
        help="Largest grade of the judges' scale (default: the largest given).",
    ),
    click.option(
        "--format",
        metavar="NAME",
        help="How the judgments are read: a name that `assay list judgments formats` shows "
        "(default: by their content).",
    ),
    *READING,
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="Start of the random numbers.",
    ),
]


def common(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options for metrics, output, judgments and seed."""
    for option in reversed(_COMMON):
        command = option(command)
    return command


def run_names(paths: Sequence[str]) -> list[str | None]:
    """Let files name their runs; only files of one name keep their folders, or get a number."""
    if list(paths).count("-") > 1:
        hint = "give all but one as files"
        raise InputError("standard input is named twice", hint=hint)
    last = [Path(path).name for path in paths]
    names: list[str | None] = []
    for at, path in enumerate(paths):
        again = list(paths[:at]).count(path)
        alone = last.count(Path(path).name) == 1
        names.append(None if alone else f"{path} ({again + 1})" if again else path)
    return names
