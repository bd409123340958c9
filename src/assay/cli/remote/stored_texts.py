"""The texts of documents, from the corpora of a service, a few documents ahead."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from assay.errors import AccessError, InputError, UnavailableError
from assay.records import Document
from assay.records.judging import Pair

if TYPE_CHECKING:
    from assay.client import Client

__all__ = ["StoredTexts"]


class StoredTexts:
    """Fetches texts once; what the service cannot read has none, and ``problem`` says why."""

    def __init__(self, client: "Client", mappings: Mapping[str, str]) -> None:
        self._client, self._mappings = client, mappings
        self._found: dict[tuple[str, str], Document | None] = {}
        self.problem = ""

    @property
    def missing(self) -> int:
        """How many documents have no text."""
        return sum(one is None for one in self._found.values())

    def fetch(self, pairs: Iterable[Pair]) -> None:
        """Fetch the documents of some queries that are not there yet."""
        wanted: dict[str, list[str]] = {}
        for query, document in pairs:
            mapping = self._mappings[query]
            if (mapping, document) not in self._found:
                wanted.setdefault(mapping, []).append(document)
        for mapping, documents in wanted.items():
            read = self._read(mapping, documents)
            self._found |= {(mapping, one): read.get(one) for one in documents}

    def get(self, pair: Pair) -> Document | None:
        """Return a document that was fetched; None if the service does not have it."""
        return self._found.get((self._mappings[pair[0]], pair[1]))

    def _read(self, mapping: str, documents: list[str]) -> dict[str, Document]:
        try:
            return self._client.judgments.documents(mapping, documents)
        except (AccessError, UnavailableError):
            raise
        except InputError as error:  # such as a folder that is gone: the judge may know the ids
            self.problem = error.problem
            return {}
