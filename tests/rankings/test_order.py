from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.columns.triples import gather
from assay.rankings.order import order
from assay.records import decode, encode

tiny = 5e-324
few_scores = st.sampled_from([0.0, -0.0, 1.0, -1.0, tiny, -tiny, 1e308, -1e308, 1.0 + 2**-52])
any_score = st.floats(allow_nan=False, allow_infinity=False)
prefixes = st.sampled_from(["", "x" * 7, "x" * 8, "x" * 16, "x" * 24, "y" * 8, "é" * 4])
tails = st.text(st.sampled_from("ab~é\u07ff\u20ac\U0001f600\x01"), max_size=4)
ids = st.builds(str.__add__, prefixes, tails).filter(bool)


def queries_of(scores):
    query = st.dictionaries(ids, scores, max_size=12)
    return st.dictionaries(st.sampled_from("qrst"), query, min_size=1, max_size=4)


def triples_of(table):
    documents = [document for row in table.values() for document in row]
    values = np.array([score for row in table.values() for score in row.values()], np.float64)
    lengths = [len(row) for row in table.values()]
    return gather(list(table), lengths, encode(documents), values, str)


def by_python(row, ties):
    """Sort twice, stably: by the tie rule, then by score."""
    pairs = list(row.items())
    if ties != "order":
        pairs.sort(key=lambda pair: pair[0].encode(), reverse=True)
    return [document for document, _ in sorted(pairs, key=lambda pair: -pair[1])]


def test_by_hand():
    table = {"q": {"b": 1, "c": 2, "a": 1, "d": 1}, "r": {"b": 1, "a": 1}}
    ranked = order(triples_of(table), name="run")
    assert decode(ranked.documents) == ["c", "d", "b", "a", "b", "a"]
    assert ranked.scores.tolist() == [2, 1, 1, 1, 1, 1]
    assert ranked.tied == 3
    kept = order(triples_of(table), name="run", ties="order")
    assert decode(kept.documents) == ["c", "b", "a", "d", "b", "a"]


@pytest.mark.parametrize("ties", ["docid", "order", "expected"])
@given(table=st.one_of(queries_of(few_scores), queries_of(any_score), queries_of(st.just(1.0))))
@example(table={"q": {"xxxxxxxxa": 0.0, "xxxxxxxxb": -0.0, "xxxxxxxx": 0.0}})
@example(table={"q": {}, "r": {"a": 1.0, "b": 1.0}, "s": {}, "t": {"c": 1.0, "d": 2.0}})
@example(table={"q": {"a": 1e308, "b": -1e308}})
@example(table={"q": {"z": 1.0, "\u00e9": 1.0, "\U0001f600": 1.0, "\uffee": 1.0}})
def test_as_python_sorts(table, ties):
    ranked = order(triples_of(table), name="run", ties=ties)
    assert ranked.queries == tuple(table)
    for query, row in table.items():
        assert ranked.top(query) == by_python(row, ties)
    scores = [sorted(row.values(), reverse=True) for row in table.values()]
    assert ranked.scores.tolist() == [score for row in scores for score in row]
    assert ranked.tied == sum(a == b for row in scores for a, b in pairwise(row))


def test_near_ties_are_no_ties_in_float64():
    """pytrec_eval compares in float32, where these two are equal."""
    ranked = order(triples_of({"q": {"b": 1.0, "a": 1.00000001}}), name="run")
    assert (decode(ranked.documents), ranked.tied) == (["a", "b"], 0)


def test_the_rows_that_came_in_are_left_alone():
    triples = triples_of({"q": {"a": 1.0, "b": 1.0, "c": 2.0}})
    order(triples, name="run")
    assert decode(triples.documents) == ["a", "b", "c"]
    assert triples.values.tolist() == [1, 1, 2]


@pytest.mark.parametrize("length", [65_535, 65_536, 65_537, 131_073])
def test_long_runs(length):
    """Rows are looked at in pieces of 65,536; nothing may get lost where two pieces meet."""
    chance = np.random.default_rng(length)
    scores = np.round(chance.random(length), 4)
    names = [f"d{n}" for n in range(length)]
    sizes = [length // 2, 1, 0, length - length // 2 - 1]
    ranked = order(gather(list("qrst"), sizes, encode(names), scores, str), name="run")
    starts = np.concatenate(([0], np.cumsum(sizes)))
    expected = []
    for low, high in pairwise(starts):
        row = dict(zip(names[low:high], scores[low:high].tolist(), strict=True))
        expected += by_python(row, "docid")
    assert decode(ranked.documents) == expected
