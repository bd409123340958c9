"""All modules that executing a benchmark can reach, members of catalogues included."""

import ast
from collections.abc import Iterator

from performance.structure.folders import members
from performance.structure.graph import Graph, graph_of, reached
from performance.structure.source import Module, Source

__all__ = ["ENTRIES", "execution_reaches", "with_members"]

# The modules that execute, with the names that they had in earlier versions.
ENTRIES = (
    "assay.benchmarks.work.execute",
    *("assay.benchmarks.race.blocks", "assay.benchmarks.execute", "assay.benchmarks._race_blocks"),
)


def execution_reaches(source: Source) -> set[str]:
    """Return what may run while a benchmark is executed.

    Imports for types alone are followed too: objects of these types are passed in and called.
    """
    graph = with_members(graph_of(source), source)
    entries = [name for name in ENTRIES if name in source.modules]
    return set().union(*(reached(graph, entry) for entry in entries))


def with_members(graph: Graph, source: Source) -> Graph:
    """Add what is found by name: who holds a package can import every public module of it.

    A package is held where it is imported as an object (`from assay.engines import fusions`), where
    a string has its dotted name ("corpora.chunkers"), and where a string has the name of a folder
    beside the module ("migrations").
    """
    return {
        name: imported | {one for held in _held(source.modules[name], source) for one in held}
        for name, imported in graph.items()
    }


def _held(module: Module, source: Source) -> Iterator[set[str]]:
    names = {*_strings(module), *_imported_packages(module)}
    for name in names & source.folders.keys() - {source.root.name}:
        yield {name, *(one.name for one in members(source, name))} - {module.name}


def _strings(module: Module) -> Iterator[str]:
    for node in ast.walk(module.syntax):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value.rstrip(".")
            if "." in text:
                yield from (f"assay.{text}", text)
            elif "." in module.folder:  # beside `extras.py`, names of extras are names of packages
                yield f"{module.folder}.{text}"


def _imported_packages(module: Module) -> Iterator[str]:
    for node in ast.walk(module.syntax):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
