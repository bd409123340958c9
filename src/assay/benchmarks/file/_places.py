"""Where the paths of a benchmark file lead: beside the file, or to a shipped name."""

import os
from typing import Any

from assay.columns.files.near_file import near_file

__all__ = ["beside", "dataset_place", "nearby"]


def dataset_place(name: str, home: str) -> str | None:
    """Find a dataset: a path beside the file, a shipped name, a family, or a catalogue's."""
    from assay.datasets.load import FAMILIES, PREFIX, shipped_names

    place = os.path.join(home, name)  # noqa: PTH118 - never raises
    if os.path.exists(place):  # noqa: PTH110
        return place
    known = name in shipped_names() or name in FAMILIES or name.startswith(PREFIX)
    return name if known else None


def nearby(name: str, home: str, *, but: str = "") -> str:
    """Say where was looked, and what is called nearly so there; not ``but``, which asks."""
    folder, last = os.path.split(os.path.join(home, name))  # noqa: PTH118
    try:
        others = [one for one in os.listdir(folder or ".") if one != os.path.basename(but)]  # noqa: PTH119, PTH208
    except (OSError, ValueError):
        others = []
    close = near_file(last, others)
    looked = f"looked in {(folder or 'this folder')[:200]}"
    return f'{looked}; did you mean "{close}"?' if close else f"{looked}; check the path"


def beside(value: Any, home: str) -> Any:  # noqa: ANN401
    """Take the folder of a model that stands beside the file for what it is: KIND:FOLDER, FOLDER.

    Only what looks like a path is looked up, so that no folder can take the place of a name.
    """
    if not home or not isinstance(value, str) or "/" not in value or "\0" in value:
        return value
    kind, colon, place = value.rpartition(":")
    path = os.path.join(home, place)  # noqa: PTH118 - never raises
    return f"{kind}{colon}{path}" if os.path.exists(path) else value  # noqa: PTH110
