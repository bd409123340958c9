"""``assay list``: what there is, by the name that one types."""

import click

from assay.cli.terminal.output import as_json, wrap
from assay.workflows.list_members import KINDS, list_members

__all__ = ["list_"]


@click.command("list", short_help="List metrics, file formats, models and other members.")
@click.argument("kinds", nargs=-1, type=click.Choice(list(KINDS)), metavar="[KIND]...")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
def list_(kinds: tuple[str, ...], *, json_: bool) -> None:
    """List the available members of each KIND, or of all kinds.

    Kinds: metrics, agreement (between two runs), runs and judgments (their file formats), formats
    (of datasets), datasets (included with Assay), families (of generated datasets), checks (of
    `assay dataset audit`), sources (of a corpus), converters (of PDF and other files), languages,
    chunkers, models (for embeddings), rerankers, lexical and dense (indexes), fusions, collapses
    (chunks to documents), stages (of a search), systems (external search), stores (external
    indexes), suites (of configurations), quality (of vectors), outputs, charts (of a report),
    shapes (report layouts of other tools), presets (checks of `assay gate`).
    """
    found = {kind: list_members(kind) for kind in kinds or KINDS}
    if json_:
        click.echo(as_json(found[kinds[0]] if len(kinds) == 1 else found))
        return
    for kind, members in found.items():
        if len(found) > 1:
            click.echo(f"{kind}:")
        before = "  " if len(found) > 1 else ""
        width = max(map(len, members))
        for name, summary in members.items():
            line = f"{before}{name:<{width}}  {summary}"
            click.echo(wrap(line, indent=width + 2, out=True))
