"""How much of a query's words texts hold, without an index."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.engines.words.holding import holding, word_shares
from assay.engines.words.tokens import Tokens, tokens_of


def test_by_hand():
    shares = holding("where are the retries of a request")

    assert shares(["retry", "request, retried", "the", ""]).tolist() == [0.5, 1.0, 0.0, 0.0]


def test_scripts_without_spaces_match_by_characters_and_pairs():
    assert holding("検索")(["索引", "全文検索", "x"]).tolist() == [pytest.approx(1 / 3), 1.0, 0.0]


def test_without_a_stemmer_words_match_as_they_are(monkeypatch):
    monkeypatch.setattr("assay.engines.words.holding.find_spec", lambda _name: None)

    assert holding("retries")(["retry", "retries"]).tolist() == [0.0, 1.0]


def test_a_text_is_taken_apart_once_for_all_queries(monkeypatch):
    seen = []
    monkeypatch.setattr(Tokens, "words", staticmethod(counted(Tokens.words, seen)))
    shared = Tokens()

    for weights in ({"retri": 1.0}, {"request": 3.0, "retri": 1.0}):
        shares = word_shares(weights, shared)
        shares(["retry the request", "retry"])

    assert seen == ["retry the request", "retry"]
    assert shares(["retry the request", "retry"]).tolist() == [1.0, 0.25]


def counted(words, seen):
    def of(text):
        seen.append(text)
        return words(text)

    return of


@given(st.text())
def test_distinct_tokens_are_those_of_the_text(text):
    shared = tokens_of()
    assert shared.distinct(text) == set(shared(text).split())


@given(st.text(), st.text())
def test_a_share_is_one_where_the_query_stands(query, more):
    (share, whole) = holding(query)([more, f"{more}\n{query}"])

    assert 0 <= share <= whole <= 1
    assert whole in (0, 1)
