"""Stop words and synonyms of a configuration: a name, words or rules, or a file known by hash."""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.engines.words.languages import LISTED, NO_LANGUAGE
from assay.engines.words.synonyms import check_rules
from assay.errors import InputError
from assay.searches.configuration.problem import Problem

__all__ = [
    "LISTS",
    "NAMES",
    "SIGNS",
    "content_of",
    "fixed",
    "is_list",
    "is_one_list",
    "placed",
    "told_list",
    "unread",
]

LISTS = ("stop_words", "synonyms")  # settings whose value may be a list, or a file
NAMES = (*LISTED, NO_LANGUAGE)  # lists of stop words that are there
LARGEST = 10_000_000  # bytes of a file
COMMENT = re.compile(r"(?:^|\s)[#|].*")  # in files of stop words: as of Lucene, and of Snowball
SIGNS = "./\\@"  # that a text is a file, and no word
DIGITS = 16  # of a hash
TOLD = re.compile(r"(.+)@([0-9a-f]{16})")  # a file as reports tell it


def is_one_list(name: str, value: object) -> bool:
    """Tell whether a list is one value of a setting, and not several values of it.

    >>> is_one_list("stop_words", ["the", "of"]), is_one_list("stop_words", ["english", "none"])
    (True, False)
    >>> is_one_list("synonyms", [["car", "auto"], "tv, television"])
    True
    """
    if name not in LISTS or not isinstance(value, list) or not value:
        return False
    if name == "synonyms":
        return all(map(_is_rule, value))
    return all(isinstance(one, str) for one in value) and not all(map(_is_named, value))


def is_list(name: str, value: object) -> bool:
    """Tell whether a value can be a name or a file, words or rules, or a file with its hash."""
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, Mapping):
        return isinstance(value.get("file"), str) and isinstance(value.get("sha256"), str)
    return is_one_list(name, [*value] if isinstance(value, tuple) else value)


def placed(value: Any, home: str) -> Any:  # noqa: ANN401 - what was given, which may be wrong
    """Make a file relative to the benchmark file, unless it is one from here."""
    if not home or not isinstance(value, str) or value in NAMES or "\0" in value:
        return value
    path = os.path.join(home, value)  # noqa: PTH118 - never raises
    return path if os.path.exists(path) else value  # noqa: PTH110


def unread(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Name the files that cannot be read, and rules that cannot be understood."""
    for name in (name for name in LISTS if given.get(name) is not None):
        try:
            value = fixed(given[name])
            if not isinstance(value, Mapping) or "path" in value:  # else as a report tells it
                content_of(name, value)
        except InputError as error:
            place = f" ({error.where})" if error.where else ""
            yield Problem(name, f"invalid value{place}: {error.problem}", error.hint)


def fixed(value: Any) -> Any:  # noqa: ANN401
    """Write a value so that equal ones are equal: words, rules, or a file with its hash."""
    if isinstance(value, Mapping) or value is None or value in NAMES:
        return value
    if isinstance(value, str) and (told := TOLD.fullmatch(value)):
        return {"file": told[1], "sha256": told[2]}
    if isinstance(value, str):
        digest = hashlib.sha256(_read(value)).hexdigest()[:DIGITS]
        path = os.path.abspath(value)  # noqa: PTH100 (a link is not followed)
        return {"file": os.path.basename(path), "sha256": digest, "path": path}  # noqa: PTH119
    return tuple(one if isinstance(one, str) else _rule(one) for one in value)


def told_list(value: Any) -> Any:  # noqa: ANN401
    """Tell a file by its name and its hash, wherever it lies."""
    if isinstance(value, Mapping):
        return f"{value['file']}@{value['sha256']}"
    return [*value] if isinstance(value, tuple) else value


def content_of(name: str, value: Any) -> str | tuple[str, ...]:  # noqa: ANN401
    """Return the words or rules that a value stands for, or the name of a list."""
    if isinstance(value, str):
        return value
    lines, where = _lines(value) if isinstance(value, Mapping) else (tuple(value), "")
    if name == "stop_words":
        return tuple(word for line in lines for word in COMMENT.sub("", line).split())
    try:
        check_rules(lines)
    except InputError as error:
        places = ", ".join(filter(None, (where, error.where)))
        raise InputError(error.problem, where=places, hint=error.hint) from None
    return lines


def _lines(value: Mapping[str, Any]) -> tuple[tuple[str, ...], str]:
    """Read a file, which must be the one that the configuration was made with."""
    name = str(value["file"])
    if "path" not in value:
        hint = "give the path of the file"
        raise InputError("it is not known where the file is", where=name, hint=hint)
    data = _read(value["path"])
    if hashlib.sha256(data).hexdigest()[:DIGITS] != value["sha256"]:
        hint = "run the benchmark again to use the current file"
        raise InputError("the file changed since the benchmark was started", where=name, hint=hint)
    try:
        return tuple(data.decode("utf-8-sig").splitlines()), name
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8", where=name, hint="save the file as UTF-8") from error


def _read(path: str) -> bytes:
    hint = "give a text file with one entry per line"
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        missing = isinstance(error, FileNotFoundError)
        why = getattr(error, "strerror", None) or str(error)
        problem = "file not found" if missing else f"the file cannot be read ({why})"
        raise InputError(problem, where=path[:100], hint=hint) from error
    if len(data) > LARGEST:
        raise InputError(f"the file exceeds {LARGEST:,} bytes", where=path, hint=hint)
    return data


def _is_named(value: object) -> bool:
    """Tell whether a text names a list, or a file; null stands for the default among others."""
    if not isinstance(value, str):
        return value is None
    return value in NAMES or any(sign in value for sign in SIGNS)


def _is_rule(value: object) -> bool:
    """Tell whether a value is a group of words, or a rule as a file has it."""
    if isinstance(value, str):
        return _is_written_rule(value)
    if not isinstance(value, list | tuple) or len(value) < 2:
        return False
    return all(isinstance(one, str) and not _is_written_rule(one) for one in value)


def _is_written_rule(text: str) -> bool:
    return "," in text or "=>" in text


def _rule(words: Sequence[str]) -> str:
    return ", ".join(words)
