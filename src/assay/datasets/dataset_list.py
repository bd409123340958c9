"""A JSON file that holds a list of datasets -> each of them by its name, or all as one."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.columns import Source
from assay.columns.documents.strict_json import strict_json
from assay.errors import InputError
from assay.records import FACTOR, Dataset
from assay.text.join_list import first_named

__all__ = ["join_datasets", "read_list", "same_factor"]

BEGINNING = re.compile(rb'\s*\[\s*\{\s*"(?:schema_version|metadata|queries|documents|\$schema)"')
ENDINGS = (".json", ".json.gz")


def read_list(where: str | Path) -> dict[str, bytes]:
    """Return the datasets of a list by their names, or nothing if the file is another."""
    # os.path says no, where pathlib raises, of a name that cannot be one (too long, a zero byte).
    if not str(where).lower().endswith(ENDINGS) or not os.path.isfile(where):  # noqa: PTH113
        return {}
    with Source(where) as source:
        if not BEGINNING.match(source.head()):
            return {}
        parts = strict_json(source.read_all(), where=source.name)
    return _named(parts, Path(where))


def _named(parts: Sequence[object], path: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for number, part in enumerate(parts, 1):
        if not isinstance(part, Mapping):
            hint = 'each entry must be a dataset: {"queries": [...], ...}'
            raise InputError("is not an object", where=_place(path, number), hint=hint)
        name = _name(part) or f"{path.name.partition('.')[0]}-{number}"
        if name in found:
            hint = 'give each dataset its own name: {"metadata": {"name": "..."}, ...}'
            problem = f'duplicate dataset name "{name[:60]}"'
            raise InputError(problem, where=_place(path, number), hint=hint)
        found[name] = json.dumps(part).encode()
    return found


def _place(path: Path, number: int) -> str:
    return f"{path}, entry {number}"


def _name(part: Mapping[str, Any]) -> str:
    metadata = part.get("metadata")
    name = metadata.get("name") if isinstance(metadata, Mapping) else ""
    return name if isinstance(name, str) and "#" not in name else ""


def join_datasets(parts: Mapping[str, Dataset], name: str) -> Dataset:
    """Put datasets together: the name of each precedes the keys of its queries."""
    several = list(parts.items())
    if len(several) == 1:
        return several[0][1]
    queries = tuple(
        replace(query, key=f"{own}/{query.key}", collection=query.collection or own)
        for own, dataset in several
        for query in dataset.queries
    )
    first = several[0][1]
    factor = same_factor([dataset for _, dataset in several])
    shared = all(dataset.corpus == first.corpus for _, dataset in several)
    names = first_named([own[:40] for own, _ in several], 5)
    note = f"contains {len(several):,} datasets ({names}): query keys start with their names"
    return Dataset(
        name,
        queries,
        scale=max(dataset.scale for _, dataset in several),
        corpus=first.corpus if shared else {},
        metadata={FACTOR: factor} if factor > 1 else {},
        notes=(note, *(f"{own}: {one}" for own, dataset in several for one in dataset.notes)),
        home=first.home,
    )


def same_factor(datasets: Sequence[Dataset]) -> int:
    """Return by what ratings were multiplied: by the same in all datasets that are put together."""
    factors = sorted({dataset.factor for dataset in datasets})
    if len(factors) > 1:
        names = ", ".join(dataset.name for dataset in datasets if dataset.factor > 1)
        hint = "use whole grades on one scale in all datasets"
        raise InputError(f"only {names} has decimal ratings ({FACTOR})", hint=hint)
    return factors[0]
