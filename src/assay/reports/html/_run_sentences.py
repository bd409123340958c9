"""Sentences in which every run is set apart, by its colour and its name."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from assay.records import Report
from assay.reports.runs.phrases.run_label import LISTED, LONGEST
from assay.reports.runs.phrases.run_numbers import is_numbered
from assay.reports.shorten_names import shorten_names
from assay.text import sanitize
from assay.text.quote import quote

__all__ = ["run_sentences"]

FEW = 3  # runs whose names are told in full, however long
Part = dict[str, Any]
# Commands stand in backticks, runs as `run 3 (name)`, `runs 3, 6` or in quotation marks; a name
# that begins a line, or that is no plain word, may stand bare; in older reports a plain word may be
# a name, but not where it follows what no name does ("is broken").
PARTS = (
    r"`(?P<code>(?:assay |ship_if: |race: |dataset: |--)[^`\n]+)`"
    r"|(?P<quoted>{quoted})|[Rr]un (?P<called>{called})"
    r"|(?P<word>[Rr]uns )(?P<listed>{listed})|\A(?P<head>{names})(?=: | \(|\. )"
    r"|(?<![\w=-])(?P<bare>{bare})(?![\w=-])"
    r"|(?<![\w=-])(?<!is )(?<!are )(?<!the )(?<!\d )(?P<word_like>{word_like})(?![\w=-])"
)
BEGUN = re.compile(r"[a-z]+,? (?:[a-z]|$)")  # of a sentence, which is no name of a metric
NEVER = "(?!)"


def run_sentences(report: Report) -> Callable[..., list[Part]]:
    """Return what cuts a sentence into words, commands and runs.

    Sentences that a report holds, which are ``stored``, had bare names before they were quoted.
    """
    names = [run.name for run in report.runs]
    short = _short(names)
    places = {name: at for at, name in enumerate(names, 1)}
    forms = _forms(names)
    new = _pattern(forms, places)
    old = _pattern(forms, places, words=True) if _is_old(report, names) else new
    known = {**places, **{form: at for one in forms.values() for form, at in one.items()}}

    def cut(text: str, *, stored: bool = False) -> list[Part]:
        parts = [*_cut(text, old if stored else new, known)]
        if parts and not parts[0]["run"] and BEGUN.match(parts[0]["text"]):
            parts[0]["text"] = parts[0]["text"][0].upper() + parts[0]["text"][1:]
        for one in parts:
            one["name"] = names[one["run"] - 1] if one["run"] else ""
            one["text"] = short[one["run"] - 1] if one["run"] else one["text"]
        return parts

    return cut


def _short(names: list[str]) -> list[str]:
    """Shorten the names that a sentence has no room for, where there are many."""
    if len(names) <= FEW:
        return names
    pairs = zip(names, shorten_names(names, LONGEST), strict=True)
    return [less if len(name) > LONGEST else name for name, less in pairs]


def _forms(names: list[str]) -> dict[str, dict[str, int]]:
    """Return what a run is called in sentences, and its number."""
    short = shorten_names(names, LONGEST) if is_numbered(names or [""]) else []
    marked = {quote(one): at for at, name in enumerate(names, 1) for one in (name, sanitize(name))}
    called = {f"{at} ({sanitize(name)})": at for at, name in enumerate(short, 1)}
    return {"quoted": marked, "called": called}


def _pattern(
    forms: Mapping[str, Mapping[str, int]], places: Mapping[str, int], *, words: bool = False
) -> re.Pattern[str]:
    """Match what is cut out; ``words`` that are names, too."""
    numbers = r"\d+(?:, \d+)*" if forms["called"] else NEVER
    told = {key: _either(one) for key, one in forms.items()} | {"names": _either(places)}
    told |= {"bare": _either([name for name in places if _may_stand_bare(name)])}
    told |= {"word_like": _either([name for name in places if name.isalpha() and words])}
    return re.compile(PARTS.format(**told, listed=numbers))


def _may_stand_bare(name: str) -> bool:
    """Tell a name from words and numbers, of which sentences have others."""
    return not name.isalpha() and any(letter.isalpha() for letter in name)


def _either(texts: Mapping[str, int] | list[str]) -> str:
    """Match one of some texts, the longest first."""
    some = [one for one in texts if one.strip()]
    return "|".join(map(re.escape, sorted(some, key=len, reverse=True))) or NEVER


def _is_old(report: Report, names: list[str]) -> bool:
    """Tell whether a report was written when names stood in sentences without any mark."""
    compared = report.comparisons
    told = [report.winner.get("sentence"), *(one.get("reason") for one in _picks(report))]
    told += [one.verdict.reason for one in compared.candidates] if compared else []
    text = " ".join(map(str, told))
    return not any(quote(name) in text for name in names)


def _picks(report: Report) -> Iterator[Mapping[str, Any]]:
    yield from (one for one in report.recommendations.values() if isinstance(one, Mapping))


def _cut(text: str, pattern: re.Pattern[str], known: Mapping[str, int]) -> Iterator[Part]:
    end = 0
    for found in pattern.finditer(text):
        if found.start() > end:
            yield _part(text[end : found.start()])
        yield from _parts(found, known)
        end = found.end()
    if end < len(text):
        yield _part(text[end:])


def _parts(found: re.Match[str], known: Mapping[str, int]) -> Iterator[Part]:
    if found["code"]:
        yield _part(found["code"], code=True)
    elif found["listed"]:
        yield from _listed(found, known)
    else:
        ways = ("quoted", "called", "head", "bare", "word_like")
        text = next(one for one in found.group(*ways) if one)
        yield _part(text, run=known[text])


def _listed(found: re.Match[str], known: Mapping[str, int]) -> Iterator[Part]:
    """Name a few runs in a row; many stay numbers, which tables have, too."""
    numbers = [int(one) for one in found["listed"].split(", ")]
    long, last = len(numbers) > LISTED, len(numbers) - 1
    named = not long and all(0 < number <= max(known.values()) for number in numbers)
    yield from [] if named else [_part(found["word"])]
    for at, number in enumerate(numbers):
        yield from [_part(" and " if named and at == last else ", ")] if at else []
        is_run = 0 < number <= max(known.values())
        yield _part(str(number), run=number * is_run, long=long)


def _part(text: str, *, run: int = 0, code: bool = False, long: bool = False) -> Part:
    return {"text": text, "run": run, "code": code, "long": long}
