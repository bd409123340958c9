"""The options of a configuration: the same for indexing, searching and health checks."""

from collections.abc import Callable
from typing import Any

import click

from assay.cli.environment_model import MODEL_VARIABLES, model_from_environment
from assay.cli.options import MAX_FILE_SIZE
from assay.errors import UsageError

__all__ = ["configured", "given", "structured"]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
KEYS = ("search", "chunker", "chunk_size", "model", "lexical", "language", "dense", "precision")


def _method(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    from assay.searches.configuration.settings import SEARCHES

    return SEARCHES.get(value, value) if value else value


_OPTIONS: list[Decorator] = [
    click.option(
        "--search",
        metavar="METHOD",
        callback=_method,
        help="Search method: hybrid (default), lexical (bm25, keyword), dense (vector, semantic).",
    ),
    click.option(
        "--model",
        metavar="MODEL",
        envvar=MODEL_VARIABLES,
        show_envvar=True,
        help="Embedding model, e.g. ollama:nomic-embed-text: see assay list models.",
    ),
    click.option("--chunker", metavar="NAME", help="Chunking method: see assay list chunkers."),
    click.option("--chunk-size", type=int, metavar="TOKENS", help="Maximum tokens per chunk."),
    click.option("--lexical", metavar="NAME", help="Lexical engine: see assay list lexical."),
    click.option("--language", metavar="NAME", help="Stemmer, e.g. german; none: no stemming."),
    click.option("--dense", metavar="NAME", help="Vector index: see assay list dense."),
    click.option(
        "--precision",
        metavar="TYPE",
        help="Precision of stored vectors: int8, float16 or float32.",
    ),
    click.option(
        "--include",
        multiple=True,
        metavar="PATTERN",
        help="Index only files that match this pattern (.gitignore syntax).",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="PATTERN",
        help="Skip files that match this pattern (.gitignore syntax).",
    ),
    MAX_FILE_SIZE,
    click.option(
        "--workspace",
        type=click.Path(file_okay=False),
        metavar="FOLDER",
        help="Folder that stores the indexes (default: the nearest .assay).",
    ),
]


def configured(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a configuration to a command."""
    command = model_from_environment()(command)
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def given(options: dict[str, Any], keys: tuple[str, ...] = KEYS) -> dict[str, Any]:
    """Return the settings that were given; the others have their defaults."""
    return {key: options[key] for key in keys if options.get(key) is not None}


def structured(*, coherence: bool, mmr: bool, overrides: tuple[str, ...]) -> dict[str, Any]:
    """Collect the settings of coherence, of MMR and of lexical search."""
    stages: dict[str, dict[str, Any]] = {}
    lexical: dict[str, Any] = {}
    if coherence:
        stages["coherence"] = {}
    if mmr:
        stages["mmr"] = {}
    for text in overrides:
        key, equals, value = text.partition("=")
        stage, _, name = key.strip().rpartition(".")
        if equals and _is_lexical(stage, name):
            _override_lexical(lexical, stage, name, value.strip())
            continue
        if equals and not stage:
            _refuse_foreign(name, value.strip())
        stage = stage or "coherence"
        if not equals or stage not in stages:
            raise _misused(text[:80], stage if equals else "")
        stages[stage][name] = _read(value.strip())
    return {**stages, **lexical}


def _is_lexical(stage: str, name: str) -> bool:
    from assay.searches.configuration.lexical_settings import LEXICAL

    return stage == "fields" or (not stage and name in LEXICAL)


def _override_lexical(lexical: dict[str, Any], stage: str, name: str, value: str) -> None:
    if name == "fields":
        hint = "name a field, e.g. --override fields.title=2"
        raise UsageError(f"--override fields={value[:80]} names no field", hint=hint)
    within = lexical.setdefault(stage, {}) if stage else lexical
    within[name] = _read(value)


def _misused(text: str, stage: str) -> UsageError:
    """Refuse what is not KEY=VALUE, or belongs to a stage that is unknown or switched off."""
    if stage in ("coherence", "mmr"):
        return UsageError(
            f"--override {text} has no effect without --{stage}", hint=f"add --{stage}"
        )
    hint = "e.g. --override alpha=0.2 (coherence), mmr.lambda=0.5 (MMR) or k1=0.9 (lexical search)"
    what = f'names the unknown stage "{stage}"' if stage else "is not KEY=VALUE"
    return UsageError(f"--override {text} {what}", hint=hint)


def _refuse_foreign(name: str, value: str) -> None:
    """Refuse a setting of MMR without its prefix, and one that nothing has."""
    from assay.searches.configuration.lexical_settings import LEXICAL
    from assay.searches.configuration.nested_settings import STAGES
    from assay.text.near_miss import did_you_mean

    if name not in STAGES["mmr"] and name not in STAGES["coherence"]:
        hint = did_you_mean(name, [*LEXICAL, *STAGES["coherence"]])
        raise UsageError(f"--override {name}={value[:80]} names an unknown setting", hint=hint)
    if name in STAGES["mmr"] and name not in STAGES["coherence"]:
        problem = f"--override {name}={value[:80]} is a setting of MMR"
        raise UsageError(problem, hint=f"use --mmr --override mmr.{name}={value[:80]}")


def _read(value: str) -> object:
    """Read a value as in a benchmark file: a number, true, false, or else a text."""
    if value in ("true", "false"):
        return value == "true"
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value
