"""A receipt in a few lines: what coherence did to a query, and why."""

from collections.abc import Iterator, Sequence

from assay.records import Receipt, ReceiptItem
from assay.text.count_noun import count_noun
from assay.text.fit_width import fit_end
from assay.text.wrap import wrap_prose

__all__ = ["receipt"]

SHORTEST = 12  # letters of a document's name, however narrow the terminal is
GATES = {
    "easy": "the first results stand out, so the order of the cosines stays (easy gate)",
    "low_impact": "the energy hardly falls, so the order of the cosines stays (low-impact gate)",
}
FALLBACKS = {
    "residual": "the solve did not converge, so the order of the cosines stays (fallback)",
    "no_anchor": "nothing points where the query does: the order of the cosines stays (fallback)",
    "forced": "the order of the cosines stays, as was asked for (forced fallback)",
}


def receipt(found: Receipt, *, shown: int = 10, width: int = 100) -> list[str]:
    """Tell the fall of the energy by its terms, for the whole and for the first ``shown``."""
    items = sorted(found.items, key=lambda item: item.rank_final)[:shown]
    whole = [line for text in _whole(found) for line in _wrapped(text, width)]
    return [*whole, *_items(items, width, mixed=found.diversified)]


def _wrapped(text: str, width: int) -> list[str]:
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return wrap_prose(text, max(width, 20), rest=indent)


def _whole(found: Receipt) -> Iterator[str]:
    if found.fallback:
        yield f"coherence: {FALLBACKS.get(found.fallback, found.fallback)}"
    elif found.gate:
        yield f"coherence: {GATES.get(found.gate, found.gate)}"
    else:
        yield "coherence: ranked by alignment after the solve, and by the drop of coherence"
    if found.delta_h is None or found.terms is None:
        return
    terms = ", ".join(f"{name} {value:+.4f}" for name, value in found.terms.items())
    yield f"  deltaH {found.delta_h:.4f} = {terms}"
    share = found.coherence_fraction
    told = [] if share is None else [f"coherence fraction {share:.2f}"]
    told += (
        [] if found.condition_bound is None else [f"condition at most {found.condition_bound:.2f}"]
    )
    told += [] if found.residual is None else [f"residual {found.residual:.1e}"]
    yield f"  {', '.join(told)}"
    candidates, edges = (
        count_noun(found.candidates, "candidate"),
        count_noun(len(found.edges), "edge"),
    )
    parts = count_noun(found.components, "part")
    yield f"  {candidates}, {edges} in {parts} ({found.graph} graph)"


def _items(items: Sequence[ReceiptItem], width: int, *, mixed: bool) -> Iterator[str]:
    if mixed:
        then = "then the results were diversified (MMR); coh. is the rank before that"
        yield from _wrapped(f"  {then}", width)
    if items:
        before = "  coh." if mixed else ""
        yield f"  rank{before}  was  cosine  aligned  coherence    anchor    ground  document"
    for item in items:
        drops = f"{item.coherence:>+9.4f} {item.anchor:>+9.4f} {item.ground:>+9.4f}"
        before = f"{item.rank_after:>6}" if mixed else ""
        ranks = f"{item.rank_final:>6}{before} {item.rank_before:>4}"
        figures = f"{ranks}  {item.cosine:>6.3f}  {item.alignment:>7.3f}  {drops}  "
        yield f"{figures}{fit_end(item.document, max(width - len(figures), SHORTEST))}"
