"""Lines: the effect of coherence in sentences, with the rates that could hide it."""

from assay.records import Relation, Structure, Target, Uplift
from assay.reports.structure.names import told
from assay.text.count_noun import count_noun
from assay.text.wrap import wrap_prose

__all__ = ["lines"]

PARTS = ("ungated", "gated", "fallback")
SURE = 0.05  # p below which a correlation is worth a line among others
FIGURES = {"delta_h": "deltaH", "redundancy": "redundancy"}


def lines(structure: Structure, *, width: int = 80, brief: bool = False) -> list[str]:
    """Write the verdict, then rates, parts, readings and targets, each a paragraph of its own.

    In ``brief``, what one run among others needs: figures on two lines, correlations where they
    are significant, and the targets that are not met.
    """
    said = [structure.verdict]
    if brief:
        said += [_outline(structure), _account(structure)]
    else:
        said += [_rates(structure), *_parts(structure), _receipts(structure)]
    related = structure.relations.items()
    said += [_relation(FIGURES[n], one) for n, one in related if not brief or _is_sure(one)]
    said += [_unmet(structure) if brief else _targets(structure)]
    said += [f"note: {note}" for note in structure.notes]
    return [line for text in said for line in wrap_prose(text, width, rest="  ")]


def _outline(structure: Structure) -> str:
    """Put the rates of gates and fallbacks, and the change of each part, on one line."""
    easy, low, back = (_short(structure.rates[name]) for name in ("easy", "low_impact", "fallback"))
    own = {part: methods.get(structure.returned) for part, methods in structure.parts.items()}
    parts = [f"{name} {one.difference:+.4f}" for name in PARTS if (one := own.get(name))]
    changes = f"; {', '.join(parts)}" if parts else ""
    return f"easy gate {easy}, low-impact gate {low}, fallback {back}{changes}"


def _account(structure: Structure) -> str:
    """Tell of the receipts what a person can act on."""
    spread, alpha, alike = structure.distributions, structure.suggested_alpha, structure.redundancy
    said = [f"deltaH {spread['delta_h'].mean:.3f}"] if "delta_h" in spread else []
    if "coherence_fraction" in spread:
        said.append(f"coherence fraction {spread['coherence_fraction'].mean:.2f}")
    if alike is not None and structure.returned == "coherence_mmr":
        said.append(f"redundancy {alike.baseline:.3f}, after MMR {alike.score:.3f}")
    said += [] if alpha is None else [f"suggested alpha {alpha:.3f}"]
    return f"receipts: {', '.join(said)}" if said else ""


def _is_sure(one: Relation) -> bool:
    """Tell whether a figure says where there is a gain, by rank or by halves."""
    by_rank = one.spearman.p is not None and one.spearman.p < SURE
    return by_rank or (one.low is not None and one.low.gains)


def _unmet(structure: Structure) -> str:
    """Name the targets that are not met, of those that were measured."""
    known = [one for one in structure.targets.values() if one.met is not None]
    unmet = [one.aim + (f" [{one.note}]" if one.note else "") for one in known if not one.met]
    if not unmet:
        return f"all {len(known)} targets met" if known else ""
    return f"{len(unmet)} of {len(known)} targets not met: {', '.join(unmet)}"


def _rates(structure: Structure) -> str:
    rates = structure.rates
    forced = structure.fallbacks.get("forced", 0)
    left = f" of {structure.studied - forced:,} (excluding {forced:,} forced)" if forced else ""
    return (
        f"{count_noun(structure.studied, 'query')}: easy gate {_percent(rates['easy'])}, "
        f"low-impact gate {_percent(rates['low_impact'])}, "
        f"fallback {_percent(rates['fallback'])}{left}"
    )


def _parts(structure: Structure) -> list[str]:
    """Tell the uplift of each part, and for gated queries what the gate kept away."""
    said = []
    for part in PARTS:
        methods = structure.parts.get(part, {})
        if structure.returned not in methods:
            continue
        own = methods[structure.returned]
        text = f"{count_noun(own.queries, f'{part} query')} {_figures(own)}"
        if part == "gated" and "coherence_open" in methods:
            free = "without gates" if structure.returned == "coherence" else told("coherence_open")
            text += f", {free} {_figures(methods['coherence_open'])}"
        said.append(text)
    of = "" if structure.returned == "coherence" else f" of {told(structure.returned)}"
    return [f"change of {structure.primary}{of}: {'; '.join(said)}"] if said else []


def _receipts(structure: Structure) -> str:
    """Sum up the receipts in a line."""
    spread, alpha = structure.distributions, structure.suggested_alpha
    said = []
    if "delta_h" in spread:
        at = spread["delta_h"].percentiles
        said.append(f"deltaH mean {spread['delta_h'].mean:.3f} (p5 {at['p5']:.3f}, "
                    f"p95 {at['p95']:.3f})")  # fmt: skip
    if "coherence_fraction" in spread:
        said.append(f"coherence fraction {spread['coherence_fraction'].mean:.3f}")
    if "condition_bound" in spread:
        said.append(f"condition bound p95 {spread['condition_bound'].percentiles['p95']:.2f}")
    if "efficiency" in spread:
        said.append(f"median deltaH per ms {spread['efficiency'].percentiles['p50']:.3f}")
    if "edge_overlap" in spread:
        at = spread["edge_overlap"].percentiles
        said.append(f"edge overlap {at['p50']:.2f} (p10 {at['p10']:.2f})")
    if structure.redundancy is not None:
        one = structure.redundancy
        changed = count_noun(structure.diversified, "query")
        said.append(f"redundancy {one.baseline:.3f}, after MMR {one.score:.3f} "
                    f"({changed} changed)")  # fmt: skip
    if "completeness" in spread:
        said.append(f"{_percent(spread['completeness'].mean)} complete")
    said.append(f"suggested alpha {'-' if alpha is None else f'{alpha:.3f}'}")
    return f"receipts: {', '.join(said)}"


def _relation(figure: str, one: Relation) -> str:
    both = f"{figure} and the uplift of {told(one.method)}"
    if one.spearman.r is None or one.spearman.p is None:
        return f"{both}: {one.reading}"
    p = "<.0001" if one.spearman.p < 0.0001 else f"{one.spearman.p:.4f}"
    return f"{both}: rank correlation {one.spearman.r:+.2f} (p {p}). {one.reading}"


def _targets(structure: Structure) -> str:
    groups: dict[str, list[str]] = {"met": [], "not met": [], "not measured": []}
    for one in structure.targets.values():
        groups[_state(one)].append(one.aim + (f" [{one.note}]" if one.note else ""))
    return "targets " + "; ".join(f"{state}: {', '.join(a)}" for state, a in groups.items() if a)


def _state(one: Target) -> str:
    return "not measured" if one.met is None else "met" if one.met else "not met"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _short(share: float | None) -> str:
    """Write a rate without decimals where there are none to tell."""
    return "0%" if share == 0 else _percent(share)


def _figures(one: Uplift) -> str:
    low, high = one.interval.low, one.interval.high
    known = abs(high) < float("inf")
    return f"{one.difference:+.4f}" + (f" [{low:+.3f}, {high:+.3f}]" if known else "")
