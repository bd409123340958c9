from collections import Counter

import pytest

from assay.engines.lexical._fields import CODE_WEIGHTS, WEIGHTS
from assay.engines.lexical._settings import LexicalSettings
from assay.engines.lexical._terms import QueryReader, Term, kept, rarity
from assay.engines.words.stop_words import STOP_WORDS


def settings(**given):
    usual = {"engine": "tantivy", "fields": WEIGHTS, "code_fields": CODE_WEIGHTS}
    return LexicalSettings(
        **usual | {"query_counts": True, "max_terms": 512, "code_terms": 64} | given
    )


def asked(text, **given):
    return QueryReader(settings(**given))(text)


def test_a_question_by_hand():
    found = asked("Where is the retry of a retry in Client.send?")

    assert found.words == {"retri": 2, "client": 1, "send": 1}
    assert found.whole == {"client.send": 1}
    assert (found.fields, found.limit, found.power, found.code) == (WEIGHTS, 512, 0.0, False)


def test_code_by_hand():
    found = asked("for x in the:\n    send(x, x)[x]")

    assert found.words == {"for": 1, "x": 1, "in": 1, "the": 1, "send": 1}
    assert (found.fields, found.limit, found.power, found.code) == (CODE_WEIGHTS, 64, 0.0, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("to be or not to be", {"to": 2, "be": 2, "or": 1, "not": 1}),  # there is nothing else
        ("what is __", {"what": 1, "is": 1}),  # and what else there is has no token
        ("THE Apple", {"appl": 1}),
        ("is_valid", {"is_valid": 1, "is": 1, "valid": 1}),  # a part of a name stays
        ("toBe", {"tobe": 1, "to": 1, "be": 1}),
        ("it's don't", {"don": 1}),
        ("were wing", {"wing": 1}),  # compared before stemming: "this" and "thi" differ
        ("thi", {"thi": 1}),
        ("", {}),
    ],
)
def test_stop_words(text, expected):
    assert asked(text).words == expected


def test_stop_words_are_plain_words():
    assert 110 <= len(STOP_WORDS) <= 140
    assert all(word.isascii() and word == word.lower() and word.isalpha() for word in STOP_WORDS)


def test_counts_only_if_told():
    assert asked("apple apple a.b a.b", query_counts=False).words == Counter({"appl": 1, "b": 1})
    assert asked("apple a.b a.b", query_counts=False).whole == {"a.b": 1}


@pytest.mark.parametrize(
    ("distinct", "power"), [(1, 0), (16, 0), (32, 1.5), (23, 0.7853429), (41, 2), (100, 2)]
)
def test_the_power_grows_with_the_terms_of_code(distinct, power):
    words = " ".join("".join(chr(97 + int(digit)) for digit in str(at)) for at in range(distinct))
    signs = "(" * (len(words) // 20 + 3)
    found = asked(f"{words}\n{signs}")
    assert len(found.words) == distinct
    assert found.power == pytest.approx(power)


def test_rarity_by_hand():
    assert rarity(1, 3) == pytest.approx(0.9808293)  # ln(1 + 2.5 / 1.5)
    assert rarity(0, 3) > rarity(1, 3) > rarity(3, 3) > 0


def test_of_a_question_those_are_kept_that_gain_most_of_code_the_rarest():
    terms = [
        Term("body", "common", 9, 90.0, 1.0),
        Term("body", "rare", 1, 10.0, 7.0),
        Term("path", "placed", 1, 30.0, 9.0),
        Term("body", "placed", 1, 30.0, 5.0),  # most common here: so rare it is
    ]

    def texts(found):
        return [term.text for term in found]

    prose, code = asked("a question", max_terms=2), asked("f(x)\n()", code_terms=1)
    assert texts(kept(terms, prose)) == ["common", "placed", "placed"]
    assert texts(kept(terms, code)) == ["rare"]
    assert kept(terms, asked("a question", max_terms=4)) is terms
