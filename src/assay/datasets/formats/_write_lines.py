"""Lines of JSON -> a file, and what cannot be written said before anything is."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.records import Dataset

__all__ = ["refuse_nothing", "write_lines"]


def write_lines(records: Iterable[Mapping[str, Any]], path: Path) -> None:
    """Write one object per line."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")


def refuse_nothing(dataset: Dataset, path: Path) -> None:
    """Raise for a dataset without queries, which would become an empty file."""
    if not dataset.queries:
        hint = "use another format, e.g. --to assay_json"
        raise InputError("no query can be written in this format", where=str(path), hint=hint)
