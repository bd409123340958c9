"""Figures: the charts that draw something for this report, each with what it shows."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report

__all__ = ["figures", "variables"]

TITLES = {  # where the name says too little
    "effects": "Main effects",
    "depth": "Depth and latency",
    "waterfall": "Loss by stage",
    "load": "Latency under load",
    "recall": "Approximate dense search",
}

UNTIMED = "Score of each run with its 95% CI; latency was not measured."


def figures(report: Report, charts: Mapping[str, str] | None) -> list[dict[str, Any]]:
    """Return a figure per chart, in the order of the catalogue of charts."""
    from assay.reports.charts.draw import captioned, names
    from assay.reports.charts.look import PAGE

    meanings = dict(names())
    if charts is None:
        drawn = {name: captioned(report, name, look=PAGE) for name in meanings}
    else:
        drawn = {name: (one, []) for name, one in charts.items()}
    return [
        {
            "name": name,
            "title": (title := TITLES.get(name, name.replace("_", " ").capitalize())),
            "meaning": UNTIMED if _is_untimed(report, name) else _bare(meanings, name, title),
            "svg": one,
            "caption": " ".join(lines),
        }
        for name, (one, lines) in drawn.items()
        if one
    ]


def _bare(meanings: Mapping[str, str], name: str, title: str) -> str:
    """Say what a chart shows without its title, which stands above."""
    said = meanings.get(name, "").removeprefix(f"{title}: ")
    return said if said[1:2].isdecimal() else said[:1].upper() + said[1:]  # p95 is never P95


def _is_untimed(report: Report, name: str) -> bool:
    """Tell whether there is no time to see quality against."""
    return name == "quality" and not any("p50" in run.latency_ms for run in report.runs)


def variables() -> str:
    """Return the colours of the charts as CSS variables, for both schemes."""
    from assay.reports.charts.look import variables as colours

    light, dark = (_declared(colours(scheme)) for scheme in ("light", "dark"))
    system = f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{{dark}}} }}"
    chosen = f":root[data-theme=dark] {{{dark}}}"
    paper = f"@media print {{ :root, :root[data-theme] {{{light}}} }}"
    return f":root {{{light}}}\n{system}\n{chosen}\n{paper}\n"


def _declared(colours: Mapping[str, str]) -> str:
    return "".join(f"--{name.removeprefix('--')}:{value};" for name, value in colours.items())
