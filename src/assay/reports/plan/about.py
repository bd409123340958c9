"""A duration in words: no more digits than an estimate has."""

__all__ = ["about"]

STEPS = ((86_400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s"))


def about(seconds: float) -> str:
    """Write an estimate in the unit that fits.

    >>> about(0.2), about(9.4), about(95), about(5400)
    ('less than 1 s', 'about 9 s', 'about 1 min 35 s', 'about 1 h 30 min')
    """
    if seconds < 1:
        return "less than 1 s"
    whole = round(seconds)
    for size, unit, below, name in STEPS:
        if whole >= size:
            count, rest = divmod(round(whole / below), size // below)
            return f"about {count:,} {unit}{f' {rest} {name}' if rest else ''}"
    return f"about {whole} s"
