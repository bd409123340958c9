"""Every error that Assay raises on purpose: what happened, where, and what to do next.

AssayError
├── InputError          a file, a value or a record that cannot be used as it is
│   ├── ProblemsError       all that is wrong with one input, not only the first of it
│   └── UnknownNameError    a name that no built-in file and no plugin answers to
├── UsageError          options that do not go together
├── FencedError         work that another worker has taken over: what was not recorded is not ours
└── CancelledError      work that was told to stop: what was recorded is kept
"""

from collections.abc import Callable, Sequence

__all__ = [
    "AssayError",
    "CancelledError",
    "FencedError",
    "InputError",
    "ProblemsError",
    "UnknownNameError",
    "UsageError",
]

SHOWN = 20  # problems that a message spells out
LONGEST = 400  # letters of a place that a message shows


class AssayError(Exception):
    """Anything a caller can act on; bugs stay plain Python exceptions."""

    def __init__(self, problem: str, *, where: str = "", hint: str = "") -> None:
        first = f"{_shortened(where)}: {problem}" if where else problem
        super().__init__(f"{first}\n  hint: {hint}" if hint else first)
        self.problem = problem
        self.where = where
        self.hint = hint


class InputError(AssayError):
    """A file, a value or a record that cannot be used as it is."""


class ProblemsError(InputError):
    """All that is wrong with one input: ``problems`` holds each with its place and hint.

    ``then`` is what to know or to do about all of them; it stands at the end.
    """

    def __init__(self, problems: Sequence[InputError], *, where: str, then: str = "") -> None:
        first = problems[0]
        super().__init__(first.problem, where=first.where, hint=first.hint)
        self.problems = tuple(problems)
        self.about, self.then = where, then
        if len(problems) > 1:
            self.args = (_listed(self.problems, where, then),)

    def __reduce__(self) -> "tuple[Callable[..., ProblemsError], tuple[object, ...]]":
        """Cross the border of a process whole."""
        return _again, (self.problems, self.about, self.then)


class UnknownNameError(InputError):
    """A name that no built-in file and no installed plugin answers to."""


class UsageError(AssayError):
    """Options that do not go together."""


class FencedError(AssayError):
    """Another worker has taken this piece of work over: what was not recorded is not ours."""


class CancelledError(AssayError):
    """The work was told to stop; what was recorded is kept, and can be gone on with."""


def _shortened(place: str) -> str:
    """Keep both ends of a long place: no message is a screen of one name."""
    half = LONGEST // 2
    return place if len(place) <= LONGEST else f"{place[:half]}…{place[-half:]}"


def _again(problems: Sequence[InputError], where: str, then: str) -> ProblemsError:
    return ProblemsError(problems, where=where, then=then)


def _listed(problems: Sequence[InputError], where: str, then: str) -> str:
    """Write one problem per line with its hint; a hint that several share stands at the end."""
    shown = problems[:SHOWN]
    hints = [problem.hint for problem in shown if problem.hint]
    lines = [f"{where}: {len(problems):,} problems"]
    for problem in shown:
        place = problem.where.removeprefix(where).removeprefix(", ")
        own = f" ({problem.hint})" if hints.count(problem.hint) == 1 else ""
        lines.append(f"  {place}: {problem.problem}{own}" if place else f"  {problem.problem}{own}")
    more = len(problems) - len(shown)
    lines += [f"  ... and {more:,} more"] if more else []
    shared = dict.fromkeys(hint for hint in hints if hints.count(hint) > 1)
    return "\n".join([*lines, *(f"  hint: {hint}" for hint in (*shared, then) if hint)])
