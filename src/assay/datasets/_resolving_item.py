"""Which judgments of a query are one expected item: the one rule for counts and for scores."""

from assay.records import Judgment

__all__ = ["item_of"]


def item_of(judgment: Judgment, at: int) -> str | int:
    """Name the item of the judgment at a place: the group of its right answers, else the place.

    A member that is not relevant is no right answer, so it neither meets nor claims the group's
    item; it is a reference of its own.
    """
    return judgment.group if judgment.group and judgment.grade > 0 else at
