"""Groups of queries -> a sentence on those significantly harder or easier than the others."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report
from assay.text import sanitize
from assay.text.count_noun import plural
from assay.text.figures import p_text
from assay.text.join_list import first_few

__all__ = ["Group", "are_unlike", "harder_of", "said_of"]

ALPHA = 0.05
NAMED = 3  # groups of a kind that a sentence names

Group = Mapping[str, Any]


def are_unlike(report: Report, question: str) -> bool:
    """Tell whether any group of a question differs significantly from the others."""
    return bool(_shown(report, question))


def harder_of(report: Report, question: str) -> list[str]:
    """Name the groups that are significantly harder, the hardest first."""
    found = _shown(report, question)
    return sorted(
        (one for one in found if _is_harder(found[one])), key=lambda one: _mean(found, one)
    )


def said_of(
    report: Report,
    question: str,
    kind: str,
    of: str,
    *,
    rows: Mapping[str, Group] | None = None,
    several: str = "",
) -> str:
    """Name the groups that differ from the other queries, or say that none does significantly.

    ``kind`` is what a group is called, ``of`` the words before its name, ``several`` those before
    some names. ``rows`` has the mean and the interval that are shown, which may be weighted.
    """
    found, asked = _shown(report, question), (report.analysis.get("harder") or {}).get(question)
    if not asked:
        what = f"Mean {report.benchmark['primary']} by {kind} over all runs, lowest first"
        return f"{what}; differences were not tested."
    if not found:
        return f"No {kind} is significantly harder or easier than the others ({_p([asked])})."
    harder = harder_of(report, question)
    easier = sorted({*found} - {*harder}, key=lambda one: _mean(found, one), reverse=True)
    first = harder or easier
    told = [
        f"queries {plural(len(group), of, several)} {_listed(group, found, rows or {})} are "
        f"significantly "
        f"{'easier' if group is easier else 'harder'}{' than the others' * (group is first)}"
        for group in (harder, easier)
        if group
    ]
    said = "; ".join(told)
    means = f"mean {report.benchmark['primary']} over all runs"
    return f"{said[0].upper()}{said[1:]} ({means}, {_p([*found.values()])})."


def _shown(report: Report, question: str) -> dict[str, Group]:
    asked = (report.analysis.get("harder") or {}).get(question) or {}
    return {name: one for name, one in (asked.get("each") or {}).items() if _is_shown(one)}


def _is_shown(one: Group) -> bool:
    return one.get("others") is not None and float(one["p_holm"]) <= ALPHA


def _is_harder(one: Group) -> bool:
    return float(one["mean"]) < float(one["others"])


def _mean(found: Mapping[str, Group], name: str) -> tuple[float, str]:
    return float(found[name]["mean"]), name


def _listed(names: Sequence[str], found: Mapping[str, Group], rows: Mapping[str, Group]) -> str:
    told = [f'"{sanitize(name)}" ({_sure(rows.get(name, found[name]))})' for name in names]
    return first_few(told, NAMED)


def _sure(one: Group) -> str:
    """Write a mean with its interval, where there is one."""
    ends = one.get("ci")
    return f"{one['mean']:.2f}" + (f", 95% CI {ends[0]:.2f} to {ends[1]:.2f}" if ends else "")


def _p(found: Sequence[Group]) -> str:
    """Write the largest p of what is claimed.

    >>> _p([{"p_holm": 0.0301}, {"p_holm": 0.002}])
    'p = 0.03'
    """
    return p_text(max(float(one["p_holm"]) for one in found))
