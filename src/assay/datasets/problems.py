"""All that is wrong with a file, gathered while it is read and told at once."""

from collections.abc import Iterable

from assay.datasets.schema import Schema, path_text
from assay.errors import InputError, ProblemsError

__all__ = ["ENOUGH", "Problems"]

ENOUGH = 1_000  # problems after which reading on tells nobody anything
AND_MORE = f"there may be more problems: reading stopped after {ENOUGH:,}"


class Problems:
    """Gathers problems of one file; ``refuse`` raises them together, if there are any."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.found: list[InputError] = []

    def add(self, problem: str, *, at: str = "", hint: str = "") -> None:
        """Note a problem; ``at`` is its place in the file: a line, a path, a query."""
        where = f"{self.where}, {at}" if at else self.where
        self.extend([InputError(problem, where=where, hint=hint)])

    def extend(self, problems: Iterable[InputError]) -> None:
        """Note problems whose places are known; after very many, raise them."""
        self.found.extend(problems)
        if len(self.found) >= ENOUGH:
            self.refuse()

    def check(self, schema: Schema, value: object, *, at: str = "") -> bool:
        """Note all that a schema finds in a value; say whether it found nothing."""
        before = len(self.found)
        for path, problem, hint in schema.problems(value):
            self.add(problem, at=_place(at, path), hint=hint)
        return len(self.found) == before

    def refuse(self) -> None:
        """Raise what was found."""
        if self.found:
            then = AND_MORE if len(self.found) >= ENOUGH else ""
            raise ProblemsError(self.found, where=self.where, then=then)


def _place(at: str, path: Iterable[str | int]) -> str:
    return ", ".join(filter(None, (at, path_text(tuple(path)))))
