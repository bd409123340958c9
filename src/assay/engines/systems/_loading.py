"""FILE:FUNCTION, or PACKAGE.MODULE:FUNCTION -> the function, loaded as its own program would."""

import os
import sys
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module, invalidate_caches
from importlib.util import module_from_spec, spec_from_file_location
from inspect import iscoroutinefunction
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from assay.engines.systems._silence import out_of_the_way
from assay.errors import InputError
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["Function", "line_of", "load_function", "remove"]

ALLOW = "ASSAY_ALLOW_OUTSIDE"  # a setting of the user's machine: a file must not allow itself
DYNAMIC = {"exec", "globals", "setattr", "vars", "__getattr__"}  # by which names may come, too
HOW = "expected FILE.py:FUNCTION or PACKAGE.MODULE:FUNCTION, e.g. search.py:search"


@dataclass(frozen=True, slots=True)
class Function:
    """A function of somebody else, and its file; ``folder`` is where Python looks for modules."""

    call: Callable[..., Any]
    file: str
    content: str
    folder: str

    @property
    def is_async(self) -> bool:
        """Whether what it returns must be awaited; a function that wraps another cannot tell."""
        return iscoroutinefunction(self.call) or iscoroutinefunction(
            getattr(self.call, "__call__", None)  # noqa: B004
        )


def load_function(given: str, *, home: str, run: bool = True) -> Function:
    """Load a function; what its module prints goes out of the way of our own output.

    Without ``run`` none of its code is run: a file is only read, and must be Python.
    """
    if not isinstance(given, str) or not all(given.rpartition(":")):
        raise InputError(f"invalid value {quote_value(given)}", where="function", hint=HOW)
    place, _, name = given.rpartition(":")
    of_file = place.endswith(".py")
    if of_file:
        _check_file(Path(home) / place, home, name.partition(".")[0])
    if not run:
        return Function(_never, place, "", folder="")
    folder = str((Path(home) / place).parent if of_file else Path(home or "."))
    sys.path.insert(0, folder)
    invalidate_caches()
    try:
        with out_of_the_way():
            module = _file(Path(home) / place) if of_file else _module(place)
        return _found(module, name, folder)
    except BaseException:
        remove(folder)
        raise


def remove(folder: str) -> None:
    """Let Python look in a folder no longer."""
    if folder in sys.path:
        sys.path.remove(folder)


def line_of(error: BaseException, file: str) -> str:
    """Say where in a file an error came from, as far as it did."""
    lines = [
        one.lineno for one in traceback.extract_tb(error.__traceback__) if one.filename == file
    ]
    return f"{Path(file).name}:{lines[-1]}" if lines else Path(file).name


def _check_file(path: Path, home: str, first: str) -> None:
    """Refuse a file that is not there, is not Python, or is outside of the benchmark's folder.

    So is one that has no such name, as far as this can be told without running it.
    """
    if home and not path.resolve().is_relative_to(Path(home).resolve()) and not _is_allowed():
        hint = f"move it next to the benchmark file, or set {ALLOW}=1 to allow it"
        problem = "outside the folder of the benchmark file"
        raise InputError(problem, where=str(path), hint=hint)
    if not path.is_file():
        raise InputError("file not found", where=str(path), hint="check the setting function")
    try:
        with warnings.catch_warnings(action="ignore"):
            code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError) as error:
        raise _broken(error, str(path)) from None
    known = [one for one in code.co_names if not one.startswith("_")]
    if first not in code.co_names and DYNAMIC.isdisjoint(code.co_names) and not _imports_all(code):
        hint = did_you_mean(first, known, otherwise=HOW)
        raise InputError(f"no function {quote_value(first)}", where=str(path), hint=hint)


def _imports_all(code: CodeType) -> bool:
    """Tell whether a module takes all names of another."""
    return any(isinstance(one, tuple) and "*" in one for one in code.co_consts)


def _is_allowed() -> bool:
    return os.environ.get(ALLOW, "") not in ("", "0")


def _never(*_: object) -> object:
    raise InputError("the function was not loaded")


def _file(path: Path) -> ModuleType:
    written = str(path.resolve()).encode() + path.read_bytes()
    name = f"assay_outside_{sha256(written).hexdigest()[:32]}"
    if name in sys.modules:  # loaded once, however many ask for it
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError("not a Python file", where=str(path), hint=HOW)
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look for their module there
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a module may raise anything
        sys.modules.pop(name, None)
        raise _broken(error, str(path)) from None
    return module


def _module(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            hint = "install it, or put it next to the benchmark file"
            raise InputError("module not found", where=name, hint=hint) from None
        raise _broken(error, name) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a module may raise anything
        raise _broken(error, name) from None


def _broken(error: BaseException, file: str) -> InputError:
    """Tell of an error in a module: which, where, what to do."""
    if isinstance(error, SyntaxError):
        where = f"{error.filename or file}, line {error.lineno}"
        return InputError(f"syntax error: {error.msg}", where=where, hint="fix that line")
    where = line_of(error, file) if Path(file).suffix == ".py" else file
    problem = f"cannot be loaded ({type(error).__name__}: {error})"[:300]
    return InputError(problem, where=where, hint="check that Python can import it")


def _found(module: ModuleType, name: str, folder: str) -> Function:
    """Find a function, or a method of an object: store.search."""
    file = str(module.__file__ or module.__name__)
    found: object = module
    for part in name.split("."):
        owner, found = found, getattr(found, part, None)
    if not callable(found):
        there = ", ".join(_callables(owner))
        hint = f"available: {there:.200}" if there else HOW
        raise InputError(f"no function {quote_value(name)}", where=file, hint=hint)
    content = sha256(Path(file).read_bytes()).hexdigest() if Path(file).is_file() else ""
    return Function(found, file, content, folder)


def _callables(owner: object) -> list[str]:
    public = [name for name in dir(owner) if not name.startswith("_")]
    return [name for name in public if callable(getattr(owner, name, None))]
