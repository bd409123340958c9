"""The best score that any ranking reaches, where expected items share documents."""

from itertools import permutations
from json import dumps

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.benchmarks.runs.reachable import reachable
from assay.metrics import parse, parse_all
from assay.records import Judgments
from assay.reports.runs.json.json import json
from assay.reports.runs.json.read import load_report
from assay.reports.runs.tables.summary import summary


def best(items, metric="ndcg"):
    found = reachable(Judgments.of_items({"q": items}), [parse(metric)])
    return float(found[metric][0]) if found else None


def score(items, order, metric="ndcg"):
    run = {"q": {name: -float(at) for at, name in enumerate(order)}}
    return assay.evaluate(Judgments.of_items({"q": items}), run, metric)


def test_by_hand():
    # One document meets both items: 1 of 1 + 1 / log2(3).
    both = [({"a": 1.0}, 1), ({"a": 1.0}, 1)]
    assert best(both) == pytest.approx(1 / (1 + 1 / np.log2(3)))
    # b first leaves a an item of its own: all of it is reached.
    assert best([({"a": 1.0, "b": 1.0}, 1), ({"a": 1.0}, 1)]) == 1.0
    assert best([({"a": 0.7}, 3)]) == pytest.approx(0.7)
    assert best([({"a": 1.0}, 3), ({"b": 1.0}, 1)]) is None


def test_it_stands_beside_the_score(snapshot):
    both = [({"a": 1.0}, 1), ({"a": 1.0}, 1)]
    found = score(both, "ba")
    assert found.reachable["ndcg"].tolist() == pytest.approx([best(both)])
    assert "ndcg 0.6131" in found.notes[-1]
    snapshot(found.notes)
    assert score(both, "a", "mrr").reachable == {}


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.dictionaries(st.sampled_from("abcd"), st.sampled_from([1.0, 0.7]), min_size=1),
            st.integers(1, 3),
        ),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from(["ndcg", "ndcg@2", "ndcg_exp"]),
)
def test_no_order_beats_it_and_one_reaches_it(items, metric):
    judgments = Judgments.of_items({"q": items})
    most = max(
        score(items, order, metric).scores[metric]
        for n in (2, 4)
        for order in permutations("abcd", n)
    )
    found = reachable(judgments, parse_all(metric))
    assert (float(found[metric][0]) if found else 1.0) == pytest.approx(most)


def test_many_items_are_bounded_by_a_ranking_that_is_there():
    items = [({name: 1.0, "z": 1.0}, 1) for name in "abcdefghij"]
    assert best(items) == pytest.approx(1.0)


def test_a_report_has_it(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("def send():\n    pass\n\n\ndef receive():\n    pass\n")
    (tmp_path / "src" / "b.py").write_text("x = 1\n")
    (tmp_path / "q.yaml").write_text(
        "corpus: src\nqueries: [{id: q, query: send, expected_symbols: [send, receive]}]\n"
    )
    asked = {
        "dataset": str(tmp_path / "q.yaml"),
        "metrics": "ndcg@10",
        "configurations": [{"name": "words", "search": "lexical"}],
    }
    report = assay.run(asked, workspace=tmp_path / "workspace", untimed=True)
    most = 1 / (1 + 1 / np.log2(3))
    assert report.runs[0].reachable == pytest.approx({"ndcg@10": most})
    assert any("ndcg@10 0.6131" in note for note in report.notes)
    path = tmp_path / "r.json"
    path.write_text(dumps(json(report)))
    assert load_report(path).runs[0].reachable == pytest.approx({"ndcg@10": most})
    assert "(max 0.6131)" in str(summary(report))
