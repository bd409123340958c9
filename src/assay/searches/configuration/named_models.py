"""Models that are named and could not be opened: told before anything is built."""

import inspect
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.searches.configuration.conflicts import DEFAULTS, takes
from assay.searches.configuration.problem import Problem
from assay.searches.configuration.settings import SETTINGS
from assay.text.near_miss import did_you_mean

__all__ = ["beside", "unopened"]

NAMED = inspect.Parameter.POSITIONAL_OR_KEYWORD  # what stands behind the colon
FILES = ("model.onnx", "tokenizer.json")
FOLDER = "name a folder with model.onnx and tokenizer.json"
# These give a vector for a text, and none for its tokens; of other models only opening tells.
TEXTS_ONLY = ("static", "openai", "ollama", "sentence_transformers")


def unopened(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Name the models of a configuration that are not there, or not of use to each other."""
    for key in ("model", "rerank"):
        value = given.get(key)
        refused = _refused(value, SETTINGS[key].package) if isinstance(value, str) else None
        if refused:
            yield Problem(key, *refused)
    kind = str(given.get("model") or DEFAULTS["model"]).partition(":")[0].replace("-", "_")
    if given.get("rerank") == "maxsim" and kind in TEXTS_ONLY:
        hint = "use it with minilm or with a folder that holds a model.onnx"
        yield Problem(
            "rerank", f"maxsim needs a model with vectors of tokens, and {kind} has none", hint
        )


def _refused(value: str, package: str) -> tuple[str, str] | None:
    """Say why a model cannot be opened; whether a server has it only asking tells."""
    names = SETTINGS["model" if package.endswith("embedders") else "rerank"].names()
    kind, _, name = value.partition(":")
    member = kind.replace("-", "_")
    if member not in names:
        plain = "onnx" in names and not _lacks(value)
        return None if plain else _unknown(value, member, names)
    named = [key for key, its in takes(package, member).items() if its.kind is NAMED]
    if named and not name:
        return f'cannot be "{value}": it does not say which', f"write {kind}:{named[0].upper()}"
    if "path" in named and (lacking := _lacks(name)):
        return f'cannot be "{value}": {name} has no {lacking}', FOLDER
    return None


def _unknown(value: str, member: str, names: Sequence[str]) -> tuple[str, str]:
    if ":" in value or not any(sign in value for sign in "/\\"):
        return f'cannot be "{value}"', did_you_mean(member, names)
    return f'cannot be "{value}": it has no {_lacks(value)}', FOLDER


def _lacks(folder: str) -> str:
    """Name the file of a model that a folder has not; os.path has no complaints of its own."""
    place = os.path.expanduser(folder)  # noqa: PTH111
    missing = (name for name in FILES if not os.path.isfile(os.path.join(place, name)))  # noqa: PTH113, PTH118
    return next(missing, "")


def beside(value: Any, home: str) -> Any:  # noqa: ANN401
    """Take the folder of a model that stands beside the file for what it is: KIND:FOLDER, FOLDER.

    Only what looks like a path is looked up, so that no folder can take the place of a name.
    """
    if not home or not isinstance(value, str) or "/" not in value or "\0" in value:
        return value
    kind, colon, place = value.rpartition(":")
    path = os.path.join(home, place)  # noqa: PTH118 - never raises
    return f"{kind}{colon}{path}" if os.path.exists(path) else value  # noqa: PTH110
