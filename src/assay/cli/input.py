"""What the words of a command line mean: names of runs, small files of pairs."""

from collections.abc import Sequence
from pathlib import Path

from assay.errors import InputError

__all__ = ["read_pairs", "run_names"]


def read_pairs(path: str) -> dict[str, str]:
    """Read lines of two words, e.g. a query and its collection."""
    from assay.columns import Source

    with Source(path) as source:
        content = source.read_all()
    pairs: dict[str, str] = {}
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        if words and len(words) != 2:
            where, hint = f"{path}, line {number}", "write a query and its collection on each line"
            raise InputError(f"{len(words)} words where 2 are expected", where=where, hint=hint)
        pairs |= {words[0]: words[1]} if words else {}
    return pairs


def run_names(paths: Sequence[str]) -> list[str | None]:
    """Let files name their runs; only files of one name keep their folders, or get a number."""
    if list(paths).count("-") > 1:
        hint = "give all but one as files"
        raise InputError("standard input is named twice", hint=hint)
    last = [Path(path).name for path in paths]
    names: list[str | None] = []
    for at, path in enumerate(paths):
        again = list(paths[:at]).count(path)
        alone = last.count(Path(path).name) == 1
        names.append(None if alone else f"{path} ({again + 1})" if again else path)
    return names
