"""Words for messages about judging: what a text or a key is, and which queries are meant."""

from collections.abc import Sequence

from assay.text import sanitize

__all__ = ["queries_named", "quoted"]

LONGEST = 60  # letters of a text that a message repeats
NAMED = 3  # queries that a message names


def quoted(text: str) -> str:
    """Put a text on one line, between quotation marks, and not too long.

    >>> quoted("how do  I retry?")
    '"how do I retry?"'
    """
    line = sanitize(" ".join(text.split()))
    return f'"{line}"' if len(line) <= LONGEST else f'"{line[: LONGEST - 3]}..."'


def queries_named(keys: Sequence[str]) -> str:
    """Count queries, and name the first ones.

    >>> queries_named(["q1"]), queries_named(["q1", "q2", "q3", "q4"])
    ('1 query ("q1")', '4 queries ("q1", "q2", "q3", ...)')
    """
    named = [*map(quoted, keys[:NAMED]), *(["..."] if len(keys) > NAMED else [])]
    return f"{len(keys):,} {'query' if len(keys) == 1 else 'queries'} ({', '.join(named)})"
