"""Measure a source tree: one figure per row, in the order of the table."""

import ast
from collections.abc import Iterator
from statistics import mean, median

from performance.structure.execution import execution_reaches
from performance.structure.folders import RULES, step_sizes
from performance.structure.graph import cycles, graph_of, longest_chain, reached
from performance.structure.loaded import loaded_by_dataset, loaded_by_import
from performance.structure.names import class_names_twice, private_imports
from performance.structure.source import Module, Source

__all__ = ["figures"]

LONG = 50  # lines of a function
# What conducts a benchmark and what opens its collections, with the name before the new folders.
CONDUCT = ("assay.benchmarks.conduct", "assay.benchmarks.conducting")
OPEN = ("assay.benchmarks.collections.open_collections", "assay.benchmarks.sites")

Figures = dict[str, str]


def figures(source: Source) -> Figures:
    """Measure a tree; what it does not have is a dash."""
    return {**_sizes(source), **_names(source), **_graphs(source), **_loaded(source)}


def _sizes(source: Source) -> Figures:
    modules = source.modules.values()
    lines = [module.lines for module in modules]
    largest = max(modules, key=lambda module: module.lines)
    step, size = max(step_sizes(source).items(), key=lambda item: item[1])
    return {
        "Python files": f"{len(lines):,}",
        "lines": f"{sum(lines):,}",
        "lines per file (median)": f"{median(lines):.0f}",
        "folders": f"{len(source.folders)}",
        "files per folder (mean)": f"{mean(map(len, source.folders.values())):.1f}",
        "largest step folder": f"{size} ({_short(step)})",
        f"step folders above {RULES['largest_step']}": f"{len(_large(source))}",
        "largest file": f"{largest.lines} ({_short(largest.name)})",
        f"functions above {LONG} lines": f"{sum(map(_long_functions, modules))}",
    }


def _names(source: Source) -> Figures:
    private = private_imports(source)
    return {
        "imports of other folders' private modules": f"{len(private)}",
        "private modules so imported": f"{len({target for _, target in private})}",
        "class names twice in a package": f"{sum(map(len, class_names_twice(source).values()))}",
    }


def _graphs(source: Source) -> Figures:
    at_start = graph_of(source, when=["start"])
    inside = graph_of(source, ["benchmarks"])
    starting = graph_of(source, ["benchmarks"], when=["start"])
    chain = longest_chain(graph_of(source, RULES["chain_packages"], when=["start"]))
    return {
        "longest import chain inside benchmarks": f"{len(longest_chain(starting))}",
        "longest import chain, searches and others too": f"{len(chain)}",
        "import edges inside benchmarks": f"{sum(map(len, inside.values()))}",
        "import cycles": f"{len(cycles(at_start))}",
        "import cycles, lazy and type-only ones too": f"{len(cycles(graph_of(source)))}",
        "files that conduct imports": _closure(at_start, CONDUCT),
        "files that opening collections imports": _closure(at_start, OPEN),
        "files that execution can reach": f"{len(execution_reaches(source))}",
    }


def _loaded(source: Source) -> Figures:
    return {
        "modules loaded by conduct": _imported(source, CONDUCT),
        "modules loaded by opening collections": _imported(source, OPEN),
        "modules loaded by load_dataset": f"{loaded_by_dataset(source.root)}",
    }


def _large(source: Source) -> list[str]:
    sizes = step_sizes(source).items()
    return [folder for folder, size in sizes if size > RULES["largest_step"]]


def _long_functions(module: Module) -> int:
    return sum(lines > LONG for lines in _function_lines(module))


def _function_lines(module: Module) -> Iterator[int]:
    for node in ast.walk(module.syntax):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or node.lineno) - node.lineno + 1


def _closure(graph: dict[str, set[str]], names: tuple[str, ...]) -> str:
    found = [name for name in names if name in graph]
    return f"{len(reached(graph, found[0]))}" if found else "-"


def _imported(source: Source, names: tuple[str, ...]) -> str:
    found = [name for name in names if name in source.modules]
    return f"{loaded_by_import(source.root, found[0])}" if found else "-"


def _short(name: str) -> str:
    return name.partition(".")[2].replace(".", "/") or name
