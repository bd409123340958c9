"""The command that builds an index, as a person types it."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.searches.current_index import Wanted

__all__ = ["index_command"]

OPTIONS = ("search", "model", "chunker", "chunk_size", "lexical", "dense", "precision")


def index_command(wanted: Wanted, settings: object) -> str:
    """Write `assay index` with what was given, or say that it takes the same where it cannot be.

    Settings that have no option, and those of a whole configuration, stand in files or programs.
    """
    if not isinstance(wanted.corpus, str | Path):
        return "`assay.index`, with the same arguments"
    given = settings if isinstance(settings, Mapping) else {}
    known = isinstance(settings, Mapping | None) and set(given) <= {"name", *OPTIONS}
    words = ["assay", "index", str(wanted.corpus), *_options(wanted, given if known else {})]
    return f"`{shlex.join(words)}`" + ("" if known else ", with the same settings")


def _options(wanted: Wanted, given: Mapping[str, Any]) -> list[str]:
    """Write options in the order in which the command's help has them."""
    named = [(name, given[name]) for name in OPTIONS if given.get(name) is not None]
    named += [("include", one) for one in wanted.include]
    named += [("exclude", one) for one in wanted.exclude]
    named += [("workspace", wanted.workspace)] if wanted.workspace is not None else []
    return [word for name, value in named for word in (f"--{name.replace('_', '-')}", str(value))]
