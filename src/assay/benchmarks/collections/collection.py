"""One dataset with the corpus that it asks about, opened."""

from dataclasses import dataclass
from functools import cached_property

from assay.corpora.fingerprint import fingerprint
from assay.records import (
    Corpus,
    Dataset,
    Query,
)
from assay.records.fingerprint import fingerprint_of

__all__ = ["OpenCollection"]


@dataclass(frozen=True, eq=False)
class OpenCollection:
    """One dataset, and the corpus that it asks about; ``name`` is empty if it is the only one."""

    name: str
    dataset: Dataset
    corpus: Corpus

    @property
    def queries(self) -> tuple[Query, ...]:
        """What is asked."""
        return self.dataset.queries

    @cached_property
    def asked(self) -> str:
        """Name what is asked by its content, and what does not count as an answer."""
        parts = [[one.key, one.text, sorted(one.excluded)] for one in self.queries]
        # Earlier versions recorded what is excluded, too: their stage outputs are not read.
        how = ["excluded before retrieval"] if any(one.excluded for one in self.queries) else []
        return fingerprint_of("queries", *how, parts)

    @cached_property
    def content(self) -> str:
        """Name what the corpus holds."""
        return fingerprint(self.corpus)

    def key(self, query: str) -> str:
        """Name a query of this dataset among those of all."""
        return f"{self.name}/{query}" if self.name else query
