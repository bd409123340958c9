"""Checks as people write them: ``ndcg@10:5%``, ``mrr@10/category=api:0.02``."""

import math
from collections.abc import Iterator, Mapping, Sequence

from assay.benchmarks.gates.figures import UPLIFT, Figure, find_figure
from assay.errors import InputError
from assay.records.gate import Check, CheckKind
from assay.text.quote import quote_value
from assay.text.size import parse_size

__all__ = ["CheckSource", "read_checks"]

SMALLEST_PERCENTAGE = 10  # of a score without a percent sign

CheckSource = str | Mapping[str, object] | Sequence[str]
"""Checks of one kind: a text, a list of them, or amounts by figure."""

HOW = {
    "allow": "expected e.g. ndcg@10:5%, latency_p95_ms:25% or ndcg@10/category=api:0.02",
    "min": "expected e.g. mrr@10:0.6 or files_per_second:10",
    "max": "expected e.g. latency_p95_ms:100 or bytes_per_document:10KB",
}


def read_checks(given: CheckSource, kind: CheckKind) -> list[Check]:
    """Read checks of one kind.

    >>> [str(one) for one in read_checks("nDCG@10:5%", "allow")]
    ['ndcg@10:5%']
    >>> read_checks({"mrr@10/category=api": 0.6}, "min")[0].group
    ('category', 'api')
    """
    return [_check(name, amount, kind) for name, amount in _pairs(given, kind)]


def _pairs(given: CheckSource, kind: CheckKind) -> Iterator[tuple[str, object]]:
    """Take the checks apart: before the last colon the figure, behind it the amount."""
    if isinstance(given, Mapping):
        yield from ((str(name), amount) for name, amount in given.items())
        return
    for text in [given] if isinstance(given, str) else given:
        if not isinstance(text, str):
            problem = f"{kind}: invalid value {quote_value(text)}"
            raise InputError(problem, hint=HOW[kind])
        name, colon, amount = text.rpartition(":")
        if not colon or not name.strip() or not amount.strip():
            raise InputError(f'--{kind} "{text}": no amount', hint=HOW[kind])
        yield name, amount


def _check(name: str, given: object, kind: CheckKind) -> Check:
    figure_name, slash, condition = name.partition("/")
    where = f"--{kind} {name}"
    figure = find_figure(figure_name, where=where)
    group = _group(figure, condition, where) if slash else None
    if kind == "allow" and figure.higher_is_better is None:
        problem = f"{figure.name} is neither better when higher nor when lower"
        raise InputError(problem, where=where, hint="use --min and --max")
    amount, relative = _amount(given, figure, kind, where)
    return Check(figure.name, kind, amount, relative, group)


def _group(figure: Figure, condition: str, where: str) -> tuple[str, str]:
    field, equals, value = (part.strip() for part in condition.partition("="))
    if not (equals and field and value):
        hint = "write e.g. ndcg@10/category=api or ndcg@10/difficulty=easy"
        raise InputError(f'invalid group "{condition[:60]}"', where=where, hint=hint)
    if figure.metric is None:
        hint = "groups are of metrics, e.g. ndcg@10/category=api"
        raise InputError(f"{figure.name} has no groups of queries", where=where, hint=hint)
    return field, value


def _amount(given: object, figure: Figure, kind: CheckKind, where: str) -> tuple[float, bool]:
    """Read an amount, and whether it is relative to the baseline."""
    text = str(given).strip()
    share = text.endswith("%")
    number = _number(text.removesuffix("%"), figure) if not isinstance(given, bool) else math.nan
    lowest = -math.inf if figure.name == UPLIFT and kind != "allow" else 0.0
    if not (math.isfinite(number) and number >= lowest):
        problem = f"invalid amount {quote_value(given)}"
        raise InputError(problem, where=where, hint=HOW[kind])
    if kind == "allow":
        return _allowed(number, figure, where, share=share)
    if not share and figure.is_bounded and 1 < number <= 100:
        return _published(number, figure, where), False
    if share and not (figure.is_bounded or figure.name == UPLIFT):
        hint = f"give a value of {figure.name}; only --allow takes a percentage of it"
        raise InputError(f"a limit of {text} is not a value", where=where, hint=hint)
    number = number / 100 if share else number
    if figure.is_bounded and number > 1:
        raise InputError(f"{figure.name} is never above 1", where=where, hint=HOW[kind])
    return number, False


def _published(number: float, figure: Figure, where: str) -> float:
    """Read a published 77.0 as a percentage; 6 may as well be a typing error for 0.6."""
    if number < SMALLEST_PERCENTAGE:
        hint = f"did you mean {number / 10:g} or {number:g}%?"
        raise InputError(f"{figure.name} is never above 1", where=where, hint=hint)
    return number / 100


def _allowed(number: float, figure: Figure, where: str, *, share: bool) -> tuple[float, bool]:
    if share and number >= 100 and figure.higher_is_better:
        problem = f"{figure.name} cannot become {number:g}% worse, so this would never fail"
        raise InputError(problem, where=where, hint=HOW["allow"])
    if share:
        return number / 100, True
    if figure.is_bounded and number >= 1:
        hint = f"did you mean {number:g}%?" if number < 100 else HOW["allow"]
        raise InputError(f"{figure.name} can change by at most 1", where=where, hint=hint)
    return number, False


def _number(text: str, figure: Figure) -> float:
    """Read a number; sizes may have units where bytes or megabytes are meant."""
    try:
        return float(text)
    except ValueError:
        size = parse_size(text)
    if size is not None and "bytes" in figure.name:
        return float(size)
    return size / 1e6 if size is not None and figure.name.endswith("_mb") else math.nan
