"""Whatever describes a corpus -> the corpus: a path, a revision, a word, a mapping."""

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from assay.catalogue import find, names
from assay.corpora import sources
from assay.corpora.paths import missing, place_of, split_revision
from assay.corpora.per_collection import as_mapping, is_split
from assay.corpora.size_limit import FORMER, SETTING
from assay.errors import InputError
from assay.records import Corpus
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["open_corpus"]

RECORDS = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")
BEIR = ("corpus.jsonl", "corpus.jsonl.gz")
SPLIT = "use it with run, eval, compare, dataset resolve or audit, or give one of its folders here"
HINT = "give a folder, a .jsonl file, git:REPOSITORY@REVISION or stdlib"


def open_corpus(where: object, *, relative_to: str | Path = "", **settings: Any) -> Corpus:  # noqa: ANN401
    """Open a corpus; settings such as ``include`` are those of its source.

    ``where`` is a path (a folder, a BEIR folder, a .jsonl file), ``git:REPOSITORY@REVISION``,
    ``stdlib``, or a mapping such as {"source": "folder", "path": "src", "include": ["**/*.py"]}
    as in a benchmark file, whose paths are ``relative_to`` that file's folder. A corpus is returned
    as it is.
    """
    if hasattr(where, "documents"):
        return _open_already(cast("Corpus", where), settings)
    if is_split(as_mapping(where)):
        raise InputError("collections: needs a dataset", where="corpus", hint=SPLIT)
    if isinstance(where, Mapping):
        source, place, given = _described({**where, **settings})
    else:
        source, place, given = "", where, settings
    if place is not None or not source:
        source, place, given = _placed(source, place, given, Path(relative_to))
    return _opened(source, place, given)


def _open_already(corpus: Corpus, settings: dict[str, Any]) -> Corpus:
    if settings:
        hint = f"open it with {', '.join(settings)}"
        raise InputError("the corpus is already open", where=corpus.name, hint=hint)
    return corpus


def _described(given: dict[str, Any]) -> tuple[str, object, dict[str, Any]]:
    """Take a mapping apart: the source if it names one, the place if it gives one, the rest."""
    source = given.pop("source", "")
    given.pop("vectors", None)  # of its documents, which who searches them opens
    if not isinstance(source, str):
        raise InputError(f"source: invalid value {quote_value(source)}", where="corpus", hint=HINT)
    if source == "inline":
        problem = "source: inline is for documents passed from Python, not for a file"
        raise InputError(problem, where="corpus", hint=HINT)
    if not source:  # {"git": REPOSITORY}: a source's name as the key of its place
        source = next((name for name in names(sources) if name in given), "")
    keys = [key for key in ("path", source, "repository") if key in given]
    if len(keys) > 1:
        problem = f'"{keys[0]}" and "{keys[1]}" both give its location'
        raise InputError(problem, where="corpus", hint="keep one of them")
    place = given.pop(keys[0]) if keys else None
    if place is None and not source:
        raise InputError("no path is given", where="corpus", hint=HINT)
    return source, place, given


def _placed(
    source: str, place: object, given: dict[str, Any], base: Path
) -> tuple[str, object, dict[str, Any]]:
    """Find out what kind of source a place is, where nothing else says it."""
    if not source and place == "stdlib":
        return "stdlib", None, given
    if not source and isinstance(place, str) and place.startswith("git:"):
        repository, revision = split_revision(place.removeprefix("git:"), base)
        named = {} if revision is None else {"revision": revision}
        return "git", base / place_of(repository), {**named, **given}
    path = base / place_of(place)
    return source or _recognised(path), path, given


def _recognised(path: Path) -> str:
    try:
        if path.is_dir():
            return "jsonl" if any((path / name).is_file() for name in BEIR) else "folder"
        exists = path.exists()
    except (OSError, ValueError) as error:  # a name too long, or with a zero byte in it
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be opened ({reason})", where=str(path), hint=HINT) from None
    if not exists:
        raise missing(path, "folder or file")
    if path.name.lower().endswith(RECORDS):
        return "jsonl"
    raise InputError("not a folder and not a .jsonl file", where=str(path), hint=HINT)


def _opened(source: str, place: object, given: dict[str, Any]) -> Corpus:
    make = cast("Callable[..., Corpus]", find(sources, source))
    given = _renamed(given)
    parameters = inspect.signature(make).parameters
    places = [key for key, its in parameters.items() if its.default is its.empty]
    _refuse_unknown(source, given, [key for key in parameters if key not in places])
    if bool(places) == (place is None):
        problem = "no path is given" if places else f"{source} takes no path"
        hint = f'add "{places[0]}"' if places else "remove the path"
        raise InputError(problem, where="corpus", hint=hint)
    if source == "jsonl" and isinstance(place, Path) and place.is_dir():
        place = next((place / name for name in BEIR if (place / name).is_file()), place)
    return make(place, **given) if places else make(**given)


def _renamed(given: dict[str, Any]) -> dict[str, Any]:
    """Read the first name of a setting, too."""
    if FORMER not in given:
        return given
    if SETTING in given:
        problem = f'"{SETTING}" and "{FORMER}" are the same setting'
        raise InputError(problem, where="corpus", hint=f"keep {SETTING}")
    return {SETTING if key == FORMER else key: value for key, value in given.items()}


def _refuse_unknown(source: str, given: dict[str, Any], accepted: list[str]) -> None:
    for key in given:
        if key not in accepted:
            offered = f"available: {', '.join(accepted)}"
            hint = did_you_mean(str(key), accepted, otherwise=offered)
            problem = f'unknown setting "{key}" of a {source} corpus'
            raise InputError(problem, where="corpus", hint=hint)
