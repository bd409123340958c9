"""Whether a file is a program in a language that can be taken apart."""

from functools import lru_cache

from assay.corpora.programs.language_of import language_of
from assay.corpora.programs.parsable_languages import parsable_languages

__all__ = ["is_program"]


@lru_cache(maxsize=4096)
def is_program(path: str) -> bool:
    """Tell it by the file's name alone.

    >>> is_program("src/retry.py"), is_program("docs/guide.md"), is_program("")
    (True, False, False)
    """
    return language_of(path) in parsable_languages()
