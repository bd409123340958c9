"""The process that converts files: one request after another, within limits of memory and time."""

import json
import os
import signal
import sys
from contextlib import suppress
from typing import cast

from assay.catalogue import find
from assay.corpora import converters
from assay.corpora.converters import Converter, UnreadableError

__all__ = ["serve"]

SIZE = 8  # bytes that say how long a message is


def serve(memory: int, seconds: int) -> None:
    """Read files from standard input, and write the text of each to standard output.

    A file that takes longer than ``seconds`` ends the process, also where nobody waits any more.
    """
    _limit(memory)
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints is no reply
    while size := source.read(SIZE):
        data = source.read(int.from_bytes(size, "little"))
        length = data[0]
        _alarm(seconds)
        reply = json.dumps(_converted(data[1 : 1 + length].decode(), data[1 + length :])).encode()
        _alarm(0)
        target.write(len(reply).to_bytes(SIZE, "little") + reply)
        target.flush()


def _limit(memory: int) -> None:
    with suppress(ImportError, ValueError, OSError):  # not every system has it
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _alarm(seconds: int) -> None:
    """Have the system end this process: no library can prevent it."""
    if hasattr(signal, "alarm"):  # not on Windows
        signal.alarm(seconds)


def _converted(kind: str, data: bytes) -> dict[str, object]:
    try:
        found = cast("Converter", find(converters, kind)).convert(data)
    except UnreadableError as error:
        return {"reason": error.reason}
    except MemoryError:
        return {"reason": "too_long"}
    except Exception:  # noqa: BLE001 - a library may meet damage with any error
        return {"reason": "damaged"}
    return {"pages": list(found.pages), "title": found.title, "metadata": dict(found.metadata)}
