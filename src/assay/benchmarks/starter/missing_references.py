"""References that are not found in a corpus: how many, the first of them, and what may be meant."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.records import Resolution, ResolvedReference
from assay.text.count_noun import count_noun, plural
from assay.text.quote import quote

__all__ = ["MissingReferences", "missing_references"]

SHOWN = 3  # references that are named, and documents that one of them may mean


@dataclass(frozen=True, slots=True)
class MissingReferences:
    """``names`` are the first references that are not found, ``sentences`` say it of all."""

    names: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()


def missing_references(found: Resolution) -> MissingReferences:
    """Describe what is not found, with the nearest document, and what fits several documents."""
    rows = [row for row in found.rows if row.reason and not row.spared]
    lost = [*{str(row.reference): row for row in rows if row.reason != "ambiguous"}.values()]
    doubts = [*{str(row.reference): row for row in rows if row.reason == "ambiguous"}.values()]
    told = (_lost(lost, found), _doubts(doubts, found))
    names = tuple(str(row.reference) for row in lost[:SHOWN])
    return MissingReferences(names, tuple(filter(None, told)))


def _lost(rows: Sequence[ResolvedReference], found: Resolution) -> str:
    if not rows:
        return ""
    counted = f"{found.missing:,} of {count_noun(found.total, 'reference')} not found"
    shown = [(str(row.reference), next(iter(row.candidates), "")) for row in rows[:SHOWN]]
    if len(rows) == 1:
        ((name, near),) = shown
        return f"{counted}: {name}{f'; did you mean {quote(near)}?' if near else ''}"
    listed = (f"{name} (did you mean {quote(near)}?)" if near else name for name, near in shown)
    return f"{counted}{':' if len(rows) <= SHOWN else ', e.g.'} {', '.join(listed)}"


def _doubts(rows: Sequence[ResolvedReference], found: Resolution) -> str:
    if not rows:
        return ""
    number = found.ambiguous
    counted = f"{number:,} of {count_noun(found.total, 'reference')}"
    names = ", ".join(map(quote, rows[0].candidates[:SHOWN]))
    match = plural(number, "matches", "match")
    such = "" if len(rows) == 1 else "e.g. "
    return f"{counted} {match} several documents: {such}{rows[0].reference} ({names})"
