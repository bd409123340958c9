"""Ids of a run that are nearly those of judgments: scores fall silently, so a note shows a pair."""

import pytest

import assay

OTHERS = {"q1": {"a": 1}, "q2": {"b": 1}}


@pytest.mark.parametrize(
    ("judged", "run", "why"),
    [
        ("11", "0011", ""),  # a spreadsheet took the zeros off
        ("11.0", "11", ""),
        ("D11", "d11", ""),
        ("a.md", "a.md#3", ""),
        ("a.md::3", "a.md", ""),
        ("guide.md", "guide", ""),
        ("1.23457E+15", "1234567890123456", "rounded the id:"),
        ("1,23E+11", "123456789012", "rounded the id, with a decimal comma:"),
        ('="0011"', "0011", ""),
        ("https://a.example/x/", "https://a.example/x", ""),
        ("d11\u200b", "d11", "invisible characters"),
        ("caf\u00e9 1", "cafe\u0301 1", "Unicode"),
    ],
)
def test_a_document_whose_id_is_nearly_that_of_a_judged_one_is_told(judged, run, why, snapshot):
    # By hand: 1 of 2 relevant documents of q1 is met and the one of q2: .75; it could be 1.
    qrels = {"q1": {"a": 1, judged: 1}, "q2": {"b": 1}}
    found = assay.evaluate(qrels, {"q1": {"a": 2.0, run: 1.0}, "q2": {"b": 1.0}}, "recall@10")
    assert found.scores == {"recall@10": 0.75}
    (note,) = found.notes
    assert f'run "{run}", judgments "{judged}"' in note
    assert why in note
    snapshot(note)


@pytest.mark.parametrize("cell", ["d1, d2", "d1;d2", "['d1', 'd2']", "d1|d2|d3"])
def test_several_ids_in_one_cell_are_told(cell, snapshot):
    qrels = {"q1": {"a": 1, cell: 1}}
    (note,) = assay.evaluate(qrels, {"q1": {"a": 3.0, "d1": 2.0, "d2": 1.0}}, "recall@10").notes
    assert f'run "d1", judgments "{cell}" (' in note
    snapshot(note)


@pytest.mark.parametrize(
    ("judged", "run"),
    [("vpn setup", "VPN setup"), ("vpn setup", "vpn  setup "), ("2.0", "2"), ("02", "2")],
)
def test_a_query_that_is_nearly_a_judged_one_is_told(judged, run, snapshot):
    qrels = {"q1": {"a": 1}, judged: {"b": 1}}
    found = assay.evaluate(qrels, {"q1": {"a": 1.0}, run: {"b": 1.0}}, "mrr")
    assert (found.scores["mrr"], found.missing_queries) == (0.5, 1)
    (note,) = found.notes
    assert f'run "{run}", judgments "{judged}"' in note
    snapshot(note)


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        (OTHERS, {"q1": {"a": 1.0, "A2": 0.5}, "q2": {"b": 1.0}}),
        ({"q1": {"a": 1, "x#1": 1}}, {"q1": {"a": 1.0, "x#2": 0.5}}),  # two chunks
        ({"q1": {"a": 1, "README.md": 1}}, {"q1": {"a": 1.0, "docs/README.md": 0.5}}),
        ({"q1": {"a": 1, "1.23E+11": 1}}, {"q1": {"a": 1.0, "124000000000": 0.5}}),
        ({"q1": {"a": 1, "setup.py": 1}}, {"q1": {"a": 1.0, "setup.md": 0.5}}),
        ({"q1": {"a": 1, "std::map": 1}}, {"q1": {"a": 1.0, "std::set": 0.5}}),
        # "D1" is a document of its own: it is judged for another query.
        (
            {"q1": {"a": 1, "d1": 1}, "q2": {"D1": 1}},
            {"q1": {"a": 2.0, "D1": 1.0}, "q2": {"D1": 1}},
        ),
        ({"c# list": {"a": 1}, "c# map": {"a": 1}}, {"c# list": {"a": 1.0}, "c# set": {"a": 1.0}}),
        ({"q1": {"a": 1, "Paris, Texas": 1}}, {"q1": {"a": 1.0, "Paris": 0.5}}),
    ],
)
def test_ids_that_are_others_are_not_told(qrels, run):
    assert assay.evaluate(qrels, run, "mrr").notes == ()


def test_many_pairs_are_counted(snapshot):
    qrels = {f"q{n}": {"same": 1, f"{n}": 1} for n in range(1, 6)}
    run = {f"q{n}": {"same": 2.0, f"00{n}": 1.0} for n in range(1, 6)}
    (note,) = assay.evaluate(qrels, run, "mrr").notes
    assert "5" in note
    snapshot(note)
