"""sia-code's JSON: the summary of all configurations, or the results of one, by repository."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report, Run
from assay.reports.ancestors.read._assemble import assemble, ending, settle
from assay.reports.ancestors.read._fields import Fields
from assay.reports.ancestors.read._layout import AncestorLayout

__all__ = ["SIA_CODE"]

NAME = "sia-code"
AT = re.compile(r"(?:recall|precision|hit)@([1-9][0-9]*)")
MOST_FAILED = 100_000  # queries, which are named one by one
USUAL = 5  # files that sia-code looks at
CLOSE = 5e-4  # what a recall in a file may be rounded by
Scores = dict[str, dict[str, float]]


def _is_sia_code(value: Mapping[str, Any]) -> bool:
    named = any(isinstance(key, str) and AT.fullmatch(key) for key in value)
    counted = bool({"total_queries", "queries_processed", "mrr"} & value.keys())
    return counted and (named or isinstance(value.get("configurations"), list))


def _read(told: Sequence[Fields]) -> Report:
    first = told[0]
    several = [one for each in told for one in _configurations(each)]
    runs = [_run(one, f"run {at}", first) for at, one in enumerate(several, 1)]
    return assemble(
        NAME,
        told,
        runs,
        name=first.text("benchmark"),
        primary=f"recall@{USUAL}",
        dataset={"queries": first.count("total_queries")},
        queries={key: fact for one in several for key, fact in _facts(one).items()},
    )


def _configurations(told: Fields) -> list[Fields]:
    return told.rows("configurations") if "configurations" in told else [told]


def _run(told: Fields, unnamed: str, whole: Fields) -> Run:
    scores = _scores(told)
    rows = _by_id(told)
    groups = {key: row.text("repo") for key, row in rows.items()}
    scores, per_query = settle(scores, _queries(rows, scores, groups), groups)
    name = told.text("name") or unnamed
    return Run(
        name,
        "",
        {},
        scores=scores,
        per_query=per_query,
        failed=_failed(told, rows),
        collections={key: _repository(one) for key, one in told.parts("repositories").items()},
        indexing=_sums(told, ("seconds", "files")),
        storage=_sums(told, ("index_bytes",)),
        **(ending(told) or ending(_notes_of(whole, name))),
    )


def _notes_of(whole: Fields, name: str) -> Fields:
    """Return the notes on one configuration of a summary."""
    notes, prefix = whole.part("notes").value, f"configurations.{name}."
    return Fields({"notes": {k: v for k, v in notes.items() if k.startswith(prefix)}}, whole.where)


def _scores(told: Fields) -> dict[str, float]:
    """Return the scores; a reciprocal rank counts only in the files that are looked at."""
    named = [key for key in told.value if AT.fullmatch(key)]
    found = {key: told.score(key) for key in named}
    found[f"mrr@{_depth(told)}"] = told.score("mrr")
    return {metric: score for metric, score in found.items() if score is not None}


def _depth(told: Fields) -> int:
    """Return how many files are looked at."""
    found = [int(at[1]) for at in map(AT.fullmatch, told.value) if at]
    return max(found, default=USUAL)


def _by_id(told: Fields) -> dict[str, Fields]:
    rows: dict[str, Fields] = {}
    for row in told.rows("results"):
        key = row.text("query_id")
        if not key or key in rows:
            problem = f'the query "{key}" is there twice' if key else "a query without an id"
            raise row.error("query_id", problem, hint="give each query an id of its own")
        rows[key] = row
    return rows


def _queries(
    rows: Mapping[str, Fields], scores: Mapping[str, float], groups: Mapping[str, str]
) -> Scores:
    """Return hits and reciprocal ranks, and recall where it is the same as a hit.

    A hit is never less than the recall of a query, so that equal means have equal queries.
    """
    depth = next((int(name[4:]) for name in scores if name.startswith("mrr@")), USUAL)
    recall = next((name for name in scores if name.startswith("recall@")), f"recall@{depth}")
    found = {key: _query(row, depth) for key, row in rows.items()}
    hits, _ = settle({}, found, groups)
    mean = hits.get(f"hit@{depth}")
    if mean is not None and abs(mean - scores.get(recall, -1.0)) <= CLOSE:
        return {key: _as_recall(row, recall, f"hit@{depth}") for key, row in found.items()}
    return found


def _as_recall(row: Mapping[str, float], recall: str, hit: str) -> dict[str, float]:
    return {recall: row[hit]} | {name: score for name, score in row.items() if name != hit}


def _query(row: Fields, depth: int) -> dict[str, float]:
    rank = row.count("rank")
    told = {} if rank is None else {f"mrr@{depth}": 1 / rank if 0 < rank <= depth else 0.0}
    return told | ({f"hit@{depth}": float(row.flag("hit"))} if "hit" in row else {})


def _failed(told: Fields, rows: Mapping[str, Fields]) -> dict[str, str]:
    """Return the failed queries; a summary only counts them."""
    named = {key: row.text("error") for key, row in rows.items() if "error" in row}
    count, total = told.count("queries_failed") or 0, told.count("queries_processed")
    if count > MOST_FAILED or (total is not None and rows and count > len(rows) + total):
        raise told.error("queries_failed", f"{count:,} failed queries are more than there are")
    return named or {f"failed query {at}": "" for at in range(1, count + 1)}


def _repository(told: Fields) -> dict[str, float]:
    found: dict[str, float | None] = {
        key: told.score(key) for key in told.value if AT.fullmatch(key)
    }
    found["queries"] = told.count("queries")
    return {name: value for name, value in found.items() if value is not None}


def _sums(told: Fields, keys: Sequence[str]) -> dict[str, float]:
    """Add up over the repositories what all of them have."""
    repositories = told.parts("repositories").values()
    found = {key: [one.amount(key) for one in repositories] for key in keys}
    return {
        key: sum(amount for amount in some if amount is not None)
        for key, some in found.items()
        if some and None not in some
    }


def _facts(told: Fields) -> dict[str, dict[str, Any]]:
    found = {key: row.text("repo") for key, row in _by_id(told).items()}
    return {key: {"collection": repo} if repo else {} for key, repo in found.items()}


SIA_CODE = AncestorLayout(NAME, _is_sia_code, _read)
