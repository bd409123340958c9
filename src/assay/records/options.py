"""Options as fields of a record: type, default, range and help in one place.

The command line, the parameters of a Python function and an HTTP model are made from the fields.
"""

from dataclasses import dataclass, field, fields
from typing import Any

from assay.errors import UsageError
from assay.text.quote import quote_value

__all__ = ["Option", "option", "options_of", "refuse_wrong_count", "refuse_wrong_values"]


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its ``name`` in Python, what it is, and which whole numbers it may be.

    ``kind`` is int or bool; an ``optional`` number may be left out (None).
    """

    name: str
    kind: type
    default: Any
    help: str
    least: int = 0
    most: int | None = None
    optional: bool = False


def option(says: str, *, default: object, least: int = 0, most: int | None = None) -> Any:  # noqa: ANN401
    """Declare a field that is an option: its help ``says`` what it does."""
    return field(default=default, metadata={"help": says, "least": least, "most": most})


def options_of(record: type) -> list[Option]:
    """List the options of a record, in the order of its fields.

    A field without help, such as a callback, is not an option.
    """
    return [
        Option(
            name=one.name,
            kind=bool if one.type in (bool, "bool") else int,
            default=one.default,
            optional=one.default is None,
            **one.metadata,
        )
        for one in fields(record)
        if one.metadata
    ]


def refuse_wrong_values(record: object) -> None:
    """Refuse values that an option cannot have."""
    for one in options_of(type(record)):
        value = getattr(record, one.name)
        if one.kind is bool:
            if not isinstance(value, bool):
                problem = f"{one.name}: invalid value {quote_value(value)}"
                raise UsageError(problem, hint="expected True or False")
        elif not (one.optional and value is None):
            refuse_wrong_count(one.name, value, least=one.least, most=one.most)


def refuse_wrong_count(
    name: str, value: object, *, least: int = 0, most: int | None = None
) -> None:
    """Refuse what is not a whole number in a range; a truth value is none."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):  # type: ignore[operator]
        span = f">= {least:,}" if most is None else f"from {least:,} to {most:,}"
        hint = f"expected a whole number {span}"
        raise UsageError(f"{name}: invalid value {quote_value(value)}", hint=hint)
