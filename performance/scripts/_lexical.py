"""Chunks of real code and queries about them, and how long each query takes."""

import json
import random
import re
import sysconfig
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from assay.records import Chunk

__all__ = ["DEPTHS", "chunks", "queries", "report"]

LINES = 30
QUERIES = 300
DEPTHS = (10, 200)  # what a person reads, and what a fusion is given
DEFINED = re.compile(r"^\s*(?:def|class) (\w+)", re.MULTILINE)
WORD = re.compile(r"[A-Za-z_]\w+")


def chunks(count: int) -> Iterator[Chunk]:
    """Yield pieces of the standard library; from the second round on, names are changed."""
    pieces, made, turn = list(_pieces()), 0, 0
    while made < count:
        rng = random.Random(turn)
        for path, text in pieces[: count - made]:
            yield _chunk(f"{turn}/{path}", _changed(text, rng) if turn else text)
        made, turn = made + len(pieces), turn + 1


def queries() -> list[list[str]]:
    """Return the words of each query: two to six words of one piece."""
    rng, pieces = random.Random(7), list(_pieces())
    found: list[list[str]] = []
    while len(found) < QUERIES:
        words = WORD.findall(rng.choice(pieces)[1])
        if len(words) > 6:
            found.append(rng.sample(words, rng.randint(2, 6)))
    return found


def report(
    search: Callable[[int, int], list[int]], *, build_s: float | None, size_bytes: int
) -> None:
    """Ask every query at every depth; print the times of each query, and what was found first."""
    seconds: dict[int, list[float]] = {}
    tops: list[list[int]] = []
    for depth in DEPTHS:
        for number in range(0, QUERIES, 10):
            search(number, depth)  # what is read from disk once is not what is measured
        turns = [_timed(search, number, depth) for number in range(QUERIES)]
        seconds[depth] = [taken for taken, _ in turns]
        tops = tops or [found for _, found in turns]
    print(json.dumps({"s": seconds, "tops": tops, "build_s": build_s, "bytes": size_bytes}))


def _timed(
    search: Callable[[int, int], list[int]], number: int, depth: int
) -> tuple[float, list[int]]:
    start = time.thread_time()
    found = search(number, depth)
    return time.thread_time() - start, found


def _pieces() -> Iterator[tuple[str, str]]:
    library = Path(sysconfig.get_path("stdlib"))
    for path in sorted(library.rglob("*.py")):
        name = path.relative_to(library).as_posix()
        if not name.startswith("site-packages") and "/bad" not in name:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
            for at in range(0, len(lines), LINES):
                yield name, "".join(lines[at : at + LINES])


def _changed(text: str, rng: random.Random) -> str:
    """Give one name in five another ending."""
    return WORD.sub(lambda name: name[0] + (f"_{rng.randrange(500)}" * (rng.random() < 0.2)), text)


def _chunk(path: str, text: str) -> Chunk:
    names = tuple(DEFINED.findall(text))
    return Chunk(path, 0, len(text), (1, LINES), text, path=path, symbols=names)
