"""Keys as a person presses them, one at a time, in a terminal that is left as it was found."""

import os
import re
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from shutil import get_terminal_size

import click

__all__ = ["Keys", "keyboard"]

NAMED = {
    "\x1b[A": "up", "\x1bOA": "up", "\x1b[B": "down", "\x1bOB": "down",
    "\x1b[5~": "page up", "\x1b[6~": "page down", " ": "space",
    "\x04": "q", "\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace",
}  # fmt: skip
ONE = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
LOOKS_S = 0.3  # between looks at the size of the window
BYTES = 256


class Keys:
    """Hands out what was pressed, key by key, also where several came at once."""

    def __init__(self, read: Callable[[os.terminal_size], str]) -> None:
        self._read, self._waiting = read, list[str]()

    def next(self, drawn: os.terminal_size) -> str:
        """Return a key; nothing where the window is no longer of the size that was drawn."""
        if not self._waiting:
            self._waiting = ONE.findall(self._read(drawn))
        return NAMED.get(key := self._waiting.pop(0), key) if self._waiting else ""


@contextmanager
def keyboard() -> Iterator[Keys]:
    """Read keys without echo or Enter, until the end, however that comes."""
    try:
        import termios
        import tty
    except ImportError:  # Windows
        yield Keys(lambda _drawn: click.getchar())
        return
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle, termios.TCSADRAIN)
        yield Keys(lambda drawn: _pressed(handle, drawn))
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def _pressed(handle: int, drawn: os.terminal_size) -> str:
    """Wait for keys; the end of the input is a quit, a change of the window is nothing."""
    while not select.select([handle], [], [], LOOKS_S)[0]:
        if get_terminal_size() != drawn:
            return ""
    content = os.read(handle, BYTES)
    while content and not _whole(content) and select.select([handle], [], [], LOOKS_S)[0]:
        content += os.read(handle, BYTES)
    return content.decode("utf-8", "replace") or "q"


def _whole(content: bytes) -> bool:
    """Tell whether the last letter came with all its bytes."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.reason != "unexpected end of data"
    return True
