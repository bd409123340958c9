"""All problems of a benchmark file, each with its place: they are reported together."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from assay.errors import InputError, ProblemsError

__all__ = [
    "ENOUGH",
    "MOST_LISTED",
    "BenchmarkProblems",
    "KeyPath",
    "about_setting",
    "refuse_both_keys",
]

ENOUGH = 1_000  # problems after which the rest of a file is not read
AND_MORE = f"there may be more problems: reading stopped after {ENOUGH:,}"

KeyPath = Sequence[str | int]  # the place of a value in a file: configurations, 1, rrf_k
MOST_LISTED = 1_000  # configurations or datasets of a file: more is a mistake
LISTS = ("configurations", "configs")  # keys of configurations, each with a name
# Messages that need no subject: the place before them ends in the name of the setting.
WHOLE = ("invalid ", "unknown ", "duplicate ", "empty ", "missing ", "expected ", "not ")


class BenchmarkProblems:
    """Collects the problems of one file; ``line`` returns the line of a path of keys, if known.

    ``given`` is what was read, by which configurations are called by their names. ``within`` are
    the keys that the whole file is under, and does not have itself; ``options`` has the keys that
    an option of the command line gave in its place.
    """

    def __init__(
        self,
        where: str,
        line: Callable[[KeyPath], int] | None = None,
        *,
        given: object = None,
        is_file: bool = True,
        within: KeyPath = (),
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.where = where
        self.found: list[InputError] = []
        self._known: set[tuple[str, str]] = set()
        self._lines: list[int] = []
        self._line = line
        self._given = given
        self.is_file = is_file
        self._within = tuple(within)
        self._options = options or {}

    def add(self, path: KeyPath, problem: str, hint: str) -> None:
        """Note a problem at a path of keys, once; after very many, raise them."""
        line, where = self._place(path)
        if (where, problem) not in self._known:
            self._known.add((where, problem))
            self.found.append(InputError(problem, where=where, hint=hint))
            self._lines.append(line)
        if len(self.found) >= ENOUGH:
            self.refuse()

    def line(self, path: KeyPath) -> int:
        """Return the line of a path of keys; 0 where it is not known."""
        return 0 if self._line is None else self._line(self._own(path))

    def _own(self, path: KeyPath) -> KeyPath:
        """Remove the keys that the file does not have itself."""
        under = len(self._within)
        return path[under:] if tuple(path[:under]) == self._within else path

    def _place(self, path: KeyPath) -> tuple[int, str]:
        """Return the line, 0 where there is none, and what to call the place."""
        if path and path[0] in self._options:
            return 0, self._options[str(path[0])]
        named, rest = _configuration(self._given, path)
        line = self.line(path)
        places = [f"line {line}"] if line else []
        text = _text(rest if named else self._own(path))
        return line, ", ".join([self.where, *places, *filter(None, [named, text])])

    def refuse(self) -> None:
        """Raise what was found, in the order of its lines."""
        if self.found:
            order = sorted(range(len(self.found)), key=self._lines.__getitem__)
            then = AND_MORE if len(self.found) >= ENOUGH else ""
            raise ProblemsError([self.found[at] for at in order], where=self.where, then=then)


def about_setting(word: str, message: str) -> str:
    """Write a problem of a setting, whose name the place before it ends with, as a whole sentence.

    >>> about_setting("rrf_k", "has no effect with fusion: blend")
    'rrf_k has no effect with fusion: blend'
    >>> about_setting("rrf_k", "invalid value 0")
    'invalid value 0'
    """
    return message if message.startswith(WHOLE) else f"{word} {message}"


def _configuration(given: object, path: KeyPath) -> tuple[str, KeyPath]:
    """Return how to call the configuration that a path leads through, and the rest of the path.

    Nothing where it has no name, or not one of its own.
    """
    first = path[0] if path else ""
    at = 1 if first in LISTS and len(path) > 1 and isinstance(path[1], int) else 2
    if first not in (*LISTS, "suites") or len(path) <= at or not isinstance(path[at], int):
        return "", path
    items = _value(given, path[:at])
    names = [_name(one) for one in items] if isinstance(items, list) else []
    name = names[int(path[at])] if int(path[at]) < len(names) else ""
    if not name or names.count(name) > 1:
        return "", path
    suite = f'suite "{str(path[1])[:60]}", ' if at == 2 else ""
    return f'{suite}configuration "{name[:60]}"', path[at + 1 :]


def _value(given: object, path: KeyPath) -> object:
    """Follow keys as far as they lead."""
    for step in path:
        known: Mapping[Any, Any] = given if isinstance(given, Mapping) else {}
        given = known.get(step)
    return given


def _name(one: object) -> str:
    name = one.get("name") if isinstance(one, Mapping) else None
    return name if isinstance(name, str) and name.strip() else ""


def _text(path: KeyPath) -> str:
    """Write a path of keys as people do: configurations[1].rrf_k."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{str(step)[:60]}" for step in path)
    return "".join(steps).removeprefix(".")


def refuse_both_keys(first: KeyPath, second: KeyPath, found: BenchmarkProblems) -> None:
    """Name two keys with one meaning, at the second of them."""
    line = found.line(first)
    where = f" in line {line}" if line else ""
    what = f"{second[-1]} has the same meaning as {first[-1]}{where}"
    found.add(second, what, f"remove {second[-1]} or {first[-1]}")
