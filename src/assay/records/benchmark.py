"""What is to be measured: a dataset, a corpus, and the configurations that are tried on them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.records.configuration import Configuration

__all__ = ["Benchmark", "Collection"]


@dataclass(frozen=True, slots=True)
class Collection:
    """One dataset with its corpus, of a benchmark that has several; its name is shown.

    ``reading`` says how its judgments are read: binary, subtopics. With ``only``, it has the
    queries that name this collection, of a dataset that covers several. ``vectors`` says where
    those of its queries are, if the benchmark does.
    """

    name: str
    dataset: str
    corpus: str | Mapping[str, object] | None = None
    reading: Mapping[str, bool] = field(default_factory=dict)
    only: str = ""
    vectors: str | Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark as its file gives it; paths are ready to be opened.

    ``corpus`` is None where the dataset holds or names its own; the paths in it are relative to
    ``home``. ``metrics`` has the primary one first, by their canonical names. ``baseline`` names
    the configuration that the others are compared with. ``budgets`` are the most that a
    configuration may cost, and the least that it must reach. ``margin`` is the share of the
    baseline's score that nobody would notice. ``file`` is where it stands, for messages. Of several
    ``datasets`` each has its corpus and a name; ``dataset`` and ``corpus`` are then those of the
    first. ``cells`` counts what the lists in its configurations multiply to, of which those that
    come to the same are one run; ``merged`` tells which settings have no effect in a cell.
    ``ship_if`` is better or noninferior; ``unjudged`` is zero where a verdict takes documents
    without a judgment for not relevant, ``query_weights`` is ignore where every query counts the
    same, whatever weights they have.
    If it is not ``scored``, queries are asked and answers recorded, without any judgments.
    ``race`` has the error bound ``alpha`` of a race and the queries of its ``first`` block; it is
    empty where all configurations are measured in full. ``replaced`` names several
    datasets of the file that one took the place of. ``command`` is what it was asked for with on a
    command line; it is empty where there is none. ``match_weights`` says whether a match counts by
    how well it meets what is expected; None leaves it to the dataset.
    ``reading`` says how the judgments of the dataset are read: binary, subtopics. ``unit`` is what
    is evaluated: document, chunk or symbol. ``vectors`` says where those of its queries are.
    ``breakdowns`` are the fields of queries or documents that scores are broken down by.
    """

    name: str
    dataset: str
    configurations: tuple[Configuration, ...]
    metrics: tuple[str, ...]
    corpus: str | Mapping[str, object] | None = None
    baseline: str = ""
    budgets: Mapping[str, float] = field(default_factory=dict)
    home: str = ""
    description: str = ""
    margin: float = 0.02
    datasets: tuple[Collection, ...] = ()
    alpha: float = 0.05
    ship_if: str = "better"
    unjudged: str = "bounds"
    query_weights: str = "use"
    scored: bool = True
    cells: int = 0
    merged: tuple[str, ...] = ()
    race: Mapping[str, float] = field(default_factory=dict)
    match_weights: bool | None = None
    reading: Mapping[str, bool] = field(default_factory=dict)
    unit: str = "document"
    vectors: str | Mapping[str, object] | None = None
    breakdowns: tuple[str, ...] = ()
    file: str = field(default="", compare=False)
    replaced: tuple[str, ...] = field(default=(), compare=False)
    command: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def primary(self) -> str:
        """The metric that decides."""
        return self.metrics[0]

    @property
    def collections(self) -> tuple[Collection, ...]:
        """The datasets that are searched, one or several."""
        alone = Collection("", self.dataset, self.corpus, self.reading, vectors=self.vectors)
        return self.datasets or (alone,)
