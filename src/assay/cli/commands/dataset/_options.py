"""The options that the dataset commands have in common."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from assay.cli.options import READING
from assay.datasets.limits import Limits

__all__ = ["limited"]

Command = Callable[..., Any]


def limited(command: Command) -> Command:
    """Give a command the options that say how a dataset is read; it gets them as ``reading``."""

    @wraps(command)
    def with_limits(
        *args: Any,  # noqa: ANN401
        format_: str | None,
        max_bytes: int,
        max_queries: int,
        max_judgments: int,
        binary: bool,
        subtopics: bool,
        **options: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        reading: dict[str, Any] = {"format": format_, "binary": binary, "subtopics": subtopics}
        reading["limits"] = Limits(max_bytes, max_queries, max_judgments)
        return command(*args, reading=reading, **options)

    wrapped: Command = with_limits
    for option in reversed(_LIMITS):
        wrapped = option(wrapped)
    return wrapped


def _limit(name: str, default: int, what: str) -> Callable[[Command], Command]:
    return click.option(
        name,
        type=click.IntRange(min=1),
        default=default,
        show_default=True,
        metavar="N",
        help=f"Maximum {what} of a dataset in the format assay_json.",
    )


_LIMITS: list[Callable[[Command], Command]] = [
    click.option(
        "--format", "format_", metavar="NAME", help="Format of the dataset (default: detected)."
    ),
    *READING,
    _limit("--max-bytes", Limits().size_bytes, "size in bytes"),
    _limit("--max-queries", Limits().queries, "number of queries"),
    _limit("--max-judgments", Limits().judgments, "number of judgments per query"),
]
