"""Synonyms of a query's words, by rules in the format of Solr and Elasticsearch.

``car, automobile`` means that each stands for both; ``laptop => notebook, laptop`` that the left
stands for the right. A line that begins with # is a comment; a backslash takes a comma or => as it
is.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from assay.engines.words.tokens import Tokens
from assay.errors import InputError

__all__ = ["Group", "Synonyms", "check_rules"]

Group = tuple[tuple[str, ...], ...]
"""What one place of a query may be: alternatives, each of one or more tokens."""
ARROW, COMMA = re.compile(r"(?<!\\)=>"), re.compile(r"(?<!\\),")
MOST_ENTRIES = 1_000  # on each side of a rule
MOST_ALTERNATIVES = 50_000  # of all words of a query
MOST_WORDS = 100  # of an entry
ESCAPED = re.compile(r"\\(.)")


class Rule(NamedTuple):
    """What stands in a query, and what it stands for."""

    left: Sequence[str]
    right: Sequence[str]


class Synonyms:
    """Finds the words of a query that have synonyms: of several that begin alike, the longest.

    All entries of a rule share one group. Groups of an entry with several rules are merged when a
    query has it: merged in advance, they would take memory by the square of the rules' length.
    """

    def __init__(self, rules: Sequence[str], tokens: Tokens, stopped: Container[str]) -> None:
        self._tokens, self._stopped = tokens, stopped
        self._groups: dict[tuple[str, ...], list[Group]] = {}
        for rule in _parsed(rules):
            group = tuple(dict.fromkeys(filter(None, map(self._terms, rule.right))))
            forms = dict.fromkeys(filter(None, map(self._form, rule.left))) if group else ()
            for form in forms:
                self._groups.setdefault(form, []).append(group)
        self._sizes = _sizes_of(self._groups)

    def read(self, words: Sequence[str]) -> Iterator[str | Group]:
        """Yield the words of a query in order, and groups in place of those with synonyms.

        A group that occurs several times is the same object each time. InputError if the groups
        have too many alternatives together, which words in several long rules can cause.
        """
        forms, at = [self._tokens[word] for word in words], 0
        merged: dict[tuple[str, ...], Group] = {}
        sizes: dict[int, int] = {}
        while at < len(words):
            form = self._longest(forms, at)
            if not form:
                yield words[at]
                at += 1
                continue
            if form not in merged:
                merged[form] = _merged(self._groups[form])
                sizes[id(merged[form])] = len(merged[form])
                if sum(sizes.values()) > MOST_ALTERNATIVES:
                    raise _too_many()
            yield merged[form]
            at += len(form)

    def _longest(self, forms: Sequence[str], at: int) -> tuple[str, ...]:
        """Return the longest entry that begins at a word of a query; nothing if none does."""
        found = (tuple(forms[at : at + size]) for size in self._sizes.get(forms[at], ()))
        return next((form for form in found if form in self._groups), ())

    def _form(self, text: str) -> tuple[str, ...]:
        """Return the words of an entry as they are compared: by their tokens."""
        return tuple(self._tokens[word] for word in self._tokens.words(text))

    def _terms(self, text: str) -> tuple[str, ...]:
        """Return the tokens that a field must hold for an entry, all of them."""
        words = self._tokens.words(text)
        some = [word for word in words if word.lower() not in self._stopped] or words
        return tuple(dict.fromkeys(self._tokens.joined(some).split()))


def _sizes_of(forms: Iterable[tuple[str, ...]]) -> Mapping[str, Sequence[int]]:
    """Return how many words the entries with a first word have, the longest first."""
    found: dict[str, set[int]] = {}
    for form in forms:
        found.setdefault(form[0], set()).add(len(form))
    return {first: sorted(sizes, reverse=True) for first, sizes in found.items()}


def _merged(groups: Sequence[Group]) -> Group:
    """Join the groups of several rules; the group of a single rule stays the object it is."""
    return groups[0] if len(groups) == 1 else tuple(dict.fromkeys(chain.from_iterable(groups)))


def _too_many() -> InputError:
    problem = f"the words of the query have more than {MOST_ALTERNATIVES:,} synonyms"
    return InputError(problem, where="synonyms", hint="shorten the query or the rules")


def check_rules(rules: Sequence[str]) -> None:
    """Refuse rules that cannot be read, by the number of the first one."""
    for _ in _parsed(rules):
        continue


def _parsed(rules: Sequence[str]) -> Iterator[Rule]:
    for number, text in enumerate(rules, 1):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        sides = [_entries(side) for side in ARROW.split(text)]
        wrong, hint = _wrong(sides), "write car, automobile or laptop => notebook, laptop"
        if not wrong:
            wrong, hint = _too_long(sides)
        if wrong:
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


def _too_long(sides: Sequence[Sequence[str]]) -> tuple[str, str]:
    """Say which limit a rule exceeds and what to do; nothing where it exceeds none."""
    if any(len(side) > MOST_ENTRIES for side in sides):
        return f"more than {MOST_ENTRIES:,} entries in a rule", "split the rule into several ones"
    if any(len(Tokens.words(entry)) > MOST_WORDS for side in sides for entry in side):
        return f"an entry of more than {MOST_WORDS:,} words", "separate entries by commas"
    return "", ""


def _entries(side: str) -> list[str]:
    parts = (ESCAPED.sub(r"\1", part).strip() for part in COMMA.split(side))
    return [part for part in parts if part]
