"""A stream for people: whatever is written to it, no text controls the terminal that shows it."""

from typing import Any, TextIO, cast

from assay.text.sanitize import sanitize

__all__ = ["Screen", "trusted"]


class Screen:
    """Stands before a stream and spells out all that is unsafe, except line breaks.

    Colours, cursor movements and other sequences of our own are written to what ``trusted``
    returns, with each text sanitized before. There is no ``buffer``: nothing goes around it.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text."""
        self._stream.write(sanitize(text, keep="\n"))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self._stream, name)

    @classmethod
    def before(cls, stream: TextIO) -> TextIO:
        """Put a screen before a stream, once, if there is a stream."""
        return stream if stream is None or isinstance(stream, cls) else cast("TextIO", cls(stream))


def trusted(stream: TextIO) -> TextIO:
    """Return the stream behind a screen, for text that was sanitized already."""
    return stream._stream if isinstance(stream, Screen) else stream
