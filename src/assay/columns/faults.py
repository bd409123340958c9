"""What is wrong with the lines of a file: the first five, and how many there are."""

from collections.abc import Callable, Sequence

from assay.errors import InputError, ProblemsError

__all__ = ["Faults"]

SHOWN = 5


class Faults:
    """Collects faults by their place in the file; ``refuse`` raises the first of them, and counts.

    ``where`` is the file.
    """

    def __init__(self, where: str) -> None:
        self.where = where
        self.count = 0
        self._found: list[tuple[int, InputError]] = []

    def add(self, order: int, error: InputError) -> None:
        """Take one fault; ``order`` is its line or row, by which the first are found."""
        self.add_all([order], lambda _: error)

    def add_all(self, orders: Sequence[int], error: Callable[[int], InputError]) -> None:
        """Take a fault for each line or row; an error is made only of those that may be shown."""
        self.count += len(orders)
        self._found += [(order, error(order)) for order in orders[:SHOWN]]

    def settle(self) -> None:
        """Keep no more than is shown: all faults that follow stand further down."""
        self._found = sorted(self._found, key=lambda fault: fault[0])[:SHOWN]

    def refuse(self) -> None:
        """Raise them, if there are any."""
        self.settle()
        if self._found:
            errors = [error for _, error in self._found]
            raise ProblemsError(errors, where=self.where, count=self.count)
