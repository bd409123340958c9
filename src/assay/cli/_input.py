"""What the words of a command line mean: names of runs, small files of pairs."""

from collections.abc import Sequence
from pathlib import Path

from assay.errors import InputError

__all__ = ["read_pairs", "run_names"]


def read_pairs(path: str) -> dict[str, str]:
    """Read lines of two words, e.g. a query and its collection."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError("cannot be read", where=path, hint="name a text file") from None
    pairs: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        words = line.split()
        if words and len(words) != 2:
            where, hint = f"{path}, line {number}", "write a query and its collection"
            raise InputError(f"{len(words)} words where 2 are expected", where=where, hint=hint)
        pairs |= {words[0]: words[1]} if words else {}
    return pairs


def run_names(paths: Sequence[str]) -> list[str | None]:
    """Let files name their runs; files of one name in different folders keep their folders."""
    last = [Path(path).name for path in paths]
    return [path if last.count(Path(path).name) > 1 else None for path in paths]
