"""One dataset with the corpus that it asks about, opened."""

from dataclasses import dataclass, field
from functools import cached_property

from assay.benchmarks.collections.corpus_reading import CorpusReading
from assay.errors import InputError
from assay.records import (
    Corpus,
    Dataset,
    Query,
)
from assay.records.fingerprint import fingerprint_of

__all__ = ["OpenCollection"]


@dataclass(frozen=True, eq=False)
class OpenCollection:
    """One dataset, and the corpus that it asks about; ``name`` is empty if it is the only one.

    ``stored`` names what the corpus held when the benchmark was begun, for a process that goes on
    with it; whoever begins finds that out by ``reading`` it.
    """

    name: str
    dataset: Dataset
    reading: CorpusReading
    stored: str = field(default="")

    @property
    def corpus(self) -> Corpus:
        """What is searched."""
        return self.reading.corpus

    @property
    def queries(self) -> tuple[Query, ...]:
        """What is asked."""
        return self.dataset.queries

    @cached_property
    def asked(self) -> str:
        """Name what is asked by its content, and what does not count as an answer."""
        return fingerprint_of("queries", [query.fingerprint for query in self.queries])

    @property
    def content(self) -> str:
        """Name what the corpus holds."""
        return self.stored or self.reading.content

    def refuse_changed(self) -> None:
        """Refuse a corpus that no longer holds what the benchmark was begun with."""
        if self.reading.content != self.content:
            hint = "run the benchmark again: it then measures the corpus as it is now"
            problem = "the corpus changed since the benchmark was begun"
            raise InputError(problem, where=self.corpus.name, hint=hint)

    def key(self, query: str) -> str:
        """Name a query of this dataset among those of all."""
        return f"{self.name}/{query}" if self.name else query
