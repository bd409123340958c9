"""Qdrant's own: BM25 in sparse vectors, its local mode, and settings that it refuses."""

import math
import sys
from collections import Counter
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest

from assay.engines.stores._qdrant_wait import wait
from assay.engines.stores.qdrant import qdrant
from assay.errors import InputError
from assay.records import untracked

pytestmark = pytest.mark.server

KEY = "a-secret-key"
KEYED = {"url": "http://localhost:1"}


def fill(store, texts, vectors=None):
    rows = np.arange(len(texts))
    dimension = 0 if vectors is None else vectors.shape[1]
    store.fill([(rows, texts, vectors)], dimension=dimension, total=len(texts))


TEXTS = ["apple", "apple apple pear", "", "pear plum", "plum plum plum plum", "grape apple plum"]


def bm25(query):
    """BM25 by its formula (k1 1.2, b .75) over the texts that have words."""
    counted = {row: Counter(text.split()) for row, text in enumerate(TEXTS) if text}
    mean = sum(one.total() for one in counted.values()) / len(counted)
    scores = Counter()
    for word, times in Counter(query.split()).items():
        holding = [row for row, one in counted.items() if word in one]
        rarity = math.log(1 + (len(counted) - len(holding) + 0.5) / (len(holding) + 0.5))
        for row in holding:
            tf, length = counted[row][word], counted[row].total()
            weight = tf * 2.2 / (tf + 1.2 * (1 - 0.75 + 0.75 * length / mean))
            scores[row] += times * rarity * weight
    return dict(scores)


@pytest.mark.parametrize("query", ["plum", "apple plum", "grape pear pear", "apple nothing"])
def test_words_are_scored_by_bm25(query):
    wanted = bm25(query)
    with closing(qdrant()) as store:
        fill(store, TEXTS)
        found = store.lexical(query, 10)

    scores = dict(zip(found.rows.tolist(), found.scores.tolist(), strict=True))
    assert scores == pytest.approx(wanted, rel=1e-5)
    assert found.rows.tolist() == sorted(wanted, key=lambda row: (-scores[row], row))


def test_words_are_our_tokens():
    with closing(qdrant()) as store:
        fill(store, ["def parseHTTPHeader(self):", "the houses", "東京都"])

        assert store.lexical("http header", 5).rows.tolist() == [0]
        assert store.lexical("house", 5).rows.tolist() == [1]
        assert store.lexical("京都", 5).rows.tolist() == [2]
        assert store.lexical("unknown", 5).rows.tolist() == []


def test_local_mode_is_exact_and_says_what_it_is():
    store = qdrant()

    assert not store.approximate
    assert "local mode" in store.notes[0]


def test_bytes_are_those_of_vectors_and_words():
    with closing(qdrant()) as store:
        fill(store, ["one two", "two"], np.eye(2, dtype=np.float32))

        assert store.size_bytes() == 2 * 2 * 4 + 3 * 8


def test_many_points_give_no_warning(monkeypatch):
    """Qdrant warns above 20,000 points in local mode; here above 10. Warnings fail a test."""
    from qdrant_client.common import client_warnings
    from qdrant_client.local.local_collection import LocalCollection

    monkeypatch.setattr(LocalCollection, "LARGE_DATA_THRESHOLD", 10)
    monkeypatch.setattr(client_warnings, "SEEN_MESSAGES", set())
    with closing(qdrant()) as store:
        fill(store, ["word"] * 20)

        assert len(store.lexical("word", 50).rows) == 20


@pytest.mark.parametrize(
    ("settings", "where", "fact"),
    [
        ({"m": 8}, "m", "local mode"),
        ({"ef": 8}, "ef", "local mode"),
        ({"url": "http://localhost:1", "exact": True, "ef": 8}, "ef", "exact: true"),
        ({"m": 0}, "m", ">= 1"),
        ({"ef_construct": 3}, "ef_construct", ">= 4"),
        ({"ef": "many"}, "ef", '"many"'),
        ({"ef": True}, "ef", "true"),
        ({"api_key": KEY}, "api_key", "url"),
        ({"url": "localhost:6333"}, "url", "http://localhost:6333"),
        ({"url": "ftp://localhost"}, "url", "http://localhost:6333"),
        ({"url": "http://"}, "url", "http://localhost:6333"),
        ({"url": "http://host:port"}, "url", "http://localhost:6333"),
        ({"url": ""}, "url", "http://localhost:6333"),
        ({"url": 6333}, "url", "http://localhost:6333"),
        ({"url": f"http://user:{KEY}@localhost:6333"}, "url", "http://localhost:6333"),
        ({"url": "${ASSAY_NO_SUCH}"}, "url", "export ASSAY_NO_SUCH="),
        (KEYED | {"api_key": "${ASSAY_NO_SUCH}"}, "api_key", "export ASSAY_NO_SUCH="),
        (KEYED | {"api_key": 5}, "api_key", "in plain text"),
        (KEYED | {"api_key": KEY}, "api_key", "in plain text"),
        (KEYED | {"api_key": "${TWO_LINES}"}, "api_key", "line"),
        ({"url": f"http://localhost:1/?key={KEY}"}, "url", "http://localhost:6333"),
    ],
)
def test_a_setting_that_cannot_be_applied_is_refused(settings, where, fact, monkeypatch):
    monkeypatch.setenv("TWO_LINES", "line\nbreak")
    with pytest.raises(InputError) as refused:
        qdrant(**settings)

    assert refused.value.where == where
    assert refused.value.hint
    assert fact in str(refused.value)
    assert KEY not in str(refused.value)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "qdrant_client", None)

    with pytest.raises(InputError, match=r"install .*\[qdrant\]"):
        qdrant()


def state(status, indexed):
    return SimpleNamespace(status=SimpleNamespace(value=status), indexed_vectors_count=indexed)


def test_waiting_ends_when_it_is_green_twice_in_a_row():
    states = iter(
        [state("green", 0), state("grey", None), state("yellow", 3), *[state("green", 9)] * 2]
    )
    slept = []

    wait(lambda: next(states), 9, untracked, sleep=slept.append)

    assert len(slept) == 5


def test_waiting_has_a_bound():
    now = iter(range(0, 10**9, 100))

    with pytest.raises(InputError, match="1,800 s") as refused:
        wait(
            lambda: state("yellow", 0), 9, untracked, sleep=lambda _: None, clock=lambda: next(now)
        )

    assert "ef_construct" in refused.value.hint


@pytest.mark.parametrize("wrong", [{"exact": "false"}, {"words": "no"}, {"exact": 1}])
def test_a_switch_is_true_or_false(wrong):
    with pytest.raises(InputError, match="true or false") as refused:
        qdrant(**wrong)
    assert [refused.value.where] == list(wrong)
