"""How long something takes, as a person says it: no more digits than an estimate has."""

__all__ = ["duration"]


def duration(seconds: float) -> str:
    """Write seconds in the unit that fits.

    >>> duration(0.2), duration(9.4), duration(95), duration(5400), duration(400_000)
    ('less than 1 s', '9 s', '1 min 35 s', '1 h 30 min', '4 d 15 h')
    """
    if seconds < 0.95:
        return "less than 1 s"
    whole = max(round(seconds), 1)
    for size, unit, below, name in (
        (86_400, "d", 3600, "h"),
        (3600, "h", 60, "min"),
        (60, "min", 1, "s"),
    ):
        if whole >= size:
            count, rest = divmod(round(whole / below), size // below)
            return f"{count:,} {unit}{f' {rest} {name}' if rest else ''}"
    return f"{whole} s"
