"""Groups of queries -> a sentence on those shown to be harder or easier than the others."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report
from assay.text import sanitize
from assay.text.join_list import first_few

__all__ = ["are_unlike", "harder_of", "said_of"]

ALPHA = 0.05
NAMED = 3  # groups of a kind that a sentence names

Group = Mapping[str, Any]


def are_unlike(report: Report, question: str) -> bool:
    """Tell whether any group of a question is shown to differ from the others."""
    return bool(_shown(report, question))


def harder_of(report: Report, question: str) -> list[str]:
    """Name the groups that are shown to be harder, the hardest first."""
    found = _shown(report, question)
    return sorted(
        (one for one in found if _is_harder(found[one])), key=lambda one: _mean(found, one)
    )


def said_of(
    report: Report, question: str, kind: str, of: str, *, ends: Mapping[str, Any] | None = None
) -> str:
    """Say who differs from the other queries, or that nobody is shown to.

    ``kind`` is what a group is called, ``of`` the word before its name, ``ends`` has intervals.
    """
    found, asked = _shown(report, question), (report.analysis.get("harder") or {}).get(question)
    if not asked:
        return f"Queries by {kind}, the lowest mean over all runs first; no difference was tested."
    if not found:
        return f"No {kind} is shown to be harder or easier than the others ({_p([asked])})."
    harder = harder_of(report, question)
    easier = sorted({*found} - {*harder}, key=lambda one: _mean(found, one), reverse=True)
    told = [
        f"{'easier' if group is easier else 'harder'} "
        f"{'than the other queries are ' * (group is (harder or easier))}those "
        f"{_listed(group, found, of, ends or {})}"
        for group in (harder, easier)
        if group
    ]
    said = ", ".join(told)
    return f"{said[0].upper()}{said[1:]}: means over all runs, {_p([*found.values()])}."


def _shown(report: Report, question: str) -> dict[str, Group]:
    asked = (report.analysis.get("harder") or {}).get(question) or {}
    return {name: one for name, one in (asked.get("each") or {}).items() if _is_shown(one)}


def _is_shown(one: Group) -> bool:
    return one.get("others") is not None and float(one["p_holm"]) <= ALPHA


def _is_harder(one: Group) -> bool:
    return float(one["mean"]) < float(one["others"])


def _mean(found: Mapping[str, Group], name: str) -> tuple[float, str]:
    return float(found[name]["mean"]), name


def _listed(
    names: Sequence[str], found: Mapping[str, Group], of: str, ends: Mapping[str, Any]
) -> str:
    told = [f"{of} {sanitize(name)} ({_sure(found[name], ends.get(name))})" for name in names]
    return first_few(told, NAMED)


def _sure(one: Group, ends: Sequence[float] | None) -> str:
    """Write a mean with its interval, where there is one."""
    return f"{one['mean']:.2f}" + (f" [{ends[0]:.2f}, {ends[1]:.2f}]" if ends else "")


def _p(found: Sequence[Group]) -> str:
    """Write the largest p of what is claimed.

    >>> _p([{"p_holm": 0.0301}, {"p_holm": 0.002}]), _p([{"p_holm": 0.0001}])
    ('p = .030', 'p < .001')
    """
    p = max(float(one["p_holm"]) for one in found)
    return "p < .001" if p < 0.001 else f"p = {p:.3f}".replace("0.", ".", 1)
