"""python -m performance.service [NAME...]: measure the service, and print the table.

Without names, everything is measured and written to result.txt. Ends with 1 if a target is missed.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from performance._measure import progress
from performance.service.cancel import cancel
from performance.service.figures import Figure, table
from performance.service.lists import BENCHMARKS, lists
from performance.service.postgres import postgres
from performance.service.start import start
from performance.service.viewers import VIEWERS, viewers

__all__ = ["main"]

RESULT = Path(__file__).with_name("result.txt")
ABOUT = """Service: real processes on {system}, {cores} cores, Python {python}

Memory and CPU time are those of the API process alone. Lists are asked for on one connection that
stays open, beside bare FastAPI handlers that return the same bytes under the same settings of
uvicorn; 200 of the benchmarks have reports of 1 MB. Viewers are WebSockets of another process. They
watch a benchmark of 8 runs that an embedded worker computes, while a third process reads the ledger
every 20 ms; "behind the commit" is from the look before a state was there to its arrival, so it is
up to 20 ms too long."""


def _on_postgres(folder: Path) -> list[Figure]:
    with postgres() as url:
        return viewers(folder, processes=2, database=url)


PARTS: dict[str, tuple[str, Callable[[Path], list[Figure]]]] = {
    "start": ("Start and memory", start),
    "lists": (f"Lists of {BENCHMARKS:,} benchmarks", lists),
    "viewer": ("One viewer", partial(viewers, number=1)),
    "viewers": (f"{VIEWERS} viewers", viewers),
    "cancel": ("A benchmark that is cancelled", cancel),
    "two": (f"{VIEWERS} viewers of two API processes", partial(viewers, processes=2)),
    "postgres": (f"{VIEWERS} viewers of two API processes, PostgreSQL", _on_postgres),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the named parts, or all; 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m performance.service", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PARTS))
    names = parser.parse_args(arguments).names
    if unknown := set(names) - PARTS.keys():
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    found: dict[str, list[Figure]] = {}
    with tempfile.TemporaryDirectory(prefix="assay-service-") as folder:
        for name in names or PARTS:
            title, measure = PARTS[name]
            progress(f"{title} ...")
            found[title] = measure(Path(folder) / name)
    text = "\n\n".join([_about(), *(table(title, some) for title, some in found.items())])
    print(text)
    if not names:
        RESULT.write_text(text + "\n", encoding="utf-8")
    missed = [one.what for some in found.values() for one in some if one.missed]
    for one in missed:
        progress(f"missed: {one}")
    return int(bool(missed))


def _about() -> str:
    system = f"{platform.system()} {platform.machine()}"
    return ABOUT.format(system=system, cores=os.cpu_count(), python=platform.python_version())


if __name__ == "__main__":
    sys.exit(main())
