"""The options of ``assay run``, in the order in which its help shows them."""

from collections.abc import Callable
from typing import Any

import click

from assay.cli.options import MATCH_WEIGHTS, READING

__all__ = ["run_options"]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_OPTIONS: list[Decorator] = [
    click.option("--suite", metavar="NAME", help="Try this suite of the file, or of Assay's own."),
    click.option(
        "--dataset",
        metavar="DATASET",
        help="Run over this one instead, with its corpus if it has one.",
    ),
    click.option("--corpus", metavar="CORPUS", help="Search this corpus instead."),
    *READING,
    click.option("--model", metavar="NAME,...", help="Without FILE: compare these models."),
    click.option(
        "--sample",
        type=click.IntRange(min=1),
        metavar="N",
        help="Ask only N queries of each dataset, which the seed chooses.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="Start of the random numbers.",
    ),
    click.option(
        "--asks",
        type=click.IntRange(1, 1000),
        help="How often each query is asked; the median is its latency (default: 3).",
    ),
    click.option(
        "--repeats",
        type=click.IntRange(1, 100),
        default=1,
        show_default=True,
        help="How often each index is built: what builds vary by is told from what queries do.",
    ),
    click.option("--resume", is_flag=True, help="Go on with the last run that was interrupted."),
    click.option("--retry-failed", is_flag=True, help="With --resume: do again what failed."),
    click.option(
        "--fresh",
        is_flag=True,
        help="Use nothing recorded or remembered; with --resume, go on with such a run.",
    ),
    click.option("--live", is_flag=True, help="Time whole searches, not the stages they share."),
    click.option(
        "--untimed", is_flag=True, help="Measure no latency: settings are swept in memory."
    ),
    click.option(
        "--race",
        is_flag=True,
        help="Stop configurations that are shown to be beaten, at a stated error bound.",
    ),
    MATCH_WEIGHTS,
    click.option(
        "--parallel",
        type=click.IntRange(1, 64),
        default=1,
        show_default=True,
        metavar="N",
        help="Work with N processes; latencies are then those of a busy machine.",
    ),
    click.option(
        "--workspace",
        type=click.Path(file_okay=False),
        metavar="FOLDER",
        help="Where all that is recorded is kept (default: the nearest .assay).",
    ),
    click.option(
        "--save-runs",
        metavar="FOLDER",
        help="Write a run file for each configuration: TREC's, or JSON where ids have spaces.",
    ),
]


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say what is run, and how."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
