"""What a program's text holds: what it defines and what it calls."""

from dataclasses import dataclass

__all__ = ["Call", "Definition"]


@dataclass(frozen=True, slots=True)
class Definition:
    """A named part of a program.

    ``name`` is qualified with dots (``Class.method``), ``kind`` one of function, method, class,
    struct, interface, trait, enum, type, module, macro, constant and variable. Lines count from 1
    and include decorators; bytes are those of the text in UTF-8. ``named_byte`` is where the name
    begins.
    """

    name: str
    kind: str
    first_line: int
    last_line: int
    start_byte: int
    end_byte: int
    named_byte: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """A call: ``name`` as it is written (``json.loads``), and its ``last`` part (``loads``).

    The lines are those of the statement that it is part of; in the head of a compound statement
    (``if f(x):``), its own. The bytes are the call's. ``api`` says that names lead to it, and not
    to a part of the language itself: ``json.loads`` and ``parse``, not ``len`` or ``f()[0].g``.
    """

    name: str
    last: str
    first_line: int
    last_line: int
    start_byte: int
    end_byte: int
    api: bool
