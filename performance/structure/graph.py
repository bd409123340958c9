"""The import graph of a tree: edges, what a module reaches, the longest chain and cycles."""

from collections.abc import Collection
from graphlib import TopologicalSorter

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from performance.structure.source import Source, When

__all__ = ["Graph", "cycles", "graph_of", "longest_chain", "reached"]

Graph = dict[str, set[str]]
"""Each module with the modules that it imports."""
ALWAYS: tuple[When, ...] = ("start", "call", "types")


def graph_of(
    source: Source, packages: Collection[str] = (), *, when: Collection[When] = ALWAYS
) -> Graph:
    """Return who imports whom, among the modules of some top-level packages or of all.

    ``when`` picks imports that run at the start of a module, at a call, or are for types alone.
    """
    inside = [name for name in source.modules if not packages or _package(name) in packages]
    graph: Graph = {name: set() for name in inside}
    for one in source.imports:
        if one.importer in graph and one.when in when:
            graph[one.importer] |= graph.keys() & set(one.targets) - {one.importer}
    return graph


def reached(graph: Graph, *starts: str) -> set[str]:
    """Return all that importing modules imports, themselves and the packages above included."""
    seen: set[str] = set()
    waiting = [*starts]
    while waiting:
        name = waiting.pop()
        if name not in seen and name in graph:
            seen.add(name)
            waiting += [*graph[name], name.rpartition(".")[0]]
    return seen


def cycles(graph: Graph) -> list[list[str]]:
    """List the groups of modules that reach each other."""
    return [group for group in _groups(graph) if len(group) > 1]


def longest_chain(graph: Graph) -> list[str]:
    """Return the most modules in a row of imports; a cycle counts as all its modules."""
    groups = {name: tuple(group) for group in _groups(graph) for name in group}
    after: dict[tuple[str, ...], set[tuple[str, ...]]] = {group: set() for group in groups.values()}
    for name, imported in graph.items():
        after[groups[name]] |= {groups[one] for one in imported} - {groups[name]}
    chains: dict[tuple[str, ...], list[str]] = {}
    for group in TopologicalSorter(after).static_order():  # what is imported comes first
        rest = max((chains[one] for one in sorted(after[group])), key=len, default=[])
        chains[group] = [*group, *rest]
    return max(chains.values(), key=len, default=[])


def _groups(graph: Graph) -> list[list[str]]:
    """Group the modules that reach each other; most are alone."""
    names = sorted(graph)
    number = {name: index for index, name in enumerate(names)}
    edges = [(number[name], number[one]) for name in names for one in graph[name]]
    rows, columns = np.array(edges, dtype=int).reshape(-1, 2).T
    shape = (len(names), len(names))
    matrix = coo_array((np.ones(len(edges)), (rows, columns)), shape=shape)
    count, labels = connected_components(matrix, connection="strong")
    groups: list[list[str]] = [[] for _ in range(count)]
    for name, label in zip(names, labels, strict=True):
        groups[label].append(name)
    return groups


def _package(name: str) -> str:
    return ".".join(name.split(".")[1:2])
