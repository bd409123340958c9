"""python -m performance [NAME...]: measure, and print the table."""

import argparse
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from performance._measure import progress
from performance._page import markdown, text
from performance._result import Result
from performance._settings import DOCUMENTS, QUERIES, Settings
from performance.coherence import coherence
from performance.dense import dense
from performance.embedding import embedding
from performance.files import files
from performance.indexing import indexing
from performance.judging import judging
from performance.lexical import lexical
from performance.matrix import matrix
from performance.memory import memory
from performance.page import page
from performance.race import race
from performance.randomisation import randomisation
from performance.resolving import resolving
from performance.small import small
from performance.sweep import sweep

__all__ = ["main"]

MEASUREMENTS: dict[str, Callable[[Settings], Result]] = {
    "files": files,
    "small": small,
    "memory": memory,
    "randomisation": randomisation,
    "resolving": resolving,
    "embedding": embedding,
    "lexical": lexical,
    "dense": dense,
    "indexing": indexing,
    "coherence": coherence,
    "sweep": sweep,
    "matrix": matrix,
    "judging": judging,
    "page": page,
    "race": race,
}


def main(arguments: list[str] | None = None) -> int:
    """Run the named measurements, or all; 1 only for a miss under ``--check``."""
    options = _options(arguments)
    _compile()
    with tempfile.TemporaryDirectory(prefix="assay-performance-") as folder:
        settings = Settings(
            Path(folder), options.queries, options.documents, options.repeats, options.rounds
        )
        results = [MEASUREMENTS[name](settings) for name in options.names or MEASUREMENTS]
    print(text(results, settings))
    if options.output:
        Path(options.output).write_text(markdown(results, settings), encoding="utf-8")
    missed = any(row.passed is False for result in results for row in result.rows)
    return int(options.check and missed)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m performance", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MEASUREMENTS))
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help="per query")
    parser.add_argument("--repeats", type=int, default=3, help="turns of the large files")
    parser.add_argument("--rounds", type=int, default=30, help="turns of the small files")
    parser.add_argument("-o", "--output", metavar="FILE", help="also write a Markdown page")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a target is missed")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(MEASUREMENTS):
        parser.error(f"no measurement is called {', '.join(sorted(unknown))}")
    return options


def _compile() -> None:
    """Compile every package to bytecode, so that no side parses its source while measured.

    pip compiles what it installs; uv and an editable checkout do not. A child does it, for the
    memory of this process is where the peak memory of every child begins.
    """
    progress("compiling packages to bytecode")
    spec = find_spec("assay")
    places = list(spec.submodule_search_locations or ()) if spec else []
    command = [sys.executable, "-m", "compileall", "-q", "-q", "-j", "0"]
    subprocess.run([*command, *places, sysconfig.get_path("purelib")], check=False)


if __name__ == "__main__":
    sys.exit(main())
