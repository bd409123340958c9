"""The settings that a member of a catalogue takes."""

import inspect
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from assay import catalogue

__all__ = ["takes"]


def takes(package: str, name: str) -> Mapping[str, inspect.Parameter]:
    """Return the settings that a member of the catalogue has."""
    member: Any = catalogue.find(import_module(f"assay.{package}"), name)
    return _parameters(member)


@cache
def _parameters(member: Any) -> Mapping[str, inspect.Parameter]:  # noqa: ANN401
    return inspect.signature(member).parameters
