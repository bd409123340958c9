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
    "formats": "assay.datasets.formats",
    "datasets": "assay.datasets.shipped",
    "families": "assay.datasets.families",
    "checks": "assay.datasets.checks",
    "sources": "assay.corpora.sources",
    "languages": "assay.corpora.languages",
    "chunkers": "assay.corpora.chunkers",
    "outputs": "assay.reports.formats",
}


@click.command("list", short_help="Show the metrics, file formats and other members by name.")
@click.argument("kinds", nargs=-1, type=click.Choice(list(KINDS)), metavar="[KIND]...")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
def list_(kinds: tuple[str, ...], *, json_: bool) -> None:
    """List what there is, of all kinds or of some.

    The kinds are metrics, agreement (between two runs), runs and judgments (files of them), formats
    (of datasets), datasets (that come along), families (of datasets that can be made), checks (of
    the audit), sources (of a corpus), languages, chunkers, and outputs.
    """
    found = {kind: _members(kind) for kind in kinds or KINDS}
    if json_:
        click.echo(as_json(found[kinds[0]] if len(kinds) == 1 else found))
        return
    for kind, members in found.items():
        if len(found) > 1:
            click.echo(f"{kind}:")
        width = max(map(len, members))
        for name, summary in members.items():
            click.echo(f"{'  ' if len(found) > 1 else ''}{name:<{width}}  {summary}")


def _members(kind: str) -> dict[str, str]:
    from assay import catalogue

    if kind == "datasets":
        return _shipped()
    room = import_module(KINDS[kind])
    members = {name: _summary(catalogue.find(room, name)) for name in catalogue.names(room)}
    if kind == "families":  # typed as commands are
        return {name.replace("_", "-"): summary for name, summary in members.items()}
    return (
        {"json": "Write everything at full precision."} | members if kind == "outputs" else members
    )


def _shipped() -> dict[str, str]:
    """Describe each shipped dataset by its first sentence."""
    from assay.datasets.load import load, shipped_names

    described = {name: load(name).description for name in sorted(shipped_names())}
    return {name: f"{text.partition('. ')[0]}." for name, text in described.items()}


def _summary(member: object) -> str:
    kind = getattr(member, "kind", member)
    summary = getattr(kind, "summary", None) or member.__doc__ or ""
    return str(summary).strip().partition("\n")[0]
