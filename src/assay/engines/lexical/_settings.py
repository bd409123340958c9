"""How an index is built and asked; what it was built with is kept beside it."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assay.engines.lexical._fields import CODE_WEIGHTS, WEIGHTS, check_weights
from assay.engines.lexical._write_failure import writing
from assay.engines.words.languages import DEFAULT, LISTED, NO_LANGUAGE
from assay.engines.words.tokens import VERSION
from assay.errors import InputError

__all__ = ["LexicalSettings", "open_settings"]

FILE = "settings.json"
# What settings of later versions were before: not told then, so that names of stored work stay.
ADDED: Mapping[str, object] = {
    **{"k1": 1.2, "b": 0.75, "language": DEFAULT, "stop_words": DEFAULT, "synonyms": ()}
}


@dataclass(frozen=True, slots=True)
class LexicalSettings:
    """Which engine, and by which language words are stemmed; the rest can change with a search.

    ``stop_words`` are those of a language, or words; ``synonyms`` are rules.
    """

    engine: str
    fields: Mapping[str, float]
    code_fields: Mapping[str, float]
    query_counts: bool
    max_terms: int
    code_terms: int
    language: str = DEFAULT
    stop_words: str | tuple[str, ...] = DEFAULT
    synonyms: tuple[str, ...] = ()
    k1: float = 1.2
    b: float = 0.75

    def __post_init__(self) -> None:
        for name, number, most in (("k1", self.k1, 1000), ("b", self.b, 1)):
            if not 0 <= number <= most:
                hint = f"expected a number from 0 to {most:,}"
                raise InputError(f"invalid value {number}", where=name, hint=hint)
        for name, terms in (("max_terms", self.max_terms), ("code_terms", self.code_terms)):
            if terms < 1:
                hint = "expected a whole number >= 1"
                raise InputError(f"invalid value {terms}", where=name, hint=hint)

    @property
    def fingerprint(self) -> str:
        """Name all that scores depend on, but for the chunks."""
        told = {**asdict(self), "stem": self.language != NO_LANGUAGE, "tokens": VERSION}
        told = {name: one for name, one in told.items() if name not in ADDED or one != ADDED[name]}
        text = json.dumps(told, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def open_settings(
    engine: str,
    folder: Path,
    *,
    fields: Mapping[str, float] | None,
    code_fields: Mapping[str, float] | None,
    language: str,
    stop_words: str | Sequence[str] | None,
    **others: Any,  # noqa: ANN401
) -> LexicalSettings:
    """Check settings, and that a folder was built with them; note them in a new folder.

    Without ``stop_words`` these are those of the language, if it has any.
    """
    if stop_words is None:
        stop_words = language if language in LISTED else NO_LANGUAGE
    settings = LexicalSettings(
        engine,
        fields=check_weights(fields, WEIGHTS),
        code_fields=check_weights(code_fields, CODE_WEIGHTS),
        language=language,
        stop_words=stop_words if isinstance(stop_words, str) else tuple(stop_words),
        **others,
    )
    _check_folder(folder, settings)
    return settings


def _check_folder(folder: Path, settings: LexicalSettings) -> None:
    """Note the settings in a new folder; refuse one that was built otherwise.

    Chunks that were taken apart into other tokens would not be found.
    """
    language = settings.language
    named = {} if language in (DEFAULT, NO_LANGUAGE) else {"language": language}
    stems = {"stem": language != NO_LANGUAGE, **named}
    wanted = {"engine": settings.engine, **stems, "tokens": VERSION}
    try:
        kept = json.loads((folder / FILE).read_bytes())
    except FileNotFoundError:
        _begin(folder, wanted)
    except NotADirectoryError as error:
        hint = "specify a folder for the index"
        raise InputError("not a folder", where=str(folder), hint=hint) from error
    except (OSError, ValueError) as error:
        raise _unusable(folder, f"the index cannot be read ({error})") from error
    else:
        if kept != wanted:
            raise _unusable(folder, f"the index was built with {kept}, expected {wanted}")


def _begin(folder: Path, settings: Mapping[str, object]) -> None:
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if any(path for path in folder.iterdir() if not path.name.startswith(FILE)):
        problem = "the folder contains files that do not belong to a lexical index"
        raise InputError(problem, where=str(folder), hint="specify an empty folder")
    # Written aside and moved, so that a process that is killed leaves all of it or nothing.
    part = folder / f"{FILE}.{os.getpid()}"
    with writing(folder):
        part.write_text(json.dumps(settings, sort_keys=True), encoding="utf-8")
        part.replace(folder / FILE)


def _unusable(folder: Path, problem: str) -> InputError:
    hint = "delete the folder and build the index again"
    return InputError(problem, where=str(folder), hint=hint)
