"""A number with its noun."""

__all__ = ["counted"]


def counted(number: int, one: str, many: str = "") -> str:
    """Write how many there are of something.

    >>> counted(1, "run"), counted(1204, "query", "queries")
    ('1 run', '1,204 queries')
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
