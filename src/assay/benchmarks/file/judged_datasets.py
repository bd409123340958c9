"""A folder that `assay judge` wrote -> its files in place of a benchmark's several datasets."""

import os
import shlex
from pathlib import Path
from typing import Any

from assay.columns.files.file_names import file_names
from assay.errors import AssayError, InputError

__all__ = [
    *("holds_grades", "judged_files", "judged_instead", "judged_parts", "replaced_by"),
    "stem_of",
]


def stem_of(dataset: str) -> str:
    """Name a dataset after its file."""
    return Path(dataset).name.split(".")[0]


def judged_files(names: list[str]) -> dict[str, str]:
    """Name the file of each dataset of a benchmark in a folder of theirs.

    >>> judged_files(["stdlib", "our/pages"])
    {'stdlib': 'stdlib.json', 'our/pages': 'our_pages.json'}
    """
    return {name: f"{one}.json" for name, one in file_names(names, nameless="dataset").items()}


def judged_instead(items: object, folder: str | Path) -> list[dict[str, Any]] | None:
    """Put the file of each dataset in its place; None where a folder holds none of them.

    Each keeps its corpus, and its name, which the queries of a report have before their keys.
    """
    named = _named(items)
    path = Path(folder)
    if len(named) < 2 or not os.path.isdir(path):  # noqa: PTH112 - never raises
        return None
    files = {name: path / file for name, file in judged_files([*named]).items()}
    missing = [one.name for one in files.values() if not one.is_file()]
    if len(missing) == len(files) or (missing and _is_dataset(path)):
        return None
    if missing:
        hint = f"missing: {', '.join(missing[:5])}; use a folder that `assay judge` wrote for this "
        problem = "the folder does not contain all datasets of the benchmark"
        raise InputError(problem, where=str(path), hint=f"{hint}benchmark")
    return [
        {**given, "dataset": str(files[name].absolute()), "name": name}
        for name, given in named.items()
    ]


def judged_parts(dataset: str) -> list[str]:
    """List the files of a folder that `assay judge` wrote, one for each collection of a dataset."""
    if "\0" in dataset or not os.path.isdir(dataset):  # noqa: PTH112 - never raises
        return []
    files = [str(path) for path in sorted(Path(dataset).glob("*.json"))]
    return files if any(map(holds_grades, files)) else []


def replaced_by(items: object, dataset: str | Path, *, home: str) -> tuple[str, ...]:
    """Name the datasets of a benchmark that one takes the place of, where they are several.

    One of the files that `assay judge` wrote for them is refused: it would replace the others, too.
    Paths of the benchmark are from its ``home``.
    """
    named, path = _named(items), Path(dataset)
    if len(named) < 2:
        return ()
    files = [path.parent / file for file in judged_files([*named]).values()]
    own = any(_is_same(Path(home) / one["dataset"], path) for one in named.values())
    if path in files and all(map(os.path.isfile, files)) and not own and holds_grades(path):
        folder = shlex.quote(str(path.parent))
        hint = f"use the folder, which has a file for each dataset: --dataset {folder}"
        problem = f"the file has the grades of only one of the benchmark's {len(named):,} datasets"
        raise InputError(problem, where=str(path), hint=hint)
    return tuple(named)


def _is_same(one: Path, other: Path) -> bool:
    both = (one, other)
    return all(os.path.exists(path) for path in both) and one.samefile(other)  # noqa: PTH110


def holds_grades(dataset: str | Path) -> bool:
    """Tell whether a file has grades that `assay judge` wrote."""
    from assay.datasets.load import load

    path = Path(dataset)
    if not os.path.isfile(path):  # noqa: PTH113 - never raises
        return False
    try:
        return "judging" in load(path).metadata
    except AssayError:
        return False


def _named(items: object) -> dict[str, dict[str, Any]]:
    """Name each dataset as the benchmark does; nothing where any of them is invalid."""
    given = [{"dataset": one} if isinstance(one, str) else one for one in _list(items)]
    found = {}
    for one in given:
        if not isinstance(one, dict) or not isinstance(one.get("dataset"), str):
            return {}
        name = one.get("name")
        found[str(name) if name is not None else stem_of(one["dataset"])] = one
    return found if len(found) == len(given) else {}


def _list(items: object) -> list[Any]:
    return items if isinstance(items, list) else []


def _is_dataset(folder: Path) -> bool:
    from assay.datasets.load import load

    try:
        return bool(load(folder).queries)
    except AssayError:
        return False
