"""Methods: scores, latency, energy and uplift of one cell, in the columns of the ancestor."""

from assay.records import Cell, Method, Structure, Table, Uplift
from assay.reports.structure.names import shown

__all__ = ["methods"]

RECEIPTS = ("coherence", "coherence_mmr", "coherence_open")  # a control has no account to give
NO_SOLVE = "cosine"


def methods(structure: Structure, *, caption: str = "") -> Table:
    """Give each method a row: two metrics, p95, mean deltaH, uplift in % and its interval."""
    k = structure.primary.split("@")[-1]
    ndcg, mrr = structure.primary, f"mrr@{k}"
    titles = (
        "Method",
        f"nDCG@{k}",
        f"MRR@{k}",
        "P95 Lat (ms)",
        "Avg ΔH",
        "Explainability",
        "nDCG Uplift %",
        "MRR Uplift %",
        "nDCG change",
        "95% CI",
        "W/T/L",
    )
    rows: list[list[Cell]] = []
    texts: dict[tuple[int, int], str] = {}
    for at, one in enumerate(structure.methods):
        rows.append(_row(one, structure, ndcg, mrr))
        texts |= _texts(one, at, ndcg, mrr)
    top = max(one.scores[ndcg] for one in structure.methods)
    best = frozenset((r, 1) for r, one in enumerate(structure.methods) if one.scores[ndcg] == top)
    return Table(titles, rows, caption=caption, best=best, texts=texts)


def _row(one: Method, structure: Structure, ndcg: str, mrr: str) -> list[Cell]:
    gain, other = one.uplift.get(ndcg), one.uplift.get(mrr)
    return [
        shown(one.name).strip(),
        one.scores[ndcg],
        one.scores.get(mrr),
        one.latency_ms.get("p95"),
        _energy(one, structure),
        "receipt" if one.name in RECEIPTS else "none",
        _percent(gain),
        _percent(other),
        None if gain is None else gain.difference,
        "-" if gain is None else f"[{gain.interval.low:+.4f}, {gain.interval.high:+.4f}]",
        "-" if gain is None else f"{gain.wins}/{gain.ties}/{gain.losses}",
    ]


def _energy(one: Method, structure: Structure) -> float | None:
    """Tell the mean fall of the energy of methods that solve; without a solve nothing falls."""
    if one.name == NO_SOLVE:
        return 0.0
    spread = structure.distributions.get("delta_h")
    return spread.mean if spread is not None and one.name in RECEIPTS else None


def _percent(gain: Uplift | None) -> float | None:
    return None if gain is None or gain.relative is None else 100 * gain.relative


def _texts(one: Method, row: int, ndcg: str, mrr: str) -> dict[tuple[int, int], str]:
    texts = {}
    if "p95" in one.latency_ms:
        texts[row, 3] = f"{one.latency_ms['p95']:.1f}"
    for column, metric in ((6, ndcg), (7, mrr)):
        share = _percent(one.uplift.get(metric))
        if share is not None:
            texts[row, column] = f"{share:+.2f}"
    if ndcg in one.uplift:
        texts[row, 8] = f"{one.uplift[ndcg].difference:+.4f}"
    return texts
