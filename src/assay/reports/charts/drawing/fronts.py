"""Which front a chart draws, and how that of the table differs, which may count storage, too."""

from collections.abc import Collection, Sequence

from assay.records import Report
from assay.text.count_noun import plural
from assay.text.join_list import first_named, join_list

__all__ = ["Spot", "front_of", "fronts"]

FEW = 10  # runs that are named
Spot = tuple[float, float]  # latency, and score


def front_of(spots: Sequence[Spot], *, better: bool) -> list[Spot]:
    """Return those that none beats in both, the fastest first; of equal ones, one.

    >>> front_of([(30.0, 0.7), (10.0, 0.5), (20.0, 0.4)], better=True)
    [(10.0, 0.5), (30.0, 0.7)]
    """
    front: list[Spot] = []
    for x, y in sorted(spots, key=lambda one: (one[0], -one[1] if better else one[1])):
        gain = y - front[-1][1] if front else 1.0
        front += [(x, y)] if not front or (gain != 0 and (gain > 0) == better) else []
    return front


def fronts(report: Report, drawn: Sequence[tuple[int, Spot]], front: list[Spot], on: str) -> str:
    """Say in a sentence of what the front is, and in another how that of the table differs.

    ``drawn`` are the numbers of the runs and where they stand, ``on`` names the axes.
    """
    if len(drawn) < 2 or not front:
        return ""
    here = [number for number, spot in drawn if spot in front]
    said = (
        f"The stepped line is the Pareto front of {on}: no run is better than those on it in both."
    )
    if len(front) == 1:
        said = f"The Pareto front of {on} is {_listed(here)} alone."
    return f"{said} {_other(report, {number for number, _ in drawn}, here)}".strip()


def _other(report: Report, drawn: Collection[int], here: Collection[int]) -> str:
    """Say of what the front of the table is, and which runs it has or lacks besides."""
    told = report.analysis.get("pareto") or {}
    axes, names = [*told.get("axes", ())], {*told.get("front", ())}
    there = {number for number, run in enumerate(report.runs, 1) if run.name in names} & {*drawn}
    more, less = sorted(there - {*here}), sorted({*here} - there)
    if not axes or ({*axes} == {"quality", "latency"} and not more and not less):
        return ""
    parts = [f"{_listed(more)} {_are(more)} also on that front"] if more else []
    parts += [f"{_listed(less)} {_are(less)} not on that front"] if less else []
    said = f"The Pareto table covers {join_list(axes)}"
    return f"{said}{': ' if parts else ''}{'; '.join(parts)}."


def _are(numbers: Sequence[int]) -> str:
    return "is" if len(numbers) == 1 else "are"


def _listed(numbers: Sequence[int]) -> str:
    named = first_named([*map(str, numbers)], FEW, mark="…")
    return f"{plural(len(numbers), 'run')} {named}"
