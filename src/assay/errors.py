"""Every error that Assay raises on purpose: what happened, where, and what to do next.

AssayError
├── InputError          a file, a value or a record that cannot be used as it is
│   └── UnknownNameError    a name that no built-in file and no plugin answers to
└── UsageError          options that do not go together
"""

__all__ = ["AssayError", "InputError", "UnknownNameError", "UsageError"]


class AssayError(Exception):
    """Anything a caller can act on; bugs stay plain Python exceptions."""

    def __init__(self, problem: str, *, where: str = "", hint: str = "") -> None:
        first = f"{where}: {problem}" if where else problem
        super().__init__(f"{first}\n  hint: {hint}" if hint else first)
        self.problem = problem
        self.where = where
        self.hint = hint


class InputError(AssayError):
    """A file, a value or a record that cannot be used as it is."""


class UnknownNameError(InputError):
    """A name that no built-in file and no installed plugin answers to."""


class UsageError(AssayError):
    """Options that do not go together."""
