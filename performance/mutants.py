"""python -m performance.mutants: change the source at random places; the tests should notice.

Each mutant changes one comparison, operator, number or truth value of one module. The module's
doctests, the tests of its folder, the golden outputs and then the tests of its package run until
one fails. `--tests FOLDER` takes the tests of another checkout, to compare two states of them.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

__all__ = ["main"]

HOME = Path(__file__).parents[1]
SELECTED = "not long and not browser and not server"
DOCTEST = """
import doctest, importlib, sys
sys.exit(doctest.testmod(importlib.import_module({!r}))[0])
"""
OTHER: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In},
    **{ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
}


@dataclass(frozen=True)
class Mutant:
    """One change at a place of a module."""

    path: Path
    line: int
    what: str
    source: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(HOME / 'src').as_posix()}:{self.line} {self.what}"


def main(arguments: list[str] | None = None) -> int:
    """Try some mutants, and print a line for each and how many were killed."""
    parser = argparse.ArgumentParser(prog="python -m performance.mutants", description=__doc__)
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--only", type=int, nargs="*", help="numbers of the mutants to try")
    parser.add_argument("--tests", type=Path, default=HOME, help="a checkout whose tests are run")
    parser.add_argument("--seconds", type=float, default=240.0, help="for each set of tests")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    mutants = [*enumerate(_drawn(options.number, options.seed))]
    if options.only is not None:
        mutants = [mutants[number] for number in options.only]
    counts: dict[str, int] = {}

    def attempt(numbered: tuple[int, Mutant]) -> str:
        outcome = _outcome(numbered[1], options.tests.resolve(), options.seconds)
        counts[outcome] = counts.get(outcome, 0) + 1
        print(f"{numbered[0]:3} {outcome:9} {numbered[1]}", flush=True)
        return outcome

    with ThreadPoolExecutor(options.at_once) as pool:
        [*pool.map(attempt, mutants)]
    print(", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
    return 0


def _drawn(number: int, seed: int) -> list[Mutant]:
    """Draw places in the source, each as likely as any other."""
    paths = sorted((HOME / "src" / "assay").rglob("*.py"))
    places = [(path, at) for path in paths for at in range(sum(1 for _ in _places(_tree(path))))]
    return [_mutant(*place) for place in random.Random(seed).sample(places, number)]


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _places(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what can be changed: comparisons, operators, numbers and truth values."""
    for node in ast.walk(tree):
        is_number = isinstance(node, ast.Constant) and isinstance(node.value, int | float)
        if isinstance(node, ast.expr) and (is_number or type(_operator(node)) in OTHER):
            yield node


def _operator(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Compare):
        return node.ops[0]
    return node.op if isinstance(node, ast.BoolOp | ast.BinOp) else None


def _mutant(path: Path, at: int) -> Mutant:
    tree = _tree(path)
    node = [*_places(tree)][at]
    before = ast.unparse(node)
    if isinstance(node, ast.Compare):
        node.ops[0] = OTHER[type(node.ops[0])]()  # type: ignore[call-overload]
    elif isinstance(node, ast.BoolOp | ast.BinOp):
        node.op = OTHER[type(node.op)]()  # type: ignore[assignment]
    elif isinstance(node, ast.Constant):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    return Mutant(path, node.lineno, f"{before} -> {ast.unparse(node)}", ast.unparse(tree))


def _outcome(mutant: Mutant, tests: Path, seconds: float) -> str:
    with tempfile.TemporaryDirectory(prefix="assay-mutant-") as folder:
        source = Path(folder) / "src"
        shutil.copytree(HOME / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        place = source / mutant.path.relative_to(HOME / "src")
        place.write_text(mutant.source, encoding="utf-8")
        for command in _commands(place.relative_to(source), tests, Path(folder)):
            try:
                done = _run(command, source, tests, seconds)
            except subprocess.TimeoutExpired:
                return "time-out"
            if done not in (0, 5):  # 5: no test was collected
                return "killed"
        return "survived"


def _run(command: Sequence[str], source: Path, tests: Path, seconds: float) -> int:
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=tests,
        env=environment,
        timeout=seconds,
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ).returncode


def _commands(place: Path, tests: Path, folder: Path) -> Iterator[list[str]]:
    """Yield what to run, the tests that are nearest to the change first."""
    yield ["-c", DOCTEST.format(".".join(place.with_suffix("").parts))]
    near = [tests / "tests" / one for one in place.relative_to("assay").parents]
    nearest = [one for one in near if one.is_dir() and one != tests / "tests"]
    base = ["-m", "pytest", "-x", "-q", "-m", SELECTED, "-p", "no:cacheprovider"]
    base += [f"--basetemp={folder / 'tests'}"]
    for some in (nearest[:1], [tests / "tests" / "golden"], nearest[-1:]):
        if some:
            yield [*base, *map(str, some)]


if __name__ == "__main__":
    sys.exit(main())
