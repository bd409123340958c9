"""Settings: what the runs differ in, a row each; what they share is said once."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Table

__all__ = ["alike", "flattened", "settings"]

ALSO = "also called"  # configurations that came to the same


def settings(report: Report) -> Table | None:
    """Lay out the settings that take several values; None where the runs differ in none."""
    told = [flattened(run.configuration) for run in report.runs]
    for run, one in zip(report.runs, told, strict=True):
        one.update({ALSO: run.aliases} if run.aliases else {})
    names = [name for name in _names(told) if len(_values(told, name)) > 1 or name == ALSO]
    if not names:
        return None
    rows = [
        [run.name, *(_shown(one[name]) if name in one else "-" for name in names)]
        for run, one in zip(report.runs, told, strict=True)
    ]
    return Table(("run", *names), rows, names=frozenset(range(len(names) + 1)))


def alike(report: Report) -> str:
    """Say in a line what all runs have in common, as far as it takes effect in them."""
    told = [flattened(run.configuration) for run in report.runs]
    same = {name: _values(told, name) for name in _names(told)}
    pairs = [f"{name} {next(iter(values))}" for name, values in same.items() if len(values) == 1]
    return f"alike: {', '.join(pairs)}" if len(report.runs) > 1 and pairs else ""


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


def _names(told: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for one in told for name in one))


def _values(told: list[dict[str, Any]], name: str) -> dict[str, None]:
    """Return the values of a setting where it has an effect.

    A model that only some searches have does not differ: that they have one follows from the rest.
    """
    return dict.fromkeys(_shown(one[name]) for one in told if name in one)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return "/".join(map(_shown, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
