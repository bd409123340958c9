"""The options that say how a corpus is searched; the same for building and for searching."""

from collections.abc import Callable
from typing import Any

import click

from assay.errors import UsageError

__all__ = ["configured", "given", "structured"]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
KEYS = ("search", "chunker", "chunk_size", "model", "lexical", "dense", "precision")

_OPTIONS: list[Decorator] = [
    click.option(
        "--search",
        type=click.Choice(["hybrid", "lexical", "dense"]),
        help="Words, meaning, or both (default: hybrid).",
    ),
    click.option("--model", metavar="MODEL", help="Embedding model: see assay list models."),
    click.option("--chunker", metavar="NAME", help="How documents are cut: assay list chunkers."),
    click.option("--chunk-size", type=int, metavar="TOKENS", help="Most tokens of a chunk."),
    click.option("--lexical", metavar="NAME", help="Lexical engine: assay list lexical."),
    click.option("--dense", metavar="NAME", help="Vector index: assay list dense."),
    click.option("--precision", metavar="TYPE", help="Of stored vectors: int8, float16, float32."),
    click.option(
        "--include",
        multiple=True,
        metavar="PATTERN",
        help="Only files that match this pattern, as in .gitignore.",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="PATTERN",
        help="No files that match this pattern, as in .gitignore.",
    ),
    click.option(
        "--workspace",
        type=click.Path(file_okay=False),
        metavar="FOLDER",
        help="Where indexes are kept (default: the nearest .assay).",
    ),
]


def configured(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that make a configuration."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def given(options: dict[str, Any], keys: tuple[str, ...] = KEYS) -> dict[str, Any]:
    """Keep the settings that were really given; the rest is the default search."""
    return {key: options[key] for key in keys if options.get(key) is not None}


def structured(*, coherence: bool, mmr: bool, overrides: tuple[str, ...]) -> dict[str, Any]:
    """Gather the settings of the stages that rank by structure."""
    stages: dict[str, dict[str, Any]] = {}
    if coherence:
        stages["coherence"] = {}
    if mmr:
        stages["mmr"] = {}
    for text in overrides:
        key, equals, value = text.partition("=")
        stage, _, name = key.strip().rpartition(".")
        if equals and not stage:
            _refuse_foreign(name, value.strip())
        stage = stage or "coherence"
        if not equals or stage not in stages:
            hint = (
                f"add --{stage}" if equals and stage in ("coherence", "mmr") else "e.g. alpha=0.2"
            )
            what = f"has no effect without --{stage}" if equals else "is no KEY=VALUE"
            raise UsageError(f"--override {text[:80]} {what}", hint=hint)
        stages[stage][name] = _read(value.strip())
    return dict(stages)


def _refuse_foreign(name: str, value: str) -> None:
    """Tell a setting of MMR from those of coherence, which alone need no name before them."""
    from assay.searches.configuration.nested_settings import STAGES

    if name in STAGES["mmr"] and name not in STAGES["coherence"]:
        problem = f"--override {name}={value[:80]} names a setting of MMR"
        raise UsageError(problem, hint=f"write mmr.{name}={value[:80]}, with --mmr")


def _read(value: str) -> object:
    """Read a value as a benchmark file would: a number, true or false, else a text."""
    if value in ("true", "false"):
        return value == "true"
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value
