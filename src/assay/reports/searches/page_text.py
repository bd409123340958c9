"""Pages as people call them: pages, slides or cells."""

from pathlib import PurePosixPath

__all__ = ["page_text"]

WORDS = {
    **dict.fromkeys((".pptx", ".pptm"), ("slide", "slides")),
    ".ipynb": ("cell", "cells"),
}
PAGES = ("p.", "pp.")


def page_text(path: str, first: int, last: int) -> str:
    """Write the numbers of the pages of a document that a place is on.

    >>> page_text("a/handbook.pdf", 12, 12), page_text("Deck.PPTX", 3, 4)
    ('p. 12', 'slides 3-4')
    """
    one, several = WORDS.get(PurePosixPath(path).suffix.lower(), PAGES)
    return f"{one} {first}" if first == last else f"{several} {first}-{last}"
