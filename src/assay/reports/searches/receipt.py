"""A receipt in a few lines: what coherence did to a query, and why."""

from collections.abc import Iterator, Sequence

from assay.records import Receipt, ReceiptItem
from assay.text.count_noun import count_noun
from assay.text.fit_width import fit_end
from assay.text.wrap import wrap_prose

__all__ = ["receipt"]

SHORTEST = 12  # letters of a document's name, however narrow the terminal is
GATES = {
    "easy": "cosine order kept because the top results are clearly separated (easy gate)",
    "low_impact": "cosine order kept because the energy drop is too small (low-impact gate)",
}
FALLBACKS = {
    "residual": "cosine order kept because the solver did not converge (fallback)",
    "no_anchor": "cosine order kept because no candidate has a positive cosine (fallback)",
    "forced": "cosine order kept as requested by force_fallback (forced fallback)",
}


def receipt(found: Receipt, *, shown: int = 10, width: int = 100) -> list[str]:
    """Report the energy drop by its terms, in total and for the top ``shown`` results."""
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
        yield "coherence: ranked by alignment after the solve and by coherence drop"
    if found.delta_h is None or found.terms is None:
        return
    terms = ", ".join(f"{name} {value:+.4f}" for name, value in found.terms.items())
    yield f"  deltaH {found.delta_h:.4f} = {terms}"
    share = found.coherence_fraction
    told = [] if share is None else [f"coherence fraction {share:.2f}"]
    told += (
        []
        if found.condition_bound is None
        else [f"condition number at most {found.condition_bound:.2f}"]
    )
    told += [] if found.residual is None else [f"residual {found.residual:.1e}"]
    yield f"  {', '.join(told)}"
    candidates, edges = (
        count_noun(found.candidates, "candidate"),
        count_noun(len(found.edges), "edge"),
    )
    parts = count_noun(found.components, "component")
    yield f"  {candidates}, {edges}, {parts}, graph: {found.graph}"


def _items(items: Sequence[ReceiptItem], width: int, *, mixed: bool) -> Iterator[str]:
    if mixed:
        then = "results were then diversified with MMR; coh. is the rank before MMR"
        yield from _wrapped(f"  {then}", width)
    if items:
        before = "  coh." if mixed else ""
        yield f"  rank{before} prev  cosine  aligned  coherence    anchor    ground  document"
    for item in items:
        drops = f"{item.coherence:>+9.4f} {item.anchor:>+9.4f} {item.ground:>+9.4f}"
        before = f"{item.rank_after:>6}" if mixed else ""
        ranks = f"{item.rank_final:>6}{before} {item.rank_before:>4}"
        figures = f"{ranks}  {item.cosine:>6.3f}  {item.alignment:>7.3f}  {drops}  "
        yield f"{figures}{fit_end(item.document, max(width - len(figures), SHORTEST))}"
