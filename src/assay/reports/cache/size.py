"""How many bytes, as a person reads it."""

__all__ = ["size"]

UNITS = ("bytes", "KB", "MB", "GB", "TB")


def size(number: float) -> str:
    """Write bytes in the largest unit that they fill.

    >>> size(0), size(999), size(4_063_232), size(5_000_000_000)
    ('0 bytes', '999 bytes', '4.1 MB', '5.0 GB')
    """
    for unit in UNITS:
        if abs(number) < 999.95 or unit == UNITS[-1]:
            break
        number /= 1000
    return f"{number:,.0f} bytes" if unit == "bytes" else f"{number:,.1f} {unit}"
