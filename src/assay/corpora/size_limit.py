"""The largest file that is a document: a setting of a corpus, written as 5MB."""

from collections.abc import Mapping
from pathlib import Path

from assay.corpora.per_collection import as_mapping
from assay.errors import InputError
from assay.text.quote import quote_value
from assay.text.size import parse_size

__all__ = ["DEFAULT", "FORMER", "SETTING", "size_limit", "with_limit"]

DEFAULT = "1MB"
SETTING = "max_file_size"
FORMER = "max_bytes"  # its first name, which is still read
HINT = f"give a size such as 5MB or 500KB, a number of bytes, or none: {SETTING}: 5MB"


def size_limit(given: object) -> int | None:
    """Return the largest size in bytes; None, or "none", means that there is no limit.

    >>> size_limit("5MB"), size_limit(1000), size_limit("none")
    (5000000, 1000, None)
    """
    if given is None or (isinstance(given, str) and given.strip().lower() == "none"):
        return None
    number = parse_size(given) if isinstance(given, str) else given
    if isinstance(number, int) and not isinstance(number, bool) and number > 0:
        return number
    raise InputError(f"{SETTING}: invalid value {quote_value(given)}", where="corpus", hint=HINT)


def with_limit(where: object, given: int | str | None) -> object:
    """Return the description of a corpus with this limit; without one, as it is.

    >>> with_limit("docs", "5MB")
    {'path': 'docs', 'max_file_size': '5MB'}
    """
    if given is None:
        return where
    size_limit(given)
    where = as_mapping(where)
    if isinstance(where, Mapping):
        return {**{key: value for key, value in where.items() if key != FORMER}, SETTING: given}
    if isinstance(where, str | Path):
        return {"path": where, SETTING: given}
    problem = f"{SETTING} has no effect: no corpus is given"
    raise InputError(problem, where="corpus", hint="give the corpus, too, e.g. --corpus FOLDER")
