"""Run a pipeline of stages, and record the result and latency of each."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from assay.engines.stages import Step
from assay.errors import InputError
from assay.records import FoundRows, Ints, SearchInput, StageTrace, Vectors
from assay.records.fingerprint import fingerprint_settings

__all__ = ["Pipeline", "SearchTrace", "search", "times_of"]


@dataclass(frozen=True, eq=False)
class Pipeline:
    """The stages of a search: retrieval stages, which are independent, then the others in order."""

    retrieve: tuple[Step, ...]
    refine: tuple[Step, ...] = ()

    def __post_init__(self) -> None:
        fused = bool(self.refine) and self.refine[0].name == "fuse"
        if not self.retrieve or (len(self.retrieve) > 1 and not fused):
            raise InputError(
                f"the pipeline has {len(self.retrieve)} retrieval stages and no fuse stage",
                where="search",
                hint="use one retrieval stage, or several followed by fuse",
            )

    @cached_property
    def fingerprint(self) -> str:
        """Hash all stages, in their order."""
        return fingerprint_settings(
            retrieve=[stage.fingerprint for stage in self.retrieve],
            refine=[stage.fingerprint for stage in self.refine],
        )

    @property
    def needs_vector(self) -> bool:
        """Whether a stage asks for the query's vector."""
        return any(stage.needs_vector for stage in (*self.retrieve, *self.refine))


@dataclass(frozen=True, eq=False)
class SearchTrace:
    """What came out, and how: ``traced`` in the order of the stages."""

    asked: SearchInput
    found: FoundRows
    traced: tuple[StageTrace, ...]
    latency_ms: Mapping[str, float]

    @cached_property
    def places(self) -> tuple[dict[int, int], ...]:
        """Say for each stage where each row stands, from 0: many results are explained at once."""
        return tuple(
            {row: at for at, row in enumerate(one.found.rows.tolist())} for one in self.traced
        )


def search(
    stages: Pipeline,
    text: str,
    *,
    embed: Callable[[str], Vectors] | None = None,
    excluded: tuple[int, ...] = (),
    allowed: Ints | None = None,
    clock: Callable[[], int] = time.perf_counter_ns,
) -> SearchTrace:
    """Ask the stages; ``embed`` turns the query into a vector if one of them needs it.

    Rows that are ``excluded`` are not retrieved, and only those that are ``allowed``.
    ``latency_ms`` holds the milliseconds of embed, of each stage, and of all of it as total.
    """
    began = clock()
    asked = SearchInput(text, _vector(stages, text, embed), excluded, allowed)
    latency = {"embed": _since(began, clock)} if stages.needs_vector else {}
    traced = [_run(stage, asked, [], clock) for stage in stages.retrieve]
    found = [_untimed(one.found) for one in traced]
    for stage in stages.refine:
        traced.append(_run(stage, asked, found, clock))
        found = [_untimed(traced[-1].found)]
    for one in traced:
        for part, taken in times_of(one.stage, one.found, one.milliseconds):
            latency[part] = latency.get(part, 0.0) + taken
    latency["total"] = _since(began, clock)
    return SearchTrace(asked, found[0], tuple(traced), latency)


def _vector(stages: Pipeline, text: str, embed: Callable[[str], Vectors] | None) -> Vectors | None:
    if not stages.needs_vector:
        return None
    if embed is None:
        raise InputError(
            "dense search requires an embedding model for the query",
            where="search",
            hint="pass the model that the index was built with",
        )
    return embed(text).reshape(-1)


def _run(
    stage: Step, asked: SearchInput, found: list[FoundRows], clock: Callable[[], int]
) -> StageTrace:
    began = clock()
    kept = stage(asked, found)
    return StageTrace(stage.name, kept, _since(began, clock))


def _untimed(found: FoundRows) -> FoundRows:
    """Hand a list on without the times of the stage that made it."""
    return found if found.took is None else replace(found, took=None)


def times_of(stage: str, found: FoundRows, milliseconds: float) -> Iterator[tuple[str, float]]:
    """Split the time of a stage into its parts, the last of which takes what is left over."""
    took = dict(found.took or {})
    if not took:
        yield stage, milliseconds
        return
    *first, last = took
    yield from ((part, took[part]) for part in first)
    yield last, max(milliseconds - sum(took[part] for part in first), 0.0)


def _since(began: int, clock: Callable[[], int]) -> float:
    return (clock() - began) / 1e6
