"""Data: all that the page's script shows of queries, in columns, as one compact JSON text."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assay.records import Report, Run
from assay.reports.html._readable import readable
from assay.reports.metric_direction import is_lower_better
from assay.reports.rival import baseline_of, rival

__all__ = ["data"]

FIRST = 10  # documents of a ranking that are shown
STEPS = 10_000  # a score is a whole number of these: four decimals, as everywhere in the page
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def data(report: Report) -> str:
    """Return the JSON, which cannot end the element that it stands in.

    Scores are ten-thousandths. ``pools`` has the documents that any run answered to a query or
    that are relevant to it, as places in ``documents``; a ranking is a string of places in the
    pool, one or two characters each.
    """
    keys = list(
        dict.fromkeys([*report.queries, *(k for run in report.runs for k in run.per_query)])
    )
    metrics = [str(name) for name in report.benchmark.get("metrics", ())]
    documents = _Places()
    pools = [_pool(report, key) for key in keys]
    stages = _Places()
    value = {
        "metrics": metrics,
        "lower": [int(is_lower_better(report, name)) for name in metrics],
        "baseline": _baseline(report),
        "compared": _compared(report),
        "runs": [run.name for run in report.runs],
        "status": [run.status for run in report.runs],
        **_queries(report, keys),
        "pools": [[documents.place(name) for name in pool] for pool in pools],
        "grades": [_grades(report, key, pool) for key, pool in zip(keys, pools, strict=True)],
        "scores": [_scores(run, metrics, keys) for run in report.runs],
        "took": [_took(run, keys) for run in report.runs],
        "rankings": [_rankings(run, keys, pools) for run in report.runs],
        "failed": [_by_query(keys, run.failed) for run in report.runs],
        "losses": [_pairs(keys, run.losses, stages) for run in report.runs],
        "missed": [_missed(keys, run, documents, stages) for run in report.runs],
        "more": [_by_query(keys, run.missed_more) for run in report.runs],
        "documents": documents.names,
        "stages": stages.names,
    }
    return escaped(_plain(value))


def escaped(value: object) -> str:
    """Write JSON that is no markup: no character of it can open or close an element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


class _Places:
    """Names, each once, and the place of each."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def place(self, name: str) -> int:
        """Return where a name stands; a new one stands at the end."""
        return self.places.setdefault(name, len(self.places))

    @property
    def names(self) -> list[str]:
        """Return all names in their order."""
        return [*self.places]


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever JSON may hold
    """Let all texts be readable; what is no number is nothing."""
    if isinstance(value, Mapping):
        return {readable(str(key)): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not abs(value) < float("inf"):
        return None
    return _whole(readable(value)) if isinstance(value, str) else value


def _whole(text: str) -> str:
    """Replace halves of characters, which no encoding can write."""
    return text.encode("utf-8", "replace").decode()


def _baseline(report: Report) -> int:
    names = [run.name for run in report.runs]
    told = baseline_of(report)
    return names.index(told) if told in names else 0


def _compared(report: Report) -> int:
    """Return the run that the page compares at first, as charts do; else the next run."""
    names = [run.name for run in report.runs]
    name = rival(report)
    if name in names and names.index(name) != _baseline(report):
        return names.index(name)
    others = [at for at in range(len(names)) if at != _baseline(report)]
    return others[0] if others else _baseline(report)


def _queries(report: Report, keys: Sequence[str]) -> dict[str, Any]:
    """Return what is known of each query, a list per fact; a fact of none is left out."""
    told = [report.queries.get(key, {}) for key in keys]
    facts = (
        *("text", "category", "collection", "weight", "filters", "difficulty", "predicted"),
        *("leaked", "cluster"),
    )
    columns = {fact: [_fact(one.get(fact)) for one in told] for fact in facts}
    known = {fact: column for fact, column in columns.items() if any(column)}
    return {"keys": list(keys), "facts": known}


def _fact(value: Any) -> Any:  # noqa: ANN401 - as a report has it
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return round(value, 3)
    return value if value is None or isinstance(value, str | int) else str(value)


def _judged(report: Report, key: str) -> Mapping[str, float]:
    judged = report.queries.get(key, {}).get("judged")
    return judged if isinstance(judged, Mapping) else {}


def _pool(report: Report, key: str) -> dict[str, int]:
    """Place relevant documents first, then all that some run has among its first ones."""
    relevant = [name for name, grade in _judged(report, key).items() if grade and grade > 0]
    answered = (name for run in report.runs for name in run.rankings.get(key, ())[:FIRST])
    names = dict.fromkeys([*relevant, *answered])
    return {name: at for at, name in enumerate(names)}


def _grades(report: Report, key: str, pool: Iterable[str]) -> list[Any]:
    judged = _judged(report, key)
    return [judged.get(name) for name in pool]


def _scores(run: Run, metrics: Sequence[str], keys: Sequence[str]) -> list[list[int | None]]:
    rows = [run.per_query.get(key, {}) for key in keys]
    return [[_steps(row.get(metric)) for row in rows] for metric in metrics]


def _steps(value: float | None) -> int | None:
    known = value is not None and abs(value) < float("inf")
    return round(value * STEPS) if value is not None and known else None


def _took(run: Run, keys: Sequence[str]) -> list[float | None]:
    """Return milliseconds to three digits; nothing where single searches were not timed."""
    times = run.latency_ms.get("queries")
    if not isinstance(times, Mapping) or not times:
        return []
    return [None if (took := times.get(key)) is None else float(f"{took:.3g}") for key in keys]


def _rankings(run: Run, keys: Sequence[str], pools: Sequence[Mapping[str, int]]) -> list[str]:
    if not run.rankings:
        return []
    pairs = zip(keys, pools, strict=True)
    return [_coded(run.rankings.get(key, ())[:FIRST], pool) for key, pool in pairs]


def _coded(names: Sequence[str], pool: Mapping[str, int]) -> str:
    """Write places with as many characters as the pool needs: one up to 62 documents, then two."""
    if len(pool) <= len(ALPHABET):
        return "".join(ALPHABET[pool[name]] for name in names)
    known = [pool[name] for name in names if pool[name] < len(ALPHABET) ** 2]
    return "".join(ALPHABET[one // 62] + ALPHABET[one % 62] for one in known)


def _by_query(keys: Sequence[str], told: Mapping[str, Any]) -> dict[str, Any]:
    """Key by the place of a query what only few queries have."""
    if not told:
        return {}
    return {str(at): told[key] for at, key in enumerate(keys) if key in told}


def _pairs(
    keys: Sequence[str], told: Mapping[str, Mapping[str, float]], stages: _Places
) -> dict[str, list[int]]:
    if not told:
        return {}
    return {
        str(at): [
            one
            for stage, loss in told[key].items()
            for one in (stages.place(stage), _steps(loss) or 0)
        ]
        for at, key in enumerate(keys)
        if key in told
    }


def _missed(
    keys: Sequence[str], run: Run, documents: _Places, stages: _Places
) -> dict[str, list[int]]:
    if not run.missed:
        return {}
    return {
        str(at): [
            place
            for name, stage in run.missed[key].items()
            for place in (documents.place(name), stages.place(stage))
        ]
        for at, key in enumerate(keys)
        if run.missed.get(key)
    }
