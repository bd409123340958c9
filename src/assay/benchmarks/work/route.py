"""The stages of a configuration -> units of work, shared by all runs with the same stages."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from assay.engines.search import Pipeline
from assay.engines.stages import Step
from assay.records import Query
from assay.records.fingerprint import fingerprint_of

__all__ = ["Node", "Route", "retrieval_of", "route_of", "sampled"]

COMPARED = 10  # queries by which the times of stages are compared with those of the whole

# Replaying one of these costs less than reading what it left on a tape: they have none of their
# own, and run again with the stage that follows.
Role = Literal["embed", "stage", "answer", "study", "whole"]
LIGHT = ("threshold", "collapse", "symbols", "cut")


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One part of the route of a query: a stage whose output is recorded, and light ones before it.

    ``key`` names its output. Its inputs are the outputs of ``parents``, and the query's vector is
    that of ``vector``. The role is embed, stage, answer (the last one, which names documents),
    study (a side route: coherence receipts and controls) or whole (some queries run through all
    stages in sequence, to compare with the sum of their times). ``places`` are those of its
    ``steps`` in the pipeline that it was laid by.
    """

    key: str
    name: str
    role: Role
    steps: tuple[Step, ...] = ()
    parents: tuple["Node", ...] = ()
    vector: "Node | None" = None
    places: tuple[int, ...] = ()

    @property
    def needs(self) -> tuple["Node", ...]:
        """The nodes whose outputs it reads."""
        return (*self.parents, *([self.vector] if self.vector else []))

    def bound(self, pipeline: Pipeline) -> "Node":
        """Return the node with the same steps of another pipeline, which searches for real."""
        every = (*pipeline.retrieve, *pipeline.refine)
        return replace(self, steps=tuple(every[at] for at in self.places))


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

    def bound(self, pipeline: Pipeline) -> "Route":
        """Return the way over the stages of another pipeline, which searches for real."""
        return replace(self, nodes=tuple(node.bound(pipeline) for node in self.nodes))


@dataclass
class _Way:
    """A way that is being laid; ``known`` are the nodes of all ways, by key."""

    origin: str
    known: dict[str, Node]
    pipeline: Pipeline
    places: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        every = (*self.pipeline.retrieve, *self.pipeline.refine)
        self.places = {id(step): at for at, step in enumerate(every)}

    def add(
        self,
        role: Role,
        steps: Sequence[Step] = (),
        parents: Sequence[Node] = (),
        *,
        vector: Node | None = None,
        origin: str = "",
    ) -> Node:
        """Add a node; where another route has the same key, both are one unit of work."""
        asks = any(step.needs_vector for step in steps) or role == "study"
        seen = vector if asks or _asks_for(steps, vector) else None
        above = [one.key for one in (*parents, *([seen] if seen else []))]
        made = [step.fingerprint for step in steps]
        key = fingerprint_of(origin or self.origin, role, made, above)
        name = role if role in ("embed", "answer", "whole") else steps[-1].name
        places = tuple(self.places[id(step)] for step in steps)
        node = Node(key, name, role, tuple(steps), tuple(parents), seen, places)
        self.known.setdefault(key, node)
        return node


def sampled(queries: Sequence[Query]) -> Sequence[Query]:
    """Choose the queries that also run through the whole search: all over the dataset."""
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

    ``origin`` names the index, ``embedding`` the model. Where it is to be ``compared``, some
    queries also run through the whole search.
    """
    way = _Way(origin, known, pipeline)
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
    vector, parts = _retrieving(_Way(origin, known, pipeline), pipeline, embedding)
    return Route((*([vector] if vector else []), *parts))


def _retrieving(way: _Way, pipeline: Pipeline, embedding: str) -> tuple[Node | None, list[Node]]:
    vector = way.add("embed", origin=embedding) if pipeline.needs_vector else None
    return vector, [way.add("stage", [part], vector=vector) for part in pipeline.retrieve]


def _asks_for(steps: Sequence[Step], vector: Node | None) -> bool:
    """Tell whether a stage may look at the query's vector without saying so."""
    return vector is not None and any(step.name in ("fuse", "rerank") for step in steps)
