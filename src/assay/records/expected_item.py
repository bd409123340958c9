"""Which judgments of a query are one expected item: the one rule for counts and for scores."""

from assay.records.dataset import Judgment

__all__ = ["item_of"]


def item_of(judgment: Judgment, at: int) -> tuple[str, bool] | int:
    """Name the item of the judgment at a place: its group and whether it is relevant, or the place.

    A member that is not relevant is no right answer, so it neither meets nor claims the item of the
    right ones; those that are not relevant replace each other, as a file that moved does.
    """
    return (judgment.group, judgment.grade > 0) if judgment.group else at
