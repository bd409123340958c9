"""Files that are no text, such as PDF: whether they are converted, by what, and into which text."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from assay.catalogue import files, find
from assay.corpora import converters
from assay.corpora.converters import Converter
from assay.corpora.guarded_process import GuardedProcess
from assay.records.metadata import bounded_metadata

__all__ = ["LARGER", "PAGE", "ConvertedText", "convert", "converter_of", "is_convertible"]

PAGE = "\n\n\f\n"  # between two pages: a paragraph ends, and a form feed has a line of its own
LARGER = 100  # times as large as a file of text may be one that is not: it has images and fonts
SECONDS = 60.0  # for one file; 2,000 pages take about three
MEMORY = 2 << 30  # bytes of the process that converts, where the system can limit them

_CHILD = """
from sys import argv
from assay.corpora.conversion_process import serve
serve(*map(int, argv[1:]))
"""


@dataclass(frozen=True, slots=True)
class ConvertedText:
    """The text of a file, or the ``reason`` why it has none that can be read."""

    text: str = ""
    title: str = ""
    metadata: dict[str, Any] | None = None
    reason: str = ""


def converter_of(path: str) -> Converter | None:
    """Return what converts files with the ending of a path, if it is installed."""
    found = _by_ending().get(path.rpartition(".")[2].lower()) if "." in path else None
    return found if found is not None and found.name else None


def is_convertible(ending: str) -> bool:
    """Tell whether files with an ending can be converted, once the extra is installed."""
    found = _by_ending().get(ending.removeprefix("."))
    return found is not None and not found.is_text


def convert(converter: Converter, data: bytes) -> ConvertedText:
    """Make text of a file in a process of its own; whatever happens there, this one goes on."""
    kind = converter.endings[0].encode()
    try:
        reply = _process().ask(len(kind).to_bytes(1), kind, data, seconds=SECONDS)
    except TimeoutError:
        return ConvertedText(reason="too_slow")
    except OSError:
        return ConvertedText(reason="failed")
    found = json.loads(reply)
    if "reason" in found:
        return ConvertedText(reason=found["reason"])
    text = PAGE.join(found["pages"])
    return ConvertedText(text, found["title"], bounded_metadata(found["metadata"]))


@cache
def _process() -> GuardedProcess:
    return GuardedProcess(_CHILD, str(MEMORY), str(2 * int(SECONDS)))


@cache
def _by_ending() -> dict[str, Converter]:
    found = [cast("Converter", find(converters, name)) for name in files(converters)]
    return {ending: one for one in found for ending in one.endings}
