"""The criteria of a benchmark file: metrics, budgets, margin, alpha."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.benchmarks.file.problems import BenchmarkProblems, KeyPath
from assay.errors import InputError
from assay.metrics import parse, parse_all, primary_of
from assay.records import Benchmark, Metric
from assay.records.costs import COSTS
from assay.records.metadata import is_metadata_name
from assay.searches.configuration.settings import UNITS
from assay.text.near_miss import did_you_mean, near_miss
from assay.text.quote import quote_value

__all__ = [
    "QUERY_WEIGHTS",
    "RACE",
    "SHIP_IF",
    "UNJUDGED",
    "alpha",
    "breakdowns",
    "budgets",
    "margin",
    "match_weights",
    "metrics",
    "query_weights",
    "race",
    "ship_if",
    "text",
    "unit",
    "unjudged",
    "with_criteria",
    "without_null",
]

SMALLEST_ALPHA = 0.0001  # a smaller one takes more sign flips than anybody waits for
SHIP_IF = ("better", "noninferior")
UNJUDGED = ("bounds", "zero")
PERCENTAGE = re.compile(r"\s*(\d{1,3}(?:\.\d{1,9})?)\s*%\s*")
QUERY_WEIGHTS = ("use", "ignore")
RACE = {"alpha": 0.05, "first": 20}  # the error bound, and the queries before the first test


def text(given: Mapping[str, Any], key: str, found: BenchmarkProblems) -> str:
    """Read a text; none where it is absent."""
    value = given.get(key)
    if value is None:
        return ""
    if not isinstance(value, str) or not value.strip():
        found.add([key], f"invalid value {quote_value(value)}", "expected text")
        return ""
    return value


def metrics(given: Mapping[str, Any], found: BenchmarkProblems) -> list[Metric]:
    """Read the metrics, the primary one first."""
    named = given.get("metrics")
    if named is not None and (not named or not isinstance(named, str | list)):
        hint = "expected a list of metrics, e.g. [ndcg@10, recall@5]"
        found.add(["metrics"], f"invalid value {quote_value(named)}", hint)
        named = None
    texts = named.split(",") if isinstance(named, str) else named or []
    read = [_metric(one, ["metrics", at], found) for at, one in enumerate(texts)]
    wanted = [metric for metric in read if metric] if named else parse_all()
    named = given.get("primary")
    primary = _metric(named, ["primary"], found) if "primary" in given else primary_of(wanted)
    if primary is None:
        return wanted
    if not primary.kind.higher_is_better:
        hint = "choose a metric where higher is better, e.g. ndcg@10"
        what = f"{primary} cannot be the primary metric, since lower is better"
        found.add(["primary"], what, hint)
    return [primary, *{str(one): one for one in wanted if str(one) != str(primary)}.values()]


def budgets(
    given: Mapping[str, Any], wanted: Sequence[Metric], found: BenchmarkProblems
) -> dict[str, float]:
    """Read the limits of what a configuration may cost, and of its scores by ``wanted`` metrics."""
    value = given.get("budgets")
    if value is None:
        return {}
    if not isinstance(value, dict):
        hint = "expected limits, e.g. {latency_p95_ms: 50, ndcg@10: 0.6}"
        found.add(["budgets"], f"invalid value {quote_value(value)}", hint)
        return {}
    known = {str(one): one for one in wanted}
    read: dict[str, float] = {}
    for name, limit in value.items():
        path = ["budgets", str(name)]
        key = name if name in COSTS else _limited_metric(name, path, known, found)
        if key is None or limit is None:
            continue
        if key in read:
            found.add(path, f"duplicate budget for {key}", "keep one of the two")
        elif hint := _wrong_limit(limit, known[key].kind.bounds if key in known else None):
            found.add(path, f"invalid value {quote_value(limit)}", hint)
        read[key] = limit
    return read


def _limited_metric(
    name: object, path: KeyPath, known: Mapping[str, Metric], found: BenchmarkProblems
) -> str | None:
    """Read a metric of the benchmark; nothing where the name is of no budget at all."""
    text = str(name)
    try:
        key = str(parse(text))
    except InputError as error:
        if "@" in text or "(" in text:
            found.add(path, error.problem, error.hint)
        else:
            example = next(iter(known), "ndcg@10")
            rest = f"expected a metric such as {example}, or {', '.join(COSTS)}"
            hint = did_you_mean(text, [*COSTS, *known], otherwise=rest)
            found.add(path, f'unknown budget "{text[:60]}"', hint)
        return None
    if key not in known:
        near = near_miss(key, known)
        hint = f'did you mean "{near}"? Else add' if near else "add"
        found.add(path, f"{key} is not among the metrics", f"{hint} {key} to `metrics`")
        return None
    return key


def _wrong_limit(
    limit: Any,  # noqa: ANN401 - whatever a file holds
    bounds: tuple[float, float] | None,
) -> str:
    """Say what is expected instead of a limit on a cost, or on a score within ``bounds``."""
    low, high = bounds or (0.0, math.inf)
    if _is_number(limit) and low <= limit <= high and limit < math.inf:
        return ""
    share = _percent(limit) / 100
    if low <= share <= high == 1:
        return f"did you mean {share:g}?"
    return f"expected a number {f'from {low:g} to {high:g}' if high < math.inf else f'>= {low:g}'}"


def _percent(limit: Any) -> float:  # noqa: ANN401 - whatever a file holds
    """Read 35 or "35%"; not a number where it is neither."""
    if _is_number(limit):
        return float(limit)
    percentage = PERCENTAGE.fullmatch(limit) if isinstance(limit, str) else None
    return float(percentage[1]) if percentage else math.nan


def margin(given: Mapping[str, Any], found: BenchmarkProblems) -> float:
    """Read the non-inferiority margin, as a fraction of the baseline's score."""
    value = given.get("margin", 0.02)
    if not _is_number(value) or not 0 <= value < 1:
        hint = "expected a fraction of the baseline's score from 0 to below 1, e.g. 0.02"
        if _is_number(value) and 1 <= value < 100:
            hint = f"did you mean {value / 100:g} ({value:g}%)?"
        found.add(["margin"], f"invalid value {quote_value(value)}", hint)
        return 0.02
    return float(value)


def alpha(given: Mapping[str, Any], found: BenchmarkProblems) -> float:
    """Read the significance level."""
    value = given.get("alpha", 0.05)
    if not _is_number(value) or not SMALLEST_ALPHA <= value <= 0.5:
        hint = f"expected a significance level from {SMALLEST_ALPHA} to 0.5, e.g. 0.05"
        found.add(["alpha"], f"invalid value {quote_value(value)}", hint)
        return 0.05
    return float(value)


def ship_if(given: Mapping[str, Any], found: BenchmarkProblems) -> str:
    """Read whether a candidate must be better, or only not worse."""
    value = given.get("ship_if", SHIP_IF[0])
    if value not in SHIP_IF:
        hint = "expected better, or noninferior: not worse by more than the margin"
        found.add(["ship_if"], f"invalid value {quote_value(value)}", hint)
        return SHIP_IF[0]
    return str(value)


def unjudged(given: Mapping[str, Any], found: BenchmarkProblems) -> str:
    """Read whether unjudged documents that could reverse a difference hold a verdict back."""
    value = given.get("unjudged", UNJUDGED[0])
    if value not in UNJUDGED:
        hint = "expected bounds, or zero: verdicts count unjudged documents as not relevant"
        found.add(["unjudged"], f"invalid value {quote_value(value)}", hint)
        return UNJUDGED[0]
    return str(value)


def unit(given: Mapping[str, Any], found: BenchmarkProblems) -> str:
    """Read what is evaluated: documents, chunks or symbols."""
    value = given.get("unit", UNITS[0])
    if value not in UNITS:
        found.add(["unit"], f"invalid value {quote_value(value)}", f"expected {', '.join(UNITS)}")
        return UNITS[0]
    return str(value)


def breakdowns(given: Mapping[str, Any], found: BenchmarkProblems) -> tuple[str, ...]:
    """Read the fields that scores are broken down by."""
    value = given.get("breakdowns")
    named = value.split(",") if isinstance(value, str) else value
    if named is None:
        return ()
    if not isinstance(named, list) or not all(_is_field(one) for one in named):
        hint = "expected fields of queries or documents, e.g. [language, product]"
        found.add(["breakdowns"], f"invalid value {quote_value(value)}", hint)
        return ()
    return tuple(dict.fromkeys(one.strip() for one in named))


def _is_field(name: object) -> bool:
    return isinstance(name, str) and is_metadata_name(name)


def query_weights(given: Mapping[str, Any], found: BenchmarkProblems) -> str:
    """Read whether the weights of queries count."""
    value = given.get("query_weights", QUERY_WEIGHTS[0])
    if value not in QUERY_WEIGHTS:
        hint = "expected use, or ignore: every query counts the same"
        found.add(["query_weights"], f"invalid value {quote_value(value)}", hint)
        return QUERY_WEIGHTS[0]
    return str(value)


def race(given: Mapping[str, Any], found: BenchmarkProblems) -> dict[str, float]:
    """Read how configurations race; they do not where it is empty."""
    value = given.get("race")
    if value is None or isinstance(value, bool):
        return dict(RACE) if value else {}
    if not isinstance(value, dict):
        hint = "expected true, false or settings such as {alpha: 0.05}"
        found.add(["race"], f"invalid value {quote_value(value)}", hint)
        return {}
    said = without_null(value, RACE)
    for name, one in said.items():
        path, whole = ["race", str(name)], isinstance(one, int) and not isinstance(one, bool)
        if name not in RACE:
            found.add(path, f'unknown key "{path[1][:60]}"', did_you_mean(path[1], [*RACE]))
        elif name == "alpha" and not (_is_number(one) and 0 < one <= 0.5):
            hint = "expected the probability of stopping the best run, above 0 and at most 0.5"
            found.add(path, f"invalid value {quote_value(one)}", hint)
        elif name == "first" and not (whole and one > 0):
            hint = "expected a number of queries, e.g. 20"
            found.add(path, f"invalid value {quote_value(one)}", hint)
    return {**RACE, **said}


def match_weights(given: Mapping[str, Any], found: BenchmarkProblems) -> bool | None:
    """Read whether a match is weighted by its kind."""
    value = given.get("match_weights")
    if value is None or isinstance(value, bool):
        return value
    found.add(["match_weights"], f"invalid value {quote_value(value)}", "expected true or false")
    return None


def with_criteria(benchmark: Benchmark, given: Mapping[str, Any]) -> Benchmark:
    """Replace those criteria of a benchmark that are ``given``.

    They are the primary metric, the margin, alpha, how verdicts count unjudged documents, and
    whether the weights of queries count.

    >>> read = Benchmark("b", "stdlib", (), ("ndcg@10", "mrr"))
    >>> with_criteria(read, {"primary": "mrr", "margin": 0.05}).metrics
    ('mrr', 'ndcg@10')
    """
    found = BenchmarkProblems("benchmark", is_file=False, options={key: key for key in given})
    own: dict[str, Any] = {"metrics": [*benchmark.metrics], "primary": benchmark.primary}
    own |= {name: getattr(benchmark, name) for name in ("margin", "alpha", "unjudged")}
    own |= {"query_weights": benchmark.query_weights}
    stated = {**own, **given}
    wanted, tops = metrics(stated, found), [one.top_k for one in benchmark.configurations]
    if wanted and tops and (wanted[0].k or 0) > min(tops):
        hint = f"use a cutoff k of at most {min(tops)}, or raise top_k"
        found.add(["primary"], f"{wanted[0]} needs more results than top_k ({min(tops)})", hint)
    changed = replace(
        benchmark,
        metrics=tuple(map(str, wanted)) or benchmark.metrics,
        margin=margin(stated, found),
        alpha=alpha(stated, found),
        unjudged=unjudged(stated, found),
        query_weights=query_weights(stated, found),
    )
    found.refuse()
    return changed


def without_null(given: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """Remove each of the ``keys`` that is null: in a benchmark file it is as if it were absent.

    >>> without_null({"alpha": None, "first": 20}, ["alpha", "first"])
    {'first': 20}
    """
    return {key: one for key, one in given.items() if one is not None or key not in keys}


def _metric(one: object, path: KeyPath, found: BenchmarkProblems) -> Metric | None:
    try:
        return parse(one if isinstance(one, str) else repr(one))
    except InputError as error:
        found.add(path, error.problem, error.hint)
        return None


def _is_number(value: Any) -> bool:  # noqa: ANN401
    return isinstance(value, int | float) and not isinstance(value, bool)
