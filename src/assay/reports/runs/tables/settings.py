"""Settings: what the runs differ in, a row each; what they share is said once."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Run, Table
from assay.records.configuration import UNSAID, comparable
from assay.text.file_names import file_names

__all__ = ["alike", "flattened", "settings"]

ALSO = "same as"  # configurations that came to the same
# What only some searches have follows from the kind of search, and is no choice of its own.
IMPLIED = (
    *("lexical", "lexical_unit", "dense", "model", "precision", "fusion", "weights", "rrf_k"),
    *UNSAID,
)
# What follows from other settings is told where it differs though these are the same.
DERIVED = {
    "chunk_characters": ("chunker", "chunk_size", "model"),
    **dict.fromkeys(("min_chunk", "merge_below", "greedy"), ("chunker",)),
}


def settings(report: Report, *, named: bool = True) -> Table | None:
    """Lay out the settings that take several values; None where the runs differ in none.

    Without ``named``, those that stand in the names of runs, such as in ``both fusion=rrf``, are
    left out.
    """
    told = comparable([_marked(run) for run in report.runs])
    names = [name for name in _names(told) if _differs(told, name)]
    if not named:
        names = [name for name in names if not _is_named(report, name)]
    if not names:
        return None
    columns = [
        file_names([_shown(one[name]) if name in one else "-" for one in told]) for name in names
    ]
    rows = [[run.name, *cells] for run, *cells in zip(report.runs, *columns, strict=True)]
    return Table(("run", *names), rows, names=frozenset(range(len(names) + 1)))


def alike(report: Report) -> str:
    """Say in a line what all runs have in common, and what those have in which it takes effect."""
    told = comparable([_marked(run) for run in report.runs])
    plain = [name for name in _names(told) if "." not in name and name not in DERIVED]
    same = [name for name in plain if not _differs(told, name)]
    whole = _pairs(told, [name for name in same if all(name in one for one in told)])
    some = _pairs(told, [name for name in same if not all(name in one for one in told)])
    said = "; ".join(filter(None, [whole, f"where it takes effect: {some}" if some else ""]))
    return f"shared: {said}" if len(report.runs) > 1 and said else ""


def _pairs(told: list[dict[str, Any]], names: list[str]) -> str:
    return ", ".join(f"{name} {next(iter(_values(told, name)))}" for name in names)


def flattened(configuration: Mapping[str, Any]) -> dict[str, Any]:
    """Write the settings of a stage beside the others.

    >>> flattened({"search": "dense", "mmr": {"lambda": 0.3}})
    {'search': 'dense', 'mmr.lambda': 0.3}
    """
    flat: dict[str, Any] = {}
    for name, value in configuration.items():
        if isinstance(value, Mapping) and value:
            flat |= {f"{name}.{key}": one for key, one in flattened(value).items()}
        else:
            flat[name] = value
    return flat


def _marked(run: Run) -> dict[str, Any]:
    """Return the settings of a run; a stage with settings of its own is on."""
    found: dict[str, Any] = {}
    for name, value in run.configuration.items():
        staged = isinstance(value, Mapping) and value and name != "fields"
        found |= {name: "on"} if staged else {}
        found |= flattened({name: value})
    return found | ({ALSO: run.aliases} if run.aliases else {})


def _names(told: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for one in told for name in one))


def _differs(told: list[dict[str, Any]], name: str) -> bool:
    """Tell whether runs differ in a setting, or some have it by choice and others do not."""
    if name in DERIVED:
        return _differs_among(told, name, DERIVED[name])
    chosen = name not in IMPLIED and "." not in name
    everywhere = all(name in one for one in told)
    return len(_values(told, name)) > 1 or name == ALSO or (chosen and not everywhere)


def _differs_among(told: list[dict[str, Any]], name: str, by: tuple[str, ...]) -> bool:
    """Tell whether runs differ in a setting that are alike in those that it follows from."""
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for one in told:
        groups.setdefault(tuple(_shown(one.get(key)) for key in by), []).append(one)
    return any(len(_values(group, name)) > 1 for group in groups.values())


def _is_named(report: Report, name: str) -> bool:
    return any(f" {name}=" in f" {run.name}" for run in report.runs)


def _values(told: list[dict[str, Any]], name: str) -> dict[str, None]:
    """Return the values of a setting where it has an effect."""
    return dict.fromkeys(_shown(one[name]) for one in told if name in one)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return "/".join(map(_shown, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
