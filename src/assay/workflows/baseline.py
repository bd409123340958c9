"""Blessed baselines: where they are, and what is in them."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.columns.documents.strict_json import strict_json
from assay.errors import InputError
from assay.records.baseline import Baseline
from assay.reports.gates.baseline_json import BASELINE_KEY, read_baseline
from assay.text.near_miss import did_you_mean

__all__ = [
    "baseline_place",
    "find_baseline",
    "is_file",
    "list_baselines",
    "read_place",
    "show_baseline",
]

FOLDER = "assay-baselines"
ENDING = ".json"
LONGEST = 100  # bytes of a file's name, without its ending


def baseline_place(name: str, *, folder: str | Path | None = None) -> Path:
    """Return the file that a baseline of this name has, whether or not it exists."""
    return _folder(folder) / f"{_slug(name)}{ENDING}"


def find_baseline(name: str, *, folder: str | Path | None = None) -> Baseline | None:
    """Find a baseline by the name that it was blessed under; None where there is none."""
    place = baseline_place(name, folder=folder)
    found = read_place(place) if name and is_file(place) else None
    return found if found is not None and found.name == name else None


def list_baselines(*, folder: str | Path | None = None) -> list[Baseline]:
    """Read all baselines of a folder, by name."""
    place = _folder(folder)
    files = sorted(place.glob(f"*{ENDING}")) if _is_dir(place) else []
    return [read_place(file) for file in files]


def show_baseline(name: str | None = None, *, folder: str | Path | None = None) -> Baseline:
    """Read one baseline: by name, by file, or the only one there is."""
    if name and is_file(name):
        return read_place(Path(name))
    known = list_baselines(folder=folder)
    names = [one.name for one in known]
    if not known:
        hint = "make one with `assay baseline bless REPORT`"
        raise InputError("no baseline has been blessed", where=str(_folder(folder)), hint=hint)
    if name is None and len(known) == 1:
        return known[0]
    chosen = [one for one in known if one.name == name]
    if not chosen:
        problem = "several baselines" if name is None else f'no baseline "{name}"'
        hint = f"choose one: {', '.join(names)}" if name is None else did_you_mean(name, names)
        raise InputError(problem, where=str(_folder(folder)), hint=hint)
    return chosen[0]


def read_place(place: Path) -> Baseline:
    """Read a file that holds a baseline."""
    try:
        content = place.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(place)) from None
    if b"<<<<<<< " in content:
        hint = "keep one of the two sides, or bless a report again"
        raise InputError("has merge conflicts", where=str(place), hint=hint)
    value: Any = strict_json(content, where=str(place))
    if not isinstance(value, Mapping) or BASELINE_KEY not in value:
        hint = "remove it, or give another folder with --baselines"
        raise InputError("not a blessed baseline", where=str(place), hint=hint)
    return read_baseline(value, where=str(place), file=str(place))


def _folder(given: str | Path | None) -> Path:
    """Return the folder of baselines: the one given, or the nearest upwards in a repository."""
    if given is not None:
        return Path(given)
    here = Path.cwd()
    for place in (here, *here.parents):
        if _is_dir(place / FOLDER):
            return place / FOLDER if place != here else Path(FOLDER)
        if os.path.exists(place / ".git"):  # noqa: PTH110 - never raises
            break
    return Path(FOLDER)


def is_file(place: str | Path) -> bool:
    """Tell whether there is a file of this name, whatever the name is."""
    return os.path.isfile(place)  # noqa: PTH113 - never raises


def _is_dir(place: Path) -> bool:
    return os.path.isdir(place)  # noqa: PTH112 - never raises


def _slug(name: str) -> str:
    """Make a file name of a name: letters, digits, dots, dashes and underscores stay.

    >>> _slug("docs / search (v2)"), _slug("../x")
    ('docs-search-v2', 'x')
    """
    told = re.sub(r"[^\w.-]+", "-", name).strip("-.")
    return told.encode()[:LONGEST].decode(errors="ignore") or "baseline"
