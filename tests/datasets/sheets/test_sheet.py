"""Spreadsheets of judgments: `assay eval` and `assay dataset` read the same, or refuse the same."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.datasets.strategies import TEXTS

from assay.columns import Source
from assay.datasets.judgments import _sheet
from assay.datasets.load import load
from assay.datasets.load_judgments import load_judgments
from assay.datasets.save import save
from assay.errors import InputError
from assay.records import Dataset, Judgment, Query, Reference
from assay.workflows.read_judgments import read_judgments

RIGHT = {"q1": {"d1": 3, "d2": 0, "d3": 1}, "q2": {"d4": 2}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("sheets")


def table(judgments):
    spans = zip(judgments.queries, pairwise(judgments.offsets.tolist()), strict=True)
    names = [name.decode() for name in judgments.documents.tolist()]
    grades = judgments.grades.tolist()
    return {key: dict(zip(names[a:b], grades[a:b], strict=True)) for key, (a, b) in spans}


def as_dataset(path):
    queries = load(path).queries
    return {
        one.key: {
            judged.reference.document_id or judged.reference.path: judged.grade
            for judged in one.judgments
        }
        for one in queries
    }


def both(folder, content, name="sheet.csv"):
    """Read a file as `eval` and as `dataset` do; return what both read, or why both refuse."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found, other = (
        outcome(as_dataset, path),
        outcome(lambda path: table(read_judgments(str(path))), path),
    )
    assert found == other
    return found


def outcome(read, path):
    try:
        return read(path)
    except InputError as error:
        return str(error)


NAMES = TEXTS.filter(lambda text: bool(text.strip("\0")) and not text.endswith("\0"))


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(NAMES, st.dictionaries(NAMES, st.integers(-2, 3), max_size=3), min_size=1),
    st.sampled_from([".csv", ".tsv"]),
)
def test_what_is_written_is_read_as_the_json_is(folder, grades, ending):
    judged = {
        key: tuple(Judgment(Reference.named(name), grade) for name, grade in row.items())
        for key, row in grades.items()
    }
    queries = tuple(Query(key, key, row) for key, row in judged.items())
    paths = [folder / f"made{ending}", folder / "made.json"]
    for path in paths:
        save(Dataset("made", queries), path)
    if any(grades.values()):
        assert [table(read_judgments(str(path))) for path in paths] == [grades, grades]
        assert table(load_judgments(paths[0])) == grades


CELLS = st.sampled_from(
    [
        *("q1", "d1", "d2", "a b", " d1", "d1 ", "'=x", "'d", '"d1"', '"a""b"', 'a"b', '"', "#x"),
        *("", "1", "2.0", "1e1", "0", "-1", " 1", "\u0663", "\xa0d", "x,y", '"x,y"', "\r", "1,0"),
    ]
)
ROWS = st.lists(st.lists(CELLS, min_size=3, max_size=4), max_size=4)
TITLES = st.sampled_from(
    [
        *(["query", "doc", "grade"], ["doc_id", "Rating", "query_id"], ["query", "path", "score"]),
        *(["query", "doc", "grade", "owner"], ["query", "doc", "grade", ""]),
    ]
)


@settings(max_examples=150, deadline=None)
@given(TITLES, ROWS, st.sampled_from(",;\t"))
def test_the_short_way_reads_nothing_else(titles, cells, mark):
    rows = [titles, *(row[: len(titles)] for row in cells)]
    content = "\n".join(mark.join(row) for row in rows).encode()
    short = _sheet._read_plain("x.csv", content, mark)
    if short is not None:
        whole = _sheet._read_any(Source("x.csv", content=content), mark)
        assert (short.queries, short.offsets.tolist()) == (whole.queries, whole.offsets.tolist())
        assert short.documents.tolist() == whole.documents.tolist()
        assert short.values.tolist() == whole.values.tolist()


@pytest.mark.parametrize(
    "content",
    [
        "query_id, doc_id, rating\nq1, d1, 3\nq1, d2, 0\nq1, d3, 1\nq2, d4, 2\n",
        "query_id,doc_id,rating\nq1,d1 ,3\nq1 ,d2,0\nq1,d3,1 \nq2,d4,2\n",
        "query_id,doc_id,rating\nq1\xa0,d1,3\nq1,\td2,0\nq1,d3,1\nq2,d4\u3000,2\n",
        'query_id,doc_id,rating\n"q1", "d1" ,3\n'.replace('" ,', '",')
        + "q1,d2,0\nq1,d3,1\nq2,d4,2",
        "query_id,doc_id,rating\rq1,d1,3\rq1,d2,0\rq1,d3,1\rq2,d4,2\r",
        "search_term,sku,rating\nq1,d1,3\nq1,d2,0\nq1,d3,1\nq2,d4,2\n",
        "query_id;product_id;rating\nq1;d1;3\nq1;d2;0\nq1;d3;1\nq2;d4;2\n",
        ",query_id,doc_id,rating\n0,q1,d1,3\n1,q1,d2,0\n2,q1,d3,1\n3,q2,d4,2\n",
        'query_id\tquery\tdoc_id\trating\nq1\t"a" b\td1\t3\nq1\t\td2\t0\nq1\t\td3\t1\nq2\t\td4\t2',
        "query_id,doc_id,rating\n# of 2024\nq1,d1,3\nq1,d2,0\nq1,d3,1\nq2,d4,2\n",
        "query_id,doc_id,rating\nq1,d1,3\nq1,d1,3\nq1,d2,0\nq1,d3,1\nq2,d4,2\n",
    ],
)
def test_one_reading_of_many_spellings(folder, content):
    assert both(folder, content) == RIGHT


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        ("query_id,doc_id,document_id,rating\nq1,a,b,1\n", ": doc_id, document_id"),
        ("query,query_text,doc_id,rating\nq1,a,b,1\n", ": query, query_text"),
        ("query_id,doc_id,\nq1,a,3\n", "line 2"),
        ('query_id,doc_id,rating\nq1,a,"1,000"\n', '"1,000"'),
        ("query_id;doc_id;rating\nq1;a;1,000\n", '"1,000"'),
        ("query_id,doc_id,rating\nq1,a,1e1\n", '"1e1"'),
        ("query_id,doc_id,rating\nq1,a,\u0663\n", '"\u0663"'),
        ("query_id,article,rating\nq1,a,1\n", "article"),
        ("customer;sku;rating\nq1;a;1\n", "customer, sku, rating"),
        ("Anfrage;Dokument;Bewertung\nq1;a;1\n", "Anfrage, Dokument, Bewertung"),
        ("Judgments of June,,\n,,\nquery_id,doc_id,rating\nq1,a,1\n", "line 3"),
        ("q1,a,1\nq1,b,0\n", "header"),
        ("Judgments of June\nquery_id;doc_id;rating\nq1;a;1\n", "line 2"),
        ("query_id,doc_id,rating\nq1,a,1\nq1,b,\n", "line 3"),
        ("query_id,doc_id,rating\nq1,d1,3\nq2,d1,3\nq1,d1,2\n", "line 4"),
    ],
)
def test_what_is_refused_by_one_is_refused_by_both(folder, content, fact, snapshot):
    said = both(folder, content)
    assert fact in said
    snapshot(said.replace(str(folder), "FOLDER"))


OWN = {"how to": {"a.md": 1, "b.md": 1}, "what": {"c.md": 1}}


@pytest.mark.parametrize(
    "content",
    [
        "question,file\nhow to,a.md\nhow to,b.md\nwhat,c.md\n",
        "question,file\nhow to,a.md;b.md\nwhat,c.md\n",
        "question;file\nhow to;a.md, b.md\nwhat;c.md\n",
        "question,files\nhow to,a.md| b.md\nwhat,c.md\n",
        'question,answer file\nhow to,"a.md\nb.md"\nwhat,c.md\n',
        "Question,Answer file\nhow to,a.md\nhow to,b.md\nwhat,c.md\n",
        "asked_by,question,source\nAna,how to,a.md\nBob,how to,b.md\nBob,what,c.md\n",
        "prompt;expected;;\nhow to;a.md;;\nhow to;b.md;;\nwhat;c.md;;\n",
        "question,answer file,,\nhow to,a.md,,\nhow to,b.md,,\nwhat,c.md,,\n",
        "question,file,page,source\nhow to,a.md,3,mail\nhow to,b.md,4,mail\nwhat,c.md,,chat\n",
    ],
)
def test_questions_in_tables_are_read_as_queries_with_files(folder, content):
    assert both(folder, content) == OWN


def test_ids_in_the_users_own_words(folder):
    rows = "1,how to,a.md\n1,how to,b.md\n2,what,c.md\n"
    for titles in ("id,question,file", "Nr,Question,Answer file", "query_id,query,document"):
        found = both(folder, f"{titles}\n{rows}")
        assert found == {"1": OWN["how to"], "2": OWN["what"]}
    merged = "id,question,file\n1,how to,a.md\n,how to,b.md\n2,what,c.md\n"
    assert both(folder, merged) == {"1": OWN["how to"], "2": OWN["what"]}
    graded = "id,query,document,grade\n1,how to,a.md,1\n2,how to,b.md,1\n3,what,c.md,1\n"
    assert both(folder, graded) == OWN  # beside grades, each row may have an id of its own


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        ("id,question,file\n1,how to,a.md\n1,what,b.md\n", "line 3"),
        ("Nr,question,answer file\n1,how to,a.md\n2,how to,b.md\n", '"Nr"'),
        ("id,question,file\n1,,a.md\n", "line 2"),
        ("question,answer file,answer file\nhow,a.md,b.md\n", ": answer file, answer file"),
        ("prompt,user question,file\na,b,c.md\n", ": prompt, user question"),
        ("ticket_text,file\nhow to,a.md\n", '"question"'),
        ("Frage;Datei\nwie;a.md\n", '"file"'),
        ("question,expected\ncapital of France?,Paris\nhow many?,42\n", '"Paris"'),
        ("prompt,source\nhello there,web\n", '"web"'),
        ("query,document\nwhat is x,It is a thing. It is used for y.\n", '"document"'),
        ("question,files\nhow to,3\nwhat,2\n", "numbers"),
        ("question,page\nhow to,12\n", "numbers"),
        ("question,file\nhow to,a.md\nwhat,N/A\n", "line 3"),
        ("question,files\nhow to,\"['a.md', 'b.md']\"\n", "line 2"),
        ("id,question,file,notes\n1,a,a.md,\n2,b,b.md,\n3,how, to do,c.md\n", "line 4"),
        ("question,file,level\nhow,a.md,3\nwhat,b.md,0\n", '"level"'),
        ("query,document,owner,stars\nq,a,me,3\n", '"stars"'),
    ],
)
def test_what_may_be_a_grade_or_no_file_is_refused(folder, content, fact, snapshot):
    said = both(folder, content)
    assert fact in said
    snapshot(said.replace(str(folder), "FOLDER"))


def test_notes_say_what_was_read_split_and_not_used(folder, snapshot):
    path = folder / "own.csv"
    path.write_text("Nr,asked_by,Question,Answer file\n1,Ana,how to,a.md;b.md\n")
    dataset = load(path)
    assert dataset.format == "questions"
    assert dataset.queries[0].extra == {"asked_by": "Ana"}
    snapshot(dataset.notes)
    path.write_text("query,file,grade\nhow to,a.md;b.md,2\n")  # whose grade is it?
    assert [one.reference.name for one in load(path).queries[0].judgments] == ["a.md;b.md"]
    snapshot(load(path).notes)


def test_addresses_and_odd_names_are_not_split(folder):
    content = "question,page\na,https://x.org/a?x=1;y=2|3\nb,https://x.org/b; https://x.org/c\n"
    assert both(folder, content) == {
        "a": {"https://x.org/a?x=1;y=2|3": 1},
        "b": {"https://x.org/b": 1, "https://x.org/c": 1},
    }
    content = 'question,file\na,a;b.md\nb,"Rent, and more.md"\nc,c|d.md\n'
    assert both(folder, content) == {
        "a": {"a;b.md": 1},
        "b": {"Rent, and more.md": 1},
        "c": {"c|d.md": 1},
    }


def test_commas_in_the_ids_of_a_trec_file_are_no_titles(folder):
    path = folder / "commas.qrels"
    path.write_text("q1 0 a,b,c 1\nq1 0 d,e,f 0\n")
    assert table(load_judgments(path)) == {"q1": {"a,b,c": 1, "d,e,f": 0}}


def test_quotes_in_a_table_with_tabs_join_no_lines(folder):
    """Beside bare titles they are letters, unless each stands around one cell."""
    content = 'query_id\tdoc_id\tgrade\nq\t"a\t3\nq\tb"\t0\n'
    assert both(folder, content, "quotes.tsv") == {"q": {'"a': 3, 'b"': 0}}
    text = 'query_id\tdoc_id\tquery\tgrade\r\nq\ta\t"one\ntwo"\t3\r\n'
    assert both(folder, text.encode("utf-16"), "wide.tsv") == {"q": {"a": 3}}


def test_rows_that_count_once_or_not_at_all_are_said(folder, snapshot):
    path = folder / "said.csv"
    path.write_text("query,doc,grade,\nq,a,1,x\nq,a,1,\n# b\n")
    notes = load_judgments(path).notes
    assert len(notes) == 3
    snapshot(notes)
    assert tuple(note for note in load(path).notes if note in notes) == notes


def test_a_frame_with_two_columns_of_documents_is_refused():
    import polars as pl

    columns = {"query_id": ["q"], "doc_id": ["a"], "document_id": ["b"], "grade": [1]}
    with pytest.raises(InputError, match=": document_id, doc_id"):
        load_judgments(pl.DataFrame(columns))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("q1 d1 1\nq1 d2 0\n", "3 columns"),
        ("q1 0 d1 perfect\nq1 0 d2 bad\n", '"perfect"'),
        ("q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 1.5 bm25\n", "run (query Q0"),
    ],
)
def test_files_that_are_nearly_trec_are_refused_alike(folder, content, problem, snapshot):
    said = both(folder, content, "my.txt")
    assert problem in said
    snapshot(said.replace(str(folder), "FOLDER"))


def test_a_fifth_column_of_trec_judgments_is_left_out_by_both(folder):
    assert both(folder, "q1 0 d1 3 alice\nq1 0 d2 0 bob\n", "my.qrels") == {
        "q1": {"d1": 3, "d2": 0}
    }


def test_ids_are_never_suggested_for_the_grade(folder):
    said = both(folder, "annotation_id,query_id,doc_id,stars\n7,q1,a,3\n")
    hint = said.partition("hint: ")[2]
    assert '"stars"' in hint
    assert "annotation_id" not in hint


def test_a_list_of_ids_in_a_cell_is_told_from_texts_of_contexts(folder, snapshot):
    said = both(folder, "user_input,reference_context_ids\nhow,\"['a', 'b']\"\n")
    assert "(reference_context_ids)" in said
    snapshot(said.replace(str(folder), "FOLDER"))
    said = both(folder, "user_input,reference_contexts\nhow,\"['a']\"\n")
    snapshot(said.replace(str(folder), "FOLDER"))


@pytest.mark.parametrize("title", ["rank", "Position"])
def test_a_run_is_never_read_as_judgments(folder, title, snapshot):
    said = both(folder, f"query_id,doc_id,{title},score\nq1,a,1,12\nq1,b,2,11\n")
    assert '"grade"' in said.partition("hint: ")[2]
    snapshot(said.replace(str(folder), "FOLDER"))
    right = f"query_id,doc_id,{title},score,rating\nq1,a,1,12,3\n"
    assert both(folder, right) == {"q1": {"a": 3}}
