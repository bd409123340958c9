"""Bytes -> columns of arrays, each row with the place that an error message names."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.columns.files.source import Source
    from assay.columns.format import Format, read, recognise
    from assay.columns.triples import Triples

__all__ = ["Format", "Source", "Triples", "read", "recognise"]

# Found when they are first used: who needs the name of a path loads no reader of tables.
_HOMES = {
    **dict.fromkeys(("Format", "read", "recognise"), "format"),
    "Source": "files.source",
    "Triples": "triples",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'assay.columns' has no attribute {name!r}")
    found: object = getattr(import_module(f"assay.columns.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
