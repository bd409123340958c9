"""Quepid's CSV: what it is taken for, and what is written for Quepid to read."""

import json

import pytest

from assay.cli import start as run
from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import InputError
from assay.records import Dataset, Judgment, Query, Reference


def given(tmp_path, text):
    (tmp_path / "file.csv").write_text(text)
    return tmp_path / "file.csv"


def judged(text, key="", **grades):
    rows = tuple(Judgment(Reference.named(name), grade) for name, grade in grades.items())
    return Query(key or text, text, rows)


def test_what_is_written_is_what_quepid_reads(tmp_path, snapshot):
    """Plain titles, texts in quotes, and a space before what a spreadsheet would run."""
    queries = (judged("rake, bamboo", "q1", r1=2, r2=0), judged("=1+1", "q2"))
    lost = save(Dataset("d", queries), tmp_path / "x.quepid.csv")
    assert (tmp_path / "x.quepid.csv").read_text().splitlines() == [
        "query,docid,rating",
        '"rake, bamboo","r1",2',
        '"rake, bamboo","r2",0',
        '" =1+1","",""',
    ]
    snapshot(lost)


def test_two_queries_with_one_text_are_told(tmp_path, snapshot):
    queries = (judged("rake", "q1", a=1), judged("hose", "q2", b=1), judged("rake", "q3", c=1))
    lost = save(Dataset("d", queries, scale=1), tmp_path / "x.quepid.csv")
    assert len(lost) == 3
    snapshot(lost)


def test_on_the_command_line(tmp_path, capsys):
    source = given(tmp_path, "query_id,query,document,grade\nq1,rake,a,3\nq1,rake,b,1\n")
    out = tmp_path / "x.quepid.csv"
    assert run(["dataset", "convert", str(source), "-o", str(out)]) == 0
    assert out.read_text() == 'query,docid,rating\n"rake","a",3\n"rake","b",1\n'
    assert "key" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        ("query,docid,rating\nrake,a,1\n", "quepid_csv"),
        ("query,docid,Anna Berg\nrake,a,1\n", "quepid_csv"),
        ("query,docid,Alice,Bob\nrake,a,1,1\nrake,b,,0\n", "quepid_csv"),
        ("query,docid,Relevance Grade,Shop Name\nrake,a,1,North\n", "csv"),
        ("query,docid,grade\nrake,a,1\n", "csv"),
    ],
)
def test_what_a_file_is_taken_for(tmp_path, text, format_):
    found = load(given(tmp_path, text))
    assert found.format == format_
    assert found.queries[0].judgments[0].grade == 1


@pytest.mark.parametrize("title", ["stars", "Total Clicks", "Page Views"])
def test_other_columns_are_no_judges(tmp_path, title):
    with pytest.raises(InputError, match="hint:"):
        load(given(tmp_path, f"query,docid,{title}\nrake,a,40\n"))
    named = load(given(tmp_path, "query,docid,Shop Name\nrake,a,North\n"))
    assert (named.format, named.queries[0].judgments[0].grade) == ("csv", 1)


def test_judges_with_decimals_are_not_rounded(tmp_path):
    found = load(given(tmp_path, "query,docid,A B,C D\nrake,a,2.5,1\nrake,b,3,\n"))
    assert [one.grade for one in found.queries[0].judgments] == [175, 300]
    assert any("A B, C D" in note for note in found.notes)


def test_problems_have_their_lines(tmp_path, snapshot):
    with pytest.raises(InputError) as refused:
        load(given(tmp_path, "query,docid,rating\nrake,a,good\nrake,,2\nrake,b,1,1\n"))
    assert [one.where[-6:] for one in refused.value.problems] == ["line 2", "line 3", "line 4"]
    snapshot(refused.value)


@pytest.mark.parametrize(
    "rest", ["Price,Stock\nrake,a,3,7", "Alice,Bob\nrake,a,3,70", "Al,\nr,a,3,"]
)
def test_numbers_that_may_be_no_ratings_are_not_taken_for_some(tmp_path, rest):
    with pytest.raises(InputError, match="hint:"):
        load(given(tmp_path, f"query,docid,{rest}\n"))


def test_eval_and_compare_take_the_format(tmp_path, capsys):
    """A single judge may be any column of numbers, so that the format must be named."""
    book = str(given(tmp_path, "query,docid,Alice\nrake,a,3\nrake,b,1\n"))
    (tmp_path / "run.json").write_text('{"rake": {"b": 2.0, "a": 1.0}}')
    ranking = str(tmp_path / "run.json")
    assert run(["eval", book, ranking]) == 2
    assert "--format quepid_csv" in " ".join(capsys.readouterr().err.split())
    asked = ["--format", "quepid_csv", "-m", "precision(rel=2)@1,mrr(rel=2)", "--json"]
    assert run(["eval", book, ranking, *asked]) == 0
    scores = json.loads(capsys.readouterr().out)["runs"][0]["scores"]
    assert (scores["precision(rel=2)@1"], scores["mrr(rel=2)"]) == (0.0, 0.5)
    assert run(["compare", "--qrels", book, ranking, ranking, "--format", "quepid_csv"]) == 0
    assert run(["eval", book, ranking, "--format", "quepid"]) == 2
    assert "quepid_csv" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rows", "place", "hint"),
    [
        ('q1,d1,"0,5"\n', "line 2", "decimals with a point"),
        ("q1,d1,0,5\n", "line 2", "decimals with a point"),
        ('q1,d1,1\nq1,"d2"x,1\n', "line 3 or below", "quotes"),
    ],
)
def test_decimal_commas_and_broken_quotes_have_a_line_and_a_hint(tmp_path, rows, place, hint):
    path = tmp_path / "case.csv"
    path.write_text("query,docid,rating\n" + rows)
    with pytest.raises(InputError) as caught:
        load(path)
    assert caught.value.where == f"{path}, {place}"
    assert hint in caught.value.hint
