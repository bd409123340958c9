"""Private modules that other folders import, and public class names that exist twice."""

import ast
from collections import Counter
from collections.abc import Iterator

from performance.structure.source import Import, Module, Source

__all__ = ["class_names_twice", "exported", "private_imports"]


def private_imports(source: Source) -> list[tuple[Import, str]]:
    """List import statements of private modules of other folders, each with its first such module.

    A private module belongs to the modules of its folder; a private folder to its own modules and
    to those of the folder above it.
    """
    return [
        (one, foreign[0])
        for one in source.imports
        if (foreign := [name for name in one.targets if _is_foreign(source, one.importer, name)])
    ]


def class_names_twice(source: Source) -> dict[str, list[str]]:
    """List the public class names that several modules of one top-level package define."""
    found: dict[str, Counter[str]] = {}
    for module in source.modules.values():
        package = ".".join(module.name.split(".")[:2])
        found.setdefault(package, Counter()).update(set(_public_classes(module)))
    twice = {
        package: sorted(name for name, count in counts.items() if count > 1)
        for package, counts in found.items()
    }
    return {package: names for package, names in twice.items() if names}


def exported(module: Module) -> list[str]:
    """Return what a module lists in `__all__`."""
    for node in module.syntax.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def _public_classes(module: Module) -> Iterator[str]:
    for node in module.syntax.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def _is_foreign(source: Source, importer: str, target: str) -> bool:
    folder = source.modules[importer].folder
    return any(
        folder != one.name.rpartition(".")[0] and not _is_inside(folder, one)
        for one in _private_parts(source, target)
    )


def _private_parts(source: Source, name: str) -> Iterator[Module]:
    """Yield each private module or folder on the way to a module."""
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        module = source.modules[".".join(parts[:count])]
        if module.is_private:
            yield module


def _is_inside(folder: str, package: Module) -> bool:
    return package.is_package and f"{folder}.".startswith(f"{package.name}.")
