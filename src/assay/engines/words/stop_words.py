"""English words that carry grammar, not meaning: a question is searched without them."""

from collections import Counter

from assay.engines.words.tokens import Tokens

__all__ = ["STOP_WORDS", "meaning"]

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


def meaning(text: str, tokens: Tokens) -> Counter[str]:
    """Count the terms of a question without its stop words, unless there are no others."""
    words = tokens.words(text)
    some = [word for word in words if word.lower() not in STOP_WORDS]
    return Counter(tokens.joined(some).split()) or Counter(tokens.joined(words).split())
