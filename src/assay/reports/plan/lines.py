"""What a benchmark will cost, in a few lines."""

from collections.abc import Iterator

from assay.records.plan import Estimate, Plan, PlannedIndex
from assay.reports.cache.size import size
from assay.reports.plan.counted import counted
from assay.reports.plan.duration import duration
from assay.reports.spelled import spelled

__all__ = ["lines"]

SHOWN = 4  # of what is merged, and of names in a row
WORTH = 0.05  # of all the time, below which nobody asks what it rests on


def lines(plan: Plan) -> list[str]:
    """Tell what is to be done, how long it takes, and what that rests on."""
    return [
        *_counts(plan),
        *_times(plan),
        *(f"merged: {spelled(text)}" for text in plan.merged[:SHOWN]),
        *_further(len(plan.merged) - SHOWN),
        *_same(plan),
    ]


def _counts(plan: Plan) -> Iterator[str]:
    queries = sum(one.queries for one in plan.collections)
    documents = sum(one.documents for one in plan.collections)
    asked = [
        counted(queries, "query", "queries"),
        counted(documents, "document"),
        counted(plan.cells, "cell"),
        counted(len(plan.runs), "run"),
    ]
    if len(plan.collections) > 1:
        asked.insert(0, counted(len(plan.collections), "dataset"))
    yield f"{spelled(plan.name)}: {', '.join(asked)}"
    kept = [one for one in plan.indexes if one.kept]
    there = sum(one.made for one in kept)
    stages = [one for one in plan.stages if one.kind != "study"]
    whole = sum(one.kind == "search" for one in stages)
    done = plan.searches - plan.searches_left
    told = [
        f"{counted(len(kept) - there, 'index', 'indexes')} to build{_there(there)}",
        counted(len(stages) - whole, "stage"),
        *([counted(whole, "whole search", "whole searches")] if whole else []),
        f"{counted(plan.searches_left, 'search', 'searches')} to do",
    ]
    shared = f"{plan.searches_alone:,} if nothing were shared"
    yield f"{', '.join(told)} ({shared}{f'; {done:,} are recorded already' if done else ''})"


def _there(count: int) -> str:
    return f" ({count:,} {'is' if count == 1 else 'are'} there already)" if count else ""


def _times(plan: Plan) -> Iterator[str]:
    total = plan.building_s + plan.searching_s
    parts = [part for part, seconds in _parts(plan) if seconds > WORTH * total]
    yield f"about {duration(total)}{': ' if parts else ''}{'; '.join(parts)}"
    yield f"about {size(plan.disk_bytes)} more on disk"


def _parts(plan: Plan) -> Iterator[tuple[str, float]]:
    """Tell of each kind of work how long it takes, and what that rests on."""
    reading = [one.reading for one in plan.indexes if not one.made]
    seconds = sum(one.value for one in reading)
    yield f"{duration(seconds)} reading and indexing ({_basis(reading)})", seconds
    for model in dict.fromkeys(one.model for one in plan.indexes if one.embedding.value):
        some = [one for one in plan.indexes if one.model == model and one.embedding.value]
        seconds = sum(one.embedding.value for one in some)
        chunks = counted(sum(map(_to_embed, some)), "chunk")
        basis = _basis([one.embedding for one in some])
        told = f"{duration(seconds)} embedding {chunks} with {spelled(model)} ({basis})"
        yield told, seconds
    names = dict.fromkeys(one.name for one in plan.stages)
    for name in names:
        stages = [one for one in plan.stages if one.name == name]
        seconds = sum(one.seconds for one in stages)
        doing = DOING.get(name, f"in {name}")
        yield (
            f"{duration(seconds)} {doing} ({_basis([one.milliseconds for one in stages])})",
            seconds,
        )


DOING = {"embed": "embedding queries", "search": "searching", "study": "studying structure"}


def _to_embed(index: PlannedIndex) -> int:
    return round(index.chunks.value * (1 - index.remembered))


def _basis(estimates: list[Estimate]) -> str:
    found = [*dict.fromkeys(one.rests_on for one in estimates)]
    more = f" and {len(found) - 1} other bases" if len(found) > 2 else ""
    return " or ".join(found[:2]) if not more else f"{found[0]}{more}"


def _further(count: int) -> Iterator[str]:
    if count > 0:
        yield f"merged: {count:,} more such notes (--json has all)"


def _same(plan: Plan) -> Iterator[str]:
    """Name what comes to the same as another."""
    for one in [run for run in plan.runs if run.aliases][:SHOWN]:
        names = ", ".join(spelled(name) for name in one.aliases[:SHOWN])
        rest = len(one.aliases) - SHOWN
        yield f"the same as {spelled(one.name)}: {names}{f' and {rest:,} more' if rest > 0 else ''}"
