"""ConsciousDB's JSON: the table of methods, and the lines of its reporting template."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Interval, Report, Run
from assay.reports.ancestors.read._assemble import assemble, ending
from assay.reports.ancestors.read._fields import Fields
from assay.reports.ancestors.read._layout import AncestorLayout
from assay.reports.ancestors.read._structure_of import MethodRow, structure_of

__all__ = ["CONSCIOUSDB"]

NAME = "ConsciousDB"
RERANKED = re.compile(r"Reranker-.+ \((.+)\)")  # around the name of a run
METRIC = re.compile(r"(ndcg|mrr|recall|map|precision)@([1-9][0-9]*)", re.IGNORECASE)
OURS = {"map": "ap"}
P95 = ("p95_latency_ms", "P95_latency_ms")
UPLIFTS = ("{}_uplift_percent", "{}_uplift_pct")
COHERENCE, DIVERSIFIED = "ConsciousDB", "ConsciousDB+MMR"
TIMES = ("p50", "p95", "p99", "mean")


def _is_consciousdb(value: Mapping[str, Any]) -> bool:
    rows = value.get("methods")
    if not isinstance(rows, list):
        return False
    named = any(isinstance(row, Mapping) and "method" in row for row in rows)
    return named or (not rows and "latency_ms" in value)


def _read(told: Sequence[Fields]) -> Report:
    found: dict[str, Run] = {}
    for one in told:
        for run in _runs(one):
            repeated = one is not told[0] and run.structure is None  # in each of several reports
            if run.name in found and not repeated:
                hint = "give each run a name of its own"
                raise one.error("methods", f'two runs are named "{run.name}"', hint=hint)
            found.setdefault(run.name, run)
    first = told[0]
    structured = any(run.structure is not None for run in found.values())
    baseline = {} if structured else {"baseline": first.text("run")}
    return assemble(
        NAME,
        told,
        [*found.values()],
        name=first.text("benchmark"),
        benchmark={key: name for key, name in baseline.items() if name},
        dataset={"queries": first.count("queries")},
        corpus={"name": first.text("corpus")} if "corpus" in first else {},
    )


def _runs(told: Fields) -> list[Run]:
    """Return the run that a file is about, and the methods that are runs of their own.

    ConsciousDB's own file is about no single run: each of its methods is one.
    """
    each = [_row(row) for row in told.rows("methods")]
    rows = {row.name: row for row in each}
    if len(rows) < len(each):
        raise told.error("methods", "two methods have one name", hint="give each a name of its own")
    explained = any(row.explained for row in each)
    if explained and told.text("run"):
        others = [_run(told, row, rows) for row in each if not row.ours]
        return [_whole(told, rows), *others]
    if not each:  # of a run that failed, or of none
        return [Run(told.text("run"), "", {}, **ending(told))]
    return [_run(told, row, rows) for row in each]


def _row(told: Fields) -> MethodRow:
    name = told.text("method")
    if not name:
        raise told.error("method", "a method without a name", hint="expected e.g. Cosine")
    scores: dict[str, float] = {}
    gains: dict[str, float] = {}
    ends: dict[str, Interval] = {}
    for key in told.value:
        if (at := METRIC.fullmatch(key)) and (score := told.score(key)) is not None:
            kind = at[1].lower()
            metric = f"{OURS.get(kind, kind)}@{at[2]}"
            scores[metric] = score
            gains |= _gain(told, at[1], metric)
            ends |= _ends(told, f"{kind}_difference_ci", metric)
    receipt = told.text("explainability") == "receipt" or name in (COHERENCE, DIVERSIFIED)
    p95 = next((told.amount(key) for key in P95 if key in told), None)
    return MethodRow(name, scores, p95, receipt, gains, ends)


def _gain(told: Fields, kind: str, metric: str) -> dict[str, float]:
    keys = [form.format(name) for form in UPLIFTS for name in (kind, kind.lower())]
    found = next((told.number(key) for key in keys if key in told), None)
    return {} if found is None else {metric: found / 100}


def _ends(told: Fields, key: str, metric: str) -> dict[str, Interval]:
    value = told.value.get(key)
    if value is None:
        return {}
    pair = value if isinstance(value, list) and len(value) == 2 else [None, None]
    both = Fields(dict(zip(("0", "1"), pair, strict=True)), told.where, told.place(key))
    low, high = both.number("0"), both.number("1")
    if low is None or high is None or low > high:
        raise told.error(key, "not an interval", hint="expected two numbers, the lower first")
    return {metric: Interval(low, high)}


def _whole(told: Fields, rows: Mapping[str, MethodRow]) -> Run:
    """Return the run that a file with one structured run is about."""
    returned = rows[_returned(told, rows)]
    pairs = _pairs(told, returned.ours)
    rows = {name: _with_pair(row, pairs) for name, row in rows.items()}
    row = rows[returned.name]
    return _made(told, told.text("run"), row, rows, _latency(told, row))


def _returned(told: Fields, rows: Mapping[str, MethodRow]) -> str:
    """Tell which method the run returns: the one with the scores and times of the whole file."""
    names = [name for name, row in rows.items() if row.explained]
    score = told.part("ndcg").part("@10").score("conscious")
    p95 = told.part("latency_ms").amount("p95")
    fits = [name for name in names if score in (None, rows[name].scores.get("ndcg@10"))]
    timed = [name for name in fits if p95 is not None and rows[name].p95 == p95]
    return next(iter([*timed, *fits, *names]))


def _pairs(told: Fields, returned: str) -> dict[str, dict[str, float]]:
    """Return the scores at other cutoffs than those of the table, by method."""
    found: dict[str, dict[str, float]] = {"cosine": {}, returned: {}}
    for at, pair in told.parts("ndcg").items():
        if at.removeprefix("@").isdigit():
            for name, key in (("cosine", "vector"), (returned, "conscious")):
                if (score := pair.score(key)) is not None:
                    found[name][f"ndcg@{at.removeprefix('@')}"] = score
    return found


def _with_pair(row: MethodRow, pairs: Mapping[str, Mapping[str, float]]) -> MethodRow:
    more = pairs.get(row.ours, {}) if row.ours else {}
    scores = {**more, **row.scores}
    return MethodRow(row.name, scores, row.p95, row.explained, row.gains, row.ends)


def _latency(told: Fields, row: MethodRow) -> dict[str, Any]:
    times = told.part("latency_ms")
    found: dict[str, Any] = {name: times.amount(name) for name in TIMES}
    found["p95"] = row.p95 if found["p95"] is None else found["p95"]
    stages = {
        name: {key: one.amount(key) for key in one.value if key in TIMES}
        for name, one in told.parts("latency_stages_ms").items()
    }
    found = {name: value for name, value in found.items() if value is not None}
    return found | ({"stages": stages} if stages else {})


def _run(told: Fields, row: MethodRow, rows: Mapping[str, MethodRow]) -> Run:
    times = {} if row.p95 is None else {"p95": row.p95}
    inner = RERANKED.fullmatch(row.name) if "run" in told else None
    name = inner[1] if inner else row.name
    if told.text("run") == name:
        times = _latency(told, row)
    return _made(told, name, row, rows, times)


def _made(
    told: Fields,
    name: str,
    row: MethodRow,
    rows: Mapping[str, MethodRow],
    times: Mapping[str, Any],
) -> Run:
    primary = next((metric for metric in row.scores if metric.startswith("ndcg@")), "ndcg@10")
    primary = "ndcg@10" if "ndcg@10" in row.scores else primary
    explained = row.explained and row.ours
    return Run(
        name,
        "",
        {},
        scores=row.scores,
        latency_ms=times,
        structure=structure_of(told, rows, row.ours, primary) if explained else None,
        **(ending(told) if name == told.text("run") else {}),
    )


CONSCIOUSDB = AncestorLayout(NAME, _is_consciousdb, _read)
