"""python -m performance.structure [FOLDER or REVISION...]: measure source trees side by side."""

import argparse
import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

from performance.structure.figures import figures
from performance.structure.source import Source, read_source

__all__ = ["main", "table"]

HOME = Path(__file__).parents[2]
WHERE = "src/assay"
SAFELY = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # from Python 3.11.4 on


def main(arguments: list[str] | None = None) -> int:
    """Print a table with a column per tree."""
    parser = argparse.ArgumentParser(prog="python -m performance.structure", description=__doc__)
    parser.add_argument(
        "trees", nargs="*", default=["."], help="a checkout or a git revision; default: this one"
    )
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="assay-structure-") as folder:
        columns = []
        for number, tree in enumerate(options.trees):
            try:
                source = _read(tree, Path(folder) / str(number))
            except FileNotFoundError as missing:
                parser.error(str(missing))
            columns.append(figures(source))
        names = ["this tree" if tree == "." else tree for tree in options.trees]
        print(table(names, columns))
    return 0


def table(names: Sequence[str], columns: Sequence[dict[str, str]]) -> str:
    """Lay figures out as a Markdown table, a column per tree."""
    rows = [["", *names], ["---"] + ["---:"] * len(names)]
    rows += [[row, *(column[row] for column in columns)] for row in columns[0]]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _read(tree: str, folder: Path) -> Source:
    place = HOME if tree == "." else Path(tree)
    if not (place / WHERE).is_dir():
        _extract(tree, folder)
        place = folder
    return read_source(place / WHERE)


def _extract(revision: str, folder: Path) -> None:
    """Write a revision's source into a folder."""
    command = ["git", "archive", "--format=tar", revision, WHERE]
    done = subprocess.run(command, cwd=HOME, capture_output=True, check=False)
    if done.returncode:
        raise FileNotFoundError(f"{revision}: neither a checkout nor a git revision with {WHERE}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, **SAFELY)  # noqa: S202 - our own revision


if __name__ == "__main__":
    sys.exit(main())
