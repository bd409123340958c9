"""Lines of JSON -> checked objects with their line numbers."""

from collections.abc import Iterator
from typing import Any

from assay.columns.documents.strict_json import strict_json
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.errors import InputError, ProblemsError

__all__ = ["json_lines"]


def json_lines(
    place: Place, schema: Schema, problems: Problems
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each object that fits the schema; what does not is noted in ``problems``."""
    for number, line in place.lines():
        try:
            value = strict_json(line, where=place.name, first_line=number)
        except ProblemsError as error:
            problems.extend(error.problems)
            continue
        except InputError as error:
            problems.add(error.problem, at=f"line {number}", hint=error.hint)
            continue
        if problems.check(schema, value, at=f"line {number}"):
            yield number, value
