"""A search of one's own in a few lines: the pages that share most words with a query."""

import re
from pathlib import Path

PAGES = Path(__file__).parents[1] / "handbook" / "pages"


def words(text: str) -> set[str]:
    """Split a text into words."""
    return set(re.findall(r"\w+", text.lower()))


INDEX = {
    page.relative_to(PAGES).as_posix(): words(page.read_text(encoding="utf-8"))
    for page in PAGES.rglob("*.md")
}


def search(query: str, top: int) -> list[tuple[str, float]]:
    """Return the best pages with their scores, best first."""
    asked = words(query)
    scores = {page: len(asked & found) / len(asked | found) for page, found in INDEX.items()}
    found = [(page, score) for page, score in scores.items() if score > 0]
    return sorted(found, key=lambda one: (-one[1], one[0]))[:top]
