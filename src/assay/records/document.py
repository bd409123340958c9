"""What is searched: documents, and the corpus that they come from."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from assay.records.metadata import document_fields

__all__ = ["Corpus", "Define", "Document"]


@dataclass(frozen=True, slots=True)
class Document:
    """One document: its identifiers and its text.

    Rankings and judgments refer to it by ``id``. ``path`` is relative to the corpus, with forward
    slashes; ``content_hash`` is the SHA-256 of its bytes in hexadecimal. ``stamp`` changes whenever
    the content may have changed, and is known without reading it (the size and times of a file, the
    id of a blob). ``metadata`` holds further fields of its file, as `bounded_metadata` gives them.
    ``converter`` names the program, with its version, that made the text of a file that is not
    text. Fields that are unknown or not requested are empty.
    """

    id: str
    text: str = ""
    title: str = ""
    uri: str = ""
    path: str = ""
    file_name: str = ""
    content_hash: str = ""
    language: str = ""
    size_bytes: int = 0
    stamp: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)
    converter: str = ""

    @property
    def fields(self) -> dict[str, Any]:
        """All that filters and breakdowns can name: metadata, path, file type, title, language."""
        about = {"path": self.path, "title": self.title, "language": self.language}
        return document_fields(self.metadata, **about)

    @property
    def is_blank(self) -> bool:
        """Whether it has neither a text nor a title, so that no word leads to it."""
        return not (self.text and not self.text.isspace()) and not self.title.strip()


class Corpus(Protocol):
    """Documents that can be read again and again, one at a time.

    ``skipped`` counts, after a reading, what was left out and why. Without ``texts`` (or
    ``hashes``) a corpus may leave them empty, which spares it the reading. ``known`` are stamps by
    id of an earlier reading: a document that still has its stamp may come without content.
    """

    @property
    def name(self) -> str:
        """What to call the corpus in messages and reports."""

    @property
    def skipped(self) -> Mapping[str, int]:
        """How many files the last reading left out, by reason."""

    def documents(
        self,
        *,
        texts: bool = True,
        hashes: bool = True,
        known: Mapping[str, str] | None = None,
    ) -> Iterator[Document]:
        """Yield every document in a fixed order, holding one at a time."""


Define = Callable[[Document], Iterable[str]]
"""Names the symbols that a document defines, qualified with dots: ``JSONDecoder.decode``."""
