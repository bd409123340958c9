"""Why a search did not return a document."""

from dataclasses import dataclass

__all__ = ["Loss"]


@dataclass(frozen=True, slots=True)
class Loss:
    """The stage that lost a document, and what would have had to hold.

    ``rank`` is the rank that its best chunk has there without any limit of depth, ``score`` its
    score and ``needed`` the score of the last that was kept (or the threshold). What is unknown is
    None. Where several parts retrieve, the one that came nearest tells, and ``also`` holds the
    others. ``stage`` is empty if the document was found (``rank`` says where) and ``index`` if it
    is not in the index at all.
    """

    stage: str
    reason: str
    rank: int | None = None
    score: float | None = None
    needed: float | None = None
    also: "tuple[Loss, ...]" = ()

    @property
    def found(self) -> bool:
        """Whether it was not lost."""
        return not self.stage
