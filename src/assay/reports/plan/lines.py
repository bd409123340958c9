"""What a benchmark will cost, in a few lines."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from assay.records import UnknownSymbol
from assay.records.plan import Estimate, Plan, PlannedIndex, PlannedStage
from assay.reports.cache.size import size
from assay.reports.plan.about import about
from assay.reports.resolutions.unknown_symbols import unknown_symbols
from assay.text import sanitize
from assay.text.count_noun import count_noun
from assay.text.join_list import first_few

__all__ = ["lines"]

SHOWN = 3  # notes of a kind, and names in a row
LEAST_S = 0.1  # below which the basis of an estimate is not shown


def lines(plan: Plan) -> list[str]:
    """Write what is to be done, how long it takes, and what the estimates are based on."""
    merged = [f"note: {sanitize(text)}" for text in plan.merged]
    same = [_same(run.name, run.aliases) for run in plan.runs if run.aliases]
    return [
        *_counts(plan),
        *_times(plan),
        *_raced(plan),
        *_unread(plan),
        *_unresolved(plan),
        *(f"note: {sanitize(text)}" for text in unknown_symbols(_unknown(plan))),
        *_without_relevant(plan),
        *_some(merged),
        *_some(same),
    ]


def _unread(plan: Plan) -> Iterator[str]:
    """Name the files that could not be read, of each corpus once."""
    corpora = {one.content: one for one in plan.collections if one.unread}
    several = len(plan.collections) > 1
    for one in corpora.values():
        yield f"note: {sanitize(one.name) + ': ' if several else ''}{sanitize(one.unread)}"


def _unresolved(plan: Plan) -> Iterator[str]:
    """Count the references that no document of the corpus meets."""
    if lost := sum(one.unresolved for one in plan.collections):
        many = count_noun(lost, "reference is", "references are")
        missed = "counts as missed" if lost == 1 else "count as missed"
        listed = "`assay dataset resolve DATASET --corpus CORPUS` lists them"
        yield f"note: {many} unresolved and {missed}; {listed}"


def _unknown(plan: Plan) -> list[UnknownSymbol]:
    return [one for collection in plan.collections for one in collection.unknown_symbols]


def _without_relevant(plan: Plan) -> Iterator[str]:
    """Count the queries on which every run scores 0."""
    if bare := sum(one.without_relevant for one in plan.collections):
        queries = sum(one.queries for one in plan.collections)
        have = "has" if bare == 1 else "have"
        many = f"{bare:,} of {count_noun(queries, 'query')} {have} no relevant document"
        yield f"note: {many}: every run scores 0 on {'it' if bare == 1 else 'them'}"


def _raced(plan: Plan) -> Iterator[str]:
    """Say that these are upper bounds."""
    if plan.race:
        yield "race: upper bounds, since configurations that are stopped early run fewer queries"


def _counts(plan: Plan) -> Iterator[str]:
    several = len(plan.collections) > 1
    asked = [
        *([count_noun(len(plan.collections), "collection")] if several else []),
        count_noun(sum(one.queries for one in plan.collections), "query"),
        count_noun(documents, "document") if (documents := sum(_documents(plan))) else "no corpus",
        count_noun(plan.cells, "configuration"),
        count_noun(len(plan.runs), "run"),
    ]
    yield f"{sanitize(plan.name)}: {', '.join(asked)}"
    yield f"{_indexes(plan)}, {_stages(plan)}, {_searches(plan)}"


def _documents(plan: Plan) -> Iterable[int]:
    """Count the documents of each corpus once, however many datasets use it."""
    corpora = {one.content or one.name: one.documents for one in plan.collections}
    return corpora.values()


def _indexes(plan: Plan) -> str:
    kept = [one for one in plan.indexes if one.kept]
    there = sum(one.made for one in kept)
    told = f"{count_noun(len(kept) - there, 'index', 'indexes')} to build"
    exist = "already exists" if there == 1 else "already exist"
    return f"{told} ({there:,} {exist})" if there else told


def _stages(plan: Plan) -> str:
    whole = sum(one.kind == "search" for one in plan.stages)
    parts = sum(one.kind == "stage" for one in plan.stages)
    told = [count_noun(parts, "stage")] if parts or not whole else []
    return ", ".join(
        [*told, *([f"{count_noun(whole, 'run')} measured end to end"] if whole else [])]
    )


def _searches(plan: Plan) -> str:
    done = plan.searches - plan.searches_left
    more = [f"{done:,} already recorded"] if done else []
    if plan.searches_alone > plan.searches:
        more.append(f"{plan.searches_alone:,} without shared stages")
    told = f"{count_noun(plan.searches_left, 'search', 'searches')} to run"
    return f"{told} ({'; '.join(more)})" if more else told


def _times(plan: Plan) -> Iterator[str]:
    """Write the total time, and the basis of each estimate that matters."""
    parts = [told for told, seconds in _parts(plan) if seconds >= LEAST_S]
    seconds, disk = about(plan.building_s + plan.searching_s), size(plan.disk_bytes)
    end = ":" if parts else ""
    yield f"{seconds} for indexing and searching, {disk} more on disk{end}"
    yield from (f"  {told}" for told in parts)


def _parts(plan: Plan) -> Iterator[tuple[str, float]]:
    reading = [one.reading for one in plan.indexes if not one.made]
    seconds = sum(one.value for one in reading)
    yield f"{about(seconds)} for reading and indexing ({_basis(reading)})", seconds
    for model in dict.fromkeys(one.model for one in plan.indexes if one.embedding.value):
        some = [one for one in plan.indexes if one.model == model and one.embedding.value]
        yield _embedding(model, some), sum(one.embedding.value for one in some)
    seconds = plan.searching_s
    yield f"{about(seconds)} for searching ({_bases(plan.stages)})", seconds


def _embedding(model: str, some: Sequence[PlannedIndex]) -> str:
    seconds = sum(one.embedding.value for one in some)
    chunks = round(sum(one.chunks.value * (1 - one.remembered) for one in some))
    basis = _basis([one.embedding for one in some])
    what = f"embedding {count_noun(chunks, 'chunk')} with {sanitize(model)}"
    return f"{about(seconds)} for {what} ({basis})"


def _bases(stages: Sequence[PlannedStage]) -> str:
    """Name the stages by the basis of their estimates, those that take longest first."""
    found: dict[str, dict[str, float]] = {}
    for one in (stage for stage in stages if stage.seconds):
        seconds = found.setdefault(one.milliseconds.rests_on, {})
        seconds[one.name] = seconds.get(one.name, 0.0) + one.seconds
    ordered = sorted(found.items(), key=lambda pair: -sum(pair[1].values()))
    return "; ".join(f"{', '.join(_longest(its))}: {why}" for why, its in ordered)


def _longest(seconds: Mapping[str, float]) -> list[str]:
    return sorted(seconds, key=lambda name: -seconds[name])


def _basis(estimates: Sequence[Estimate]) -> str:
    """Name what most of the time rests on."""
    seconds: dict[str, float] = {}
    for one in estimates:
        seconds[one.rests_on] = seconds.get(one.rests_on, 0.0) + one.value
    return f"{'mostly ' if len(seconds) > 1 else ''}{next(iter(_longest(seconds)), '')}"


def _same(name: str, aliases: Sequence[str]) -> str:
    same = first_few([*map(sanitize, aliases)], SHOWN)
    return f"merged: {same} (identical to {sanitize(name)})"


def _some(told: Sequence[str]) -> list[str]:
    rest = len(told) - SHOWN
    more = [f"... and {rest:,} more; --json lists all"] if rest > 0 else []
    return [*told[:SHOWN], *more]
