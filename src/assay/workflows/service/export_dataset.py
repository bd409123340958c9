"""A dataset of the store -> a file to download, and what its format cannot store."""

import re
import tempfile
import unicodedata
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from assay import catalogue
from assay.datasets import formats
from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.save import save
from assay.errors import UnknownNameError
from assay.records import Dataset
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value
from assay.workspace.disk.folders import made

__all__ = ["ExportedDataset", "export_dataset"]

STEM = "dataset"
LONGEST = 80
TYPES = {".json": "application/json", ".csv": "text/csv", ".tsv": "text/tab-separated-values"}
TYPES |= {".jsonl": "application/x-ndjson", ".zip": "application/zip"}


@dataclass(frozen=True, slots=True)
class ExportedDataset:
    """A file: its content and type, a file name that is safe anywhere, and what was lost."""

    content: bytes
    media_type: str
    file_name: str
    losses: tuple[str, ...]


def export_dataset(dataset: Dataset, *, format: str, folder: Path) -> ExportedDataset:  # noqa: A002
    """Write a dataset in a format; a format of several files becomes a ZIP archive.

    The place of a corpus is left out: it means something on the machine of the service only.
    """
    chosen = _find(format)
    bare = replace(dataset, corpus={}, home="")
    with tempfile.TemporaryDirectory(dir=made(folder)) as room:
        ending = chosen.suffixes[0] if chosen.suffixes else ""
        path = Path(room) / f"{STEM}{ending}"
        losses = save(bare, path, format=format)
        if path.is_dir():
            ending, path = ".zip", _packed(path, Path(room) / f"{STEM}.zip")
        name = f"{_safe(dataset.name)}{ending}"
        kind = TYPES.get(path.suffix, "text/plain; charset=utf-8")
        return ExportedDataset(path.read_bytes(), kind, name, tuple(losses))


def _find(name: str) -> DatasetFormat:
    every = {one: catalogue.find(formats, one) for one in catalogue.names(formats)}
    known = [key for key, one in every.items() if cast("DatasetFormat", one).writes]
    if name not in known:
        hint = did_you_mean(name, known, otherwise=f"available: {', '.join(known)}")
        problem = f"datasets cannot be exported as {quote_value(name, 40)}"
        raise UnknownNameError(problem, hint=hint)
    return cast("DatasetFormat", every[name])


def _packed(folder: Path, archive: Path) -> Path:
    with zipfile.ZipFile(archive, "x", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            packed.write(path, path.relative_to(folder).as_posix())
    return archive


def _safe(name: str) -> str:
    """Leave of a name what every file system takes."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-")[:LONGEST].lower() or STEM
