"""The join of a run with its judgments, against a plain dictionary."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
import assay.records.lookup as lookup_module
from assay.datasets.load_judgments import load_judgments
from assay.rankings.judge import judge
from assay.rankings.load import load


def joined(qrels, run):
    """Return {query: [(rank, grade), ...]} of the judged hits, by way of the code."""
    judged = judge(load_judgments(qrels), load(run))
    table = {query: [] for query in judged.queries}
    for query, rank, grade in zip(judged.query, judged.rank, judged.grade, strict=True):
        table[judged.queries[query]].append((int(rank), int(grade)))
    retrieved = dict(zip(judged.queries, judged.retrieved.tolist(), strict=True))
    return table, retrieved


def by_dictionary(qrels, run):
    table = {}
    for query, grades in qrels.items():
        order = sorted(run.get(query, {}), key=str.encode, reverse=True)
        order.sort(key=lambda d, query=query: -run[query][d])
        table[query] = [(n, grades[d]) for n, d in enumerate(order, 1) if d in grades]
    return table, {query: len(run.get(query, {})) for query in qrels}


# Ids of 1 to 40 bytes that share beginnings, ends and words of eight bytes.
beginnings = st.sampled_from(["", "prefix/of/8", "12345678", "1234567812345678"])
ids = st.one_of(
    st.integers(1, 40).map(lambda n: "x" * n),
    st.tuples(beginnings, st.sampled_from("abé")).map("".join),
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=10),
)
queries = st.text(st.sampled_from("12é"), min_size=1, max_size=12)


def tables(numbers):
    rows = st.dictionaries(ids, numbers, min_size=1, max_size=8)
    return st.dictionaries(queries, rows, min_size=1, max_size=5)


@settings(max_examples=100, deadline=None)
@given(tables(st.integers(-2, 4)), tables(st.integers(-3, 3)))
def test_agrees_with_a_dictionary(qrels, run):
    assert joined(qrels, run) == by_dictionary(qrels, run)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_most_of_a_run_judged_in_another_order_of_queries(data):
    pool = data.draw(st.lists(ids, min_size=4, max_size=12, unique=True))
    names = data.draw(st.lists(queries, min_size=2, max_size=5, unique=True))
    subset = st.lists(st.sampled_from(pool), min_size=1, unique=True)
    qrels = {query: dict.fromkeys(data.draw(subset), 1) for query in names}
    run = {
        query: {d: float(n) for n, d in enumerate(data.draw(subset))}
        for query in data.draw(st.permutations(names))
    }
    assert joined(qrels, run) == by_dictionary(qrels, run)


def large(seed, queries, depth, pool):
    rng = random.Random(seed)
    names = [f"doc-{'0' * rng.randrange(30)}{n}" for n in range(pool)]
    qrels = {
        f"q{n}": {
            d: rng.randrange(-1, 4) for d in rng.sample(names, rng.randrange(1, min(60, pool)))
        }
        for n in range(queries)
    }
    asked = rng.sample([f"q{n}" for n in range(queries + 20)], queries)  # some only in one of both
    run = {q: {d: rng.random() for d in rng.sample(names, rng.randrange(1, depth))} for q in asked}
    return qrels, run


@pytest.mark.parametrize("chunk", [1, 7, 1 << 15])
def test_many_queries_whatever_the_size_of_the_pieces(chunk, monkeypatch):
    monkeypatch.setattr(lookup_module, "CHUNK", chunk)
    qrels, run = large(chunk, queries=150, depth=60, pool=100)
    assert joined(qrels, run) == by_dictionary(qrels, run)


def test_fingerprints_that_all_collide_slow_it_down_but_do_not_mislead(monkeypatch):
    def constant(words, seeds):
        return np.zeros(len(words), np.uint64)

    monkeypatch.setattr(lookup_module, "fingerprints", constant)
    qrels, run = large(1, queries=8, depth=30, pool=40)
    assert joined(qrels, run) == by_dictionary(qrels, run)


def test_rows_of_queries_may_be_scattered_over_the_file(tmp_path):
    qrels, run = large(3, queries=10, depth=20, pool=30)
    lines = [f"{q} Q0 {d} 0 {s!r} tag" for q, row in run.items() for d, s in row.items()]
    random.Random(0).shuffle(lines)
    path = tmp_path / "scattered.run"
    path.write_text("\n".join(lines) + "\n")
    assert joined(qrels, path) == by_dictionary(qrels, run)


def test_an_id_is_not_its_prefix_and_not_the_same_id_of_another_query():
    qrels = {"1": {"abcdefgh": 1}, "2": {"abcdefghi": 1}}
    run = {"1": {"abcdefghi": 1.0}, "2": {"abcdefgh": 1.0, "abcdefghi": 0.5}}
    assert joined(qrels, run)[0] == {"1": [], "2": [(2, 1)]}


def test_nothing_judged_was_retrieved():
    result = assay.evaluate({"q": {"a": 1}}, {"q": {"b": 1.0}}, "ndcg@10,mrr", unjudged="condense")
    assert set(result.scores.values()) == {0.0}
