"""``assay dataset``: bring a test set, and learn what it can answer."""

import click

from assay.cli.group import CommandGroup

__all__ = ["dataset"]


class _Commands(CommandGroup):
    package = "assay.cli.commands.dataset"


@click.group(cls=_Commands, short_help="Check, resolve, audit, convert and make test sets.")
def dataset() -> None:
    """Work with a DATASET: queries and their relevant documents.

    A DATASET is a file or folder in any format of `assay list formats`, the name of a shipped
    dataset (stdlib), or ir_datasets:NAME.
    """
