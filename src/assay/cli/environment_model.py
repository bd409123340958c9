"""ASSAY_MODEL and EMBEDDING_MODEL: the default of --model, from the environment."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any

import click
from click.core import ParameterSource

from assay.cli.terminal.output import note
from assay.errors import InputError, ProblemsError

__all__ = ["MODEL_VARIABLES", "model_from_environment"]

MODEL_VARIABLES = ("ASSAY_MODEL", "EMBEDDING_MODEL")  # the first one that is set counts
Command = Callable[..., Any]


def model_from_environment(
    *, unless: Sequence[str] = (), noted: bool = False
) -> Callable[[Command], Command]:
    """Make a command whose --model has ``envvar=MODEL_VARIABLES`` use it only where it applies.

    The environment is ignored if an option in ``unless`` is given, and for lexical search, which
    has no model. An error about the model names the variable; with ``noted``, so does a note,
    unless the command is ``--quiet``.
    """

    def decorate(command: Command) -> Command:
        @wraps(command)
        def call(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401
            if not _is_from_environment():
                return command(*arguments, **options)
            if options.get("search") == "lexical" or any(options[name] for name in unless):
                return command(*arguments, **{**options, "model": None})
            variable, model = _variable(), str(options["model"])
            if noted and not options.get("quiet"):
                note(f"using --model {model} from the environment variable {variable}")
            with _named_in_errors(variable, model):
                return command(*arguments, **options)

        return call

    return decorate


def _is_from_environment() -> bool:
    source = click.get_current_context().get_parameter_source("model")
    return source is ParameterSource.ENVIRONMENT


def _variable() -> str:
    return next(name for name in MODEL_VARIABLES if os.environ.get(name))


@contextmanager
def _named_in_errors(variable: str, model: str) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise _named(error, variable, model) from None


def _named(error: InputError, variable: str, model: str) -> InputError:
    """Say in an error about the model that it came from the environment."""
    if isinstance(error, ProblemsError):
        problems = [_named(one, variable, model) for one in error.problems]
        return ProblemsError(problems, where=error.about, then=error.then, count=error.count)
    names = [name.strip() for name in model.split(",") if name.strip()]
    if not _is_about(error.where, names):
        return error
    place = error.where.removeprefix("--").removeprefix("model").lstrip(", ")
    where = ", ".join(filter(None, (f"environment variable {variable}", place)))
    return type(error)(error.problem, where=where, hint=error.hint)


def _is_about(where: str, names: Sequence[str]) -> bool:
    """Tell whether an error is about one of the models: its place names it, or its server."""
    first, folders = where.partition(",")[0], [_folder(name) for name in names]
    if first in ("model", "--model", *names, *folders):
        return True
    if first.startswith(("http://", "https://", *(f"{one}{os.sep}" for one in folders))):
        return True
    return any(f'"{name}"' in where for name in names)


def _folder(name: str) -> str:
    """Write the folder of a model as errors do."""
    path = name.partition(":")[2] or name
    return os.path.normpath(os.path.expanduser(path))  # noqa: PTH111
