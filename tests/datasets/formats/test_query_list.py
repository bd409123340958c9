"""Logs of queries, as they are exported: without judgments, with how often each was asked."""

import gzip

import pytest

from assay.datasets.load import load, recognise
from assay.datasets.place import Place
from assay.errors import InputError

QUOTE = '"'


def written(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text)
    return file


def asked(file):
    found = load(file)
    assert found.format == "query_list"
    assert not any(query.judgments for query in found.queries)
    return {query.text: query.weight for query in found.queries}


def test_lines_of_text_count_as_often_as_they_occur(tmp_path):
    file = written(tmp_path, "log.txt", "reset password\nlog format\n\n reset password \n")
    assert asked(file) == {"reset password": 2.0, "log format": 1.0}
    assert "3 lines are 2 distinct queries, which count as often as they occur" in load(file).notes


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("log.csv", "query,count\nreset password,31\nlog format,2\n"),
        ("log.tsv", "Search term\tImpressions\nreset password\t31\nlog format\t2\n"),
        ("log.csv", "query;traffic;locale\nreset password;31;de\nlog format;2;en\n"),
        ("log.csv", "id,query,weight\n7,reset password,31\n8,log format,2\n"),
        (
            "log.jsonl",
            '{"query": "reset password", "count": 31}\n{"query": "log format", "count": 2}\n',
        ),
        (
            "log.jsonl",
            '{"_id": "7", "text": "reset password", "frequency": 31}\n'
            '{"_id": "8", "text": "log format", "frequency": 2}\n',
        ),
    ],
)
def test_tables_and_lines_of_json_have_counts(name, text, tmp_path):
    file = written(tmp_path, name, text)
    assert asked(file) == {"reset password": 31.0, "log format": 2.0}


def test_without_counts_all_queries_count_the_same(tmp_path):
    assert asked(written(tmp_path, "a.csv", "query\nreset password\nlog format\n")) == {
        "reset password": 1.0,
        "log format": 1.0,
    }
    lines = '{"id": "7", "query": "reset password"}\n{"id": "8", "query": "log format"}\n'
    found = load(written(tmp_path, "a.jsonl", lines))
    assert [query.key for query in found.queries] == ["7", "8"]


def test_rows_of_one_query_are_added_up(tmp_path):
    file = written(tmp_path, "log.csv", "query,count\nreset,31\nlog,2\nreset,9\n")
    assert asked(file) == {"reset": 40.0, "log": 2.0}


@pytest.mark.parametrize("wrong", ["0", "-3", "1,204", "often", "1e300"])
def test_a_count_of_a_log_that_is_no_number_is_refused(wrong, tmp_path):
    """In other datasets it is not used; a log without its traffic would mislead."""
    file = written(tmp_path, "log.csv", f'query,count\nreset,31\nlog,"{wrong}"\n')
    with pytest.raises(InputError, match=f'query "log": "count": invalid weight "{wrong}"'):
        load(file)


def test_a_row_per_search_counts_1(tmp_path):
    text = "timestamp,query,user\n09:00,reset,ann\n09:01,log,bob\n09:02,reset,bob\n"
    assert asked(written(tmp_path, "log.csv", text)) == {"reset": 2.0, "log": 1.0}
    lines = '{"date": "1 May", "query": "reset"}\n{"date": "2 May", "query": "reset"}\n'
    assert asked(written(tmp_path, "log.jsonl", lines)) == {"reset": 2.0}
    one = written(tmp_path, "one.csv", "Search term\nreset\nlog\nreset\n")
    assert asked(one) == {"reset": 2.0, "log": 1.0}


def test_further_columns_are_kept(tmp_path):
    file = written(tmp_path, "log.csv", "query,count,locale,category\nreset,31,de,account\n")
    (query,) = load(file).queries
    assert (dict(query.extra), query.category) == ({"locale": "de"}, "account")


def test_what_may_be_judged_is_not_taken_for_a_log(tmp_path):
    """A column that could name documents, or grades, is asked about instead."""
    for text in (
        "query,answer page\nreset,reset the password\n",
        "query,relevance\nreset,3\n",
        "query,owner\nreset,ann\n",
    ):
        with pytest.raises(InputError, match=r"no column|may"):
            load(written(tmp_path, "log.csv", text))


@pytest.mark.parametrize(
    ("name", "text", "format_"),
    [
        ("qrels.txt", "q1 0 d1 1\nq1 0 d2 0\n", "trec"),
        ("rows.jsonl", '{"query_id": "q1", "doc_id": "d1", "grade": 1}\n', "jsonl_rows"),
        ("pairs.jsonl", '{"query": "a", "relevant": ["d1"]}\n', "jsonl_pairs"),
        ("judged.csv", "query,document,grade,count\na,d1,1,3\n", "csv"),
        ("questions.csv", "question,answer file\nhow to reset,reset.md\n", "questions"),
    ],
)
def test_formats_with_judgments_come_first(name, text, format_, tmp_path):
    with Place(written(tmp_path, name, text)) as place:
        assert recognise(place) == format_


def test_lines_that_are_nearly_judgments_are_not_queries(tmp_path):
    with pytest.raises(InputError, match="3 columns"):
        load(written(tmp_path, "qrels.txt", "q1 d1 1\nq1 d2 0\n"))
    assert asked(written(tmp_path, "log.txt", "iphone 15 pro max\nreset password\n"))


def test_wrong_counts_and_empty_queries_are_refused_with_their_place(tmp_path):
    file = written(tmp_path, "log.csv", "query,weight\nreset,31\nlog,often\n")
    with pytest.raises(InputError, match='query "log": "weight": invalid weight "often"'):
        load(file)
    lines = '{"query": "a", "count": 1}\n{"query": "", "count": 2}\n'
    with pytest.raises(InputError, match="line 2: no text of a query"):
        load(written(tmp_path, "log.jsonl", lines))
    with pytest.raises(InputError, match="is used for two queries"):
        load(written(tmp_path, "two.csv", "id,query,count\n7,a,1\n7,b,1\n"))


def test_texts_in_any_script_and_zipped(tmp_path):
    texts = ["größe", "日本語 検索", "a, b; c", 'say "hi"']
    body = "query,count\n" + "".join(f'"{text.replace(QUOTE, QUOTE * 2)}",3\n' for text in texts)
    file = tmp_path / "log.csv.gz"
    file.write_bytes(gzip.compress(body.encode()))
    assert [query.text for query in load(file).queries] == texts
