"""A result of a service -> the id of its document: by a path, a template or a pattern."""

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.engines.systems._path import NOTHING, Path
from assay.engines.systems._ranked import document_id
from assay.engines.systems._secret_mask import PLAIN, SecretMask
from assay.errors import InputError
from assay.extras import require_extra
from assay.text.count_noun import count_noun
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["DocumentIds", "UnmatchedIds", "single_path"]

WHERE = "response.document"
KEYS = ("path", "match", "id")
HINT = "e.g. document: _id, document: 'docs/{_id}.md', or "
HINT += r"document: {path: url, match: 'https://example\.com/(.*)\.html', id: '\1.md'}"
PLACE = re.compile(r"\{([^{}]*)\}")
GROUP = re.compile(r"\\(?:(?P<number>\d)|g<(?P<name>\w+)>|(?P<slash>\\)|(?P<odd>.?))", re.DOTALL)
LONGEST = 1_000  # letters of a pattern
SHOWN = 100  # letters of an id


@dataclass(frozen=True, slots=True)
class DocumentIds:
    """How the id of a document is made of a result.

    ``parts`` are texts and the paths of values; a single path may lead to a number. ``replace``
    makes another id of it, or None if its pattern does not match.
    """

    written: str
    parts: tuple[str | Path, ...]
    replace: Callable[[str], str | None] | None = None
    show: SecretMask = field(default=PLAIN)

    @classmethod
    def of(cls, given: object, *, show: SecretMask = PLAIN) -> "DocumentIds":
        """Read the setting ``response.document``: a path, a template, or both with a pattern."""
        if not isinstance(given, Mapping):
            return cls(str(given), _parts(given, WHERE), show=show)
        for key in given.keys() - set(KEYS):
            hint = did_you_mean(str(key), KEYS)
            raise InputError(f"unknown key {quote_value(key)}", where=WHERE, hint=hint)
        for key in ("match", "id"):
            if not isinstance(given.get(key), str) or not given[key]:
                problem = f"expected a text, got {quote_value(given.get(key))}"
                raise InputError(problem, where=f"{WHERE}.{key}", hint=HINT)
        path = given.get("path", "id")
        replace = _replacing(given["match"], given["id"])
        return cls(str(path), _parts(path, f"{WHERE}.path"), replace, show)

    def read(self, hit: object, place: int) -> tuple[str, str]:
        """Return the id of a result, and the text that the pattern does not match, if so."""
        hint = f"check {WHERE} ({self.written})"
        texts = [
            one if isinstance(one, str) else self._value(hit, one, place, hint)
            for one in self.parts
        ]
        found = "".join(texts)
        if self.replace is None:
            return document_id(found, place=place, hint=hint, show=self.show), ""
        made = self.replace(found)
        unmatched = found if made is None else ""
        id_ = found if made is None else made
        return document_id(id_, place=place, hint=hint, show=self.show), unmatched

    def _value(self, hit: object, path: Path, place: int, hint: str) -> str:
        found = path.value(hit)
        if found is NOTHING:
            has = self.show.text(_keys(hit), 200)
            raise InputError(f"result {place} has no {path.written} ({has})", hint=hint)
        return document_id(found, place=place, hint=hint, show=self.show)


class UnmatchedIds:
    """Counts the results of each query that the pattern of ``response.document`` does not match."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, int]] = {}  # by query: results, and of all
        self._example = ""
        self._lock = threading.Lock()

    def add(self, query: str, unmatched: Sequence[str], results: int) -> None:
        """Note an answer; the last one to a query counts."""
        with self._lock:
            self._counts[query] = len(unmatched), results
            self._example = self._example or next(iter(unmatched), "")

    def notes(self, show: Callable[[str, int], str]) -> Iterator[str]:
        """Say how many there are, with an example as ``show`` writes it."""
        some, every = (sum(counts) for counts in zip((0, 0), *self._counts.values(), strict=True))
        if some:
            yield (
                f"{some:,} of {count_noun(every, 'result')} did not match response.document.match "
                f"and kept their ids, e.g. {show(self._example, SHOWN)}"
            )


def single_path(given: object, where: str) -> Path:
    """Read a path that leads to one value of each result."""
    path = Path.of(given, where=where)
    if path.many:
        hint = "point to one value per result, e.g. fields.id[0]"
        raise InputError("points to several values", where=where, hint=hint)
    return path


def _parts(given: object, where: str) -> tuple[str | Path, ...]:
    """Cut a template into its texts and paths; without braces it is a path itself."""
    if not isinstance(given, str) or "{" not in given:
        return (single_path(given, where),)
    parts = PLACE.split(given)  # texts, and between them what stands in braces
    if any("{" in text or "}" in text for text in parts[::2]):
        hint = "write each path in braces of its own, e.g. docs/{_id}.md"
        raise InputError(f"invalid template {quote_value(given)}", where=where, hint=hint)
    every = [single_path(one, where) if at % 2 else one for at, one in enumerate(parts)]
    return tuple(one for one in every if one != "")


def _replacing(pattern: str, made: str) -> Callable[[str], str | None]:
    """Make the function that replaces a text that a pattern matches, in linear time."""
    compiled = _compiled(pattern)
    parts = _replacement(made, compiled)

    def replace(text: str) -> str | None:
        found = compiled.search(text)
        if found is None:
            return None
        return "".join(one if isinstance(one, str) else found[one[0]] or "" for one in parts)

    return replace


def _compiled(pattern: str) -> Any:  # noqa: ANN401 - the library has no types
    where = f"{WHERE}.match"
    if len(pattern) > LONGEST:
        hint = f"use at most {LONGEST:,} characters"
        raise InputError("the pattern is too long", where=where, hint=hint)
    require_extra("patterns", "a pattern needs google-re2", where=where)
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        said = error.args[0].decode(errors="replace") if error.args else "unknown error"
        hint = "patterns have the syntax of RE2: no look-around and no back-references"
        raise InputError(f"invalid pattern ({said})", where=where, hint=hint) from None


def _replacement(made: str, compiled: Any) -> list[str | tuple[int | str]]:  # noqa: ANN401
    r"""Cut a replacement into texts and groups: \1, \g<name>; \\ is a backslash."""
    parts: list[str | tuple[int | str]] = []
    at = 0
    for found in GROUP.finditer(made):
        parts.append(made[at : found.start()])
        at = found.end()
        group: int | str = int(found["number"]) if found["number"] else found["name"] or ""
        known = group in range(compiled.groups + 1) or group in compiled.groupindex
        if found["slash"]:
            parts.append("\\")
        elif known and group != "":
            parts.append((group,))
        else:
            groups = f"the pattern has {compiled.groups} of them"
            hint = rf"\1 is what its first group matches ({groups}); \\ is a backslash"
            raise InputError(f"unknown group {found[0]}", where=f"{WHERE}.id", hint=hint)
    return [*parts, made[at:]]


def _keys(value: object) -> str:
    if isinstance(value, dict):
        return f"keys: {', '.join(list(value)[:8])}" if value else "no keys"
    return f"a list of length {len(value)}" if isinstance(value, list) else repr(value)
