"""Command-line options that are made from the fields of a record."""

from collections.abc import Callable
from typing import Any

import click

from assay.records.options import Option, options_of

__all__ = ["record_options"]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def record_options(*records: type, only: tuple[str, ...] = ()) -> list[Decorator]:
    """Make an option of each field of some records, or of some fields ``only``.

    >>> from assay.records.run_settings import Invocation
    >>> len(record_options(Invocation, only=("resume", "fresh")))
    2
    """
    found = [one for record in records for one in options_of(record)]
    return [_option(one) for one in found if not only or one.name in only]


def _option(one: Option) -> Decorator:
    name = f"--{one.name.replace('_', '-')}"
    if one.kind is bool:
        return click.option(name, is_flag=True, help=one.help)
    return click.option(
        name,
        type=click.IntRange(one.least, one.most),
        default=one.default,
        show_default=not one.optional,
        metavar="N",
        help=one.help,
    )
