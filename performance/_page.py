"""Results as a plain table for the terminal, and as a Markdown page with the environment."""

import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from performance._result import Result
from performance._settings import DOCUMENTS, QUERIES, Settings

__all__ = ["markdown", "text"]

HEADINGS = ("measurement", "Assay", "peer", "peer's figure", "ratio", "target", "result")
PACKAGES = ("numpy", "polars", "pytrec-eval-terrier", "ir-measures", "ranx", "numba", "bm25s")
OVERRIDDEN = f"Sizes were overridden: targets are stated for {QUERIES:,} x {DOCUMENTS:,}."


def text(results: Sequence[Result], settings: Settings) -> str:
    """Return aligned columns, one block per measurement."""
    rows = [HEADINGS, *(row.cells() for result in results for row in result.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    blocks = [] if settings.standard else [OVERRIDDEN]
    for result in results:
        lines = [_line(HEADINGS, widths), *(_line(row.cells(), widths) for row in result.rows)]
        blocks.append("\n".join([result.title, *lines, *(f"  {note}" for note in result.notes)]))
    return "\n\n".join([*blocks, "; ".join(_environment())])


def markdown(results: Sequence[Result], settings: Settings) -> str:
    """Return the whole page."""
    blocks = ["# Performance", _INTRODUCTION]
    blocks += [] if settings.standard else [f"**{OVERRIDDEN}**"]
    for result in results:
        table = [_marked(HEADINGS), _marked(["---"] * len(HEADINGS))]
        table += [_marked(row.cells()) for row in result.rows]
        blocks += [
            f"## {result.title}",
            "\n".join(table),
            "\n".join(f"- {n}" for n in result.notes),
        ]
    blocks += ["## Environment", "\n".join(f"- {line}" for line in _environment())]
    return "\n\n".join(blocks) + "\n"


_INTRODUCTION = """\
Assay beside its peers, on data made for the purpose, in one run on one machine; `make perf` repeats
it. CPU time is user + system time of all threads. A ratio with the target ≤ is Assay's share of the
peer's cost; with the target ≥ it says how many times more the peer needs. Rows without a target are
for information. The mean scores of Assay and pytrec_eval agree to 1e-6 wherever both score, else
the run stops."""


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = zip(cells, widths, strict=True)
    return "  ".join(cell.ljust(width) for cell, width in padded).rstrip()


def _marked(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _environment() -> list[str]:
    packages = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    return [
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        f"Python {platform.python_version()}, Assay {version('assay-search')}, {packages}",
    ]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(missing)"


def _processor() -> str:
    """Return the model of the processor, where the system tells it."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
