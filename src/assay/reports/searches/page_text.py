"""A page as people call it: page, slide or cell."""

from pathlib import PurePosixPath

__all__ = ["page_text"]

WORDS = {".pptx": "slide", ".ipynb": "cell"}


def page_text(path: str, page: int) -> str:
    """Write the number of a page of a document.

    >>> page_text("a/handbook.pdf", 12), page_text("Deck.PPTX", 3), page_text("x.ipynb", 4)
    ('p. 12', 'slide 3', 'cell 4')
    """
    return f"{WORDS.get(PurePosixPath(path).suffix.lower(), 'p.')} {page}"
