import gzip
import io
import json
import os
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from assay.errors import AssayError, InputError, UsageError
from assay.rankings.load import load
from assay.records import Rankings, decode

TREC = "q1 Q0 a 2 0.5 tag\nq1 Q0 b 1 0.75 tag\nq2 Q0 c 1 -1 tag\n"


def parquet(**columns):
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_parquet(buffer)
    return buffer.getvalue()


def refused(run, *, where="", problem="", **options):
    """Check that a run is refused with one message that says what, where and what next."""
    with pytest.raises(InputError) as caught:
        load(run, **options)
    text = str(caught.value)
    assert where in text.partition("\n")[0]
    assert problem in text
    assert text.count("\n") == 1
    assert "\n  hint: " in text
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return text


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("load") / "my.run"


def written(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_by_hand(path):
    rankings = load(written(path, TREC))
    assert rankings.name == "my"
    assert rankings.queries == ("q1", "q2")
    assert rankings.offsets.tolist() == [0, 2, 3]
    assert decode(rankings.documents) == ["b", "a", "c"]
    assert rankings.scores.tolist() == [0.75, 0.5, -1.0]
    assert (rankings.ties, rankings.tied, rankings.notes) == ("docid", 0, ())


def test_what_was_loaded_is_taken_as_it_is():
    rankings = load({"q": {"d": 1}})
    assert load(rankings) is rankings


@pytest.mark.parametrize(
    ("file", "name"),
    [("bm25.run.gz", "bm25"), ("a.b.trec", "a.b"), (".run", ".run"), ("x.json", "x"), ("y", "y")],
)
def test_a_run_is_named_after_its_file(tmp_path, file, name):
    assert load(written(tmp_path / file, TREC)).name == name
    assert load(str(tmp_path / file), name="mine").name == "mine"


def test_standard_input(monkeypatch):
    class Stdin:
        buffer = io.BufferedReader(io.BytesIO(gzip.compress(TREC.encode())))

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert load("-").queries == ("q1", "q2")
    assert load({"q": {"a": 1}}).name == "run"
    assert not Stdin.buffer.closed


def test_files_are_closed_even_when_refused(path, recwarn):
    for content in (TREC, "q1 Q0 a", gzip.compress(TREC.encode()), '{"q": 1}'):
        written(path, content)
        try:
            load(path)
        except InputError:
            continue
    assert not [each for each in recwarn if each.category is ResourceWarning]


# ── one bad line ──────────────────────────────────────────────────────────────────────────────

GOOD = "q1 Q0 d{} {} 0.5 tag"
BAD_LINES = {
    "q1 Q0 x 1 NaN tag": 'score "NaN" is not a finite number',
    "q1 Q0 x 1 -inf tag": 'score "-inf" is not a finite number',
    "q1 Q0 x 1 1e999 tag": 'score "1e999" is not a finite number',
    "q1 Q0 x 1 high tag": 'score "high" is not a finite number',
    "q1 Q0 x 1 1_0 tag": 'score "1_0" is not a finite number',
    "q1 Q0 x 1 tag": "5 columns where 6 are expected (query Q0 document rank score tag)",
    "q1 Q0 x": "3 columns where 6 are expected",
    "q1": "1 column where 6 are expected",
    "q1 Q0 my doc 1 0.5 tag": 'and "doc" is no rank',
    "q1 Q0 my 1.5 1 0.5 tag": 'and "1.5" is no rank',
    "q1 Q0 page 12 1 0.5 tag": 'and "0.5" is in place of the tag',
}


@pytest.mark.parametrize("at", [1, 3, 5])
@pytest.mark.parametrize(("bad", "problem"), BAD_LINES.items())
def test_a_bad_line_is_named(path, bad, problem, at):
    lines = [GOOD.format(n, n) for n in range(5)]
    lines[at - 1] = bad
    refused(written(path, "\n".join(lines)), where=f"my.run, line {at}: ", problem=problem)
    refused(written(path, "\r\n".join([*lines, ""])), where=f"line {at}: ", problem=problem)
    commented = ["# made today", "", *lines]
    refused(written(path, "\n".join(commented)), where=f"line {at + 2}: ", problem=problem)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("q1\ta\t0.5\nq1\tb\t0.4\n", "titles: query-id<TAB>corpus-id<TAB>score"),
        ("# made today\n\nq1 a 0.5\n", "titles: query-id<TAB>corpus-id<TAB>score"),
        ("q1;a;0.5\nq1;b;0.4\n", "need a first line of titles: query_id,document_id,score"),
        ("q1,a,0.5\nq1,b,0.4\n", "need a first line of titles: query_id,document_id,score"),
        ("q1 Q0 a 1 0.5 t\nq1 b 0.4\n", "is it another format, or a line cut short?"),
    ],
)
def test_the_first_line_tells_what_is_missing(path, text, hint):
    assert refused(written(path, text), problem="where 6 are expected").endswith(hint)


@pytest.mark.parametrize("grade", ["0", "2", "-1"])
def test_judgments_in_the_place_of_a_run(path, grade):
    text = f"# judged\nq1 0 a {grade}\nq1 0 b 1\n"
    message = refused(written(path, text), where="my.run: ", problem="is judgments (query iter")
    assert message.endswith("not a run\n  hint: give the run's file")
    refused(written(path, "q1 Q0 a 0.5\n"), where="line 1: ", problem="4 columns where 6")


def test_a_document_twice_names_the_second_line(path):
    text = "q1 Q0 a 1 3 t\nq2 Q0 a 1 3 t\n\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\n"
    refused(
        written(path, text),
        where="my.run, line 5: ",
        problem='document "a" stands twice under query "q1"',
    )


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        (b" \n\r\n\t\n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (gzip.compress(b"", mtime=0), "is empty"),
        (b"# nothing\n#\n", "holds no rows"),
        (b"{}", "holds no rows"),
        (b'{"q": {}}', "holds no rows"),
        (b"query,document,score\n", "holds no rows"),
        (b"query\tdocument\tscore\n", "holds no rows"),
        (parquet(query=[], document=[], score=[]), "holds no rows"),
    ],
)
def test_files_without_rows(path, content, problem):
    refused(written(path, content), where="my.run: ", problem=problem)


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        (bytes(range(256)) * 20, 2, "binary data"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 1, "binary data"),
        (TREC.encode("utf-16-be"), 1, "binary data"),
        (b"q Q0 d 1 1 t\nq Q0 \0 1 1 t\n", 2, "binary data"),
        (b"q Q0 d 1 1 t\nq Q0 e\x07 1 1 t\n", 2, "binary data"),
        ("q Q0 d 1 1 t\nq Q0 café 1 1 t\n".encode("latin-1"), 2, "iconv -f latin1"),
        (b"q Q0 d 1 1 t\rq Q0 e 2 1 t\r", 1, "carriage return"),
    ],
)
def test_what_is_no_utf8_text(path, content, line, problem):
    refused(written(path, content), where=f"my.run, line {line}: ", problem=problem)


def test_gzip_cut_short_or_damaged(path):
    packed = gzip.compress(TREC.encode() * 500, mtime=0)
    for end in (5, 15, len(packed) // 2, len(packed) - 1):
        refused(written(path, packed[:end]), where="my.run: ", problem="ends too early")
    for at in (12, len(packed) // 2, len(packed) - 6):
        damaged = packed[:at] + bytes([packed[at] ^ 0xFF]) + packed[at + 1 :]
        refused(written(path, damaged), where="my.run")
    refused(written(path, packed + b"garbage"), where="my.run: ", problem="cannot be read")


def test_paths_that_lead_nowhere(tmp_path):
    written(tmp_path / "bm25.run", TREC)
    refused(tmp_path, where=f"{tmp_path}: ", problem="is a folder")
    refused("", problem="is a folder")
    near = refused(tmp_path / "bm52.run", where="bm52.run: ", problem="no such file")
    assert "did you mean" in near
    assert near.endswith("bm25.run?")
    refused(tmp_path / "other", problem="check the path")
    refused(tmp_path / "none" / "x.run", where="x.run: ", problem="no such file")
    refused(tmp_path / "bm25.run" / "x", where="bm25.run/x: ", problem="cannot be opened")
    refused("q1 Q0 a 1 0.5 tag\0", problem="cannot be opened")
    assert len(refused(TREC * 200, problem="cannot be opened")) < 400


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may read every file")
def test_a_file_that_may_not_be_read(path):
    written(path, TREC).chmod(0)
    try:
        refused(path, where="my.run: ", problem="permission")
    finally:
        path.chmod(0o644)


def test_a_refused_opening_is_explained(path, monkeypatch):
    """Stands in for the test above where it cannot run."""

    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", denied)
    refused(path, where="my.run: ", problem="no permission")


# ── JSON ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"q": {"d": 1, "e": 2, "d": 3}}', 'the key "d" stands twice'),
        ('{"q": {"d": 1}, "q": {"e": 1}}', 'the key "q" stands twice'),
        ('{"q": {"d": NaN}}', "NaN is no number of JSON"),
        ('{"q": {"d": -Infinity}}', "-Infinity is no number of JSON"),
        ('{"q": {"d": 1e999}}', 'query "q", document "d": score inf is not finite'),
        ('{"q": {"d": 1' + "0" * 400 + "}}", 'query "q": a score is too large'),
        ('{"q": {"d": 1' + "0" * 5000 + "}}", "not valid JSON"),
        ('{"q": {"d": true}}', 'query "q", document "d": score True is not a number'),
        ('{"q": {"d": null}}', 'query "q", document "d": score None is not a number'),
        ('{"q": {"c": 1, "d": "0.5"}}', "document \"d\": score '0.5' is not a number"),
        ('{"q": {"d": [1]}}', "score [1] is not a number"),
        ('{"q": ["d"]}', 'query "q": holds list where {document: score} is expected'),
        ('{"q": 3}', 'query "q": holds int where'),
        ('{"q": {"": 1}}', "the id '' is empty"),
        ('{"": {"d": 1}}', "the id '' is empty"),
        ('{"q": {"a\\nb": 1}}', "the id 'a\\nb' is"),
        ('{"q": {"a\\u0000": 1}}', "the id 'a\\x00' is"),
        ('{"q": {"\\ud800": 1}}', "half of a surrogate pair"),
        ('{"\\udfff": {"d": 1}}', "half of a surrogate pair"),
        ('{"q": {"d": 1}', "not valid JSON"),
        ('{"q": {"d": 1}} trailing', "line 1, column 17: not valid JSON (Extra data)"),
        ('{\n"q": {"d" 1}}', "line 2, column 11: not valid JSON"),
        ('{"a":' * 100_000, "nested deeper than 100 levels"),
        ('{"a": [' + "[" * 100_000, "nested deeper than 100 levels"),
    ],
)
def test_json_that_is_refused(path, text, problem):
    refused(written(path, text), where="my.run", problem=problem)


@pytest.mark.parametrize("text", ["[1, 2]", "[]", '["q"]', "[[1]]", "[-1.5e3 ,2]"])
def test_json_lists_are_no_runs(path, text):
    refused(written(path, text), where="my.run: ", problem="holds no {query: {document: number}}")
    refused(written(path, ' [\n  {"q": 1}]'), where="my.run: ", problem="is a list of objects")


def test_a_bracket_does_not_make_it_json(path):
    text = "[q1] Q0 a 1 0.5 tag\n[1] Q0 b 1 0.5 tag\n"
    assert load(written(path, text)).queries == ("[q1]", "[1]")
    assert load(written(path, text.partition("\n")[2])).queries == ("[1]",)


def test_json_in_another_encoding(path):
    refused(written(path, b'{"q": {"\xe9": 1}}'), where="my.run", problem="not UTF-8 (byte 8)")


# ── CSV and TSV ───────────────────────────────────────────────────────────────────────────────


def test_csv_with_quotes(path):
    text = 'Query_ID,"docid",note,Score\r\n"q,1","a ""b""",n,0.5\r\n\r\n"q,1", c ,n,0.25\r\n'
    rankings = load(written(path, text))
    assert rankings.queries == ("q,1",)
    assert decode(rankings.documents) == ['a "b"', "c"]
    odd = "query,document,score\nq,a\u2028b\x85c\x0bd,1\n"
    assert decode(load(written(path, odd)).documents) == ["a\u2028b\x85c\x0bd"]


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        ("query,document\nq,d\n", "my.run: ", "no column is called score or similarity or sim"),
        ("query,document,score\nq,d\n", "line 2", "2 columns where 3 are expected"),
        ("query,document,score\nq,d,1\nq,e,2,3\n", "line 3", "4 columns where 3 are expected"),
        ('query,document,score\nq,"a\nb",1\nq,d,x\n', "line 4", 'score "x" is not a finite'),
        ('query,document,score\nq,d,1\nq,"a\nb",1\n', "line 3", "the id 'a\\nb'"),
        ("query,document,score\nq,d,1\nq,,1\n", "line 3", "the id ''"),
        ("query,document,score\n,d,1\n", "line 2", "the id ''"),
        ("query,document,score\nq,d,\n", "line 2", 'score "" is not a finite number'),
        ("query,document,score\nq,d,nan\n", "line 2", 'score "nan" is not a finite number'),
        ('query,document,score\nq,"d"x,1\n', "line 2", "not valid csv"),
        ('query,document,score\nq,"d,1\n', "my.run, line", "not valid csv"),
        ('query,document,score,"n"x\nq,d,1,2\n', "line 1", "not valid csv"),
        ("query,document,score\nq,d,1\n\nq,d,2\n", "line 4", 'document "d" stands twice'),
        ("query,document,score,score\nq,d,1,2\n", "my.run: ", 'two columns are called "score"'),
    ],
)
def test_csv_that_is_refused(path, text, where, problem):
    refused(written(path, text), where=where, problem=problem)


def test_csv_in_another_encoding(path):
    text = "query,document,score\nq,caf\xe9,1\n".encode("latin-1")
    refused(written(path, text), where="my.run", problem="not UTF-8")


def test_tsv_as_beir_has_it(path):
    text = "query-id\tcorpus-id\tscore\r\nq 1\ta b\t1\r\nq 1\tc\t2\tmore\r\n\r\n"
    rankings = load(written(path, text))
    assert rankings.queries == ("q 1",)
    assert decode(rankings.documents) == ["c", "a b"]
    assert rankings.notes == ("1 line has more than 3 columns; the rest is ignored",)


def test_titles_that_begin_with_a_hash_cost_no_row(path):
    text = "#\tquery-id\tcorpus-id\tscore\n0\tq\ta\t1\n1\tq\tb\t2\n"
    rankings = load(written(path, text))
    assert decode(rankings.documents) == ["b", "a"]
    assert rankings.notes == ()


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        ("query-id\tcorpus-id\nq\td\n", "my.run: ", "no column is called score"),
        ("query-id\tcorpus-id\tscore\nq\td\n", "line 2", "2 columns where 3 are expected"),
        ("query-id\tcorpus-id\tscore\nq\td\t1\n\nq\te\tx\n", "line 4", 'score "x" is not a'),
        ("query-id\tcorpus-id\tscore\nq\td\t\n", "line 2", "an empty field"),
        ("query-id\tcorpus-id\tscore\nq\ta\t1\n\nq\t\t1\n", "line 4", "an empty field"),
        ("query-id\tcorpus-id\tscore\n\td\t1\n", "line 2", "an empty field"),
        ("query-id\tcorpus-id\tscore\nq\td\t1\nq\td\t2\n", "line 3", "stands twice"),
    ],
)
def test_tsv_that_is_refused(path, text, where, problem):
    refused(written(path, text), where=where, problem=problem)
    refused(written(path, text.replace("\n", "\r\n")), where=where, problem=problem)


# ── parquet and frames ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (parquet(a=[1], b=[2]), "no column is called query_id or query_key or qid"),
        (parquet(query=["q"], document=["d"]), "no column is called score"),
        (parquet(query=["q"], document=["d"], score=["1"]), "the score column holds String"),
        (parquet(query=["q"], document=["d"], score=[True]), "the score column holds Boolean"),
        (parquet(query=["q", "q"], doc=["d", "e"], score=[1, None]), "row 1: the score is missing"),
        (parquet(query=["q", None], doc=["d", "e"], score=[1, 2]), "row 1: the query is missing"),
        (parquet(query=["q", "q"], doc=["d", None], score=[1, 2]), "row 1: the document is miss"),
        (parquet(query=["q", "q"], doc=["d", ""], score=[1, 2]), "row 1: the id '' is empty"),
        (parquet(query=["q"], doc=["d"], score=[float("nan")]), "row 0: score nan is not a finite"),
        (parquet(query=["q", "q"], doc=["d", "d"], score=[1, 2]), 'row 1: document "d" stands twi'),
        (parquet(query=["q"], doc=[["d"]], score=[1.0]), "row 0: the id ['d'] is no text"),
        (b"PAR1", "not a readable parquet file"),
        (b"PAR1" + b"\0" * 100, "not a readable parquet file"),
        (parquet(query=["q"], doc=["d"], score=[1.0])[:-9], "not a readable parquet file"),
    ],
)
def test_parquet_that_is_refused(path, content, problem):
    refused(written(path, content), where="my.run", problem=problem)


FRAMES = [pl.DataFrame, pl.LazyFrame, pd.DataFrame]


@pytest.mark.parametrize("frame", FRAMES)
def test_frames(frame):
    rankings = load(frame({"qid": ["b", "a", "b"], "docno": ["x", "y", "z"], "score": [1, 2, 3]}))
    assert rankings.queries == ("b", "a")
    assert decode(rankings.documents) == ["z", "x", "y"]
    whole = load(
        frame({"query": [7, 7], "document": [10, 9], "score": [0.5, 0.75], "more": [1, 2]})
    )
    assert (whole.queries, decode(whole.documents)) == (("7",), ["9", "10"])
    packed = load(frame({"query": ["q"], "document": [b"caf\xc3\xa9"], "score": [1]}))
    assert decode(packed.documents) == ["café"]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"query": ["q", "q"], "document": ["a", "b"], "score": [1.0, None]}, "run, row 1: "),
        ({"query": ["q", "q"], "document": ["a", "b"], "score": [1.0, np.nan]}, "run, row 1: "),
        ({"query": ["q", "q"], "document": ["a", "b"], "score": [1.0, np.inf]}, "run, row 1: "),
        ({"query": ["q", None], "document": ["a", "b"], "score": [1.0, 2.0]}, "run, row 1: "),
        ({"query": ["q", "q"], "document": ["a", None], "score": [1.0, 2.0]}, "run, row 1: "),
        ({"query": ["q", "q"], "document": [1.0, 2.0], "score": [1.0, 2.0]}, "the id 1.0 is no"),
        ({"query": ["q", "q"], "document": ["a", "a"], "score": [1.0, 2.0]}, "run, row 1: "),
        ({"query": ["q"], "document": ["a"], "score": ["high"]}, "the score column holds "),
        ({"query": ["q"], "document": [b"\xe9"], "score": [1]}, "is no text"),
        ({"who": ["q"], "what": ["a"], "score": [1.0]}, "its columns are: who, what, score"),
        ({"query": [], "document": [], "score": []}, "run: holds no rows"),
    ],
)
def test_frames_that_are_refused(frame, columns, problem):
    refused(frame(columns), problem=problem)


def test_a_pandas_frame_with_two_columns_of_one_name():
    table = pd.DataFrame([["q", "d", 1.0, 2.0]], columns=["query", "doc", "score", "score"])
    refused(table, problem='two columns are called "score"')


# ── mappings and the rest ─────────────────────────────────────────────────────────────────────


def test_mappings():
    rankings = load({1: {2: np.float32(0.5), "x": np.int64(3)}, "q": {"y": 1}})
    assert rankings.queries == ("1", "q")
    assert decode(rankings.documents) == ["x", "2", "y"]
    refused({"q": {"d": float("nan")}}, where='run, query "q", document "d": ')
    refused({"q": {"d": np.True_}}, problem="is not a number")
    refused({"q": {None: 1}}, where='run, query "q": ', problem="the id None is no text")
    refused({"q": {"d": 1}, None: {"d": 1}}, problem="the id None is no text")
    refused({"q": {"1": 1, 1: 2}}, where='query "q", document "1"', problem="stands twice")
    refused({"q": {"d" * 4097: 1}}, where='run, query "q": ', problem="too long")
    refused({"q": None}, problem="holds NoneType")


@pytest.mark.parametrize("thing", [None, 3, [("q", "d", 1)], b"path", {"q"}, np.ones(3)])
def test_other_things_are_refused(thing):
    refused(thing, problem="cannot read a run from ")


def test_unknown_options_are_refused(path):
    refused(written(path, TREC), problem="did you mean 'trec'?", format="tre")
    with pytest.raises(UsageError, match=r"'docid', 'order', 'expected'"):
        load({"q": {"d": 1}}, ties="docids")


def test_comments_and_extra_columns_are_said(path):
    text = "# run\n#q9 Q0 a 1 1 t\nq Q0 a 1 1 my tag\nq Q0 b 2 1 my\n"
    assert load(written(path, text)).notes == (
        "1 line has more than 6 columns; the rest is ignored",
        '2 lines begin with "#" and are left out',
    )
    text = "# run\nq Q0 a 1 1 my 2 tags\nq Q0 b 2 1 my u\n"
    assert load(written(path, text)).notes == (
        "2 lines have more than 6 columns; the rest is ignored",
        '1 line begins with "#" and is left out',
    )


# ── nothing but our own errors ────────────────────────────────────────────────────────────────

SAMPLES = [
    TREC.encode(),
    b"query-id\tcorpus-id\tscore\nq1\ta b\t0.5\nq1\tc\t1\n",
    b'query,document,score\nq1,"a, b",0.5\nq1,c,1\n',
    json.dumps({"q1": {"a": 0.5, "b": 1}, "q2": {"c": 2}}).encode(),
    gzip.compress(TREC.encode(), mtime=0),
    parquet(query=["q1", "q1"], doc=["a", "b"], score=[0.5, 1.0]),
]


@st.composite
def damaged(draw):
    """A good file with bytes changed, removed or added."""
    content = bytearray(draw(st.sampled_from(SAMPLES)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(content)))
        content[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(content)


def load_or_refuse(path, content):
    try:
        rankings = load(written(path, content))
    except AssayError as error:
        assert error.hint  # noqa: PT017
        return
    assert isinstance(rankings, Rankings)
    assert np.isfinite(rankings.scores).all()
    assert len(rankings.scores) == len(rankings.documents) == rankings.offsets[-1] > 0
    for start, end in zip(rankings.offsets[:-1], rankings.offsets[1:], strict=True):
        scores = rankings.scores[start:end]
        assert (scores[1:] <= scores[:-1]).all()
        assert len(set(rankings.documents[start:end].tolist())) == end - start
    assert "" not in decode(rankings.documents)


fuzz = settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow], deadline=None)


@fuzz
@given(st.binary(max_size=200))
@example(b"{" * 3000)
@example(b'{"a":{"b":1}}\xff')
def test_any_bytes_are_read_or_refused(path, content):
    load_or_refuse(path, content)


@fuzz
@given(damaged())
def test_any_damage_is_read_or_refused(path, content):
    load_or_refuse(path, content)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


@fuzz
@given(st.dictionaries(st.text(max_size=4), json_values, max_size=3))
def test_any_json_is_read_or_refused(path, table):
    load_or_refuse(path, json.dumps(table))


fields = st.sampled_from(["q", "d", "1", "0.5", "", '"', " ", "nan", "#", "é", "\r", "\0", "query"])


@fuzz
@given(st.sampled_from("\t, "), st.lists(st.lists(fields, max_size=7), max_size=6))
def test_any_table_is_read_or_refused(path, separator, rows):
    titles = separator.join(["query", "document", "score"])
    body = "\n".join(separator.join(row) for row in rows)
    load_or_refuse(path, f"{titles}\n{body}")
    load_or_refuse(path, body)


def test_rankings_keep_the_tie_rule_that_they_were_loaded_with():
    tied = {"q": {"a": 1.0, "b": 1.0}}
    kept = load(tied, ties="order")

    assert load(kept, ties="order", name="again").name == "again"
    with pytest.raises(UsageError, match="ordered by 'order'"):
        load(kept, ties="docid")
    with pytest.raises(UsageError, match="ordered by 'docid'"):
        load(load(tied), ties="order")
    assert load(load({"q": {"a": 1.0}}), ties="order").tied == 0, "nothing is tied, nothing differs"
