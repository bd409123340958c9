"""Models that are named and could not be opened: told before anything is built."""

import inspect
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.searches.configuration.conflicts import DEFAULTS, Problem, takes
from assay.searches.configuration.settings import SETTINGS, near

__all__ = ["unopened"]

NAMED = inspect.Parameter.POSITIONAL_OR_KEYWORD  # what stands behind the colon
FILES = ("model.onnx", "tokenizer.json")
FOLDER = "name a folder with model.onnx and tokenizer.json"
# These give a vector for a text, and none for its tokens; of other models only opening tells.
TEXTS_ONLY = ("static", "openai", "ollama", "sentence_transformers")


def unopened(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Name the models of a configuration that are not there, or not of use to each other."""
    for key in ("model", "rerank"):
        value = given.get(key)
        refused = _refused(value, SETTINGS[key].room) if isinstance(value, str) else None
        if refused:
            yield key, *refused
    kind = str(given.get("model") or DEFAULTS["model"]).partition(":")[0].replace("-", "_")
    if given.get("rerank") == "maxsim" and kind in TEXTS_ONLY:
        hint = "use it with minilm or with a folder that holds a model.onnx"
        yield "rerank", f"maxsim needs a model with vectors of tokens, and {kind} has none", hint


def _refused(value: str, room: str) -> tuple[str, str] | None:
    """Say why a model cannot be opened; whether a server has it only asking tells."""
    names = SETTINGS["model" if room.endswith("embedders") else "rerank"].names()
    kind, _, name = value.partition(":")
    member = kind.replace("-", "_")
    if member not in names:
        plain = "onnx" in names and not _lacks(value)
        return None if plain else _unknown(value, member, names)
    named = [key for key, its in takes(room, member).items() if its.kind is NAMED]
    if named and not name:
        return f'cannot be "{value}": it does not say which', f"write {kind}:{named[0].upper()}"
    if "path" in named and (lacking := _lacks(name)):
        return f'cannot be "{value}": {name} has no {lacking}', FOLDER
    return None


def _unknown(value: str, member: str, names: Sequence[str]) -> tuple[str, str]:
    if ":" in value or not any(sign in value for sign in "/\\"):
        return f'cannot be "{value}"', near(member, names)
    return f'cannot be "{value}": it has no {_lacks(value)}', FOLDER


def _lacks(folder: str) -> str:
    """Name the file of a model that a folder has not; os.path has no complaints of its own."""
    place = os.path.expanduser(folder)  # noqa: PTH111
    missing = (name for name in FILES if not os.path.isfile(os.path.join(place, name)))  # noqa: PTH113, PTH118
    return next(missing, "")
