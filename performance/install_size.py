"""python -m performance.install_size: what an installation takes on disk, package by package.

Builds a wheel of this tree, installs it with pip into fresh environments, with the core alone and
with extras, and prints a table of MB (10^6 bytes of disk blocks, compiled modules included).
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from performance._measure import progress

__all__ = ["LIMIT_MB", "main", "make_environment", "measure_environment"]

HOME = Path(__file__).parents[1]
DEBIAN = Path("/usr/bin/python3")
LIMIT_MB = 450  # of the core, with pip and all that an environment has besides
EXTRAS = ("", "frames", "documents", "patterns", "search,plots")
SHOWN_MB = 0.95  # packages below are summed up
SUMS = ("site-packages", "in total")
TOOLS = ("pip", "setuptools")  # what `venv` itself puts into an environment
QUIET = ("--quiet", "--disable-pip-version-check")
SIZES = """
import json
from importlib.metadata import distributions
files = {d.name: [str(d.locate_file(f)) for f in d.files or ()] for d in distributions()}
print(json.dumps(files))
"""


def main(arguments: list[str] | None = None) -> int:
    """Print the table; with ``--check``, end with 1 if the core is above its limit."""
    parser = argparse.ArgumentParser(prog="python -m performance.install_size", description=__doc__)
    parser.add_argument("extras", nargs="*", default=EXTRAS, help='such as "" or search,plots')
    parser.add_argument("--python", type=Path, default=DEBIAN if DEBIAN.exists() else None)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    python = options.python or Path(sys.executable)
    with tempfile.TemporaryDirectory(prefix="assay-install-") as name:
        wheel = _build(HOME, Path(name))
        columns = {}
        for number, extras in enumerate(options.extras):
            progress(f"install_size: {_title(extras)}")
            place = make_environment(Path(name) / str(number), wheel, extras, python=python)
            columns[extras] = measure_environment(place)
        print(_table(columns, wheel, python))
    return int(options.check and columns.get("", {}).get("in total", 0) > LIMIT_MB)


def make_environment(place: Path, wheel: Path, extras: str, *, python: Path) -> Path:
    """Make a fresh environment with a wheel and some of its extras."""
    subprocess.run([python, "-m", "venv", place], check=True)
    _pip(place / "bin" / "python", "install", f"{wheel}[{extras}]" if extras else str(wheel))
    return place


def measure_environment(place: Path) -> dict[str, float]:
    """Return the MB of each package, of all files that belong to none, and in total."""
    told = subprocess.run(
        [place / "bin" / "python", "-c", SIZES], check=True, capture_output=True, text=True
    )
    files = {name: {*map(os.path.realpath, each)} for name, each in json.loads(told.stdout).items()}
    found = {name: sum(map(_mb, each)) for name, each in files.items()}
    total = sum(map(_mb, _walk(place)))
    packages = sum(map(_mb, _walk(next(place.glob("lib/python*/site-packages")))))
    rest = {"other files": total - sum(found.values()), "site-packages": packages}
    return {**found, **rest, "in total": total}


def _build(tree: Path, folder: Path) -> Path:
    """Build a wheel of a tree, and return its path."""
    _pip(sys.executable, "wheel", "--no-deps", "--wheel-dir", str(folder), str(tree))
    return next(folder.glob("*.whl"))


def _pip(python: Path | str, command: str, *arguments: str) -> None:
    subprocess.run([python, "-m", "pip", command, *QUIET, *arguments], check=True)


def _walk(place: Path) -> Iterator[str]:
    yield str(place)
    for here, folders, files in os.walk(place):
        yield from (str(Path(here, name)) for name in (*folders, *files))


def _mb(path: str) -> float:
    """Return what a file takes on disk, as du counts it."""
    return os.lstat(path).st_blocks * 512 / 1e6 if os.path.lexists(path) else 0.0


def _table(columns: dict[str, dict[str, float]], wheel: Path, python: Path) -> str:
    version = subprocess.run([python, "-V"], check=True, capture_output=True, text=True)
    names = sorted(set().union(*columns.values()), key=lambda name: _order(name, columns))
    large = [name for name in names if _largest(name, columns) >= SHOWN_MB]
    rows = [_row(name, [its.get(name) for its in columns.values()]) for name in large]
    small = [name for name in names if name not in large]
    sums = [sum(its.get(name, 0.0) for name in small) for its in columns.values()]
    rows.insert(-len(SUMS), _row(f"{len(small)} smaller ones", sums))
    return "\n".join(
        [
            f"MB on disk of fresh environments, {version.stdout.strip()} ({python}), "
            f"{platform.system()} {platform.machine()}, pip with compiled modules.",
            f"The wheel of Assay itself: {wheel.stat().st_size / 1e6:.1f} MB. "
            f"Limit of the core in total: {LIMIT_MB} MB.",
            "",
            f"| package | {' | '.join(map(_title, columns))} |",
            f"| --- |{' ---: |' * len(columns)}",
            *rows,
        ]
    )


def _order(name: str, columns: dict[str, dict[str, float]]) -> tuple[int, float]:
    place = SUMS.index(name) + 1 if name in SUMS else 0
    return place, -_largest(name, columns)


def _largest(name: str, columns: dict[str, dict[str, float]]) -> float:
    return max(its.get(name, 0.0) for its in columns.values())


def _row(name: str, values: Sequence[float | None]) -> str:
    note = " (of every environment)" if name in TOOLS else ""
    cells = ("" if value is None else f"{value:,.1f}" for value in values)
    return f"| {name}{note} | {' | '.join(cells)} |"


def _title(extras: str) -> str:
    return f"[{extras}]" if extras else "core"


if __name__ == "__main__":
    sys.exit(main())
