"""Colours of our own around text that may be anybody's."""

import sys
from typing import Any

import click

from assay.text import sanitize, trusted

__all__ = ["echo_styled"]


def echo_styled(*pieces: str | tuple[str, dict[str, Any]]) -> None:
    """Print pieces of one line, each as it is or with the style beside it (as of click)."""
    line = [sanitize(one) if isinstance(one, str) else _styled(*one) for one in pieces]
    click.echo("".join(line), file=trusted(sys.stdout))


def _styled(text: str, style: dict[str, Any]) -> str:
    return click.style(sanitize(text), **style) if text else ""
