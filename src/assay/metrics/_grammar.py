"""The spelling of metrics: ``name(parameter=value)@k``, and the spellings of other tools."""

import re
import sys
from collections.abc import Iterable, Sequence

from assay import catalogue
from assay.errors import InputError, UnknownNameError
from assay.records import Formula, Kind, Metric
from assay.records.metric import TOKENS
from assay.text.near_miss import near_miss
from assay.text.quote import quote_value

__all__ = ["parse", "parse_all", "primary_of"]

DEFAULTS = [f"{name}@{k}" for name in ("precision", "recall", "ndcg") for k in (5, 10, 20)]
DEFAULTS += ["mrr", "ap"]
PRIMARY = "ndcg@10"

# What ir_measures and trec_eval call the same thing, in lower case.
ALIASES = {
    "alphandcg": "alpha_ndcg",
    "map": "ap",
    "map_cut": "ap",
    "ndcg_cut": "ndcg",
    "p": "precision",
    "r": "recall",
    "recip_rank": "mrr",
    "rprec": "r_precision",
    "rr": "mrr",
    "success": "hit",
}
MOST = 999_999_999  # the largest cut-off or level, well inside a 64-bit integer
BY_TOKENS = ("hit", "mrr", "ndcg", "recall")  # may be cut where a context window is full
LIST = "see `assay list metrics`"
HOW = "expected e.g. ndcg@10, recall(rel=2)@5 or rbp(p=0.8)"
SHAPE = re.compile(
    r"\s*([A-Za-z][A-Za-z0-9_\-]*?)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\d+)(tokens)?)?\s*"
)
TREC_SHAPE = re.compile(r"(ndcg_cut|map_cut|p|recall|success)[_.](\d+)", re.IGNORECASE)


def parse(text: str) -> Metric:
    """Read one metric.

    >>> str(parse("nDCG@10")), str(parse("recall(rel=2)@5")), str(parse("RBP(p=0.9)"))
    ('ndcg@10', 'recall(rel=2)@5', 'rbp(p=0.9)')
    """
    trec = TREC_SHAPE.fullmatch(text.strip())
    shape = SHAPE.fullmatch(f"{trec[1]}@{trec[2]}" if trec else text)
    if not shape:
        raise InputError(f'invalid metric "{text}"', hint=HOW)
    arguments = _arguments(text, shape[2] or "")
    name = _name(shape[1], arguments)
    formula = _formula(name, shape, text)
    level = _level(formula.kind, arguments, text)
    parameters = _parameters(formula.kind, arguments, text)
    cutoff = _cutoff(name, formula.kind, shape[3], text)
    if shape[4] is None:
        return Metric(name, formula, cutoff, parameters, level)
    if name not in BY_TOKENS:
        hint = f"write {name}@10, or e.g. recall@4000{TOKENS}"
        problem = f'metric "{text}" takes no number of tokens; {", ".join(BY_TOKENS)} do'
        raise InputError(problem, hint=hint)
    return Metric(name, formula, None, parameters, level, cutoff)


def parse_all(texts: str | Metric | Iterable[str | Metric] = ()) -> list[Metric]:
    """Read several metrics, each once; none named gives the defaults. Commas may separate them."""
    given = [texts] if isinstance(texts, str | Metric) else texts
    if not isinstance(given, Iterable):
        raise InputError(f"invalid metric {quote_value(texts)}", hint=HOW)
    named = [part for text in given for part in _split(text)]
    metrics = [part if isinstance(part, Metric) else parse(part) for part in named or DEFAULTS]
    return list({str(metric): metric for metric in metrics}.values())


def primary_of(metrics: Iterable[Metric]) -> Metric:
    """Return the metric that decides where none is named: ndcg@10, else the first that can.

    >>> [str(primary_of(parse_all(texts))) for texts in ("ap, ndcg@10", "judged@5, ndcg@3, ap")]
    ['ndcg@10', 'ndcg@3']
    """
    kinds = {str(one): one.kind for one in metrics}
    able = [name for name, kind in kinds.items() if kind.measures == "relevance"]
    able = [name for name in able if kinds[name].higher_is_better]
    return parse(able[0] if able and PRIMARY not in able else PRIMARY)


def _split(text: str | Metric) -> Sequence[str | Metric]:
    """Split at commas and spaces outside of brackets."""
    if isinstance(text, Metric):
        return [text]
    if not isinstance(text, str):
        raise InputError(f"invalid metric {quote_value(text)}", hint=HOW)
    parts = [part for part in re.split(r"[,\s]+(?![^(]*\))", text) if part]
    if not parts:  # not the defaults: that would hide a variable that was never set
        raise InputError(f'empty metric "{text}"', hint=f"{HOW}; check for an unset variable")
    return parts


def _arguments(text: str, inside: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in inside.split(",") if part.strip()]
    if any(not separator for _, separator, _ in pairs):
        hint = "write parameters as name=value, e.g. rbp(p=0.8)"
        raise InputError(f'metric "{text}": a parameter has no value', hint=hint)
    names = [name.strip() for name, _, _ in pairs]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        problem = f'metric "{text}": duplicate parameter "{twice[0]}"'
        raise InputError(problem, hint="keep one of the two")
    return {name.strip(): value.strip().strip("'\"") for name, _, value in pairs}


def _name(spelled: str, arguments: dict[str, str]) -> str:
    name = spelled.lower().replace("-", "_")
    name = ALIASES.get(name, name)
    if name == "ndcg" and arguments.get("dcg") in ("log2", "exp-log2"):
        return "ndcg" if arguments.pop("dcg") == "log2" else "ndcg_exp"
    return name


def _formula(name: str, shape: re.Match[str], text: str) -> Formula:
    package = sys.modules["assay.metrics"]
    try:
        return catalogue.find(package, name)  # type: ignore[return-value]
    except UnknownNameError:
        letters = name.rstrip("0123456789")
        close = near_miss(name, catalogue.names(package), alike=0.5)
        hint = f'did you mean "{_meant(close, shape)}"?' if close else LIST
        if letters in catalogue.names(package) and letters != name:  # ndcg10
            hint = f'did you mean "{letters}@{name.removeprefix(letters)}"?'
        raise UnknownNameError(f'unknown metric "{text}"', hint=hint) from None


def _meant(near: str, shape: re.Match[str]) -> str:
    """Keep the arguments and the cut-off of what was typed, if this metric takes them."""
    arguments = f"({shape[2]})" if shape[2] else ""
    cutoff = f"@{shape[3]}" if shape[3] else ""
    try:
        return str(parse(f"{near}{arguments}{cutoff}"))
    except InputError:
        return near


def _cutoff(name: str, kind: Kind, given: str | None, text: str) -> int | None:
    if given is None:
        if kind.cutoff == "required":
            raise InputError(f'metric "{text}" needs a cutoff', hint=f"write {name}@10")
        return None
    if kind.cutoff == "none":
        raise InputError(f'metric "{text}" takes no cutoff', hint=f"write {name}")
    if not _is_small(given):
        problem = f'metric "{text}": the cutoff must be between 1 and {MOST:,}'
        raise InputError(problem, hint=f"write {name}@10")
    return int(given)


def _level(kind: Kind, arguments: dict[str, str], text: str) -> int:
    given = arguments.pop("rel", "1")
    if not kind.levels and given != "1":
        problem = f'metric "{text}" takes no relevance level (rel)'
        raise InputError(problem, hint="remove rel: this metric uses the grades directly")
    if not given.isdecimal() or not _is_small(given):
        problem = f'metric "{text}": rel={given} is not a positive grade'
        raise InputError(problem, hint="write e.g. rel=2")
    return int(given)


def _parameters(kind: Kind, arguments: dict[str, str], text: str) -> tuple[tuple[str, float], ...]:
    for name, value in arguments.items():
        if name not in kind.parameters:
            known = ", ".join([*kind.parameters, *(["rel"] if kind.levels else [])]) or "none"
            problem = f'metric "{text}": unknown parameter "{name}"'
            raise InputError(problem, hint=f"available: {known}")
        if not _is_share(value):
            problem = f'metric "{text}": {name}={value} is not a number >= 0 and < 1'
            raise InputError(problem, hint=f"write e.g. {name}={kind.parameters[name]:g}")
    return tuple((n, float(arguments.get(n, default))) for n, default in kind.parameters.items())


def _is_small(digits: str) -> bool:
    """Say whether digits are a number that array arithmetic can take."""
    return len(digits) < 20 and 1 <= int(digits) <= MOST


def _is_share(text: str) -> bool:
    try:
        return 0.0 <= float(text) < 1.0
    except ValueError:
        return False
