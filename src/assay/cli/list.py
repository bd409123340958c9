"""``assay list``: what there is, by the name that one types."""

from importlib import import_module

import click

from assay.cli._output import as_json

__all__ = ["list_"]

KINDS = {
    "metrics": "assay.metrics",
    "agreement": "assay.metrics.between",
    "runs": "assay.rankings.formats",
    "judgments": "assay.datasets.judgments",
    "outputs": "assay.reports.formats",
}


@click.command("list", short_help="Show the metrics, file formats and other members by name.")
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
def list_(kind: str, *, json_: bool) -> None:
    """List what KIND offers: metrics, agreement (between two runs), runs, judgments, outputs."""
    from assay import catalogue

    room = import_module(KINDS[kind])
    found = {name: _summary(catalogue.find(room, name)) for name in catalogue.names(room)}
    if json_:
        click.echo(as_json(found))
        return
    width = max(map(len, found))
    for name, summary in found.items():
        click.echo(f"{name:<{width}}  {summary}")


def _summary(member: object) -> str:
    kind = getattr(member, "kind", member)
    summary = getattr(kind, "summary", None) or member.__doc__ or ""
    return str(summary).strip().partition("\n")[0]
