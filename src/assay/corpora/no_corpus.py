"""No corpus: only systems of others are searched, and nothing is known of their documents."""

from collections.abc import Iterator, Mapping

from assay.records import Document
from assay.records.report import NO_CORPUS

__all__ = ["NOTE", "NoCorpus"]

NOTE = (
    "no corpus was given: references are taken as the ids that the systems return, and leaked "
    "queries are not looked for"
)


class NoCorpus:
    """A ``Corpus`` without documents; a report says that it was not given."""

    name = NO_CORPUS
    skipped: Mapping[str, int] = {}

    def documents(
        self,
        *,
        texts: bool = True,
        hashes: bool = True,
        known: Mapping[str, str] | None = None,
    ) -> Iterator[Document]:
        """Yield nothing."""
        return iter(())
