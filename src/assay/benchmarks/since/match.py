"""What two reports have in common: their runs, and the queries that can be compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import InputError
from assay.metrics import parse_all
from assay.records import Ints, Report, Run
from assay.records.fingerprint import fingerprint_of
from assay.text.join_list import join_list
from assay.text.near_miss import did_you_mean

__all__ = [
    "RESOLVED",
    "ReportSide",
    "RunPairs",
    "SharedQueries",
    "match_runs",
    "refuse_units",
    "resolved_digest",
    "shared_metrics",
    "shared_queries",
    "strata_of",
]

RESOLVED = "resolved_digest"  # of a query whose judgments a baseline does not have


@dataclass(frozen=True, slots=True)
class ReportSide:
    """A report, what it is called, and the one run of it that is meant, if not all are."""

    name: str
    report: Report
    run: str = ""


@dataclass(frozen=True, slots=True)
class RunPairs:
    """Pairs of runs, and the names of those that only one of two reports has."""

    pairs: tuple[tuple[Run, Run], ...]
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SharedQueries:
    """Queries of both reports, and those that one alone has, or that are judged otherwise."""

    queries: tuple[str, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    rejudged: tuple[str, ...]

    @property
    def is_split(self) -> bool:
        """Whether the queries of one report are those of the other in collections."""
        old, new = set(self.only_before), set(self.only_after)
        return any(_tail(key) in new for key in old) or any(_tail(key) in old for key in new)


def _tail(key: str) -> str:
    return key.partition("/")[2]


def match_runs(before: ReportSide, after: ReportSide) -> RunPairs:
    """Pair runs by name, then by alias, then by what was really done; a chosen one as it says.

    Where only one report's run was chosen, it meets the one of its name, or the only one there is.
    """
    if before.run and after.run:
        return RunPairs(((find_run(before, before.run), find_run(after, after.run)),))
    if before.run or after.run:
        return RunPairs((_one_chosen(before, after),))
    left = list(after.report.runs)
    pairs: dict[int, tuple[Run, Run]] = {}
    for alike in (_same_name, _same_alias, _same_content):
        for at, run in enumerate(before.report.runs):
            other = next((one for one in left if at not in pairs and alike(run, one)), None)
            if other is not None:
                pairs[at] = (run, other)
                left = [one for one in left if one is not other]
    gone = [run.name for at, run in enumerate(before.report.runs) if at not in pairs]
    found = tuple(pairs[at] for at in sorted(pairs))
    return RunPairs(found, tuple(gone), tuple(run.name for run in left))


def _one_chosen(before: ReportSide, after: ReportSide) -> tuple[Run, Run]:
    name = before.run or after.run
    pair = _named_or_only(before, name), _named_or_only(after, name)
    if before.report.id and before.report.id == after.report.id and pair[0].name == pair[1].name:
        others = [run.name for run in after.report.runs if run.name != pair[0].name]
        hint = f"select another run of the report: {join_list(others)}" if others else ""
        raise InputError("a run cannot be compared with itself", where=pair[0].name, hint=hint)
    return pair


def _named_or_only(chosen: ReportSide, name: str) -> Run:
    runs = chosen.report.runs
    known = any(name in (run.name, *run.aliases) for run in runs)
    if not chosen.run and not known and len(runs) == 1:
        return runs[0]
    return find_run(chosen, chosen.run or name)


def find_run(chosen: ReportSide, name: str) -> Run:
    """Return a run by its name or one of its aliases; suggest the nearest for a wrong one."""
    named = [run for run in chosen.report.runs if name in (run.name, *run.aliases)]
    if named:
        return next((run for run in named if run.name == name), named[0])
    known = [one for run in chosen.report.runs for one in (run.name, *run.aliases)]
    runs = f"available runs: {', '.join(known[:20])}"
    hint = did_you_mean(name, known, otherwise=runs, alike=0.5)
    raise InputError(f'unknown run "{name}"', where=chosen.name, hint=hint)


def _same_name(before: Run, after: Run) -> bool:
    return before.name == after.name


def _same_alias(before: Run, after: Run) -> bool:
    return bool({before.name, *before.aliases} & {after.name, *after.aliases})


def _same_content(before: Run, after: Run) -> bool:
    return bool(before.fingerprint) and before.fingerprint == after.fingerprint


def shared_metrics(before: Report, after: Report, primary: str) -> list[str]:
    """List the metrics of both, the primary first: higher must be better."""
    ours = [str(name) for name in after.benchmark["metrics"]]
    both = [name for name in map(str, before.benchmark["metrics"]) if name in ours]
    wanted = primary or str(after.benchmark["primary"])
    if primary and primary not in both:
        hint = f"choose one of: {', '.join(both)}" if both else "run one of the benchmarks again"
        raise InputError(f"{primary} is not in both reports", hint=hint)
    if not both:
        hint = "run one of the benchmarks again with a metric of the other"
        raise InputError("the reports have no metrics in common", hint=hint)
    able = [str(one) for one in parse_all(both) if one.kind.higher_is_better]
    if not able:
        hint = "run one of the benchmarks again with a metric where higher is better"
        problem = "the reports share no metric that can be primary: lower is better for all of them"
        raise InputError(problem, hint=hint)
    first = wanted if wanted in able else able[0]
    return [first, *(name for name in both if name != first)]


def shared_queries(
    before: Report, after: Report, pairs: Sequence[tuple[Run, Run]], *, by_dataset: bool = False
) -> SharedQueries:
    """Tell which queries every pair of runs scored, and of which the reports mean the same.

    ``by_dataset`` goes by the judgments as the dataset has them, where both reports know these: a
    query whose documents left the corpus is then still the same.
    """
    differs = _differs_in_dataset if by_dataset else _differs
    old = dict.fromkeys(query for one, _ in pairs for query in one.per_query)
    new = dict.fromkeys(query for _, one in pairs for query in one.per_query)
    both = [query for query in old if query in new]
    changed = [query for query in both if differs(before.queries, after.queries, query)]
    kept = set(both) - set(changed)
    for one, other in pairs:
        kept &= set(one.per_query) & set(other.per_query)
    return SharedQueries(
        queries=tuple(query for query in both if query in kept),
        only_before=tuple(query for query in old if query not in new),
        only_after=tuple(query for query in new if query not in old),
        rejudged=tuple(changed),
    )


def _differs_in_dataset(
    before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]], query: str
) -> bool:
    one, other = before.get(query, {}), after.get(query, {})
    if "digest" in one and "digest" in other:
        return bool(one["digest"] != other["digest"])
    return _differs(before, after, query)


def _differs(
    before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]], query: str
) -> bool:
    """Tell whether a query is known to be another, or to have other judgments, than it had."""
    one, other = before.get(query), after.get(query)
    if one is None or other is None:
        return False
    if RESOLVED in one or RESOLVED in other:
        return resolved_digest(one) != resolved_digest(other)
    told = "expected" if "expected" in one or "expected" in other else "judged"
    if any(one.get(key) != other.get(key) for key in ("text", told)):
        return True
    counts = (one.get("judgments"), other.get("judgments"))  # of which some may be missing
    return None not in counts and counts[0] != counts[1]


def resolved_digest(facts: Mapping[str, Any]) -> str:
    """Sum up the text of a query and its judgments as they were resolved in the corpus.

    >>> one, other = {"text": "port", "judged": {"a": 1}}, {"text": "port", "judged": {}}
    >>> resolved_digest(one) == resolved_digest(other)
    False
    """
    if RESOLVED in facts:
        return str(facts[RESOLVED])
    told = facts.get("expected", facts.get("judged"))
    return fingerprint_of("query", [facts.get("text"), told, facts.get("judgments")])[:16]


def refuse_units(before: ReportSide, after: ReportSide) -> None:
    """Refuse scores of documents beside scores of chunks or symbols: they mean different things."""
    units = [str(one.report.benchmark.get("unit") or "document") for one in (before, after)]
    if units[0] != units[1]:
        where = f"{before.name} and {after.name}"
        problem = (
            f"the reports evaluate {units[0]}s and {units[1]}s: their scores cannot be compared"
        )
        raise InputError(problem, where=where, hint="run both benchmarks with the same unit")


def strata_of(report: Report, queries: Sequence[str]) -> Ints | None:
    """Number the collection of each query, if all are known and there are several."""
    named = [str(report.queries.get(query, {}).get("collection", "")) for query in queries]
    codes: dict[str, int] = {}
    numbers = [codes.setdefault(name, len(codes)) for name in named]
    return np.array(numbers, np.int64) if len(codes) > 1 and all(named) else None
