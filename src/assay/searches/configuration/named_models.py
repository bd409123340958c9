"""Models that cannot be opened: reported before anything is built."""

import inspect
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.models.model_hint import FOLDER, PUBLISHED, model_hint, reranker_hint, with_example
from assay.searches.configuration.conflicts import DEFAULTS
from assay.searches.configuration.member_settings import takes
from assay.searches.configuration.problem import Problem
from assay.searches.configuration.settings import SETTINGS

__all__ = ["beside", "unopened"]

NAMED = inspect.Parameter.POSITIONAL_OR_KEYWORD  # what stands behind the colon
FILES = ("model.onnx", "tokenizer.json")
# These have a vector for a text, and none for its tokens; of other models only opening tells.
TEXTS_ONLY = ("given", "static", "openai", "ollama", "sentence_transformers")


def unopened(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Report the models of a configuration that do not exist or cannot be combined."""
    for key in ("model", "rerank"):
        value = given.get(key)
        refused = _refused(value, SETTINGS[key].package) if isinstance(value, str) else None
        if refused:
            yield Problem(key, *refused)
    kind = str(given.get("model") or DEFAULTS["model"]).partition(":")[0].replace("-", "_")
    if given.get("rerank") == "maxsim" and kind in TEXTS_ONLY:
        hint = f"use model: minilm, or a model in ONNX format, e.g. {with_example('onnx')}"
        what = f'invalid value "maxsim": {kind.replace("_", "-")} has no token vectors'
        yield Problem("rerank", what, hint)


def _refused(value: str, package: str) -> tuple[str, str] | None:
    """Say why a model cannot be opened; models of servers are not checked here."""
    names = SETTINGS["model" if package.endswith("embedders") else "rerank"].names()
    kind, _, name = value.partition(":")
    member = kind.replace("-", "_")
    if member not in names:
        plain = "onnx" in names and not _lacks(value)
        return None if plain else _unknown(value, names)
    named = [key for key, its in takes(package, member).items() if its.kind is NAMED]
    if named and not name:
        example = with_example(kind, named[0])
        return f'invalid value "{value}": the name of the model is missing', f"write e.g. {example}"
    if "path" in named and _lacks(name):
        return _incomplete(value, name), FOLDER
    return None


def _unknown(value: str, names: Sequence[str]) -> tuple[str, str]:
    embeds = "onnx" in names
    is_path = ":" not in value and any(sign in value for sign in "/\\")
    if is_path and (not embeds or not PUBLISHED.fullmatch(value) or os.path.isdir(value)):  # noqa: PTH112
        return _incomplete(value, value), FOLDER
    noun, hint = ("model", model_hint) if embeds else ("reranker", reranker_hint)
    return f'unknown {noun} "{value}"', hint(value, names)


def _incomplete(value: str, folder: str) -> str:
    found = os.path.isdir(os.path.expanduser(folder))  # noqa: PTH111, PTH112
    why = f"the folder contains no {_lacks(folder)}" if found else "folder not found"
    return f'invalid value "{value}": {why}'


def _lacks(folder: str) -> str:
    """Name the file of a model that a folder has not; os.path has no complaints of its own."""
    place = os.path.expanduser(folder)  # noqa: PTH111
    missing = (name for name in FILES if not os.path.isfile(os.path.join(place, name)))  # noqa: PTH113, PTH118
    return next(missing, "")


def beside(value: Any, home: str) -> Any:  # noqa: ANN401
    """Make the folder of a model relative to the benchmark file: KIND:FOLDER or FOLDER.

    Only what looks like a path is looked up, so that no folder can take the place of a name.
    """
    if not home or not isinstance(value, str) or "/" not in value or "\0" in value:
        return value
    kind, colon, place = value.rpartition(":")
    path = os.path.join(home, place)  # noqa: PTH118 - never raises
    return f"{kind}{colon}{path}" if os.path.exists(path) else value  # noqa: PTH110
