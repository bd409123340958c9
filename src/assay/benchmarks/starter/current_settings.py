"""The search that a project runs today: what config/settings.yaml says of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from assay.benchmarks.file.akashic import ALIASES, DEFAULTS
from assay.benchmarks.starter.settings_file import (
    SettingValue,
    affects_ranking,
    is_about_search,
    read_settings,
)
from assay.extras import install_command
from assay.searches.configuration.named_models import beside, unopened
from assay.searches.configuration.settings import SEARCHES
from assay.text.join_list import join_list

__all__ = ["CurrentSettings", "current_settings"]

FILES = ("config/settings.yaml", "config/settings.yml")
PACKAGE = "sentence-transformers"
OTHERWISE, RERANKER = "minilm", "maxsim"
CROSS_ENCODER = "write cross-encoder:FOLDER, a folder that contains model.onnx and tokenizer.json"
# Dotted keys, whatever they are nested in: embedding_model, embedding.model, models.embedding, ...
EMBED, RERANK = "embed(?:ding|dings|der)?", "rerank(?:er|ing)?"
NAME = r"(?:model(?:_name|_id)?|name)"
END = r"(?:\.(?:name|model|id|path))?"
MODELS = re.compile(rf"(?:.*\.)?(?:{EMBED}(?:[._]{NAME}{END})?|models?\.{EMBED}{END})")
RERANKERS = re.compile(rf"(?:.*\.)?(?:{RERANK}(?:[._]{NAME}{END})?|models?\.{RERANK}{END})")
SWITCH = re.compile(
    rf"(?:.*\.)?(?:(?:use|enable|with)_{RERANK}|{RERANK}[._](?:enabled?|use|active|on)|{RERANK})"
)
MODE = re.compile(
    r"(?:.*\.)?(?:search|retriev(?:al|er))(?:[._](?:mode|type|kind|method|strategy|algorithm))?"
)
HYBRID = re.compile(r"(?:.*\.)?(?:(?:use|enable)_)?hybrid(?:_search)?(?:\.enabled?)?")
LENGTH = r"(?:size|length|tokens|chars|characters)(?:_(?:tokens|chars|characters))?"
SIZE = re.compile(
    rf"(?:.*\.)?(?:(?:max_)?chunk_{LENGTH}|(?:chunk(?:ing|er|s)?|splitter)\.(?:max_)?{LENGTH})"
)
OVERLAP = re.compile(r"(?:.*\.)?(?:chunk_)?overlap(?:_(?:size|tokens|chars|characters))*")
UNIT = re.compile(r"(?:.*\.)?(?:(?:chunk_)?(?:size_|length_)?units?|length_function)")
DENSE = re.compile(r"embed|vector|dense|knn")  # what a lexical search has no use for
# What settings files call a kind of search, besides the words that a benchmark file may use.
MODES = {
    **{"hybrid": "hybrid", "lexical": "lexical", "dense": "dense", **SEARCHES},
    **dict.fromkeys(("keywords", "fts", "fulltext", "full_text", "text"), "lexical"),
    **dict.fromkeys(("vectors", "knn", "similarity", "embedding", "embeddings"), "dense"),
}
OFF, ON = ("none", "off", "false", "no", "disabled"), ("on", "true", "yes", "enabled", "default")
CHARACTERS, TOKENS = ("char", "len"), ("tok",)  # how units begin; len is Python's function
PER_TOKEN = 4  # characters, about, in English
MOST = 100_000


@dataclass(frozen=True, slots=True)
class CurrentSettings:
    """A configuration of a benchmark with the settings of a file.

    ``source`` is the file; ``read`` says what was read from it, ``notes`` what could not be used,
    and ``unused`` are the keys of other settings that seem to be about search. The configuration is
    called current if it has all settings as they are; else ``description`` says what differs.
    """

    source: str
    name: str = "current"
    settings: Mapping[str, str | int] = field(default_factory=dict)
    read: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    description: str = ""


def current_settings(folder: Path) -> CurrentSettings | None:
    """Read the settings file of a project; nothing if there is none, or none of them is in it."""
    for name in FILES:
        values = read_settings(folder / name)
        found = _Settings(name, values, str(folder)).found() if values else None
        if found is not None:
            return found
    return None


@dataclass(slots=True)
class _Settings:
    """What is read of one file, setting by setting."""

    source: str
    values: Sequence[SettingValue]
    home: str
    settings: dict[str, str | int] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    instead: list[str] = field(default_factory=list)  # models in place of others
    dropped: bool = False  # whether its reranker is not used
    differs: list[str] = field(default_factory=list)  # how the configuration is not the current one

    def found(self) -> CurrentSettings | None:
        """Read all settings; nothing if there is none."""
        self._mode()
        self._model()
        self._sizes()
        if not self._reranker() and not self.read:
            return None
        unused = self._unused()
        lost = [one.written for one in unused if affects_ranking(one.key)]
        self.differs += [f"without {join_list(lost)}"] if lost else []
        name = self._name()
        what = f"The baseline {name} is the search of {self.source}"
        return CurrentSettings(
            source=self.source,
            name=name,
            settings=self.settings,
            read=tuple(self.read),
            notes=tuple(self.notes),
            unused=tuple(one.written for one in unused),
            description=f"{what} {', '.join(self.differs)}." if self.differs else "",
        )

    def _name(self) -> str:
        if self.instead:
            return f"current-with-{'-and-'.join(self.instead)}"
        if self.dropped:
            return "current-without-reranker"
        return "current-approximate" if self.differs else "current"

    def _matching(self, pattern: re.Pattern[str], kind: type = object) -> Iterator[SettingValue]:
        """Yield the values under keys of a pattern that are of a kind."""
        for one in self.values:
            if pattern.fullmatch(one.key) and isinstance(one.value, kind):
                yield one

    def _named(self, pattern: re.Pattern[str]) -> tuple[str, SettingValue | None]:
        """Return the first text under a key, and the setting."""
        for one in self._matching(pattern, str):
            text = str(one.value).strip()
            if text and text.lower() not in (*OFF, *ON):
                self.used.add(one.key)
                return text, one
        return "", None

    def _mode(self) -> None:
        """Read whether the search is lexical, dense or hybrid; dense unless the file says it."""
        self.settings |= DEFAULTS
        for one in self._matching(MODE, str):
            mode = MODES.get(str(one.value).strip().lower().replace("-", "_").replace(" ", "_"))
            if mode:
                self.used.add(one.key)
                self._take_mode(mode)
                return
        for one in self._matching(HYBRID, bool):
            self.used.add(one.key)
            if one.value:
                self._take_mode("hybrid")
                return

    def _take_mode(self, mode: str) -> None:
        self.settings["search"] = mode
        self.read.append(f"{mode} search")

    def _model(self) -> None:
        name, setting = self._named(MODELS)
        if self.settings["search"] == "lexical":
            return
        if setting is None:
            self.settings["model"] = OTHERWISE
            self.instead.append(OTHERWISE)
            self.differs.append(f"with the embedding model {OTHERWISE}, since the file names none")
            return
        known = ALIASES.get(name.lower(), name)
        hint = _hint(beside(known, self.home))
        self.settings["model"] = OTHERWISE if hint else known
        if not hint:
            self.read.append(f"embedding model {name}{'' if known == name else f' ({known})'}")
            return
        self.read.append(f"embedding model {name} ({OTHERWISE} is used instead)")
        self._replace(OTHERWISE, "embedding model", name)
        what = f'{self.source}: {setting.written} "{name}" is not on this machine'
        self.notes.append(f"{what}. {OTHERWISE} is used instead; to measure it, {hint}.")

    def _replace(self, used: str, noun: str, name: str) -> None:
        """Note that a model is not the one that the file names."""
        self.instead.append(used)
        what = f"with {used} instead of the {noun} {name}"
        self.differs.append(f"{what}, which is not on this machine")

    def _sizes(self) -> None:
        """Read the chunk size and the overlap, in tokens or characters."""
        for one in self._matching(SIZE):
            size = self._tokens(one, least=1)
            if size is None:
                continue
            self._take_size("chunk_size", "chunk size", one, size)
            for other in self._matching(OVERLAP):
                overlap = self._tokens(other, least=0)
                if other.section == one.section and overlap is not None and overlap < size:
                    if overlap:
                        self._take_size("overlap", "chunk overlap", other, overlap)
                    self.used.add(other.key)
            return

    def _tokens(self, setting: SettingValue, *, least: int) -> int | None:
        """Return a length in tokens; None if it is none, or in another unit."""
        value = setting.value
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= MOST:
            return None
        unit = self._unit(setting)
        if unit.startswith(CHARACTERS):
            return max(least, round(value / PER_TOKEN))
        return value if not unit or unit.startswith(TOKENS) else None

    def _unit(self, setting: SettingValue) -> str:
        """Return the unit of a length: a part of its key, or a setting beside it."""
        last = setting.key.rpartition("_")[2]
        if last.startswith((*CHARACTERS, *TOKENS)) and last != "length":
            return last
        beside = (one for one in self._matching(UNIT, str) if one.section == setting.section)
        return next((str(one.value).strip().lower() for one in beside), "")

    def _take_size(self, key: str, noun: str, setting: SettingValue, tokens: int) -> None:
        self.used.add(setting.key)
        self.settings[key] = tokens
        if not self._unit(setting).startswith(CHARACTERS):
            self.read.append(f"{noun} {tokens:,} tokens")
            return
        given = f"{setting.value:,} characters"
        given += f", at about {PER_TOKEN} characters a token" if key == "chunk_size" else ""
        self.read.append(f"{noun} about {tokens:,} tokens ({given})")
        if key == "chunk_size":
            size = f"{tokens:,} tokens ({setting.value:,} characters)"
            self.differs.append(f"with a {noun} of about {size}")

    def _reranker(self) -> bool:
        """Read the reranker; tell whether there is one."""
        name, setting = self._named(RERANKERS)
        switch = self._switch()
        if not (name if switch is None else switch):
            self.read += ["no reranker"] if switch is False and self.read else []
            return False
        chosen, problem = self._chosen_reranker(name)
        if chosen:
            self.settings["rerank"] = chosen
        if not name:
            self._take_unnamed(chosen, problem)
        elif not problem:
            self.read.append(f"reranker {name}")
        else:
            self._take_other(name, setting.written if setting else "", chosen, problem)
        return True

    def _switch(self) -> bool | None:
        """Tell whether the reranker is on; None if nothing says it."""
        for one in self._matching(SWITCH):
            text = str(one.value).strip().lower()
            if isinstance(one.value, bool) or (isinstance(one.value, str) and text in (*ON, *OFF)):
                self.used.add(one.key)
                return text in ON
        return None

    def _take_unnamed(self, chosen: str, problem: str) -> None:
        """Take the usual reranker where the file switches one on without its name."""
        if chosen:
            self.read.append(f"a reranker ({chosen} is used)")
            self.instead.append(chosen)
            self.differs.append(f"with the reranker {chosen}, since the file names none")
            return
        self.read.append("a reranker (none is used)")
        self.dropped = True
        self.differs.append("without its reranker")
        self.notes.append(f"{self.source}: the reranker is not used; to measure it, {problem}.")

    def _take_other(self, name: str, written: str, chosen: str, problem: str) -> None:
        """Take another reranker than the one that is named, or none."""
        used = f"{chosen} is used instead" if chosen else "no reranker is used"
        why = "is not on this machine" if name != RERANKER else "does not fit this search"
        self.read.append(f"reranker {name} ({used})")
        if chosen:
            self._replace(chosen, "reranker", name)
        else:
            self.dropped = True
            self.differs.append(f"without the reranker {name}, which {why}")
        said = used if chosen else used.capitalize()
        what = f'{self.source}: {written} "{name}" {why}'
        self.notes.append(f"{what}. {said}; to measure it, {problem}.")

    def _chosen_reranker(self, name: str) -> tuple[str, str]:
        """Return the reranker to use, and a hint if it is not the one that is named."""
        model = self.settings.get("model")
        wanted = {"rerank": beside(name, self.home) if name else RERANKER, "model": model}
        problem = next(iter(unopened(wanted)), None)
        usual = model is not None and not [*unopened({"rerank": RERANKER, "model": model})]
        if problem is None and (wanted["rerank"] != RERANKER or usual):
            return name or RERANKER, ""
        hint = CROSS_ENCODER if problem is None or name not in ("", RERANKER) else problem.hint
        return RERANKER if usual else "", hint

    def _unused(self) -> list[SettingValue]:
        """Return the settings that seem to be about search, are not off, and were not used."""
        lexical = self.settings["search"] == "lexical"
        return [
            one
            for one in self.values
            if is_about_search(one.key)
            and one.value
            and str(one.value).strip().lower() not in OFF
            and one.key not in self.used
            and not UNIT.fullmatch(one.key)
            and not (lexical and DENSE.search(one.key))
        ]


def _hint(model: str) -> str:
    """Say what to do about a model that is not on this machine; nothing if it may be."""
    if model.startswith(f"{PACKAGE}:") and find_spec(PACKAGE.replace("-", "_")) is None:
        return install_command(PACKAGE)
    problem = next(iter(unopened({"model": model})), None)
    return problem.hint if problem else ""
