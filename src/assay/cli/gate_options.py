"""The options that say what a gate checks, for every command that stores or applies checks."""

from collections.abc import Callable
from typing import Any

import click

__all__ = ["BASELINES", "gate_checks"]

BASELINES = click.option(
    "--baselines",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Folder of blessed baselines (default: the nearest assay-baselines).",
)


def gate_checks(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --allow, --min, --max and --preset."""
    for decorate in (
        click.option(
            "--preset",
            multiple=True,
            metavar="NAME",
            help="Checks by name, see `assay list presets`; e.g. targets, or uplift=10%.",
        ),
        click.option(
            "--max",
            multiple=True,
            metavar="FIGURE:VALUE",
            help="Largest value of a figure, e.g. latency_p95_ms:100 or bytes_per_document:10KB.",
        ),
        click.option(
            "--min",
            multiple=True,
            metavar="FIGURE:VALUE",
            help="Smallest value of a figure, e.g. mrr@10:0.6 or files_per_second:10.",
        ),
        click.option(
            "--allow",
            multiple=True,
            metavar="FIGURE:AMOUNT",
            help="How much worse than the baseline a figure may be, e.g. ndcg@10:5%, "
            "latency_p95_ms:25%, or ndcg@10/category=api:0.02; can be repeated, as all of these.",
        ),
    ):
        command = decorate(command)
    return command
