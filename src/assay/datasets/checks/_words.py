"""How a text becomes words: the same for a query and for the document that might hold it."""

import re
import unicodedata
from functools import lru_cache

__all__ = ["distinctive", "question", "running_text", "terms", "weight", "words"]

# Written without spaces between words: each character is taken for a word, and weighs half of one.
_DENSE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
# Vowel signs and accents that belong to the letter before them, though they are no letters.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff"
_LETTERS = rf"(?:[^\W{_DENSE}]|[{_MARKS}])+"
_NO_UNDERSCORE = rf"(?:[^\W_{_DENSE}]|[{_MARKS}])+"
_WORD = re.compile(rf"{_LETTERS}|[{_DENSE}]")
_TOKEN = re.compile(rf"{_LETTERS}[+#]*|[{_DENSE}]|[-=<>+*/%&|^~@$#\\!]+")
_SENTENCE = re.compile(r"[-!/]+")  # alone these part words, as in "and/or"; != and -> are operators
_PLAIN = re.compile(r"\w+")
_PART = re.compile(rf"{_NO_UNDERSCORE}|[{_DENSE}]")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))


def words(text: str) -> list[str]:
    r"""Split a text into words, whatever its case, line breaks, indentation and comment marks.

    >>> words("# Sorts a list,\n  # in place: my_list.sort()")
    ['sorts', 'a', 'list', 'in', 'place', 'my_list', 'sort']
    """
    if text.isascii():
        return _PLAIN.findall(text.lower())
    return _WORD.findall(_fold(text))


def running_text(text: str) -> str:
    """Write the words with one space between and around them, so that `in` finds whole words."""
    return f" {' '.join(words(text))} "


def question(text: str) -> tuple[str, ...]:
    """Normalise a query: case, Unicode and the marks of a sentence go, operators stay.

    >>> question("How do I sort, in C++?"), question("what's a != b")
    (('how', 'do', 'i', 'sort', 'in', 'c++'), ('whats', 'a', '!=', 'b'))
    """
    folded = _fold(text).replace("'", "").replace("’", "")
    tokens = _TOKEN.findall(folded)
    kept = tuple(token for token in tokens if not _SENTENCE.fullmatch(token))
    return kept or tuple(folded.split())


def weight(run: list[str]) -> float:
    """Count words, a character of a script without spaces as half of one."""
    return len(run) - sum(_dense(word) for word in run) / 2


def terms(text: str) -> frozenset[str]:
    """Return the stems of the words of a text and of the parts of its identifiers.

    >>> sorted(terms("JSONDecoder.raw_decode reads strings"))
    ['decode', 'decoder', 'json', 'raw', 'read', 'string']
    """
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    found: set[str] = set()
    found.update(*map(_stems, set(_PART.findall(plain))))
    return frozenset(found)


def distinctive(name: str) -> bool:
    """Tell a name that nobody writes by chance (``raw_decode``, ``a.py``) from a common word."""
    inner = name.strip("_")
    return any(mark in inner for mark in "_./\\:") or len(_CAMEL.split(inner)) > 1


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_INVISIBLE).casefold()


def _dense(word: str) -> bool:
    return len(word) == 1 and not word.isascii() and not _WORD.fullmatch("a" + word)


@lru_cache(maxsize=65536)
def _stems(word: str) -> tuple[str, ...]:
    return tuple(_stem(part.casefold()) for part in _CAMEL.split(word))


def _stem(word: str) -> str:
    """Take off a plural: the S stemmer of Harman (JASIS 1991), and -es after a hiss."""
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("us", "ss")):
        return word[:-1]
    return word
