"""The name of a model, or a mapping with settings -> the opened model."""

import inspect
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType, NoneType
from typing import Any, cast, get_args, get_type_hints

from assay.catalogue import files, find, names
from assay.errors import InputError, UnknownNameError
from assay.models.model_hint import PUBLISHED, model_hint, reranker_hint, with_example
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["open_model"]

TYPES = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}
FOLDERS = ("onnx", "cross_encoder")  # the members that open a folder, one in each package


def open_model(package: ModuleType, given: object, **handed: object) -> object:
    """Open a model: ``minilm``, ``ollama:nomic-embed-text``, {"model": "minilm", "window": 512}.

    ``handed`` are arguments of the caller, for the members that have such parameters.
    """
    kind, name, settings = _described(package, given)
    make = _member(package, kind, given)
    kind = kind.replace("_", "-")  # as people write it
    parameters = inspect.signature(make).parameters
    named = [key for key, its in parameters.items() if its.kind is its.POSITIONAL_OR_KEYWORD]
    if bool(named) != bool(name):
        missing = f'invalid value "{kind}": the name of the model is missing'
        problem = missing if named else f"{kind} takes no name"
        hint = f"write e.g. {with_example(kind, named[0])}" if named else f"write {kind}"
        raise InputError(problem, where="model", hint=hint)
    accepted = [key for key in parameters if key not in named and key not in handed]
    _refuse_unknown(kind, settings, accepted)
    _refuse_types(make, settings)
    wanted = {key: value for key, value in handed.items() if key in parameters}
    return make(*([name] if name else []), **wanted, **settings)


def _described(package: ModuleType, given: object) -> tuple[str, str, dict[str, Any]]:
    settings: dict[str, Any] = dict(given) if isinstance(given, Mapping) else {"model": given}
    word = settings.pop("model", None)
    if not isinstance(word, str | Path) or not str(word).strip():
        hint = "write a name, e.g. minilm, or a mapping, e.g. {model: minilm, window: 512}"
        raise InputError(f"invalid value {quote_value(word)}", where="model", hint=hint)
    kind, _, name = str(word).partition(":")
    member = kind.replace("-", "_")
    # Ours first: a folder that happens to be called minilm must not take the place of the model.
    if member not in files(package) and _is_folder(word):
        opens = next(its for its in FOLDERS if its in files(package))
        published = opens == "onnx" and PUBLISHED.fullmatch(str(word))
        if published and not os.path.isdir(word):  # noqa: PTH112
            raise _unknown(package, str(word))
        return opens, str(word), settings
    return member, name, settings


def _is_folder(word: str | Path) -> bool:
    """Tell whether a word means a folder: a model is in it, or it is written as only paths are."""
    # os.path, not pathlib: it has no complaints of its own about a word that is no path.
    place = os.path.expanduser(word)  # noqa: PTH111
    if os.path.isfile(os.path.join(place, "model.onnx")) or os.path.isabs(place):  # noqa: PTH113, PTH117, PTH118
        return True
    before = str(word).partition(":")[0]  # behind the colon, names of models may have slashes
    return isinstance(word, Path) or before.startswith((".", "~")) or "/" in before


def _member(package: ModuleType, kind: str, given: object) -> Callable[..., object]:
    """Find a member of the catalogue by the kind of the model."""
    try:
        return cast("Callable[..., object]", find(package, kind))
    except UnknownNameError:
        word = given.get("model") if isinstance(given, Mapping) else given
        raise _unknown(package, str(word)) from None


def _unknown(package: ModuleType, word: str) -> UnknownNameError:
    """Refuse a name, with a hint that has one that works."""
    reranks = "cross_encoder" in files(package)
    noun, where, hint = (
        ("reranker", "rerank", reranker_hint) if reranks else ("model", "model", model_hint)
    )
    return UnknownNameError(
        f'unknown {noun} "{word[:80]}"', where=where, hint=hint(word, names(package))
    )


def _refuse_unknown(kind: str, settings: dict[str, Any], accepted: list[str]) -> None:
    for key in settings:
        if key not in accepted:
            hint = did_you_mean(key, accepted) if accepted else "remove it"
            raise InputError(f'unknown setting "{key}" of {kind}', where="model", hint=hint)


def _refuse_types(make: Callable[..., object], settings: dict[str, Any]) -> None:
    """Hold settings, which may come from a file, to the types that the member writes down."""
    hints = get_type_hints(make)
    for key, value in settings.items():
        kinds = get_args(hints[key]) or (hints[key],)
        accepted = (*kinds, int) if float in kinds else kinds
        if not isinstance(value, accepted) or isinstance(value, bool):
            expected = [TYPES.get(its, its.__name__) for its in kinds if its is not NoneType]
            problem = f"invalid value {quote_value(value)} for {key}"
            raise InputError(problem, where="model", hint=f"expected {' or '.join(expected)}")
