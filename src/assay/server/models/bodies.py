"""What the bodies of requests have in common: known keys only, texts of limited length."""

import json
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

__all__ = ["Body", "DocumentId", "ItemId", "ItemName", "JsonObject", "Note", "QueryKey", "Words"]

LARGEST = 100_000  # characters of a JSON object beside the fields that have names


class Body(BaseModel):
    """A request body: an unknown key, and a value of another type, is a problem."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


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
JsonObject = Annotated[dict[str, Any], AfterValidator(_check_json)]
