"""What a benchmark file measures by, and what it may cost: metrics, budgets, margin, alpha."""

from collections.abc import Collection, Mapping
from typing import Any

from assay.benchmarks.file.problems import BenchmarkProblems, KeyPath
from assay.errors import InputError
from assay.metrics import parse, parse_all
from assay.records import Metric
from assay.text.near_miss import did_you_mean
from assay.text.truncate import cut_end
from assay.verdicts.budgets import BUDGETS

__all__ = [
    "RACE",
    "SHIP_IF",
    "UNJUDGED",
    "alpha",
    "budgets",
    "margin",
    "match_weights",
    "metrics",
    "race",
    "ship_if",
    "short",
    "text",
    "unjudged",
    "without_null",
]

PRIMARY = "ndcg@10"
SHIP_IF = ("better", "noninferior")
UNJUDGED = ("bounds", "zero")
RACE = {"alpha": 0.05, "first": 20}  # the error bound, and the queries before the first look


def text(given: Mapping[str, Any], key: str, found: BenchmarkProblems) -> str:
    """Read a text; none where it is left out."""
    value = given.get(key)
    if value is None:
        return ""
    if not isinstance(value, str) or not value.strip():
        found.add([key], f"{key} cannot be {short(value)}", "give a text")
        return ""
    return value


def metrics(given: Mapping[str, Any], found: BenchmarkProblems) -> list[Metric]:
    """Read the metrics, the primary one first."""
    named = given.get("metrics")
    if named is not None and (not named or not isinstance(named, str | list)):
        found.add(["metrics"], f"metrics cannot be {short(named)}", "e.g. [ndcg@10, recall@5]")
        named = None
    texts = named.split(",") if isinstance(named, str) else named or []
    read = [_metric(one, ["metrics", at], found) for at, one in enumerate(texts)]
    wanted = [metric for metric in read if metric] if named else parse_all()
    primary = _metric(given.get("primary", PRIMARY), ["primary"], found)
    if primary is None:
        return wanted
    if not primary.kind.higher_is_better:
        hint = "choose a metric of which more is better, e.g. ndcg@10"
        found.add(["primary"], f"{primary} cannot decide: less of it is better", hint)
    return [primary, *{str(one): one for one in wanted if str(one) != str(primary)}.values()]


def budgets(given: Mapping[str, Any], found: BenchmarkProblems) -> dict[str, float]:
    """Read the most that a configuration may cost."""
    value = given.get("budgets")
    if value is None:
        return {}
    if not isinstance(value, dict):
        found.add(["budgets"], f"budgets cannot be {short(value)}", "e.g. {latency_p95_ms: 50}")
        return {}
    said = without_null(value, BUDGETS)
    for name, most in said.items():
        path = ["budgets", str(name)]
        if name not in BUDGETS:
            found.add(
                path, f'there is no budget "{path[1][:60]}"', did_you_mean(path[1], [*BUDGETS])
            )
        elif not _is_number(most) or most < 0:
            found.add(path, f"{name} cannot be {short(most)}", "give a number from 0 on")
    return said


def margin(given: Mapping[str, Any], found: BenchmarkProblems) -> float:
    """Read the share of the baseline's score that nobody would notice."""
    value = given.get("margin", 0.02)
    if not _is_number(value) or not 0 <= value < 1:
        hint = "give a share of the baseline's score, e.g. 0.02"
        found.add(["margin"], f"margin cannot be {short(value)}", hint)
        return 0.02
    return float(value)


def alpha(given: Mapping[str, Any], found: BenchmarkProblems) -> float:
    """Read how often a difference may be seen where there is none."""
    value = given.get("alpha", 0.05)
    if not _is_number(value) or not 0 < value <= 0.5:
        hint = "give the share of false alarms that you accept, above 0 and at most 0.5, e.g. 0.05"
        found.add(["alpha"], f"alpha cannot be {short(value)}", hint)
        return 0.05
    return float(value)


def ship_if(given: Mapping[str, Any], found: BenchmarkProblems) -> str:
    """Read whether a candidate must be better, or only not worse."""
    value = given.get("ship_if", SHIP_IF[0])
    if value not in SHIP_IF:
        hint = "better, or noninferior: not worse by more than the margin"
        found.add(["ship_if"], f"ship_if cannot be {short(value)}", hint)
        return SHIP_IF[0]
    return str(value)


def unjudged(given: Mapping[str, Any], found: BenchmarkProblems) -> str:
    """Read whether unjudged documents that could turn a difference hold a verdict back."""
    value = given.get("unjudged", UNJUDGED[0])
    if value not in UNJUDGED:
        hint = "bounds, or zero: a verdict takes unjudged documents for not relevant"
        found.add(["unjudged"], f"unjudged cannot be {short(value)}", hint)
        return UNJUDGED[0]
    return str(value)


def race(given: Mapping[str, Any], found: BenchmarkProblems) -> dict[str, float]:
    """Read whether configurations that are beaten are to be stopped; not, where it is empty."""
    value = given.get("race")
    if value is None or isinstance(value, bool):
        return dict(RACE) if value else {}
    if not isinstance(value, dict):
        found.add(["race"], f"race cannot be {short(value)}", "true, or e.g. {alpha: 0.05}")
        return {}
    said = without_null(value, RACE)
    for name, one in said.items():
        path, whole = ["race", str(name)], isinstance(one, int) and not isinstance(one, bool)
        if name not in RACE:
            found.add(path, f'a race has no "{path[1][:60]}"', did_you_mean(path[1], [*RACE]))
        elif name == "alpha" and not (_is_number(one) and 0 < one <= 0.5):
            hint = "give the chance that the winner is stopped, above 0 and at most 0.5"
            found.add(path, f"alpha cannot be {short(one)}", hint)
        elif name == "first" and not (whole and one > 0):
            found.add(path, f"first cannot be {short(one)}", "give a number of queries")
    return {**RACE, **said}


def match_weights(given: Mapping[str, Any], found: BenchmarkProblems) -> bool | None:
    """Read whether a match counts by how well it meets what is expected."""
    value = given.get("match_weights")
    if value is None or isinstance(value, bool):
        return value
    found.add(["match_weights"], f"match_weights cannot be {short(value)}", "give true or false")
    return None


def without_null(given: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """Leave out each of the ``keys`` that is null: in a benchmark file it is as if it were absent.

    >>> without_null({"alpha": None, "first": 20}, ["alpha", "first"])
    {'first': 20}
    """
    return {key: one for key, one in given.items() if one is not None or key not in keys}


def short(value: object) -> str:
    """Show a value in a message."""
    return cut_end("null" if value is None else repr(value), 60, mark="...")


def _metric(one: object, path: KeyPath, found: BenchmarkProblems) -> Metric | None:
    try:
        return parse(one if isinstance(one, str) else repr(one))
    except InputError as error:
        found.add(path, error.problem, error.hint)
        return None


def _is_number(value: Any) -> bool:  # noqa: ANN401
    return isinstance(value, int | float) and not isinstance(value, bool)
