"""Corpus -> a short name of its content, so that a report can say what it ran on."""

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256

from assay.records import Corpus, Document

__all__ = ["ContentHash", "fingerprint"]


def fingerprint(corpus: Corpus) -> str:
    """Name the content of a corpus in 64 hexadecimal digits.

    Ids, titles, content hashes, metadata and converters count; order, place and kind of source do
    not, so that a folder and the git revision that it was checked out from are the same corpus.
    """
    content = ContentHash()
    for document in corpus.documents(texts=False):
        content.add(document)
    return content.name


class ContentHash:
    """Names the content of documents that pass by, in whatever order.

    A sum of hashes needs no order (Bellare & Micciancio 1997, "A new paradigm for collision-free
    hashing").
    """

    def __init__(self) -> None:
        self._total = 0

    def add(self, document: Document) -> None:
        """Count a document in."""
        self._total += int.from_bytes(_hash(document))

    def watch(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield documents, and count them in."""
        for document in documents:
            self.add(document)
            yield document

    @property
    def name(self) -> str:
        """The name of all that was counted in until now."""
        return (self._total % (1 << 256)).to_bytes(32).hex()


def _hash(document: Document) -> bytes:
    parts = [document.id, document.title, document.content_hash]
    if document.metadata or document.converter:  # others keep the names that they always had
        parts += [json.dumps(dict(document.metadata), sort_keys=True), document.converter]
    data = [part.encode("utf-8", "surrogatepass") for part in parts]
    return sha256(b"".join(len(part).to_bytes(8) + part for part in data)).digest()
