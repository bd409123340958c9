"""What a family left out, in words: each reason with its number."""

from collections.abc import Mapping

__all__ = ["describe_left_out"]


def describe_left_out(left_out: Mapping[str, int]) -> str:
    """Write each reason with its number.

    >>> describe_left_out({"merge commits": 1204, "short subjects": 2, "reverts": 0})
    'merge commits (1,204), short subjects (2)'
    """
    return ", ".join(f"{reason} ({count:,})" for reason, count in left_out.items() if count)
