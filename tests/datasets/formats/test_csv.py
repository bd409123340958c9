import pytest
from hypothesis import given
from tests.datasets.strategies import TEXTS

from assay.datasets.load import load
from assay.datasets.save import save
from assay.datasets.sheets.cells import guarded, unguarded
from assay.errors import InputError
from assay.records import Dataset, Judgment, Query, Rationale, Reference


def read(tmp_path, text, name="sheet.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load(path)


def test_by_hand(tmp_path):
    text = (
        "Query ID,Query,Path,Symbol,Match,Grade,Group,Lines,Reason,Category,Difficulty,Owner\n"
        'q1,"where are\nretries, and why",src/a.py,get,substring,3,either,3-9,'
        "says so,concept,hard,me\n"
        "q2,nothing,,,,,,,,,,\n"
        "q1,,src/b.py,,,2.0,either,7,,,,\n"
    )
    assert read(tmp_path, text).queries == (
        Query(
            "q1",
            "where are\nretries, and why",
            (
                Judgment(
                    Reference(path="src/a.py", symbol="get", match="substring"),
                    3,
                    "either",
                    Rationale("says so", (3, 9)),
                ),
                Judgment(Reference(path="src/b.py"), 2, "either", Rationale("", (7, 7))),
            ),
            "concept",
            "hard",
            extra={"Owner": "me"},
        ),
        Query("q2", "nothing"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "query_id,query,document,grade\nq1,how to,a.md,2\n",
        "\ufeffquery_id;query;document;grade\r\nq1;how to;a.md;2\r\n",
        "query-id\tquery\tdocument\trelevance\nq1\thow to\ta.md\t2",
        '"Query_ID","QUERY","File","Rel"\n"q1","how to","a.md","2"\n\n,,,\n',
        "document;grade;query;query id;;\nA.md;2;how to;q1;;\n".replace("A", "a"),
    ],
)
def test_spreadsheets_of_all_kinds(text, tmp_path):
    query = Query("q1", "how to", (Judgment(Reference.named("a.md"), 2),))
    assert read(tmp_path, text).queries == (query,)


def test_queries_without_ids(tmp_path):
    words = read(tmp_path, "query,doc_id\nq7,d1\nq9,d2\nq7,d3\n")
    assert [(query.key, query.text) for query in words.queries] == [("q7", "q7"), ("q9", "q9")]
    texts = read(tmp_path, "query,doc_id\nhow to,d1\nwhere,d2\nhow to,d3\n")
    assert [(query.key, query.text) for query in texts.queries] == [
        ("how to", "how to"),
        ("where", "where"),
    ]
    assert texts.queries[0].judgments[1] == Judgment(Reference(document_id="d3"), 1)
    assert "no query_id" in texts.notes[0]


def test_all_problems_with_their_lines(tmp_path, snapshot):
    text = (
        "query_id,query,document,grade,lines,match\nq1,a,d1,x,,\nq1,b,d2,1,,\n,,d3,1,,\n"
        "q2,c,,2,,\nq3,d,d4,1.5,a,near\nq4,e,f,1,,,g\nq5,h,d5,99999,0,\n"
    )
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    found = [one.where.partition(", line ")[2] for one in caught.value.problems]
    assert found == ["2", "3", "4", "5", "6", "6", "6", "7", "8", "8"]
    snapshot(one.problem for one in caught.value.problems)


def test_all_rows_without_a_grade_are_told(tmp_path, snapshot):
    text = "query_id,query,document,grade\nq1,a,d1,1\nq1,a,d2,\nq1,a,d3\nq2,b,d4,1,x\nq2,b,d5, \n"
    with pytest.raises(InputError) as caught:
        read(tmp_path, text + "q3,nothing\n")
    found = [one.where.partition(", line ")[2] for one in caught.value.problems]
    assert found == ["3", "4", "5", "6"]
    snapshot(f"{one.problem} | {one.hint}" for one in caught.value.problems)


def test_without_the_column_every_grade_is_1(tmp_path):
    (query,) = read(tmp_path, "query_id,document\nq1,d1\nq1,d2\n").queries
    assert [one.grade for one in query.judgments] == [1, 1]


def test_a_column_that_differs_within_a_query_is_left_out_with_a_note(tmp_path, snapshot):
    text = (
        "query_id,query,document,grade,note,owner\nq1,a,d1,1,good,me\nq1,a,d2,1,bad,me\n"
        "q1,a,d3,1,good,\nq2,b,d1,1,fine,you\nq2,b,d2,1,fine,they\n"
    )
    dataset = read(tmp_path, text)
    assert [query.extra for query in dataset.queries] == [{"owner": "me"}, {"note": "fine"}]
    assert [len(query.judgments) for query in dataset.queries] == [3, 2]
    assert len(dataset.notes) == 2
    snapshot(dataset.notes)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        pytest.param(b"query,document\n\xff,a\n", "UTF-8", id="utf-8"),
        pytest.param("query,document\na,b\n".encode("utf-16")[:-1], "UTF-16", id="utf-16"),
        pytest.param(b'query,document\n"a,b\n', "line 2", id="quote"),
        pytest.param(b"query,document\n", "rows", id="no rows"),
        pytest.param(b"query,document,x,x\na,b,c,d\n", '"x"', id="one name twice"),
    ],
)
def test_broken_files(text, fact, tmp_path, snapshot):
    path = tmp_path / "a.csv"
    path.write_bytes(text)
    with pytest.raises(InputError) as caught:
        load(path, format="csv")
    assert fact in str(caught.value)
    snapshot(caught.value)


def test_formulas_are_made_safe(tmp_path):
    query = Query("=1", "@x", (Judgment(Reference.named("+a"), -1),), "'=y", extra={"-t": "=z"})
    save(Dataset("d", (query,)), tmp_path / "x.csv")
    text = (tmp_path / "x.csv").read_text()
    assert text.splitlines()[1] == '"\'=1","\'@x","\'+a","-1","\'\'=y","\'=z"'
    assert load(tmp_path / "x.csv").queries == (query,)


@given(TEXTS)
def test_guarding_can_be_undone(text):
    assert unguarded(guarded(text)) == text
    assert not guarded(text).startswith(("=", "+", "-", "@", "\t", "\r"))


def test_a_cell_that_no_reader_takes(tmp_path):
    with pytest.raises(InputError, match="131,072 characters"):
        save(Dataset("d", (Query("q", "x" * 140_000),)), tmp_path / "x.csv")


def test_several_lines_of_a_file_are_judged_each(tmp_path):
    asked = read(tmp_path, "query,path,grade,lines\nt,a.py,3,1..2\nt,a.py,3,5..6\nt,a.py,1,8\n")
    assert [one.lines for one in asked.queries[0].judgments] == [(1, 2), (5, 6), (8, 8)]
    save(asked, tmp_path / "again.csv")
    assert load(tmp_path / "again.csv").queries[0].judgments == asked.queries[0].judgments
