"""Options of commands: a wrong value is refused with the right ones, never taken for a default."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from assay.errors import UsageError
from assay.records import Benchmark

__all__ = ["asks_of", "refuse_unknown", "refuse_wrong_count", "refuse_wrong_numbers", "with_race"]

ASKS = 3  # how often a query is asked, of which the median is a latency
CHOICES: dict[str, tuple[str, ...]] = {
    "correction": ("holm", "bh", "max_t", "none"),
    "missing": ("zero", "skip"),
    "no_relevant": ("zero", "skip"),
    "ties": ("docid", "order", "expected"),
}


def asks_of(asks: int | None, *, live: bool, untimed: bool) -> int:
    """Return how often each query is asked: once where nothing is timed."""
    if asks is not None:
        refuse_wrong_count("asks", asks, least=1)
    if untimed and live:
        hint = "leave out --untimed to time whole searches, or --live to time nothing"
        raise UsageError("--live says what is timed, and --untimed that nothing is", hint=hint)
    if untimed and asks is not None:
        hint = "leave out --asks, or --untimed to have latencies"
        raise UsageError("--asks has no effect with --untimed, which asks once", hint=hint)
    return 1 if untimed else ASKS if asks is None else asks


def with_race(benchmark: Benchmark) -> Benchmark:
    """Let the configurations of a benchmark race, by the rules of its file if it has any."""
    from assay.benchmarks.file.criteria import RACE

    return replace(benchmark, race=benchmark.race or RACE)


def refuse_unknown(*, choices: Mapping[str, Sequence[str]] | None = None, **given: str) -> None:
    """Compare each option with its choices; ``choices`` replaces those of an option."""
    for name, value in given.items():
        known = (choices or {}).get(name) or CHOICES[name]
        if value not in known:
            hint = f"it can be {', '.join(map(repr, known))}"
            raise UsageError(f"{name} cannot be {value!r}", hint=hint)


def refuse_wrong_numbers(*, alpha: float, margin: float, flips: int, seed: int) -> None:
    """Keep shares, counts and seeds within what they mean."""
    if not (_is_number(alpha) and 0 < alpha < 1):
        raise UsageError(f"alpha cannot be {alpha!r}", hint="it lies between 0 and 1, e.g. 0.05")
    if not (_is_number(margin) and 0 <= margin < math.inf):
        raise UsageError(f"margin cannot be {margin!r}", hint="it is a share, e.g. 0.02")
    refuse_wrong_count("flips", flips, least=1)
    refuse_wrong_count("seed", seed)


def refuse_wrong_count(name: str, value: object, *, least: int = 0) -> None:
    """Keep to whole numbers; a truth value is none."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise UsageError(
            f"{name} cannot be {value!r}", hint=f"it is a whole number from {least} on"
        )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def with_reading(
    benchmark: Benchmark, *, binary: bool, subtopics: bool, match_weights: bool = False
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
