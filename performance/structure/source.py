"""Read a source tree: its modules, and which module each import statement names."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

__all__ = ["Import", "Module", "Source", "When", "read_source"]

When = Literal["start", "call", "types"]


@dataclass(frozen=True)
class Import:
    """One import statement of a module, and the modules of the tree that it names."""

    importer: str
    targets: tuple[str, ...]
    when: When
    """Whether it runs when the module is imported, when a function is called, or never."""


@dataclass(frozen=True)
class Module:
    """One Python file."""

    name: str
    path: Path
    is_package: bool
    text: str

    @property
    def folder(self) -> str:
        """Return the name of the package that its folder is."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    @property
    def is_private(self) -> bool:
        """Tell whether its own name begins with one underscore."""
        own = self.name.rpartition(".")[2]
        return own.startswith("_") and not own.startswith("__")

    @property
    def lines(self) -> int:
        """Count its lines."""
        return len(self.text.splitlines())

    @cached_property
    def syntax(self) -> ast.Module:
        """Parse it once."""
        return ast.parse(self.text, filename=str(self.path))


@dataclass(frozen=True)
class Source:
    """All modules of a tree, by name."""

    root: Path
    modules: Mapping[str, Module]

    @cached_property
    def imports(self) -> list[Import]:
        """List the import statements that name modules of the tree, also lazy ones."""
        return [one for module in self.modules.values() for one in _imports(module, self.modules)]

    @cached_property
    def folders(self) -> dict[str, list[Module]]:
        """Group the modules by folder, `__init__` among them."""
        found: dict[str, list[Module]] = {}
        for module in self.modules.values():
            found.setdefault(module.folder, []).append(module)
        return found


def read_source(root: Path) -> Source:
    """Read every Python file of a package's folder."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = [root.name, *path.relative_to(root).with_suffix("").parts]
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        found[name] = Module(name, path, is_package, path.read_text(encoding="utf-8"))
    return Source(root, found)


def _imports(module: Module, names: Mapping[str, Module]) -> Iterator[Import]:
    for node, when in _statements(module.syntax, "start"):
        if targets := tuple(dict.fromkeys(_targets(node, module, names))):
            yield Import(module.name, targets, when)


def _statements(node: ast.AST, when: When) -> Iterator[tuple[ast.AST, When]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, when
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            yield from _statements(child, "types")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _statements(child, "types" if when == "types" else "call")
        else:
            yield from _statements(child, when)


def _targets(node: ast.AST, module: Module, names: Mapping[str, Module]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in names)
    elif isinstance(node, ast.ImportFrom):
        base = _base(node, module)
        for alias in node.names:
            member = f"{base}.{alias.name}"
            yield from [one for one in (member, base) if one in names][:1]


def _base(node: ast.ImportFrom, module: Module) -> str:
    if not node.level:
        return node.module or ""
    parts = module.folder.split(".")
    parents = parts[: len(parts) - node.level + 1]
    return ".".join([*parents, *filter(None, [node.module])])
