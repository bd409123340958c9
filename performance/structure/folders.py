"""Which folders are catalogues and which are steps of the flow, and how large the steps are."""

import tomllib
from pathlib import Path
from typing import Any

from performance.structure.source import Module, Source

__all__ = ["RULES", "is_catalogue", "members", "step_sizes"]

RULES: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
)["tool"]["assay"]["structure"]


def is_catalogue(folder: str) -> bool:
    """Tell whether a folder holds one member per file, found by name."""
    return folder.rpartition(".")[2] in RULES["catalogues"]


def members(source: Source, folder: str) -> list[Module]:
    """List the members of a catalogue: its public modules."""
    modules = source.folders[folder]
    return [one for one in modules if not one.is_package and not one.is_private]


def step_sizes(source: Source) -> dict[str, int]:
    """Count the modules of each step besides `__init__`; commands are members, not steps."""
    return {
        folder: len(_steps(folder, modules))
        for folder, modules in source.folders.items()
        if not is_catalogue(folder) or _has_steps(folder)
    }


def _steps(folder: str, modules: list[Module]) -> list[Module]:
    own = [module for module in modules if not module.is_package]
    return [module for module in own if module.is_private] if _has_steps(folder) else own


def _has_steps(folder: str) -> bool:
    return folder.rpartition(".")[2] in RULES["commands"]
