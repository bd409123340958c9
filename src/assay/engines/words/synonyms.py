"""Synonyms of a query's words, by rules in the format of Solr and Elasticsearch.

``car, automobile`` means that each stands for both; ``laptop => notebook, laptop`` that the left
stands for the right. A line that begins with # is a comment; a backslash takes a comma or => as it
is.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from assay.engines.words.tokens import Tokens
from assay.errors import InputError

__all__ = ["Group", "Synonyms", "check_rules"]

Group = tuple[tuple[str, ...], ...]
"""What one place of a query may be: alternatives, each of one or more tokens."""
ARROW, COMMA = re.compile(r"(?<!\\)=>"), re.compile(r"(?<!\\),")
ESCAPED = re.compile(r"\\(.)")


class Rule(NamedTuple):
    """What stands in a query, and what it stands for."""

    left: Sequence[str]
    right: Sequence[str]


class Synonyms:
    """Finds the words of a query that have synonyms: of several that begin alike, the longest."""

    def __init__(self, rules: Sequence[str], tokens: Tokens, stopped: Container[str]) -> None:
        self._tokens, self._stopped = tokens, stopped
        found: dict[tuple[str, ...], dict[tuple[str, ...], None]] = {}
        for rule in _parsed(rules):
            meant = dict.fromkeys(filter(None, map(self._terms, rule.right)))
            for text in rule.left:
                found.setdefault(self._form(text), {}).update(meant)
        self._groups: Mapping[tuple[str, ...], Group] = {
            form: tuple(meant) for form, meant in found.items() if form and meant
        }
        self._longest = max(map(len, self._groups), default=0)

    def read(self, words: Sequence[str]) -> Iterator[str | Group]:
        """Yield the words of a query in order, and groups in place of those with synonyms."""
        forms, at = [self._tokens[word] for word in words], 0
        while at < len(words):
            for size in range(min(self._longest, len(words) - at), 0, -1):
                if group := self._groups.get(tuple(forms[at : at + size])):
                    yield group
                    at += size
                    break
            else:
                yield words[at]
                at += 1

    def _form(self, text: str) -> tuple[str, ...]:
        """Return the words of an entry as they are compared: by their tokens."""
        return tuple(self._tokens[word] for word in self._tokens.words(text))

    def _terms(self, text: str) -> tuple[str, ...]:
        """Return the tokens that a field must hold for an entry, all of them."""
        words = self._tokens.words(text)
        some = [word for word in words if word.lower() not in self._stopped] or words
        return tuple(dict.fromkeys(self._tokens.joined(some).split()))


def check_rules(rules: Sequence[str]) -> None:
    """Refuse rules that cannot be read, by the number of the first one."""
    for _ in _parsed(rules):
        continue


def _parsed(rules: Sequence[str]) -> Iterator[Rule]:
    for number, text in enumerate(rules, 1):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        sides = [_entries(side) for side in ARROW.split(text)]
        wrong = _wrong(sides)
        if wrong:
            hint = "write car, automobile or laptop => notebook, laptop"
            raise InputError(f'{wrong}: "{text.strip()[:60]}"', where=f"line {number}", hint=hint)
        yield Rule(sides[0], sides[-1])


def _wrong(sides: Sequence[Sequence[str]]) -> str:
    if len(sides) > 2:
        return "more than one =>"
    if not all(sides):
        return "no word beside =>" if len(sides) > 1 else "no word"
    if any(not Tokens.words(entry.replace("_", " ")) for side in sides for entry in side):
        return "an entry without letters or digits"
    return "a single word without =>" if len(sides) == 1 and len(sides[0]) < 2 else ""


def _entries(side: str) -> list[str]:
    parts = (ESCAPED.sub(r"\1", part).strip() for part in COMMA.split(side))
    return [part for part in parts if part]
