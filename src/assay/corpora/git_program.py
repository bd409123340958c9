"""Questions to the git program: one answer, a list, or one blob after another."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Self, cast

from assay.errors import InputError

__all__ = ["RepositoryFiles", "ask", "output"]

# Set by git itself for its hooks: there they would lead to another repository than the one named.
FOREIGN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY")
# A partial clone would ask its server for what it lacks; older versions know only the second.
OFFLINE = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
PIECE = 1 << 16


def ask(place: Path, *question: str, missing: str = "") -> bytes:
    """Return one answer; ``missing`` says what an answer of none means."""
    process = _start(place, *question)
    with process:
        answer, complaint = process.communicate()
    if process.returncode == 0:
        return answer.removesuffix(b"\n")
    said = complaint.decode("utf-8", "replace").strip().removeprefix("fatal: ")
    if missing and not said:
        hint = f"list the revisions: git -C {place} log --all --oneline"
        raise InputError(missing, where=str(place), hint=hint)
    if "not a git repository" in said:
        hint = "give a folder inside of a git repository"
        raise InputError("not a git repository", where=str(place), hint=hint)
    problem = f"git cannot read it ({said.partition(chr(10))[0]})"
    raise InputError(problem, where=str(place), hint=f"try: git -C {place} log")


def output(place: Path, *question: str) -> Iterator[bytes]:
    """Yield the parts of a long answer, which a zero byte ends each."""
    with _start(place, *question) as process:
        rest = b""
        try:
            while piece := _pipe(process.stdout).read(PIECE):
                *parts, rest = (rest + piece).split(b"\0")
                yield from parts
            process.wait()
        finally:
            process.kill()  # it has ended by itself unless the reader lost interest
    if process.returncode > 0:
        hint = f"check it: git -C {place} fsck; a partial clone must be fetched whole"
        raise InputError("git cannot list its files", where=str(place), hint=hint)


class RepositoryFiles:
    """The contents of a repository, from one process that stays until the ``with`` block ends."""

    def __init__(self, place: Path) -> None:
        self._process = _start(place, "cat-file", "--batch")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._process as process:
            process.kill()

    def read(self, blob: bytes) -> bytes | None:
        """Return the bytes of a blob; none if the repository lacks it."""
        asked, answers = _pipe(self._process.stdin), _pipe(self._process.stdout)
        try:
            asked.write(blob + b"\n")
            asked.flush()
        except BrokenPipeError:
            return None
        header = answers.readline().split()
        if len(header) != 3:  # "<name> missing", or nothing from a process that has ended
            return None
        size = int(header[2])
        return answers.read(size + 1)[:size]


def _start(place: Path, *question: str) -> subprocess.Popen[bytes]:
    command = ["git", "--no-replace-objects", "--no-pager", "-C", str(place), *question]
    known = {key: value for key, value in os.environ.items() if key not in FOREIGN}
    quiet = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    try:
        return subprocess.Popen(  # noqa: S603 - a list of words, no shell
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if question[0] == "rev-parse" else subprocess.DEVNULL,
            env={**known, **quiet, **OFFLINE},
        )
    except FileNotFoundError:
        hint = "install git, or give a folder instead"
        raise InputError("git is not installed", where=str(place), hint=hint) from None


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    return cast("IO[bytes]", pipe)
