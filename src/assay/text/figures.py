"""Scores, differences and p values as people read them: no more digits than they can use."""

import math

__all__ = ["amount_text", "difference_text", "digits_apart", "interval_text", "p_text"]

DIGITS = 3
MOST_DIGITS = 6
SMALLEST_P = 0.0001
ALPHAS = (0.001, 0.005, 0.01, 0.05, 0.1)
UNITS = {"_ms": " ms", "_mb": " MB", "_seconds": " s", "_per_second": "/s"}  # by ends of names
SHARES = ("_rate", "uplift")


def difference_text(value: float, digits: int = DIGITS) -> str:
    """Write a signed difference of scores; a small one keeps its first digit.

    >>> difference_text(0.10457), difference_text(-0.00042), difference_text(0.0)
    ('+0.105', '-0.0004', '0.000')
    """
    if not math.isfinite(value):
        return f"{value:+}"
    if abs(value) < 10**-MOST_DIGITS / 2:
        return f"{0:.{digits}f}"
    first = math.ceil(-math.log10(abs(value)))
    return f"{value:+.{min(max(first, digits), MOST_DIGITS)}f}"


def digits_apart(one: float, other: float) -> int:
    """Return how many digits it takes to see that two values differ: a limit and what is below.

    >>> digits_apart(0.0099, 0.01), digits_apart(0.02, 0.01), digits_apart(0.01, 0.01)
    (4, 3, 3)
    """
    if round(one, MOST_DIGITS) == round(other, MOST_DIGITS):
        return DIGITS
    counts = range(DIGITS, MOST_DIGITS)
    return next((at for at in counts if round(one, at) != round(other, at)), MOST_DIGITS)


def interval_text(low: float, high: float) -> str:
    """Write the ends of an interval of differences.

    >>> interval_text(0.0449, 0.1642)
    '+0.045 to +0.164'
    """
    return f"{difference_text(low)} to {difference_text(high)}"


def p_text(value: float) -> str:
    """Write a p value; below .0001 only that it is. Rounding never reaches a usual alpha.

    >>> p_text(0.00049), p_text(0.123), p_text(0.0496), p_text(1.0), p_text(0.00001)
    ('p = 0.0005', 'p = 0.12', 'p = 0.0496', 'p = 1', 'p < 0.0001')
    """
    if value < SMALLEST_P:
        return f"p < {SMALLEST_P:.4f}"
    digits = 4 if value < 0.01 else 3 if value < 0.1 else 2
    while digits < MOST_DIGITS and value not in ALPHAS and round(value, digits) in ALPHAS:
        digits += 1
    return f"p = {value:.{digits}f}".rstrip("0").rstrip(".")


def amount_text(figure: str, value: float, digits: int = 4) -> str:
    """Write the value of a figure by its name: a score, a time, a number of bytes, a share.

    >>> amount_text("ndcg@10", 0.70671), amount_text("latency_p95_ms", 78.123)
    ('0.7067', '78.12 ms')
    >>> amount_text("index_bytes", 8542000), amount_text("fallback_rate", 0.0412)
    ('8,542,000 bytes', '4.1%')
    """
    if figure.endswith(SHARES):
        return f"{value:.1%}"
    if "bytes" in figure:
        return f"{value:,.0f} bytes"
    if figure == "errors":
        return f"{value:,.0f}"
    unit = next((unit for end, unit in UNITS.items() if figure.endswith(end)), None)
    if unit is None:
        return f"{value:.{digits}f}"
    return f"{value:,.0f}{unit}" if abs(value) >= 1000 else f"{value:.{digits}g}{unit}"
