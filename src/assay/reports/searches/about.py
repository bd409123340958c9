"""What a person should know of an index that was brought up to date, in sentences."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from assay.records.skipped_files import RAISE, SkippedFiles, describe_skipped, install_hint

__all__ = ["about", "skipped_as"]

REASONS = {
    "binary": "it is a binary file",
    "link": "it is a symbolic link",
    "submodule": "it is a submodule",
    "unreadable": "it cannot be read",
    "encrypted": "it is encrypted",
    "damaged": "it is damaged",
    "scanned": "it is scanned and has no text",
    "too_long": "it has too much text",
    "too_slow": "converting it took too long",
    "failed": "converting it failed",
}


class _IndexCounts(Protocol):
    @property
    def read(self) -> int: ...

    @property
    def repaired(self) -> bool: ...

    @property
    def skipped(self) -> Mapping[str, int]: ...


def about(indexed: _IndexCounts, *, always: bool = False) -> Iterator[str]:
    """Say what was repaired and, if files were read or ``always``, what was skipped."""
    if indexed.repaired:
        yield "the lexical index was damaged and has been rebuilt from the stored texts"
    if indexed.skipped and (always or indexed.read):
        yield describe_skipped(indexed.skipped)


def skipped_as(skipped: Mapping[str, int]) -> str:
    """Say why the one file of a corpus was skipped; nothing if it was not.

    >>> skipped_as({"link": 1}), skipped_as({})
    ('it is a symbolic link', '')
    """
    reasons = ", ".join(_reason(reason, skipped) for reason in skipped)
    return "; ".join(filter(None, [reasons, install_hint(skipped)]))


def _reason(reason: str, skipped: Mapping[str, int]) -> str:
    if reason != "too_large":
        return REASONS.get(reason, reason)
    counted = skipped if isinstance(skipped, SkippedFiles) else SkippedFiles()
    return f"it is {counted.reason_text(reason)}; {RAISE}"
