"""All that is wrong with a benchmark, gathered with its places and told at once."""

from collections.abc import Callable, Mapping, Sequence

from assay.errors import InputError, ProblemsError

__all__ = ["Problems"]

Path = Sequence[str | int]


class Problems:
    """Gathers the problems of one file; ``line`` tells where a path of keys stands, if known.

    ``within`` are the keys that the whole file stands under, and does not have itself; ``options``
    has the keys that an option of the command line gave in its place.
    """

    def __init__(
        self,
        where: str,
        line: Callable[[Path], int] | None = None,
        *,
        is_file: bool = True,
        within: Path = (),
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.where = where
        self.found: list[InputError] = []
        self._lines: list[int] = []
        self._line = line
        self.is_file = is_file
        self._within = tuple(within)
        self._options = options or {}

    def add(self, path: Path, problem: str, hint: str) -> None:
        """Note a problem at a path of keys, once."""
        line, where = self._place(path)
        if not any((one.where, one.problem) == (where, problem) for one in self.found):
            self.found.append(InputError(problem, where=where, hint=hint))
            self._lines.append(line)

    def _place(self, path: Path) -> tuple[int, str]:
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


def _text(path: Path) -> str:
    """Write a path of keys as people do: configurations[1].rrf_k."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{str(step)[:60]}" for step in path)
    return "".join(steps).removeprefix(".")
