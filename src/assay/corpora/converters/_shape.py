"""What a converter is, and what it makes of a file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

__all__ = ["ConvertedFile", "Converter", "UnreadableError"]


@dataclass(frozen=True, slots=True)
class ConvertedFile:
    """The text of a file by pages (slides, cells), its title, and what else it says of itself."""

    pages: Sequence[str]
    title: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


class UnreadableError(Exception):
    """A file has no text that can be had; ``reason`` is why, as skipped files are counted."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Converter:
    """Makes text of the files with some ``endings`` whose first bytes it ``recognises``.

    ``summary`` says what is read. ``convert`` is called in a child process, with all bytes.
    ``package`` is the distribution that it needs, if any, and ``module`` what that is imported as.
    ``version`` is raised whenever the text of the same file may change by our doing. ``paged`` says
    whether pages are numbered. Files that are text themselves (``is_text``) are read as they are
    where they cannot be converted; ``is_container`` says that a file may have images, and so be
    large. ``language`` is that of the text.
    """

    summary: str
    endings: tuple[str, ...]
    convert: Callable[[bytes], ConvertedFile]
    recognises: Callable[[bytes], bool]
    version: int = 1
    package: str = ""
    module: str = ""
    paged: bool = True
    is_text: bool = False
    is_container: bool = True
    language: str = "markdown"

    @cached_property
    def name(self) -> str:
        """Name what makes the text, with its version; empty if its package is not installed."""
        own = f"{self.endings[0]} {self.version}"
        if not self.package:
            return own
        from importlib.metadata import PackageNotFoundError, version

        try:
            return f"{own} {self.package} {version(self.package)}"
        except PackageNotFoundError:
            return ""
