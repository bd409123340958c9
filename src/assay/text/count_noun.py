"""A number with its noun, in singular or plural."""

__all__ = ["count_noun", "plural"]


def count_noun(number: int, noun: str, many: str = "") -> str:
    """Write how many there are of something; ``many`` is a plural that no rule gives.

    >>> count_noun(1, "run"), count_noun(1204, "query"), count_noun(2, "index", "indexes")
    ('1 run', '1,204 queries', '2 indexes')
    """
    return f"{number:,} {plural(number, noun, many)}"


def plural(number: int, noun: str, many: str = "") -> str:
    """Write a noun as it stands after a number.

    >>> plural(1, "query"), plural(0, "query"), plural(2, "key")
    ('query', 'queries', 'keys')
    """
    if number == 1:
        return noun
    ies = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return many or (f"{noun[:-1]}ies" if ies else f"{noun}s")
