"""Options of commands: an invalid value is refused with the valid ones, never replaced."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import InputError, UsageError
from assay.records import Benchmark
from assay.records.options import refuse_wrong_count
from assay.records.run_settings import RunSettings
from assay.text.quote import quote_value

__all__ = [
    "HIGHER",
    "NOT_PRIMARY",
    "BenchmarkSource",
    "asked_benchmark",
    "refuse_unknown",
    "refuse_wrong_count",
    "refuse_wrong_numbers",
    "with_options",
]

R = TypeVar("R")
BenchmarkSource = str | Path | Mapping[str, Any] | Benchmark | None
"""A benchmark: a file, a mapping with the same keys, a record, or nothing."""
# Keys of a file that options replace.
CRITERIA = ("primary", "margin", "alpha", "unjudged", "query_weights")
NOT_PRIMARY = "{} cannot be the primary metric, since lower is better"
HIGHER = "choose a metric where higher is better, e.g. ndcg@10"
CHOICES: dict[str, tuple[str, ...]] = {
    "correction": ("holm", "bh", "max_t", "none"),
    "missing": ("zero", "skip"),
    "no_relevant": ("zero", "skip"),
    "query_weights": ("use", "ignore"),
    "ties": ("docid", "order", "expected"),
}


def with_options(**records: type) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Let a function take the fields of records as parameters: ``settings=RunSettings``.

    The function itself is given the records, by the names of these parameters. A caller may pass
    the fields, or a whole record under that name.
    """
    owner = {one.name: name for name, record in records.items() for one in fields(record)}

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        @wraps(function)
        def call(*given: Any, **options: Any) -> R:  # noqa: ANN401
            parts: dict[str, dict[str, Any]] = {name: {} for name in records}
            for key in [key for key in options if key in owner]:
                parts[owner[key]][key] = options.pop(key)
            for name, record in records.items():
                whole = options.get(name) or record()
                options[name] = replace(whole, **parts[name]) if parts[name] else whole
            return function(*given, **options)

        signature = inspect.signature(function)
        own = [one for name, one in signature.parameters.items() if name not in records]
        made = [_parameter(one) for record in records.values() for one in fields(record)]
        call.__signature__ = signature.replace(parameters=[*own, *made])  # type: ignore[attr-defined]
        return call

    return decorate


def _parameter(one: Any) -> inspect.Parameter:  # noqa: ANN401 - a field, whose class is generic
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(one.name, kind, default=one.default, annotation=one.type)


def asked_benchmark(
    benchmark: BenchmarkSource,
    settings: RunSettings,
    *,
    binary: bool = False,
    subtopics: bool = False,
    match_weights: bool = False,
    **chosen: Any,  # noqa: ANN401
) -> Benchmark:
    """Read a benchmark with what options replace in it: suite, dataset, criteria, a race."""
    if isinstance(benchmark, Benchmark):
        if chosen.get("unit") not in (None, benchmark.unit):
            hint = "pass the file or the mapping that the benchmark was read from"
            raise UsageError("unit cannot be changed once a benchmark is read", hint=hint)
        asked = _with_criteria(benchmark, chosen)
    elif benchmark is None or isinstance(benchmark, str | Path | Mapping):
        asked = read_benchmark(benchmark, **chosen)
    else:
        hint = "pass the path of a benchmark file, or a mapping with the same keys"
        raise InputError(f"cannot read a benchmark from {type(benchmark).__name__}", hint=hint)
    asked = _with_race(asked) if settings.race else asked
    return _with_reading(asked, binary=binary, subtopics=subtopics, match_weights=match_weights)


def _with_criteria(benchmark: Benchmark, chosen: Mapping[str, Any]) -> Benchmark:
    from assay.benchmarks.file.criteria import with_criteria

    given = {key: chosen[key] for key in CRITERIA if chosen.get(key) is not None}
    return with_criteria(benchmark, given) if given else benchmark


def _with_race(benchmark: Benchmark) -> Benchmark:
    """Let the configurations of a benchmark race, by the rules of its file if it has any."""
    from assay.benchmarks.file.criteria import RACE

    return replace(benchmark, race=benchmark.race or RACE)


def refuse_unknown(*, choices: Mapping[str, Sequence[str]] | None = None, **given: str) -> None:
    """Compare each option with its choices; ``choices`` replaces those of an option."""
    for name, value in given.items():
        known = (choices or {}).get(name) or CHOICES[name]
        if value not in known:
            hint = f"expected one of: {', '.join(known)}"
            raise UsageError(f"{name}: invalid value {quote_value(value)}", hint=hint)


def refuse_wrong_numbers(*, alpha: float, margin: float, flips: int, seed: int) -> None:
    """Refuse numbers outside of their range."""
    if not (_is_number(alpha) and 0 < alpha < 1):
        hint = "expected a significance level between 0 and 1, e.g. 0.05"
        raise UsageError(f"alpha: invalid value {quote_value(alpha)}", hint=hint)
    if not (_is_number(margin) and 0 <= margin < math.inf):
        hint = "expected a fraction of the baseline's score, e.g. 0.02"
        raise UsageError(f"margin: invalid value {quote_value(margin)}", hint=hint)
    refuse_wrong_count("flips", flips, least=1)
    refuse_wrong_count("seed", seed)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _with_reading(
    benchmark: Benchmark, *, binary: bool, subtopics: bool, match_weights: bool
) -> Benchmark:
    """Read the judgments of all its datasets so: binary, by subtopics, with match weights."""
    given = {"binary": binary, "subtopics": subtopics, "match_weights": match_weights}
    flags = [name for name, value in given.items() if value]
    if not flags:
        return benchmark
    told = {name: True for name in flags if name != "match_weights"}
    datasets = tuple(replace(one, reading={**one.reading, **told}) for one in benchmark.datasets)
    return replace(
        benchmark,
        reading={**benchmark.reading, **told},
        datasets=datasets,
        match_weights=True if match_weights else benchmark.match_weights,
        command={**benchmark.command, "flags": flags} if benchmark.command else {},
    )
