"""Every error that Assay raises on purpose: what happened, where, and what to do next.

AssayError
├── InputError          a file, a value or a record that cannot be used
│   ├── ProblemsError       all problems of one input
│   ├── UnknownNameError    a name that matches no built-in file and no plugin
│   ├── InUseError          a place that another process is writing to
│   ├── UnavailableError    a server that cannot be reached at the moment
│   ├── NotFoundError       an id that does not exist in the store, or was deleted
│   ├── ConflictError       a conflict with the store: a name is taken, an item is in use
│   │   └── StaleError          a change of an item that somebody else has changed
│   └── AccessError         a token that is unknown, expired or revoked
├── UsageError          options that cannot be combined
├── FencedError         work that another worker has taken over: unrecorded results are discarded
└── CancelledError      work that was cancelled: recorded results are kept
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
    """An error that a caller can act on; bugs stay plain Python exceptions.

    The message has one line for what and where, and one for the hint. Long values are truncated,
    control characters are escaped, and secrets are replaced by their names.
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
    """A file, a value or a record cannot be used."""


class ProblemsError(InputError):
    """All problems of one input: ``problems`` contains each with its place and hint.

    ``then`` is a hint for all of them, at the end of the message. ``count`` is the total number if
    ``problems`` contains only the first.
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
    """A name matches no built-in file and no installed plugin."""


class InUseError(InputError):
    """Another process is writing here, and did not finish within the waiting time."""


class UnavailableError(InputError):
    """A server cannot be reached at the moment; the request may succeed later."""


class NotFoundError(InputError):
    """The id does not exist in the store, or the item was deleted."""


class ConflictError(InputError):
    """A change conflicts with the store: a name is taken, or an item is in use."""


class StaleError(ConflictError):
    """Somebody else has changed the item: read it again before changing it."""


class AccessError(InputError):
    """A token is unknown, expired or revoked."""


class UsageError(AssayError):
    """Options cannot be combined."""


class FencedError(AssayError):
    """Another worker has taken over this work: unrecorded results are discarded."""


class CancelledError(AssayError):
    """The work was cancelled; recorded results are kept, and the work can be resumed."""


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


def _within(place: str, where: str) -> str:
    """Return a place without the input that all problems share; one elsewhere stays as it is."""
    return "" if place == where else place.removeprefix(f"{where}, ")


def _listed(problems: Sequence[InputError], where: str, then: str, count: int) -> str:
    """Write one problem per line with its hint; a hint that all share is at the end."""
    shown = problems[:SHOWN]
    hints = {problem.hint for problem in shown}
    shared = shown[0].hint if len(shown) > 1 and len(hints) == 1 else ""
    lines = [f"{_shown(where)}: {count:,} problems"]
    for problem in shown:
        place = _shown(_within(problem.where, where))
        own = f" ({_shown(problem.hint)})" if problem.hint and not shared else ""
        lines.append(f"  {f'{place}: ' if place else ''}{_shown(problem.problem)}{own}")
    more = count - len(shown)
    lines += [f"  ... and {more:,} more"] if more else []
    return "\n".join([*lines, *(f"  hint: {_shown(hint)}" for hint in (shared, then) if hint)])
