"""All that is wrong with a benchmark, gathered with its places and told at once."""

from collections.abc import Callable, Mapping, Sequence

from assay.errors import InputError, ProblemsError

__all__ = ["MOST_LISTED", "BenchmarkProblems", "KeyPath", "refuse_both_keys"]

KeyPath = Sequence[str | int]  # where something stands in a file: configurations, 1, rrf_k
MOST_LISTED = 1_000  # configurations or datasets of a file: more is a mistake


class BenchmarkProblems:
    """Gathers the problems of one file; ``line`` tells where a path of keys stands, if known.

    ``within`` are the keys that the whole file stands under, and does not have itself; ``options``
    has the keys that an option of the command line gave in its place.
    """

    def __init__(
        self,
        where: str,
        line: Callable[[KeyPath], int] | None = None,
        *,
        is_file: bool = True,
        within: KeyPath = (),
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.where = where
        self.found: list[InputError] = []
        self._lines: list[int] = []
        self._line = line
        self.is_file = is_file
        self._within = tuple(within)
        self._options = options or {}

    def add(self, path: KeyPath, problem: str, hint: str) -> None:
        """Note a problem at a path of keys, once."""
        line, where = self._place(path)
        if not any((one.where, one.problem) == (where, problem) for one in self.found):
            self.found.append(InputError(problem, where=where, hint=hint))
            self._lines.append(line)

    def _place(self, path: KeyPath) -> tuple[int, str]:
        """Return the line, 0 where there is none, and what to call the place."""
        if path and path[0] in self._options:
            return 0, self._options[str(path[0])]
        under = len(self._within)
        path = path[under:] if tuple(path[:under]) == self._within else path
        line = 0 if self._line is None else self._line(path)
        places = [f"line {line}"] if line else []
        places += [_text(path)] if path else []
        return line, ", ".join([self.where, *places])

    def refuse(self) -> None:
        """Raise what was found, in the order of its lines."""
        if self.found:
            order = sorted(range(len(self.found)), key=self._lines.__getitem__)
            raise ProblemsError([self.found[at] for at in order], where=self.where)


def _text(path: KeyPath) -> str:
    """Write a path of keys as people do: configurations[1].rrf_k."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{str(step)[:60]}" for step in path)
    return "".join(steps).removeprefix(".")


def refuse_both_keys(first: KeyPath, second: KeyPath, found: BenchmarkProblems) -> None:
    """Name two places that say one thing, each with its line."""
    for place, other in ((first, second), (second, first)):
        what = f"{place[-1]} and {other[-1]} are two words for one thing"
        found.add(place, what, "keep one of them")
