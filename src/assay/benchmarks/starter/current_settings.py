"""The search that a project runs today: model, reranker and chunk size of config/settings.yaml."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from assay.benchmarks.file.akashic import ALIASES, DEFAULTS
from assay.columns.documents.strict_yaml import strict_yaml
from assay.errors import AssayError
from assay.extras import install_command
from assay.searches.configuration.named_models import beside, unopened

__all__ = ["CurrentSettings", "current_settings"]

FILES = ("config/settings.yaml", "config/settings.yml")
PACKAGE = "sentence-transformers"
LARGEST = 1_000_000  # bytes of such a file
OTHERWISE, RERANKER = "minilm", "maxsim"
CROSS_ENCODER = "write cross-encoder:FOLDER, a folder that contains model.onnx and tokenizer.json"
# Dotted keys, whatever they are nested in: embedding_model, embedding.model, models.embedding, ...
MODEL = re.compile(
    r"(?:.*\.)?(?:embed(?:ding|dings|der)?[._](?:model(?:_name|_id)?|name)"
    r"|models?\.embed(?:ding|dings|der)?)(?:\.(?:name|model|id|path))?"
)
RERANK = re.compile(
    r"(?:.*\.)?(?:rerank(?:er|ing)?[._](?:model(?:_name|_id)?|name)"
    r"|models?\.rerank(?:er)?)(?:\.(?:name|model|id|path))?"
)
SWITCH = re.compile(
    r"(?:.*\.)?(?:(?:use|enable|with)_rerank(?:er|ing)?"
    r"|rerank(?:er|ing)?[._](?:enabled?|use|active|on)|rerank(?:er|ing)?)"
)
SIZE = re.compile(
    r"(?:.*\.)?(?:(?:max_)?chunk_(?:size|tokens|length)"
    r"|chunk(?:ing|er|s)?\.(?:(?:chunk_|max_)?size|(?:max_)?tokens|length))"
)
CHARACTERS = ("char", "byte", "line")  # units that are not tokens


@dataclass(frozen=True, slots=True)
class CurrentSettings:
    """A configuration of a benchmark with the settings of a file.

    ``source`` is the file; ``read`` says what was read from it, ``notes`` what could not be used.
    """

    source: str
    settings: Mapping[str, str | int] = field(default_factory=dict)
    read: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def current_settings(folder: Path) -> CurrentSettings | None:
    """Read the settings file of a project; nothing if there is none, or none of them is in it."""
    for name in FILES:
        values = {key: value for key, value in _values(folder / name)}
        found = _Settings(name, values, str(folder)).found() if values else None
        if found is not None:
            return found
    return None


def _values(file: Path) -> Iterator[tuple[str, object]]:
    """Yield each value of a file with its keys, joined by dots and in lower case."""
    try:
        if file.stat().st_size > LARGEST:
            return
        value = strict_yaml(file.read_bytes(), where=str(file)).value
    except (AssayError, OSError, ValueError):
        return
    yield from _flat(value, "")


def _flat(value: object, start: str) -> Iterator[tuple[str, object]]:
    if not isinstance(value, Mapping):
        yield start, value
        return
    for key, one in value.items():
        name = str(key).lower().replace("-", "_")
        yield from _flat(one, f"{start}.{name}" if start else name)


def _hint(model: str) -> str:
    """Say what to do about a model that is not on this machine; nothing if it may be."""
    if model.startswith(f"{PACKAGE}:") and find_spec(PACKAGE.replace("-", "_")) is None:
        return install_command(PACKAGE)
    problem = next(iter(unopened({"model": model})), None)
    return problem.hint if problem else ""


@dataclass(slots=True)
class _Settings:
    """What is read of one file, setting by setting."""

    source: str
    values: Mapping[str, object]
    home: str
    settings: dict[str, str | int] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def found(self) -> CurrentSettings | None:
        """Read all settings; nothing if there is none."""
        self._model()
        self._chunk_size()
        self._reranker()
        if not self.read:
            return None
        settings = {**DEFAULTS, "model": OTHERWISE, **self.settings}
        return CurrentSettings(self.source, settings, tuple(self.read), tuple(self.notes))

    def _text(self, pattern: re.Pattern[str]) -> tuple[str, str]:
        """Return the first text under a key, and the key."""
        for key, value in self.values.items():
            named = isinstance(value, str) and value.strip() and value.lower() != "none"
            if named and pattern.fullmatch(key):
                return str(value).strip(), key
        return "", ""

    def _model(self) -> None:
        name, key = self._text(MODEL)
        if not name:
            return
        known = ALIASES.get(name.lower(), name)
        hint = _hint(beside(known, self.home))
        self.settings["model"] = OTHERWISE if hint else known
        called = "" if hint or known == name else f" ({known})"
        self.read.append(f"embedding model {name}{called}")
        if hint:
            what = f'{self.source}: {key} "{name}" is not on this machine'
            self.notes.append(f"{what}. {OTHERWISE} is used instead; to measure it, {hint}.")

    def _chunk_size(self) -> None:
        for key, value in self.values.items():
            if not SIZE.fullmatch(key) or not isinstance(value, int) or isinstance(value, bool):
                continue
            if any(unit in key for unit in CHARACTERS) or not 1 <= value <= 100_000:
                continue
            self.settings["chunk_size"] = value
            self.read.append(f"chunk size {value:,} tokens")
            return

    def _reranker(self) -> None:
        name, key = self._text(RERANK)
        switches = [one for at, one in self.values.items() if SWITCH.fullmatch(at)]
        on = next((one for one in switches if isinstance(one, bool)), bool(name))
        if not on:
            if name or switches:
                self.read.append("no reranker")
            return
        chosen, problem = self._chosen_reranker(name)
        if chosen:
            self.settings["rerank"] = chosen
            self.read.append(f"reranker {name or chosen}")
        if problem:
            used = f"{chosen} is used instead" if chosen else "No reranker is used"
            what = f'{self.source}: {key or "reranker"} "{name or RERANKER}" is not on this machine'
            self.notes.append(f"{what}. {used}; to measure it, {problem}.")

    def _chosen_reranker(self, name: str) -> tuple[str, str]:
        """Return the reranker to use, and a hint if it is not the one that is named."""
        model = self.settings.get("model", OTHERWISE)
        wanted = {"rerank": beside(name, self.home) if name else RERANKER, "model": model}
        problem = next(iter(unopened(wanted)), None)
        if problem is None:
            return name or RERANKER, ""
        fits = not [*unopened({"rerank": RERANKER, "model": model})]
        return RERANKER if fits else "", problem.hint if not name else CROSS_ENCODER
