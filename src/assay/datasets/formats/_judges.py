"""What several judges say of one document -> one rating, as Quepid counts it."""

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

from assay.datasets.formats._decimal_ratings import number
from assay.text.count_noun import count_noun

__all__ = ["Judges"]

FEW = 3


class Judges:
    """Combines ratings, and counts where judges disagree.

    One or two ratings give their mean; of more, the lowest of the three highest counts. Quepid does
    the same when it copies the judgements of a book to a case; unless the book has implicit
    judgements, it rounds to ``whole`` numbers.

    >>> judges = Judges(whole=True)
    >>> judges.rating([3, None, 2]), judges.rating([3, 2, 1, 0]), judges.rating([1, 1])
    ('3', '1', '1')
    >>> judges.notes[0].partition(":")[0]
    'judges disagree on 2 of 3 documents'
    """

    def __init__(self, *, whole: bool) -> None:
        self._whole = whole
        self._documents = self._disputed = 0

    def rating(self, given: Iterable[object]) -> object:
        """Return one rating; None if nobody gave one, and as it is what is not a number."""
        rated = [one for one in given if one not in (None, "")]
        values = [number(one) for one in rated]
        known = sorted((one for one in values if one is not None), reverse=True)
        if len(known) < len(rated):
            return rated[values.index(None)]
        return str(self._combined(known)) if known else None

    def _combined(self, ratings: list[Decimal]) -> Decimal:
        self._documents += 1
        self._disputed += len(set(ratings)) > 1
        few = len(ratings) < FEW
        found = sum(ratings, Decimal(0)) / len(ratings) if few else ratings[FEW - 1]
        return found.quantize(Decimal(1), ROUND_HALF_UP) if self._whole else found

    @property
    def notes(self) -> tuple[str, ...]:
        """Say on how many documents the judges disagree, and what was done."""
        if not self._disputed:
            return ()
        how = "two judges: the mean; more: the lowest of the three highest"
        said = f"judges disagree on {self._disputed:,} of {count_noun(self._documents, 'document')}"
        return (f"{said}: their ratings are combined as Quepid does ({how})",)
