"""Words for messages about judging: which queries are meant."""

from collections.abc import Sequence

from assay.text.count_noun import count_noun
from assay.text.join_list import first_named
from assay.text.quote import quote_line

__all__ = ["queries_named"]

NAMED = 3  # queries that a message names


def queries_named(keys: Sequence[str]) -> str:
    """Count queries, and name the first ones.

    >>> queries_named(["q1"]), queries_named(["q1", "q2", "q3", "q4"])
    ('1 query ("q1")', '4 queries ("q1", "q2", "q3", ...)')
    """
    return f"{count_noun(len(keys), 'query')} ({first_named(keys, NAMED, show=quote_line)})"
