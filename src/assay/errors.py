"""Every error that Assay raises on purpose: what happened, where, and what to do next.

AssayError
├── InputError          a file, a value or a record that cannot be used as it is
│   ├── ProblemsError       all that is wrong with one input, not only the first of it
│   ├── UnknownNameError    a name that no built-in file and no plugin answers to
│   ├── InUseError          a place that another process writes at this moment
│   ├── UnavailableError    a server that cannot be reached now, and may be soon
│   ├── NotFoundError       an id that nothing in the store has, or no longer
│   ├── ConflictError       what is there forbids it: a name is taken, a thing in use
│   │   └── StaleError          a change of something that somebody else changed meanwhile
│   └── AccessError         a token that is unknown, expired or revoked
├── UsageError          options that do not go together
├── FencedError         work that another worker has taken over: what was not recorded is not ours
└── CancelledError      work that was told to stop: what was recorded is kept
"""

from collections.abc import Callable, Sequence

from assay.text import conceal, sanitize, truncate

__all__ = [
    "AccessError",
    "AssayError",
    "CancelledError",
    "ConflictError",
    "FencedError",
    "InUseError",
    "InputError",
    "NotFoundError",
    "ProblemsError",
    "StaleError",
    "UnavailableError",
    "UnknownNameError",
    "UsageError",
]

SHOWN = 20  # problems that a message spells out


class AssayError(Exception):
    """Anything a caller can act on; bugs stay plain Python exceptions.

    The message has a line for what and where, and one for the hint: values in them are cut, and
    what would control a terminal is spelled out. Secrets are named, not shown.
    """

    def __init__(self, problem: str, *, where: str = "", hint: str = "") -> None:
        problem, where, hint = conceal(problem), conceal(where), conceal(hint)
        first = f"{_shown(where)}: {_shown(problem)}" if where else _shown(problem)
        super().__init__(f"{first}\n  hint: {_shown(hint)}" if hint else first)
        self.problem = problem
        self.where = where
        self.hint = hint

    def __reduce__(self) -> "tuple[Callable[..., AssayError], tuple[object, ...]]":
        """Cross the border of a process whole."""
        return _restored, (type(self), self.args, self.__dict__)


class InputError(AssayError):
    """A file, a value or a record that cannot be used as it is."""


class ProblemsError(InputError):
    """All that is wrong with one input: ``problems`` holds each with its place and hint.

    ``then`` is what to know or to do about all of them; it stands at the end. ``count`` is how many
    there are, where ``problems`` are only the first.
    """

    def __init__(
        self, problems: Sequence[InputError], *, where: str, then: str = "", count: int = 0
    ) -> None:
        first = problems[0]
        super().__init__(first.problem, where=first.where, hint=first.hint)
        self.problems = tuple(problems)
        self.about, self.then = where, then
        self.count = max(count, len(problems))
        if self.count > 1:
            self.args = (_listed(self.problems, where, then, self.count),)


class UnknownNameError(InputError):
    """A name that no built-in file and no installed plugin answers to."""


class InUseError(InputError):
    """Another process writes here, and has not finished while it was waited for."""


class UnavailableError(InputError):
    """A server cannot be reached now: what is asked for may be right, and is to be tried again."""


class NotFoundError(InputError):
    """Nothing in the store has this id, or what had it was deleted."""


class ConflictError(InputError):
    """A change does not go with what is there: a name is taken, or a thing is in use."""


class StaleError(ConflictError):
    """Somebody else changed this meanwhile: look at it again, and decide again."""


class AccessError(InputError):
    """A token is unknown, expired or revoked."""


class UsageError(AssayError):
    """Options that do not go together."""


class FencedError(AssayError):
    """Another worker has taken this piece of work over: what was not recorded is not ours."""


class CancelledError(AssayError):
    """The work was told to stop; what was recorded is kept, and can be gone on with."""


def _shown(text: str) -> str:
    """Put a text on one line that a person can read: it may hold whatever a file holds."""
    return sanitize(truncate(text))


def _restored(
    kind: type[AssayError], args: tuple[object, ...], state: dict[str, object]
) -> AssayError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


def _listed(problems: Sequence[InputError], where: str, then: str, count: int) -> str:
    """Write one problem per line with its hint; a hint that several share stands at the end."""
    shown = problems[:SHOWN]
    hints = [problem.hint for problem in shown if problem.hint]
    lines = [f"{_shown(where)}: {count:,} problems"]
    for problem in shown:
        place = _shown(problem.where.removeprefix(where).removeprefix(", "))
        own = f" ({_shown(problem.hint)})" if hints.count(problem.hint) == 1 else ""
        lines.append(f"  {f'{place}: ' if place else ''}{_shown(problem.problem)}{own}")
    more = count - len(shown)
    lines += [f"  ... and {more:,} more"] if more else []
    shared = dict.fromkeys(hint for hint in hints if hints.count(hint) > 1)
    return "\n".join([*lines, *(f"  hint: {_shown(hint)}" for hint in (*shared, then) if hint)])
