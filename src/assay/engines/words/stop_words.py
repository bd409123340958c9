"""Words that carry grammar, not meaning: a question is searched without them."""

import unicodedata
from collections import Counter
from collections.abc import Container
from functools import cache

from assay.engines.words.check_tantivy import check_tantivy
from assay.engines.words.languages import DEFAULT, LISTED, NO_LANGUAGE
from assay.engines.words.tokens import Tokens
from assay.errors import InputError
from assay.text.near_miss import did_you_mean

__all__ = ["STOP_WORDS", "meaning", "stop_words"]

ARTICLES = "a an the this that these those such"
PRONOUNS = "i me my we our you your he him his she her it its they them their"
QUESTIONS = "what which who whom when where why how"
AUXILIARIES = (
    "am is are was were be been being have has had having do does did doing will would should "
    "could ought can"
)
PREPOSITIONS = (
    "of in into on at by for from to up down with about above below between through during before "
    "after under over out off"
)
CONJUNCTIONS = "and or but if as than then so"
AMOUNTS = "all any both each few more most other some no not only very too just own same"
PLACES = "here there again further once"
ENDINGS = "s t"  # of it's and don't, once the apostrophe has parted them
STOP_WORDS = frozenset(
    " ".join(
        (
            ARTICLES, PRONOUNS, QUESTIONS, AUXILIARIES, PREPOSITIONS, CONJUNCTIONS, AMOUNTS,
            PLACES, ENDINGS,
        )
    ).split()
)  # fmt: skip


@cache
def stop_words(chosen: str | tuple[str, ...]) -> Container[str]:
    """Return the stop words of a language, none, or these; all in lower case."""
    if not isinstance(chosen, str):
        lower = (unicodedata.normalize("NFKC", word).lower() for word in chosen)
        return frozenset(part for word in lower for part in Tokens.words(word))
    if chosen in (DEFAULT, NO_LANGUAGE):
        return STOP_WORDS if chosen == DEFAULT else frozenset()
    if chosen not in LISTED:
        hint = did_you_mean(chosen, [*LISTED, NO_LANGUAGE])
        raise InputError(f'no stop words of "{chosen}"', where="stop_words", hint=hint)
    return _Listed(chosen)


class _Listed:
    """The stop words of a language in tantivy, which can only be asked for one."""

    def __init__(self, language: str) -> None:
        check_tantivy()
        from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

        words = TextAnalyzerBuilder(Tokenizer.raw()).filter(Filter.stopword(language))
        self._analyzer = words.build()

    def __contains__(self, word: object) -> bool:
        return not self._analyzer.analyze(str(word))


def meaning(text: str, tokens: Tokens, stopped: Container[str] = STOP_WORDS) -> Counter[str]:
    """Count the terms of a question without its stop words, unless there are no others."""
    words = tokens.words(text)
    some = [word for word in words if word.lower() not in stopped]
    return Counter(tokens.joined(some).split()) or Counter(tokens.joined(words).split())
