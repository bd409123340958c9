"""Names of runs in a sentence: always marked, for a name may be a word like any other."""

__all__ = ["quoted"]


def quoted(name: str) -> str:
    """Put a name in quotation marks.

    >>> f"{quoted('both')} scores best"
    '"both" scores best'
    """
    return f'"{name}"'
