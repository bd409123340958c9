"""Names in less room: what all of them share goes first, and what differs never."""

import re
from collections.abc import Callable, Sequence
from itertools import takewhile

from assay.text.truncate import cut_middle

__all__ = ["bare", "shorten_names"]

KEY = re.compile(r"(?<![^ ])[a-z_.0-9]+=(?=[^ ])")  # of a setting in the name of a run
NUMBER = re.compile(r" {0,3}\d{1,4} (?=.)")  # of a row
WORD = re.compile(r"[^\W\d_]+")
LETTERS = (8, 6, 5, 4, 3, 2)  # that are left of each word


def bare(name: str) -> str:
    """Leave out the keys of settings.

    >>> bare("hybrid chunk_size=512 rerank=maxsim")
    'hybrid 512 maxsim'
    """
    return KEY.sub("", name)


def shorten_names(names: Sequence[str], limit: int) -> tuple[str, ...]:
    """Bring names down to ``limit`` characters; those that would look alike get a number.

    Keys of settings go first, then the words that all have in common, then the ends of words; only
    then are names cut. A number that each of them begins with stays.

    >>> shorten_names(["hybrid code 256 maxsim", "hybrid code 512 maxsim"], 15)
    ('code 256 maxsim', 'code 512 maxsim')
    """
    numbers = _numbers(names)
    rest = [name[len(number) :] for name, number in zip(names, numbers, strict=True)]
    room = limit - max(map(len, numbers), default=0)
    for step in (_without_keys, _without_shared(room), _abbreviated(room)):
        if any(len(name) > room for name in rest):
            rest = _if_apart(rest, step(rest))
    cut = _cut_apart(rest, room)
    return tuple(number + name for number, name in zip(numbers, cut, strict=True))


def _numbers(names: Sequence[str]) -> list[str]:
    """Return the number that each name begins with; nothing, unless all do and all differ."""
    found = [one[0] if (one := NUMBER.match(name)) else "" for name in names]
    distinct = dict.fromkeys(name for name in names)
    return found if len(set(found)) == len(distinct) and all(found) else [""] * len(names)


def _if_apart(names: list[str], shorter: list[str]) -> list[str]:
    """Take shorter names where all that differed still do, and none is empty."""
    pairs = set(zip(names, shorter, strict=True))
    return shorter if all(shorter) and len(pairs) == len(set(shorter)) else names


def _without_keys(names: list[str]) -> list[str]:
    return [bare(name) for name in names]


def _without_shared(limit: int) -> Callable[[list[str]], list[str]]:
    def without(names: list[str]) -> list[str]:
        """Leave out words that all names have, the first ones first, until the names fit."""
        words = [name.split(" ") for name in names]
        shared = set.intersection(*map(set, words)) if len(set(names)) > 1 else set()
        out: set[str] = set()
        for word in (one for one in words[0] if one in shared):
            if max(map(len, names)) <= limit:
                break
            out.add(word)
            names = [" ".join(one for one in each if one not in out) for each in words]
        return names

    return without


def _abbreviated(limit: int) -> Callable[[list[str]], list[str]]:
    def abbreviated(names: list[str]) -> list[str]:
        """Cut the ends of words where there are several, as little as needed."""
        for letters in LETTERS if all(" " in name for name in names if len(name) > limit) else ():
            short = [_begun(name, letters) for name in names]
            if max(map(len, short)) <= limit and _if_apart(names, short) == short:
                return short
        return names

    return abbreviated


def _begun(name: str, letters: int) -> str:
    """Keep the beginning of each word, and all numbers; a name of one word stays whole."""
    return WORD.sub(lambda word: word[0][:letters], name) if " " in name else name


def _cut_apart(names: list[str], limit: int) -> list[str]:
    """Cut names in their middle, or at the beginning that they share; number what is alike."""
    start = _shared_start(names)
    ways = (
        [_cut(name, limit) for name in names],
        [_cut(f"…{name[start:]}" if len(name) > limit else name, limit) for name in names],
    )
    for way in ways:
        if len(set(way)) == len(set(names)):
            return way
    return _counted(names, limit)


def _shared_start(names: list[str]) -> int:
    """Count the letters that all names begin with, if they are not all the same."""
    first, last = min(names, default=""), max(names, default="")
    alike = (a == b for a, b in zip(first, last, strict=False))
    return sum(1 for _ in takewhile(bool, alike)) if first != last else 0


def _counted(names: list[str], limit: int) -> list[str]:
    short: dict[str, str] = {}
    for name in dict.fromkeys(names):
        cut, number = _cut(name, limit), 2
        while cut in short.values():
            cut, number = f"{_cut(name, limit - 2)}~{number}", number + 1
        short[name] = cut
    return [short[name] for name in names]


def _cut(name: str, limit: int) -> str:
    return cut_middle(name, limit, tail=limit - limit // 2 - 1)
