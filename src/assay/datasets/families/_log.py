"""A repository's log: each commit's subject and the files that it changed, from one process."""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError

__all__ = ["ChangedFile", "Commit", "read_log"]

# Set by git itself for its hooks: there they would lead to another repository than the one named.
FOREIGN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY")
# What a user's own settings could change about the log is set here, each by its option.
LOG = (
    *("-c", "i18n.logOutputEncoding=UTF-8", "log", "-z", "--numstat", "-M", "--topo-order"),
    *("--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes"),
    *("--relative", "--format=%x01%H%x02%P%x02%s"),
)


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that a commit changed: its path after it, its path before, and how many lines."""

    path: str
    before: str
    lines: int


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: what it says of itself, what it stands on, and what it changed."""

    id: str
    parents: tuple[str, ...]
    subject: str
    changes: tuple[ChangedFile, ...]


def read_log(repository: Path, revision: str) -> Iterator[Commit]:
    """Yield the commits below a revision, newest first, with their changes in this folder."""
    question = ["git", "-C", str(repository), *LOG, "--end-of-options", revision, "--"]
    try:
        process = subprocess.Popen(  # noqa: S603 (a list of arguments, no shell)
            question, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_environment()
        )
    except FileNotFoundError:
        hint = "install git"
        raise InputError("git is not installed", where=str(repository), hint=hint) from None
    with process:
        output, complaint = process.communicate()
    if process.returncode:
        raise _unreadable(repository, complaint.decode("utf-8", "replace"))
    return _commits(iter(output.split(b"\0")))


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return kept | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}


def _unreadable(repository: Path, said: str) -> InputError:
    where, first = str(repository), said.strip().removeprefix("fatal: ").partition("\n")[0]
    if "not a git repository" in said:
        hint = "give the path of a git clone"
        return InputError("is not a git repository", where=where, hint=hint)
    if "does not have any commits" in said or "bad revision" in said or "unknown rev" in said:
        hint = "list the revisions: git log --all --oneline"
        return InputError(f"unknown revision, or no commits ({first})", where=where, hint=hint)
    if "unable to read" in said or "missing" in said:
        hint = "fetch the missing objects, or use an older revision: git:REPOSITORY@REVISION"
        return InputError(f"objects are missing ({first})", where=where, hint=hint)
    hint = "check that git log works there"
    return InputError(f"git cannot read the repository ({first})", where=where, hint=hint)


def _commits(parts: Iterator[bytes]) -> Iterator[Commit]:
    """Put together what zero bytes part: a commit's line, then its changes."""
    head: bytes | None = None
    changes: list[ChangedFile] = []
    for part in parts:
        if part.startswith(b"\1"):
            if head is not None:
                yield _commit(head, changes)
            head, changes = part, []
        elif part.strip():
            changes.append(_change(part.lstrip(b"\n"), parts))
    if head is not None:
        yield _commit(head, changes)


def _commit(head: bytes, changes: list[ChangedFile]) -> Commit:
    name, parents, subject = head[1:].decode("utf-8", "replace").split("\2", 2)
    return Commit(name, tuple(parents.split()), subject.strip(), tuple(changes))


def _change(part: bytes, parts: Iterator[bytes]) -> ChangedFile:
    """Read added, deleted, path; a rename has no path there and its two paths after it."""
    added, deleted, path = part.split(b"\t", 2)
    before = path if path else next(parts)
    after = path if path else next(parts)
    lines = sum(int(number) for number in (added, deleted) if number.isdigit())  # "-": binary
    return ChangedFile(_text(after), _text(before), lines)


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
