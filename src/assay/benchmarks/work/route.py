"""The stages of a configuration -> pieces of work, shared by all that find the same with them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from assay.engines.search import Pipeline
from assay.engines.stages import Step
from assay.records import Query, Unit
from assay.records.fingerprint import fingerprint_of

__all__ = ["Node", "Route", "retrieval_of", "route_of", "sampled"]

COMPARED = 10  # queries by which the times of stages are compared with those of the whole

# Replaying one of these costs less than reading what it left on a tape: they have none of their
# own, and run again with the stage that follows.
Role = Literal["embed", "stage", "answer", "study", "whole"]
LIGHT = ("threshold", "collapse", "cut")


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One piece of the way of a query: a stage that leaves a tape, and light ones before it.

    What comes in is on the tapes of ``parents``, and the query's vector on that of ``vector``. The
    role is embed, stage, answer (the last one, which names documents), study (a side way: what else
    structure could have done) or whole (some queries asked of all stages at once, beside which the
    sum of their times is put).
    """

    key: str
    name: str
    role: Role
    steps: tuple[Step, ...] = ()
    parents: tuple["Node", ...] = ()
    vector: "Node | None" = None

    @property
    def needs(self) -> tuple["Node", ...]:
        """The nodes whose tapes it reads."""
        return (*self.parents, *([self.vector] if self.vector else []))

    def unit(self, queries: Sequence[Query], asks: int) -> Unit:
        """Describe the work of it."""
        kind = "study" if self.role == "study" else "stage"
        rounds = 1 if self.role == "study" else asks
        needs = tuple(one.key for one in self.needs)
        asked = sampled(queries) if self.role == "whole" else queries
        return Unit(self.key, kind, self.name, needs, rounds * len(asked))


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """The way of every query through a configuration; the last node holds the answers."""

    nodes: tuple[Node, ...]
    study: Node | None = None
    whole: Node | None = None

    @property
    def all(self) -> tuple[Node, ...]:
        """The nodes of the way, and of the side ways."""
        return (*self.nodes, *(node for node in (self.study, self.whole) if node))


@dataclass
class _Way:
    """A way that is being laid; ``known`` are the nodes of all ways, by key."""

    origin: str
    known: dict[str, Node]
    nodes: list[Node] = field(default_factory=list)

    def add(
        self,
        role: Role,
        steps: Sequence[Step] = (),
        parents: Sequence[Node] = (),
        *,
        vector: Node | None = None,
        origin: str = "",
    ) -> Node:
        """Go on by a node; one that another way has already is the same."""
        asks = any(step.needs_vector for step in steps) or role == "study"
        seen = vector if asks or _asks_for(steps, vector) else None
        above = [one.key for one in (*parents, *([seen] if seen else []))]
        made = [step.fingerprint for step in steps]
        key = fingerprint_of(origin or self.origin, role, made, above)
        name = role if role in ("embed", "answer", "whole") else steps[-1].name
        node = Node(key, name, role, tuple(steps), tuple(parents), seen)
        return self.known.setdefault(key, node)


def sampled(queries: Sequence[Query]) -> Sequence[Query]:
    """Choose the queries that are asked of a whole search, too: all over the dataset."""
    return queries[:: max(1, len(queries) // COMPARED)][:COMPARED]


def route_of(
    pipeline: Pipeline,
    *,
    origin: str,
    embedding: str,
    known: dict[str, Node],
    compared: bool = True,
) -> Route:
    """Lay the way of a pipeline, over nodes that other ways share.

    ``origin`` names the index and the queries, ``embedding`` the model and the queries. Where it is
    to be ``compared``, some queries are asked of the whole search, too.
    """
    way = _Way(origin, known)
    vector, parts = _retrieving(way, pipeline, embedding)
    nodes = [*([vector] if vector else []), *parts]
    light: list[Step] = []
    study = None
    for step in pipeline.refine:
        light.append(step)
        if step.name in LIGHT:
            continue
        if step.study is not None:
            study = way.add("study", light, parts, vector=vector)
        parts, light = [way.add("stage", light, parts, vector=vector)], []
        nodes += parts
    answer = way.add("answer", light, parts, vector=vector)
    steps = (*pipeline.retrieve, *pipeline.refine)
    return Route((*nodes, answer), study, way.add("whole", steps) if compared else None)


def retrieval_of(
    pipeline: Pipeline, *, origin: str, embedding: str, known: dict[str, Node]
) -> Route:
    """Lay only the beginning of the way: what is retrieved."""
    vector, parts = _retrieving(_Way(origin, known), pipeline, embedding)
    return Route((*([vector] if vector else []), *parts))


def _retrieving(way: _Way, pipeline: Pipeline, embedding: str) -> tuple[Node | None, list[Node]]:
    vector = way.add("embed", origin=embedding) if pipeline.needs_vector else None
    return vector, [way.add("stage", [part], vector=vector) for part in pipeline.retrieve]


def _asks_for(steps: Sequence[Step], vector: Node | None) -> bool:
    """Tell whether a stage may look at the query's vector without saying so."""
    return vector is not None and any(step.name in ("fuse", "rerank") for step in steps)
