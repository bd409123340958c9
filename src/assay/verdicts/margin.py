"""Margin: the difference that nobody would notice, as a share of the baseline's score."""

__all__ = ["margin_of"]

SHARE = 0.02
OF_NOTHING = 0.01  # where the baseline scores 0, a share of it would be no margin at all


def margin_of(score: float, share: float = SHARE) -> float:
    """Return the absolute margin.

    >>> margin_of(0.5), margin_of(0.0)
    (0.01, 0.01)
    """
    return share * abs(score) if score else min(share, OF_NOTHING)
