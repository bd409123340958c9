"""ConsciousDB's Markdown: the table of methods, and the lines of its reporting template."""

from collections.abc import Mapping
from typing import Any

from assay.records import Cell, Table
from assay.reports.formats.md import md

__all__ = ["page"]

COLUMNS = (
    ("nDCG@10", "ndcg@10", ".4f"),
    ("MRR@10", "mrr@10", ".4f"),
    ("P95 Lat (ms)", "p95_latency_ms", ".1f"),
    ("Avg ΔH", "avg_deltaH", ".4f"),
    ("Explainability", "explainability", ""),
    ("nDCG Uplift %", "ndcg_uplift_percent", ".2f"),
    ("MRR Uplift %", "mrr_uplift_percent", ".2f"),
)


def page(told: Mapping[str, Any]) -> bytes:
    """Write what ``consciousdb`` filled, one part for each run with coherence ranking."""
    parts = [part for one in told.get("reports", [told]) for part in _parts(one)]
    return ("\n\n".join(["# Benchmark report", *parts]) + "\n").encode()


def _parts(one: Mapping[str, Any]) -> list[str]:
    table = Table(
        ("Method", *(title for title, *_ in COLUMNS)), [_row(row) for row in one["methods"]]
    )
    said = [f"- {field}: {_plain(note)}" for field, note in one["notes"].items()]
    readings = [f"- {_plain(text)}" for text in one["interpretation"].values()]
    lines = "\n".join(["```", *_lines(one), "```"])
    parts = [*_heading(one), md([table]).decode().rstrip("\n"), *_whose(one), lines]
    parts += ["### Interpreting ΔH vs Uplift", "\n".join(readings)] if readings else []
    return parts + (["### Notes", "\n".join(said)] if said else [])


def _heading(one: Mapping[str, Any]) -> list[str]:
    """Name the run with coherence ranking; without one, all runs of the benchmark follow."""
    name = one["run"] if _is_structured(one) else one["benchmark"]
    return [f"## {_plain(str(name))}"] if name else []


def _whose(one: Mapping[str, Any]) -> list[str]:
    """Name the run that the lines below the table are about, where there are several."""
    return [] if _is_structured(one) or not one["run"] else [f"Run {_plain(one['run'])}:"]


def _is_structured(one: Mapping[str, Any]) -> bool:
    return any(row["explainability"] == "receipt" for row in one["methods"])


def _row(row: Mapping[str, Any]) -> list[Cell]:
    return [row["method"], *(_shown(row[key], form) for _, key, form in COLUMNS)]


def _lines(one: Mapping[str, Any]) -> list[str]:
    """Write the reporting template line by line."""
    overlap, times = one["edge_overlap"] or {}, one["latency_ms"]
    pairs = [f"nDCG{at} (vector, conscious): {_pair(pair)}" for at, pair in one["ndcg"].items()]
    return [
        f"Date: {one['date']}",
        f"Corpus: {one['corpus'] or '-'}",
        f"Queries: {one['queries']}",
        f"M: {_shown(one['m'])}  K: {', '.join(map(str, one['k']))}",
        f"Alpha: {_shown(one['alpha'], 'g')}",
        "",
        *pairs,
        f"Latency P50/P95 (ms): {_shown(times['p50'], '.1f')} / {_shown(times['p95'], '.1f')}",
        f"Fallback Rate: {_shown(one['fallback_rate'], '.1%')} (forced excluded)",
        f"Easy Gate Rate: {_shown(one['easy_gate_rate'], '.0%')}",
        f"Edge Overlap (median): {_shown(overlap.get('median'), '.2f')}",
        f"Redundancy (mean top-10 pre-MMR): {_shown(one['redundancy'], '.2f')}",
        f"Suggested Alpha (median): {_shown(one['suggested_alpha'], '.2f')}",
    ]


def _pair(pair: Mapping[str, Any]) -> str:
    share = pair["delta_relative"]
    scores = f"{_shown(pair['vector'], '.3f')} / {_shown(pair['conscious'], '.3f')}"
    return scores if share is None else f"{scores} ({share:+.1%})"


def _shown(value: Any, form: str = "") -> str:  # noqa: ANN401
    return "-" if value is None else f"{value:{form}}"


def _plain(text: str) -> str:
    """Let text that others wrote be text on one line."""
    plain = " ".join(text.split()).replace("\\", "\\\\")
    return plain.replace("*", "\\*").replace("<", "\\<").replace("`", "\\`")
