"""Several runs in one file: refused, since their rows would be merged into one ranking."""

import pandas as pd
import polars as pl
import pytest

from assay.errors import InputError
from assay.rankings.load import load

ROWS = [
    ("q1", "a", "d2", 3.0),
    ("q1", "a", "d3", 2.0),
    ("q1", "b", "d1", 9.0),
    ("q2", "a", "d4", 1.0),
]
TREC = "".join(f"{q} Q0 {d} 1 {score} {tag}\n" for q, tag, d, score in ROWS)


def table(mark, title):
    lines = [("query_id", title, "doc_id", "score"), *ROWS]
    return "".join(mark.join(map(str, line)) + "\n" for line in lines)


def refused(run):
    with pytest.raises(InputError) as caught:
        load(run)
    return caught.value


@pytest.mark.parametrize(
    "text",
    [
        TREC,
        *(table(mark, title) for mark in ",\t;" for title in ("system", "Run ID", "run", "tag")),
        *(table(",", title) for title in ("model", "Model Name", "method", "config", "variant")),
    ],
)
def test_several_runs_that_answer_one_query_are_refused(tmp_path, text):
    path = tmp_path / "my.run"
    path.write_text(text, encoding="utf-8")
    error = refused(path)
    assert error.where == f"{path}, line {3 if text is TREC else 4}"
    assert "2 runs (a, b)" in error.problem
    assert '"q1"' in error.problem
    assert error.hint


def test_the_refusal_says_what_next(tmp_path, snapshot):
    path = tmp_path / "my.run"
    path.write_text(TREC, encoding="utf-8")
    snapshot(refused(path))


@pytest.mark.parametrize("kind", [pl.DataFrame, pd.DataFrame])
def test_so_they_are_in_frames(kind):
    rows = [dict(zip(("qid", "system", "docno", "score"), row, strict=True)) for row in ROWS]
    assert "2 runs (a, b)" in refused(kind(rows)).problem
    alone = [row | {"system": None} for row in rows]
    assert load(kind(alone)).notes == ()


def test_a_tag_for_each_query_is_one_run(tmp_path, snapshot):
    path = tmp_path / "my.run"
    path.write_text("q1 Q0 a 1 2 t1\nq1 Q0 b 2 1 t1\nq2 Q0 a 1 1 t2\n", encoding="utf-8")
    (note,) = load(path).notes
    assert "(t1, t2)" in note
    snapshot(note)


@pytest.mark.parametrize("long", ["", "-a-tag-of-more-than-eight-letters"])
def test_a_second_run_far_down_a_large_file_is_seen(tmp_path, long):
    path = tmp_path / "my.run"
    lines = [
        f"q{n} Q0 {tag}{rank} {rank} {-rank} {tag}{long}\n"
        for tag in "xy"
        for n in range(1_500)
        for rank in range(100)
    ]
    path.write_text("".join(lines), encoding="utf-8")
    assert f"2 runs (x{long}, y{long})" in refused(path).problem


def test_many_tags_are_counted(tmp_path):
    path = tmp_path / "my.run"
    path.write_text("".join(f"q Q0 d{n} {n} {-n} t{n}\n" for n in range(9)), encoding="utf-8")
    said = refused(path).problem
    assert "9 runs (t0, t1, t2, t3, t4 " in said
    assert "t5" not in said
