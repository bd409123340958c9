"""``assay dataset``: bring a test set, and learn what it can answer."""

import click

from assay.cli.group import CommandGroup

__all__ = ["dataset"]


class _Commands(CommandGroup):
    package = "assay.cli.commands.dataset"


@click.group(cls=_Commands, short_help="Check, resolve, audit, convert and make test sets.")
def dataset() -> None:
    """Work with a DATASET: queries, and the documents that are relevant to them.

    A DATASET is a file or folder in any format that `assay list formats` names, the name of a
    shipped one (stdlib), or ir_datasets:NAME.
    """
