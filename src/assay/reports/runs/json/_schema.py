"""The JSON Schema of a report, and what is wrong with a file that does not follow it."""

import json
from collections.abc import Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from assay.errors import InputError, ProblemsError

__all__ = ["SCHEMA", "refuse_wrong"]

SCHEMA = Path(__file__).with_name("report.schema.json")
MOST = 20  # problems that are told at once
HINT = "write the report again with `assay run -o report.json`"


def refuse_wrong(value: Mapping[str, Any], *, where: str) -> None:
    """Name every part of a report that is not as the schema has it."""
    validator = _validator()
    if validator.is_valid(value):
        return
    found = [
        InputError(_short(error.message), where=_place(where, error.instance_path), hint=HINT)
        for error in islice(validator.iter_errors(value), MOST)
    ]
    raise ProblemsError(found, where=where)


@cache
def _validator() -> Any:  # noqa: ANN401 - a class of the library, which is imported late
    from jsonschema_rs import validator_for  # only who reads a report needs it

    return validator_for(json.loads(SCHEMA.read_bytes()))


def _place(where: str, path: list[str | int]) -> str:
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return f"{where}, {steps.removeprefix('.')}" if steps else where


def _short(message: str) -> str:
    return message if len(message) <= 200 else f"{message[:90]} … {message[-90:]}"
