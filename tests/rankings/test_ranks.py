"""Ranks of a run file that run against its scores: the scores decide, and a note says so."""

import pandas as pd
import polars as pl
import pytest

import assay
from assay.columns.run_columns import SAMPLE
from assay.rankings.load import load

QRELS = {"q1": {"d1": 3, "d2": 0, "d3": 1}, "q2": {"d4": 2}}
DISTANCES = [
    *(("q1", "d2", 1, 0.1), ("q1", "d3", 2, 0.2), ("q1", "d1", 3, 0.3)),
    ("q2", "d4", 1, 1.0),
]


def trec(rows):
    return "".join(f"{q} Q0 {d} {rank} {score} x\n" for q, d, rank, score in rows)


def table(mark):
    def written(rows):
        lines = [("query_id", "doc_id", "rank", "score"), *rows]
        return "".join(mark.join(map(str, line)) + "\n" for line in lines)

    return written


def frame(kind):
    return lambda rows: kind(
        [dict(zip(("qid", "docno", "rank", "score"), row, strict=True)) for row in rows]
    )


def loaded(tmp_path, text, **options):
    path = tmp_path / "my.run"
    path.write_text(text, encoding="utf-8")
    return load(path, **options)


@pytest.mark.parametrize(
    "written", [trec, table(","), table("\t"), table(";")], ids=["trec", ",", "tab", ";"]
)
def test_distances_are_told_and_the_scores_decide(tmp_path, written, snapshot):
    # By hand: by score d1, d3, d2 is the ideal order; by rank it would be .5868 and 1: .7934.
    run = loaded(tmp_path, written(DISTANCES))
    found = assay.evaluate(QRELS, run, "ndcg@10")
    assert found.scores["ndcg@10"] == 1.0
    assert len(found.notes) == 1
    snapshot(found.notes)


@pytest.mark.parametrize("kind", [pl.DataFrame, pd.DataFrame])
def test_so_it_is_with_frames(tmp_path, kind):
    notes = load(frame(kind)(DISTANCES)).notes
    assert notes == loaded(tmp_path, trec(DISTANCES)).notes
    assert len(notes) == 1


@pytest.mark.parametrize(
    ("ranks", "scores"),
    [
        ([1, 2, 3], [3, 2, 1]),
        ([0, 1, 2], [3, 2, 1]),
        ([3, 1, 2], [1, 3, 2]),  # lines in any order
        ([7, 8, 11], [3, 2, 1]),  # cut at both ends
        ([1, 2, 3], [2, 2, 1]),
        ([0, 0, 0], [1, 2, 3]),  # no ranks, as some programs write them
        ([1, 1, 2], [2, 3, 1]),
    ],
)
def test_ranks_that_agree_say_nothing(tmp_path, ranks, scores):
    rows = [("q", d, *pair) for d, *pair in zip("abc", ranks, scores, strict=True)]
    assert loaded(tmp_path, trec(rows)).notes == ()


@pytest.mark.parametrize("written", [trec, table(",")], ids=["trec", ","])
def test_ranks_beside_equal_scores_are_not_used_and_that_is_told(tmp_path, written, snapshot):
    # By hand: by id d3, d2, d1 it is (1 + 3/2) / (3 + 1/log2 3) = .6885; by rank it is .5869.
    rows = [(q, d, rank, 1) for q, d, rank, _ in DISTANCES]
    path = tmp_path / "my.run"
    path.write_text(written(rows), encoding="utf-8")
    found = assay.evaluate({"q1": QRELS["q1"]}, path, "ndcg@10")
    assert found.scores["ndcg@10"] == pytest.approx(0.6885, abs=5e-5)
    (note,) = found.notes
    assert "--ties order" in note
    snapshot(note)
    kept = assay.evaluate({"q1": QRELS["q1"]}, path, "ndcg@10", ties="order")
    assert kept.scores["ndcg@10"] == pytest.approx(0.5869, abs=5e-5)
    assert kept.notes == ()


RISING = {q: {f"{q}{n}": n / 10 for n in range(4)} for q in ("a", "b")}


def test_scores_that_only_rise_along_the_rows_of_a_file_without_ranks_are_told(tmp_path, snapshot):
    (note,) = load(RISING).notes
    snapshot(note)
    path = tmp_path / "my.csv"
    rows = [f"{q},{d},{score}\n" for q, hits in RISING.items() for d, score in hits.items()]
    path.write_text("query_id,doc_id,score\n" + "".join(rows), encoding="utf-8")
    assert load(path).notes == (note,)
    assert load(path, distances=True).top("a", 1) == ["a3"]  # no ranks: the scores decide


@pytest.mark.parametrize(
    "run",
    [
        {"a": RISING["a"]},  # three rises may be chance
        {**RISING, "c": {"x": 2.0, "y": 1.0}},
        {q: dict(reversed(hits.items())) for q, hits in RISING.items()},
        {q: dict.fromkeys(hits, 1.0) for q, hits in RISING.items()},
        {**RISING, "c": {"x": 1.7e308, "y": -1.7e308}},  # whose difference is no number
    ],
)
def test_other_orders_say_nothing(run):
    assert load(run).notes == ()


def test_a_rank_that_is_no_number_says_nothing(tmp_path):
    assert loaded(tmp_path, "q Q0 a - 1 x\nq Q0 b - 2 x\n").notes == ()
    assert loaded(tmp_path, "qid\tdocno\trank\tscore\nq\ta\t\t1\nq\tb\t\t2\n").notes == ()


def test_a_few_queries_in_another_order_are_no_distances(tmp_path, snapshot):
    fine = [(f"q{n}", d, rank, 3 - rank) for n in range(9) for rank, d in enumerate("abc")]
    odd = [("q9", "a", 1, 5), ("q9", "b", 2, 9), ("q9", "c", 3, 7)]
    (note,) = loaded(tmp_path, trec([*fine, *odd])).notes
    assert "distances" not in note
    snapshot(note)


def test_queries_that_are_scattered_over_the_file_are_put_together(tmp_path):
    rows = [(q, d, rank, score) for rank, d, score in ((1, "a", 1), (2, "b", 2)) for q in "xyz"]
    (note,) = loaded(tmp_path, trec(rows)).notes
    assert "3 queries" in note


def test_the_first_rows_of_a_large_file_are_enough(tmp_path, snapshot):
    rows = [
        (f"q{n}", f"d{rank}", rank, rank) for n in range(SAMPLE // 100 + 50) for rank in range(100)
    ]
    (note,) = loaded(tmp_path, trec(rows)).notes
    assert note.count(f"{SAMPLE // 100}") == 2  # of the first so many
    snapshot(note)


def test_a_system_that_was_recorded_with_distances_is_ranked_by_them(tmp_path, snapshot):
    run = loaded(tmp_path, trec(DISTANCES), distances=True)
    assert run.top("q1") == ["d2", "d3", "d1"]
    assert len(run.notes) == 1
    snapshot(run.notes)
    mixed = [*DISTANCES, ("q3", "a", 1, 2), ("q3", "b", 2, 1)]  # not all rise: scores decide
    run = loaded(tmp_path, trec(mixed), distances=True)
    assert run.top("q1") == ["d1", "d3", "d2"]
    snapshot(run.notes)
