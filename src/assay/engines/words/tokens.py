"""Text -> tokens: every identifier whole and in its parts, words stemmed, CJK in pairs.

``parseHTTPHeader`` becomes parsehttphead, pars, http, header; ``retry_counts`` becomes
retry_counts, retri, count. A word without parts is stemmed, and so is a whole identifier that is
one in small letters, so that it is found by parsehttpheader; others are not. Scripts that are
written without spaces give their characters and each pair of neighbours, so that any part can be
found. Case, compatibility forms and composition do not matter (Unicode's NFKC and case folding);
accents do, unless the stemmer of the language removes them.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise
from sys import intern

from assay.engines.words.check_tantivy import check_tantivy
from assay.engines.words.languages import DEFAULT, NO_LANGUAGE, check_language

__all__ = ["LONGEST", "VERSION", "Tokens", "dotted", "last_part", "tokens_of"]

VERSION = 3  # change it whenever any text may give other tokens: indexes know it
KNOWN = 1 << 18  # words that are remembered: those of a large repository, in about 50 MB
TEXTS = 1 << 13  # texts whose tokens are remembered, in about 50 MB
LONGEST = 128  # characters; longer words are data, not names
PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]+|(?=.{8})[0-9a-fA-F]*[0-9][0-9a-fA-F]*")
DOTTED = re.compile(r"(?<!\w)[^\W\d]\w*+(?:(?:\.|::|#)\w++)+")  # never looks back
MARKS = re.compile(r"[^\w\s]{31}")  # what may be a run of accents: to find all of them takes longer
DOTTED_I = "i\u0307"  # what case folding makes of the capital i of Turkish
SEPARATOR = re.compile(r"::|#")
QUALIFIER = re.compile(r"\.|::|#")
# Scripts without spaces: Thai to Myanmar, Khmer, kana, Han, Hangul (whose words take endings).
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)


class Tokens(dict[str, str]):
    """Remembers the tokens of each word, for words repeat; call it with a text.

    The tokens come joined by spaces, ready for an analyzer that splits at spaces.
    """

    def __init__(self, language: str = DEFAULT) -> None:
        super().__init__()
        self._stem = _stemmer(check_language(language)) if language != NO_LANGUAGE else str
        # The same chunks are looked at for query after query.
        self.distinct = lru_cache(maxsize=TEXTS)(self._distinct)

    def __call__(self, text: str) -> str:
        """Return the tokens of a text in order, joined by spaces."""
        return self.joined(self.words(text))

    @staticmethod
    def words(text: str) -> list[str]:
        """Return the words of a text, not yet taken apart."""
        if text.isascii():
            return _words().findall(text)
        # To sort a long run of accents takes the square of its length; none has more than a few.
        if MARKS.search(text):
            text = _accents().sub(r"\1", text)
        return _any_words().findall(unicodedata.normalize("NFKC", text))

    def _distinct(self, text: str) -> frozenset[str]:
        """Return the tokens of a text, each once."""
        return frozenset(
            intern(token) for word in set(self.words(text)) for token in self[word].split()
        )

    def joined(self, words: Iterable[str]) -> str:
        """Return the tokens of words in order, joined by spaces."""
        return " ".join(map(self.__getitem__, words))

    def __missing__(self, word: str) -> str:
        """Take apart a word that was not seen before."""
        if len(word) > LONGEST:  # data, which comes once: remembered, it would fill the memory
            return self[word[:LONGEST]]
        if len(self) >= KNOWN:
            self.clear()
        self[word] = tokens = " ".join(_tokens(word, self._stem))
        return tokens


def dotted(text: str) -> Iterator[str]:
    """Yield the qualified names and file names in a text, whole: ``Class::call`` as class.call."""
    for match in DOTTED.finditer(text):
        if len(name := match.group()) <= LONGEST:
            yield SEPARATOR.sub(".", _fold(name))


def last_part(name: str) -> str:
    """Return what a qualified name names: ``Class::call`` gives call."""
    return QUALIFIER.split(name)[-1] or name


@cache
def tokens_of(language: str = DEFAULT) -> Tokens:
    """Return the one tokenizer of a language, which all indexes share."""
    return Tokens(language)


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    """Return the stemmer of a language (Snowball's, as tantivy has it)."""
    check_tantivy()
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    analyzer = TextAnalyzerBuilder(Tokenizer.raw()).filter(Filter.stemmer(language)).build()
    if language == "turkish":
        return lambda word: analyzer.analyze(word.replace(DOTTED_I, "i"))[0]
    return lambda word: analyzer.analyze(word)[0]


def _tokens(word: str, stem: Callable[[str], str]) -> Iterable[str]:
    if not word.isascii() and _unspaced().search(word):
        return _pieces(word, stem)
    parts, whole = _parts(word), _fold(word)
    if not parts:
        return []
    if parts == [word]:
        return [stem(whole)]
    first = stem(whole) if _parts(whole) == [whole] else whole
    return [first, *(stem(_fold(part)) for part in parts)]


def _parts(word: str) -> list[str]:
    """Split an identifier where its case changes, at digits and at underscores."""
    if len(word) >= LONGEST or HEXADECIMAL.fullmatch(word):
        return [word]
    if word.isascii():
        return PARTS.findall(word)
    shape = "".join(map(_shape, word))
    return [word[slice(*match.span())] for match in PARTS.finditer(shape)]


def _shape(character: str) -> str:
    """Return an ASCII character of the same kind: capital, digit, underscore or letter."""
    if character == "_" or character.isdigit():
        return "_" if character == "_" else "0"
    return "A" if character.isupper() else "a"


def _pieces(word: str, stem: Callable[[str], str]) -> Iterator[str]:
    """Cut a word with unspaced script: its characters, their pairs, and what stands between."""
    at = 0
    for match in _unspaced().finditer(word):
        yield from _tokens(word[at : match.start()], stem)
        run = _fold(match.group())
        yield from run
        yield from map("".join, pairwise(run))
        at = match.end()
    yield from _tokens(word[at:], stem)


def _fold(word: str) -> str:
    """Make case meaningless."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", word.casefold())


@cache
def _words() -> re.Pattern[str]:
    return re.compile(r"\w+", re.ASCII)


@cache
def _any_words() -> re.Pattern[str]:
    """Match words of all scripts; to Python, vowel signs and accents are not part of a word."""
    marks = (chr(code) for code in range(0x300, 0x3100))
    joined = "".join(mark for mark in marks if unicodedata.category(mark) in ("Mn", "Mc"))
    return re.compile(rf"[\w{joined}]+")


@cache
def _accents() -> re.Pattern[str]:
    """Match more marks in a row than any language writes (Unicode's UAX 15 allows for 30)."""
    marks = "".join(filter(unicodedata.combining, map(chr, range(0x300, 0x1F000))))
    return re.compile(rf"([{marks}]{{30}})[{marks}]+")


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{UNSPACED}]+")
