"""Margin: the difference that nobody would notice, as a share of the baseline's score."""

__all__ = ["SAME", "SHARE", "margin_of", "reaches"]

SHARE = 0.02
OF_NOTHING = 0.01  # where the baseline scores 0, a share of it would be no margin at all
SAME = 1e-12  # what rounding alone can do to a mean


def margin_of(score: float, share: float = SHARE) -> float:
    """Return the absolute margin.

    >>> margin_of(0.5), margin_of(0.0), margin_of(0.0, 0.005)
    (0.01, 0.01, 0.01)
    """
    return share * abs(score) if score else OF_NOTHING


def reaches(gain: float, margin: float) -> bool:
    """Tell whether a gain is at least the margin, whatever rounding did to either.

    >>> reaches(0.009999999999999998, 0.010000000000000002), reaches(0.0099, 0.01), reaches(0, 0)
    (True, False, False)
    """
    return gain > 0 and gain >= margin - SAME
