"""Runs -> the settings in which they differ, and for each the pairs that differ in nothing else."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import AssayError
from assay.records import Ints, Run
from assay.records.configuration import UNSAID, comparable
from assay.searches.configuration.configuration import configuration, describe
from assay.searches.configuration.nested_settings import (
    STAGES,
    is_asked,
    spelled_out,
    system_settings,
)

__all__ = [
    "ABSENT",
    "NONE",
    "SettingSweep",
    "effective_settings",
    "is_number",
    "levels_of",
    "reference_of",
    "sweeps",
]

ABSENT: Any = object()  # the value of a setting that has no effect in a run
NONE = "none"  # the level of a stage that a run goes without
OPTIONAL = ("rerank", "threshold", *STAGES, "system")
DERIVED = {"chunk_characters"}  # follows from others, and is never given
# What has a default that depends on other settings.
FOLLOWING = ("depth", "top_k", "weights", "rerank_depth", "fusion", "precision", "stop_words")
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SettingSweep:
    """A setting, what it is in each run, and the places of runs that differ in it alone.

    ``along`` has for each pair what only one of the two has, and is no default.
    """

    parameter: str
    values: tuple[Any, ...]
    pairs: tuple[tuple[int, int], ...]
    along: tuple[Mapping[str, Any], ...]


def sweeps(runs: Sequence[Run]) -> list[SettingSweep]:
    """Match the runs; a setting that varies only along with others has no pairs, and is omitted.

    A setting that takes effect in one run of a pair alone follows from the one that they differ in
    (a lexical search has no model) where it is at its default, or no run has it at that. Another
    value of it is a difference of its own. A default that depends on what they differ in follows,
    too. A stage that a run goes without is a level of its own.
    """
    told = effective_settings(runs)
    names = list(dict.fromkeys(name for one in told for name in one))
    codes = (
        np.array([_codes(told, name) for name in names], np.int64).reshape(len(names), len(told)).T
    )
    varying = [at for at in range(len(names)) if len({*codes[:, at].tolist()} - {-1}) > 1]
    partial = np.flatnonzero((codes < 0).any(axis=0)).tolist()
    defaults = np.zeros(codes.shape, np.bool_)
    for at in {*partial, *(at for at in varying if names[at] in FOLLOWING)}:
        defaults[:, at] = [_is_default(run, names[at]) for run in runs]
    follows = (defaults | ~defaults.any(axis=0)) & (codes >= 0)
    kinds = np.array([is_asked(run.configuration.get("system")) for run in runs], np.bool_)
    pairs = _pairs(codes, defaults, follows, kinds)
    chosen = [
        {names[at]: one[names[at]] for at in partial if names[at] in one and not row[at]}
        for one, row in zip(told, defaults, strict=True)
    ]
    return [
        SettingSweep(
            names[at],
            tuple(one.get(names[at], ABSENT) for one in told),
            tuple(pairs[at]),
            tuple(_alone(chosen[a], told[b]) | _alone(chosen[b], told[a]) for a, b in pairs[at]),
        )
        for at in varying
        if pairs[at]
    ]


def effective_settings(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Return the settings that take effect in each run, those of a stage beside the others.

    A stage with settings of its own is on, and a system is of its kind.
    """
    return comparable([_settings_of(run) for run in runs])


def _settings_of(run: Run) -> dict[str, Any]:
    asked = is_asked(run.configuration.get("system"))
    found: dict[str, Any] = {} if asked else dict.fromkeys(OPTIONAL, NONE)
    for name, value in run.configuration.items():
        if isinstance(value, Mapping):
            found |= {} if name == "fields" else {name: value.get("kind", "on")}
            found |= {f"{name}.{key}": one for key, one in value.items() if key != "kind"}
        elif name not in DERIVED and value is not None:
            found[name] = value
    return found


def is_number(value: object) -> bool:
    """Tell whether a value is a number; a switch is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _codes(told: Sequence[Mapping[str, Any]], name: str) -> list[int]:
    """Number the values of a setting; -1 where it has no effect."""
    numbers: dict[str, int] = {}
    return [
        numbers.setdefault(_key(one[name]), len(numbers)) if name in one else -1 for one in told
    ]


def _key(value: object) -> str:
    """Write a value so that equal ones are equal texts: 1 is 1.0."""
    if is_number(value):
        return repr(float(value))  # type: ignore[arg-type]
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_key, value))}]"
    return json.dumps(value, sort_keys=True, default=str)


def _pairs(
    codes: Ints, defaults: Flags, follows: Flags, kinds: Flags
) -> list[list[tuple[int, int]]]:
    """Find for each column the pairs of rows that differ in it alone.

    What only one of them has is no difference where it ``follows``.
    """
    found: list[list[tuple[int, int]]] = [[] for _ in range(codes.shape[1])]
    for a in range(len(codes) - 1):
        others = codes[a + 1 :]
        differ = (others != codes[a]) & (others >= 0) & (codes[a] >= 0)
        differ &= ~(defaults[a + 1 :] & defaults[a])
        strays = ((others >= 0) != (codes[a] >= 0)) & ~(follows[a + 1 :] | follows[a])
        alone = (differ.sum(axis=1) == 1) & ~strays.any(axis=1) & (kinds[a + 1 :] == kinds[a])
        for row in np.flatnonzero(alone).tolist():
            found[int(differ[row].argmax())].append((a, a + 1 + row))
    return found


def _alone(chosen: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in chosen.items() if name not in other}


def _is_default(run: Run, name: str) -> bool:
    """Tell whether a run would have the same value if nobody had given it."""
    stage, _, key = name.partition(".")
    if stage == "fields":
        weights = run.configuration.get(stage) or {}
        return bool(weights.get(key, UNSAID[name]) == UNSAID[name])
    if key:
        return _is_default_within(stage, key, run.configuration.get(stage))
    if run.configuration.get(name) is None:
        return name in UNSAID
    given = {one: value for one, value in run.configuration.items() if one not in (name, *DERIVED)}
    given |= {stage: True for stage in STAGES if given.get(stage) is not None}
    try:
        made = describe(configuration(given))
    except AssayError:  # of an older version, or of settings that need the one left out
        return False
    return _key(made.get(name)) == _key(run.configuration[name])


def _is_default_within(stage: str, key: str, given: object) -> bool:
    """Tell the same of a setting of a stage, or of a system."""
    if not isinstance(given, Mapping) or key not in given:
        return False
    try:
        if stage in STAGES:
            return _key(spelled_out(stage, {}).get(key)) == _key(given[key])
        known = system_settings(given["kind"]).get(key)
    except (AssayError, KeyError):  # of an older version
        return False
    return known is not None and _key(known.default) == _key(given[key])


def levels_of(sweep: SettingSweep) -> list[tuple[Any, list[int]]]:
    """Give the values that take effect: none first, then numbers upwards, then as they come."""
    found: list[tuple[Any, list[int]]] = []
    for at, value in enumerate(sweep.values):
        if value is ABSENT:
            continue
        runs = next((runs for known, runs in found if known == value), None)
        if runs is None:
            found.append((value, [at]))
        else:
            runs.append(at)
    return sorted(found, key=lambda level: _place(level[0]))


def reference_of(sweep: SettingSweep, baseline: int | None) -> object:
    """Return the baseline's level, where it has one that is matched, else the first."""
    matched = {at for pair in sweep.pairs for at in pair}
    if baseline is not None and sweep.values[baseline] is not ABSENT:
        of = [at for at in matched if sweep.values[at] == sweep.values[baseline]]
        if of:
            return sweep.values[baseline]
    return next(value for value, runs in levels_of(sweep) if matched & {*runs})


def _place(value: object) -> tuple[int, float]:
    if value == NONE:
        return 0, 0.0
    return (1, float(value)) if is_number(value) else (2, 0.0)  # type: ignore[arg-type]
