"""Judgments without a known grade column: binary with a note, or refused with a suggestion."""

import io

import polars as pl
import pytest

import assay
from assay.columns.ungraded import NOTE
from assay.datasets.load import load
from assay.datasets.load_judgments import NO_EFFECT, load_judgments
from assay.errors import InputError
from assay.records import decode
from assay.workflows.check import check

ROWS = [["how to rotate a key", "keys.md", "3"], ["how to rotate a key", "vault.md", "0"]]
RUN = {"how to rotate a key": {"keys.md": 2.0, "vault.md": 1.0}}


def as_text(*titles, mark=","):
    rows = [titles, *(row[: len(titles)] for row in ROWS)]
    return "".join(mark.join(row) + "\n" for row in rows).encode()


def as_parquet(*titles):
    columns = dict(zip(titles, zip(*ROWS, strict=True), strict=False))
    table = pl.DataFrame({title: list(cells) for title, cells in columns.items()})
    buffer = io.BytesIO()
    number = pl.col(titles[2:]).cast(pl.Int64)
    (table.with_columns(number) if titles[2:] else table).write_parquet(buffer)
    return buffer.getvalue()


FILES = [
    pytest.param("j.csv", as_text, id="csv"),
    pytest.param("j.tsv", lambda *titles: as_text(*titles, mark="\t"), id="tsv"),
    pytest.param("j.csv", lambda *titles: as_text(*titles, mark=";"), id="semicolons"),
    pytest.param("j.parquet", as_parquet, id="parquet"),
]


def written(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(("name", "make"), FILES)
@pytest.mark.parametrize("title", ["rating", "Judgement", "relevance_score", "relevanceScore"])
def test_a_grade_by_any_of_its_names(tmp_path, name, make, title):
    path = written(tmp_path, name, make("query", "docid", title))
    judgments = load_judgments(path)
    assert judgments.queries == ("how to rotate a key",)
    assert dict(zip(decode(judgments.documents), judgments.grades.tolist(), strict=True)) == {
        "keys.md": 3,
        "vault.md": 0,
    }
    assert judgments.notes == ()


@pytest.mark.parametrize(("name", "make"), FILES)
@pytest.mark.parametrize("title", ["ratng", "stars"])
def test_a_grade_by_an_unknown_name_is_refused_and_suggested(tmp_path, name, make, title):
    path = written(tmp_path, name, make("query", "docid", title))
    for read in (load_judgments, lambda path: assay.evaluate(path, RUN, "ndcg@10")):
        with pytest.raises(InputError) as caught:
            read(path)
        assert f'"{title}"' in caught.value.problem
        assert f'"{title}"' in caught.value.hint
        assert "--binary" in caught.value.hint
    judgments = load_judgments(path, binary=True)
    assert judgments.grades.tolist() == [1, 1]
    assert judgments.notes == (NOTE,)


@pytest.mark.parametrize(("name", "make"), FILES)
def test_known_columns_without_a_grade_are_binary_with_a_note(tmp_path, name, make):
    judgments = load_judgments(written(tmp_path, name, make("query", "docid")))
    assert (judgments.grades.tolist(), judgments.notes) == ([1, 1], (NOTE,))


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_the_same_in_a_dataset(tmp_path, mark):
    path = written(tmp_path, "j.csv", as_text("query", "docid", "ratng", mark=mark))
    with pytest.raises(InputError, match=r'"ratng".*\n  hint: .*"ratng"'):
        load(path)
    for read in (load, assay.load_dataset):
        (query,) = read(path, binary=True).queries
        assert [one.grade for one in query.judgments] == [1, 1]
    assert check(path, binary=True).notes[-1] == NOTE
    graded = written(tmp_path, "j.csv", as_text("query", "document", "rating", mark=mark))
    assert [one.grade for one in load(graded).queries[0].judgments] == [3, 0]
    assert NO_EFFECT in load(graded, binary=True).notes
    assert NO_EFFECT in load_judgments(graded, binary=True).notes


def test_a_text_column_is_not_taken_for_the_grade(tmp_path, snapshot):
    content = b"query,document,owner,rank\na,b,me,1\na,c,you,2\n"
    with pytest.raises(InputError) as caught:
        load(written(tmp_path, "j.csv", content))
    assert '"rank"' in caught.value.problem
    assert '"owner"' not in str(caught.value)
    assert '"rank"' not in caught.value.hint  # it is no grade, but of a run
    snapshot(caught.value)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_text_column_is_not_used_and_a_note_names_it(tmp_path, mark):
    text = "query,docid,asked_by\na,b,Ana\na,c,Bob\n".replace(",", mark)
    path = written(tmp_path, "j.csv", text.encode())
    for read in (load, load_judgments):
        *_, unused, note = read(path).notes
        assert '"asked_by"' in unused
        assert note == NOTE


@pytest.mark.parametrize("cells", [["n/a", "3"], ["yes", "no"], ["relevant", "not relevant"]])
@pytest.mark.parametrize("title", ["verdict", "level", "type", "difficulty", "correct"])
def test_a_column_with_any_grade_is_refused(tmp_path, title, cells):
    rows = "".join(f"q{at},d,{cell}\n" for at, cell in enumerate(cells))
    path = written(tmp_path, "j.csv", f"query,document,{title}\n{rows}".encode())
    for read in (load, load_judgments):
        with pytest.raises(InputError, match=f'"{title}"') as caught:
            read(path)
        assert f'"{title}"' in caught.value.hint


def test_a_grade_far_below_is_found(tmp_path):
    rows = "".join(f"q{n},d,fine text\n" for n in range(500))
    path = written(tmp_path, "j.csv", f"query,document,verdict\n{rows}q,d,0\n".encode())
    with pytest.raises(InputError, match='"verdict"'):
        load(path)


@pytest.mark.parametrize("title", ["page", "line_number", "Ticket ID", "annotationId", "year"])
def test_ids_pages_and_lines_are_no_grades(tmp_path, title):
    path = written(tmp_path, "j.csv", f"query,document,{title}\na,b,12\n".encode())
    notes = load(path).notes
    assert f'"{title}"' in notes[-2]
    assert notes[-1] == NOTE


@pytest.mark.parametrize("title", ["difficulty", "type", "level", "notes", "topic"])
def test_texts_under_known_titles_are_remarks(tmp_path, title):
    path = written(tmp_path, "j.csv", f"query,document,{title}\na,b,easy one\n".encode())
    assert load(path).notes[-1] == NOTE
    assert not any("not used" in note for note in load(path).notes)


@pytest.mark.parametrize(
    ("title", "cells"),
    [("Note", ["3", "0"]), ("comment", ["relevant", "not relevant"]), ("answer", ["accept"])],
)
def test_remarks_that_are_verdicts_are_refused(tmp_path, title, cells):
    rows = "".join(f"q{at},d,{cell}\n" for at, cell in enumerate(cells))
    path = written(tmp_path, "j.csv", f"query,document,{title}\n{rows}".encode())
    with pytest.raises(InputError, match=f'"{title}"'):
        load(path)
    path.write_bytes(f"query,document,{title}\n{rows}z,d,as we said in June\n".encode())
    assert load(path).notes[-1] == NOTE


def test_missing_cells_of_a_frame_are_no_numbers():
    frame = {"query": ["a", "a"], "doc": ["b", "c"], "owner": ["me", None]}
    assert '"owner"' in load_judgments(pl.DataFrame(frame)).notes[0]
    with pytest.raises(InputError, match='"owner"'):
        load_judgments(pl.DataFrame({**frame, "owner": [3, None]}))


def test_the_score_of_a_search_is_no_grade_beside_one(tmp_path):
    content = b"query,document,score,rating\na,b,9.7,2\na,c,8.1,0\n"
    path = written(tmp_path, "j.csv", content)
    assert load_judgments(path).grades.tolist() == [2, 0]
    assert [one.grade for one in load(path).queries[0].judgments] == [2, 0]
    both = written(tmp_path, "k.csv", b"query,document,label,rating\na,b,1,2\n")
    with pytest.raises(InputError, match=": label, rating"):
        load_judgments(both)


def test_relevant_is_a_grade_beside_a_document(tmp_path):
    beside = written(tmp_path, "j.csv", b"query,document,relevant\na,b,1\na,c,0\n")
    assert load_judgments(beside).grades.tolist() == [1, 0]
    assert [one.grade for one in load(beside).queries[0].judgments] == [1, 0]
    alone = written(tmp_path, "k.csv", b"query,relevant\na,b\n")
    assert load(alone).queries[0].judgments[0].reference.name == "b"


def test_groups_of_a_sheet_are_not_lost_by_an_evaluation(tmp_path):
    content = b"query_id,doc_id,grade,group\nq,a,1,either\nq,b,1,either\n"
    path = written(tmp_path, "j.csv", content)
    assert assay.evaluate(path, {"q": {"a": 1.0}}, "recall@5").scores == {"recall@5": 1.0}
