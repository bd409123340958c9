"""Corpus -> a short name of its content, so that a report can say what it ran on."""

from hashlib import sha256

from assay.records import Corpus, Document

__all__ = ["fingerprint"]


def fingerprint(corpus: Corpus) -> str:
    """Name the content of a corpus in 64 hexadecimal digits.

    Ids, titles and content hashes count; order, place and kind of source do not, so that a folder
    and the git revision that it was checked out from are the same corpus. A sum of hashes needs no
    order (Bellare & Micciancio 1997, "A new paradigm for collision-free hashing").
    """
    total = 0
    for document in corpus.documents(texts=False):
        total += int.from_bytes(_hash(document))
    return (total % (1 << 256)).to_bytes(32).hex()


def _hash(document: Document) -> bytes:
    parts = (document.id, document.title, document.content_hash)
    data = [part.encode("utf-8", "surrogatepass") for part in parts]
    return sha256(b"".join(len(part).to_bytes(8) + part for part in data)).digest()
