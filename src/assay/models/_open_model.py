"""A word or a mapping that names a model -> the member of the catalogue, and its settings."""

import inspect
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType, NoneType
from typing import Any, cast, get_args, get_type_hints

from assay.catalogue import files, find
from assay.errors import InputError, UnknownNameError

__all__ = ["open_model"]

FOLDERS = ("onnx", "cross_encoder")  # the members that open a folder, one in each package


def open_model(package: ModuleType, given: object, **handed: object) -> object:
    """Open a model: ``minilm``, ``openai:NAME``, or {"model": "minilm", "window": 512}.

    ``handed`` is what the caller gives to those members that ask for it.
    """
    kind, name, settings = _described(package, given)
    make = _member(package, kind)
    kind = kind.replace("_", "-")  # as people write it
    parameters = inspect.signature(make).parameters
    named = [key for key, its in parameters.items() if its.kind is its.POSITIONAL_OR_KEYWORD]
    if bool(named) != bool(name):
        problem = f"{kind} does not say which model" if named else f"{kind} is one model only"
        hint = f"write {kind}:{named[0].upper()}" if named else f"write {kind}"
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
        hint = "write a word such as minilm, or a mapping such as {model: minilm, window: 512}"
        raise InputError(f"{word!r} names no model", where="model", hint=hint)
    kind, _, name = str(word).partition(":")
    member = kind.replace("-", "_")
    # Ours first: a folder that happens to be called minilm must not take the place of the model.
    if member not in files(package) and _is_folder(word):
        return next(its for its in FOLDERS if its in files(package)), str(word), settings
    return member, name, settings


def _is_folder(word: str | Path) -> bool:
    """Tell whether a word means a folder: a model is in it, or it is written as only paths are."""
    # os.path, not pathlib: it has no complaints of its own about a word that is no path.
    place = os.path.expanduser(word)  # noqa: PTH111
    if os.path.isfile(os.path.join(place, "model.onnx")) or os.path.isabs(place):  # noqa: PTH113, PTH117, PTH118
        return True
    before = str(word).partition(":")[0]  # behind the colon, names of models may have slashes
    return isinstance(word, Path) or before.startswith((".", "~")) or "/" in before


def _member(package: ModuleType, kind: str) -> Callable[..., object]:
    """Find a member; a word that is none is told, and others are hinted, as people write them."""
    try:
        return cast("Callable[..., object]", find(package, kind))
    except UnknownNameError as error:
        problem, hint = (text.replace("_", "-") for text in (error.problem, error.hint))
        raise UnknownNameError(problem, where=error.where, hint=hint) from None


def _refuse_unknown(kind: str, settings: dict[str, Any], accepted: list[str]) -> None:
    for key in settings:
        if key not in accepted:
            hint = f"it has: {', '.join(accepted)}" if accepted else "it has none"
            raise InputError(f'{kind} has no setting "{key}"', where="model", hint=hint)


def _refuse_types(make: Callable[..., object], settings: dict[str, Any]) -> None:
    """Hold settings, which may come from a file, to the types that the member writes down."""
    hints = get_type_hints(make)
    for key, value in settings.items():
        kinds = get_args(hints[key]) or (hints[key],)
        if float in kinds:
            kinds = (*kinds, int)
        if not isinstance(value, kinds) or isinstance(value, bool):
            names = " or ".join(its.__name__ for its in kinds if its is not NoneType)
            problem = f"{value!r} is not what {key} takes"
            raise InputError(problem, where="model", hint=f"give a value of type {names}")
