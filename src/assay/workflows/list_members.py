"""What there is of each kind, by the name that one types."""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import cast

__all__ = ["KINDS", "list_members"]

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
    "converters": "assay.corpora.converters",
    "languages": "assay.corpora.languages",
    "chunkers": "assay.corpora.chunkers",
    "models": "assay.models.embedders",
    "rerankers": "assay.models.rerankers",
    "lexical": "assay.engines.lexical",
    "dense": "assay.engines.dense",
    "fusions": "assay.engines.fusions",
    "collapses": "assay.engines.collapses",
    "stages": "assay.engines.stages",
    "systems": "assay.engines.systems",
    "stores": "assay.engines.stores",
    "suites": "assay.benchmarks.suites",
    "quality": "assay.models.quality",
    "outputs": "assay.reports.formats",
    "charts": "assay.reports.charts.kinds",
    "shapes": "assay.reports.ancestors",
    "presets": "assay.benchmarks.gates.presets",
}
# Their functions say how they are opened, their files what they are.
OPENED = ("models", "rerankers", "lexical", "systems", "stores", "stages", "charts", "shapes")
# Outputs besides the formats of tables; pages and charts exist for reports only.
WHOLE = {
    "json": "Write everything at full precision.",
    "txt": "Write what the terminal shows.",
    "html": "Write a report as one self-contained web page with charts.",
    "svg": "Write a chart of a report as a vector image; the name selects it, e.g. quality.svg.",
    "png": "Write a chart of a report as a bitmap image; the name selects it, e.g. quality.png.",
}
ENDED = re.compile(r"[.!?]$|\.[a-z+0-9]+$")  # a sentence, or the ending of a file name


def list_members(kind: str) -> dict[str, str]:
    """Return the members of a kind, each with a sentence about it."""
    from assay import catalogue

    if kind == "datasets":
        return _shipped()
    if kind == "presets":
        from assay.benchmarks.gates.presets import PRESETS

        return {name: one.summary for name, one in PRESETS.items()}
    package = import_module(KINDS[kind])
    found = {name: catalogue.find(package, name) for name in catalogue.names(package)}
    if kind in OPENED:
        typed = _typed if kind in ("models", "rerankers") else _as_is
        return {typed(name, member): _meaning(name, member) for name, member in found.items()}
    members = {name: _summary(member) for name, member in found.items()}
    if kind == "families":  # typed as commands are
        return {name.replace("_", "-"): summary for name, summary in members.items()}
    return WHOLE | members if kind == "outputs" else members


def _typed(name: str, member: object) -> str:
    """Write a model as one types it: with the place of its own name, if it has one."""
    import inspect

    parameters = inspect.signature(cast("Callable[..., object]", member)).parameters.values()
    named = [its.name for its in parameters if its.kind is its.POSITIONAL_OR_KEYWORD]
    return f"{name.replace('_', '-')}:{named[0].upper()}" if named else name


def _as_is(name: str, _member: object) -> str:
    return name


def _meaning(name: str, member: object) -> str:
    """Say what a file is about, without its own name again."""
    about = sys.modules[member.__module__].__doc__ or ""
    head, colon, rest = about.partition(": ")
    said = _sentence(rest if colon and head.lower() == name else about)
    return f"{said[:1].upper()}{said[1:]}"


def _shipped() -> dict[str, str]:
    """Describe each shipped dataset by its first sentence."""
    from assay.datasets.load import load, shipped_names

    described = {name: load(name).description for name in sorted(shipped_names())}
    return {name: f"{text.partition('. ')[0]}." for name, text in described.items()}


def _summary(member: object) -> str:
    kind = getattr(member, "kind", member)
    summary = getattr(kind, "summary", None) or member.__doc__ or ""
    return _sentence(str(summary))


def _sentence(text: str) -> str:
    """Write the first line as a sentence, without the marks of code.

    >>> _sentence("folder of ``queries``"), _sentence("files ending in .c, .h")
    ('Folder of queries.', 'Files ending in .c, .h')
    """
    line = text.strip().partition("\n")[0].replace("``", "")
    first = line.partition(" ")[0]
    line = f"{line[:1].upper()}{line[1:]}" if first.isalpha() and first.islower() else line
    return line if ENDED.search(line) else f"{line}."
