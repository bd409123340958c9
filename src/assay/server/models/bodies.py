"""What the bodies of requests have in common: known keys only, limited texts and lists.

Bodies are checked in the event loop, and each error costs 20 microseconds: a body must not be
able to have many. A list with ``FailFast`` ends at its first wrong member, and a longer one than
allowed is refused before its members are looked at; so is a mapping of ``at_most``.
"""

import json
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticKnownError

from assay.text.quote import quote_value

__all__ = [
    "Body",
    "DocumentId",
    "ItemId",
    "ItemName",
    "JsonObject",
    "Note",
    "QueryKey",
    "Words",
    "at_most",
]

LARGEST = 100_000  # characters of a JSON object beside the fields that have names
MOST_KEYS = 20_000  # of such an object: more do not fit into it
MOST_UNKNOWN = 10  # keys that are listed one by one


class Body(BaseModel):
    """A request body: an unknown key, and a value of another type, is a problem."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _refuse_many_unknown(cls, value: object) -> object:
        """Refuse many unknown keys together, before each of them makes an error."""
        if isinstance(value, dict) and len(value) > len(cls.model_fields) + MOST_UNKNOWN:
            unknown = [key for key in value if key not in cls.model_fields]
            few = ", ".join(map(quote_value, unknown[:MOST_UNKNOWN]))
            problem = f"there are {len(unknown):,} unknown fields, such as {few}"
            raise ValueError(problem)
        return value


def at_most(length: int) -> tuple[Any, BeforeValidator]:
    """Bound the keys of a mapping: it is refused before what it holds is looked at.

    >>> from pydantic import TypeAdapter
    >>> limits = TypeAdapter(Annotated[dict[str, int], *at_most(2)])
    >>> limits.validate_python({"a": 1, "b": 2})
    {'a': 1, 'b': 2}
    """
    return Field(max_length=length), BeforeValidator(_check_length(length))


def _check_length(most: int) -> Callable[[object], object]:
    """Return a check that a mapping has at most so many keys."""

    def check(value: object) -> object:
        if isinstance(value, dict) and len(value) > most:
            about = {"field_type": "Dictionary", "max_length": most, "actual_length": len(value)}
            raise PydanticKnownError("too_long", about)
        return value

    return check


def _check_json(value: dict[str, Any]) -> dict[str, Any]:
    """Refuse what would not come back as it is, or makes no text in UTF-8."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (ValueError, RecursionError) as error:
        problem = f"cannot be stored as JSON ({type(error).__name__})"
        raise ValueError(problem) from None
    if len(text) > LARGEST:
        problem = f"is longer than {LARGEST:,} characters"
        raise ValueError(problem)
    return value


# The lengths are also what refuses halves of surrogate pairs: only texts with one are looked at.
ItemId = Annotated[str, Field(min_length=1, max_length=64)]
ItemName = Annotated[str, Field(min_length=1, max_length=200)]
Note = Annotated[str, Field(max_length=2_000)]
Words = Annotated[str, Field(max_length=200)]
QueryKey = Annotated[str, Field(min_length=1, max_length=10_000)]
DocumentId = Annotated[str, Field(min_length=1, max_length=10_000)]
JsonObject = Annotated[dict[str, Any], Field(max_length=MOST_KEYS), AfterValidator(_check_json)]
