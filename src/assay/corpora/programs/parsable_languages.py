"""The languages that can be taken apart, by name."""

from functools import cache

from assay.catalogue import find, names
from assay.corpora import languages

__all__ = ["parsable_languages"]


@cache
def parsable_languages() -> dict[str, languages.Language]:
    """Return every language of the folder and of plugins."""
    found = {name: find(languages, name) for name in names(languages)}
    return {name: each for name, each in found.items() if isinstance(each, languages.Language)}
