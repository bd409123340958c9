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


def refused(run, *facts, where="", **options):
    """Check that a run is refused with one message, and return what it says without the place."""
    with pytest.raises(InputError) as caught:
        load(run, **options)
    error = caught.value
    text = str(error)
    assert where in text.partition("\n")[0]
    assert [fact for fact in facts if fact not in text] == []
    assert text.count("\n") == 1
    assert "\n  hint: " in text
    assert error.__cause__ is None
    assert error.__suppress_context__ or error.__context__ is None
    return f"{error.problem}\n  hint: {error.hint}"


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
    "q1 Q0 x 1 NaN tag": '"NaN"',
    "q1 Q0 x 1 -inf tag": '"-inf"',
    "q1 Q0 x 1 1e999 tag": '"1e999"',
    "q1 Q0 x 1 high tag": '"high"',
    "q1 Q0 x 1 1_0 tag": '"1_0"',
    "q1 Q0 x 1 tag": "5 columns",
    "q1 Q0 x": "3 columns",
    "q1": "1 column,",
    "q1 Q0 my doc 1 0.5 tag": '"doc"',
    "q1 Q0 my 1.5 1 0.5 tag": '"1.5"',
    "q1 Q0 page 12 1 0.5 tag": '"0.5"',
}


@pytest.mark.parametrize(("bad", "fact"), BAD_LINES.items(), ids=BAD_LINES)
def test_a_bad_line_is_named(path, bad, fact, snapshot):
    said = set()
    for at in (1, 3, 5):
        lines = [GOOD.format(n, n) for n in range(5)]
        lines[at - 1] = bad
        for text, line in (
            ("\n".join(lines), at),
            ("\r\n".join([*lines, ""]), at),
            ("\n".join(["# made today", "", *lines]), at + 2),
        ):
            said.add(refused(written(path, text), fact, where=f"my.run, line {line}: "))
    snapshot(sorted(said))


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("q1\ta\t0.5\nq1\tb\t0.4\n", "query-id<TAB>corpus-id<TAB>score"),
        ("# made today\n\nq1 a 0.5\n", "query-id<TAB>corpus-id<TAB>score"),
        ("q1;a;0.5\nq1;b;0.4\n", "query_id,document_id,score"),
        ("q1,a,0.5\nq1,b,0.4\n", "query_id,document_id,score"),
        ("q1 Q0 a 1 0.5 t\nq1 b 0.4\n", ""),
    ],
)
def test_the_first_line_tells_what_is_missing(path, text, titles, snapshot):
    said = refused(written(path, text), " 6 ")
    assert said.endswith(titles)
    snapshot(said)


@pytest.mark.parametrize("grade", ["0", "2", "-1"])
def test_judgments_in_the_place_of_a_run(path, grade, snapshot):
    text = f"# judged\nq1 0 a {grade}\nq1 0 b 1\n"
    snapshot(refused(written(path, text), "judgments", where="my.run: "))


def test_four_columns_that_are_no_judgments(path):
    refused(written(path, "q1 Q0 a 0.5\n"), "4 columns", where="line 1: ")


def test_a_document_twice_names_the_second_line(path, snapshot):
    text = "q1 Q0 a 1 3 t\nq2 Q0 a 1 3 t\n\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\n"
    snapshot(refused(written(path, text), '"a"', '"q1"', where="my.run, line 5: "))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b" \n\r\n\t\n", id="blank"),
        pytest.param(b"\xef\xbb\xbf", id="mark"),
        pytest.param(gzip.compress(b"", mtime=0), id="gzip"),
        pytest.param(b"# nothing\n#\n", id="comments"),
        b"{}",
        b'{"q": {}}',
        b"query,document,score\n",
        b"query\tdocument\tscore\n",
        pytest.param(parquet(query=[], document=[], score=[]), id="parquet"),
    ],
)
def test_files_without_rows(path, content, snapshot):
    snapshot(refused(written(path, content), where="my.run: "))


@pytest.mark.parametrize(
    ("content", "line"),
    [
        pytest.param(bytes(range(256)) * 20, 2, id="all bytes"),
        pytest.param(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 1, id="image"),
        pytest.param(TREC.encode("utf-16-be"), 1, id="utf-16-be"),
        (b"q Q0 d 1 1 t\nq Q0 \0 1 1 t\n", 2),
        (b"q Q0 d 1 1 t\nq Q0 e\x07 1 1 t\n", 2),
        pytest.param("q Q0 d 1 1 t\nq Q0 café 1 1 t\n".encode("latin-1"), 2, id="latin-1"),
        pytest.param(b"q Q0 d 1 1 t\rq Q0 e 2 1 t\r", 1, id="carriage return"),
    ],
)
def test_what_is_no_utf8_text(path, content, line, snapshot):
    snapshot(refused(written(path, content), where=f"my.run, line {line}: "))


def test_gzip_cut_short_or_damaged(path, snapshot):
    packed = gzip.compress(TREC.encode() * 500, mtime=0)
    cut = [packed[:end] for end in (5, 15, len(packed) // 2, len(packed) - 1)]
    (early,) = {refused(written(path, content), where="my.run: ") for content in cut}
    snapshot(early)
    for at in (12, len(packed) // 2, len(packed) - 6):
        damaged = packed[:at] + bytes([packed[at] ^ 0xFF]) + packed[at + 1 :]
        refused(written(path, damaged), where="my.run")
    assert refused(written(path, packed + b"garbage"), where="my.run: ") != early


def test_paths_that_lead_nowhere(tmp_path, snapshot):
    written(tmp_path / "bm25.run", TREC)
    folder = refused(tmp_path, where=f"{tmp_path}: ")
    assert refused("") == folder
    near = refused(tmp_path / "bm52.run", where="bm52.run: ")
    assert near.endswith("bm25.run?")
    far = refused(tmp_path / "other", where="other: ")
    deep = refused(tmp_path / "none" / "x.run", where="x.run: ")
    assert far.partition("\n")[0] == deep.partition("\n")[0] == near.partition("\n")[0]
    below = refused(tmp_path / "bm25.run" / "x", where="bm25.run/x: ")
    null = refused("q1 Q0 a 1 0.5 tag\0")
    long = refused(TREC * 200)
    assert len(long) < 400
    snapshot([folder, near, far, deep, below, null, long])


@pytest.mark.skipif(
    getattr(os, "geteuid", int)() == 0, reason="the administrator may read every file"
)
def test_a_file_that_may_not_be_read(path):
    written(path, TREC).chmod(0)
    try:
        refused(path, "permission", where="my.run: ")
    finally:
        path.chmod(0o644)


def test_a_refused_opening_is_explained(path, monkeypatch):
    """Stands in for the test above where it cannot run."""

    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", denied)
    refused(path, "permission", where="my.run: ")


# ── JSON ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ('{"q": {"d": 1, "e": 2, "d": 3}}', '"d"'),
        ('{"q": {"d": 1}, "q": {"e": 1}}', '"q"'),
        ('{"q": {"d": NaN}}', "NaN"),
        ('{"q": {"d": -Infinity}}', "-Infinity"),
        ('{"q": {"d": 1e999}}', 'query "q", document "d": '),
        pytest.param('{"q": {"d": 1' + "0" * 400 + "}}", 'query "q": ', id="400 digits"),
        pytest.param('{"q": {"d": 1' + "0" * 5000 + "}}", "4,300", id="5000 digits"),
        ('{"q": {"d": true}}', 'query "q", document "d": '),
        ('{"q": {"d": null}}', 'query "q", document "d": '),
        ('{"q": {"c": 1, "d": "0.5"}}', '"0.5"'),
        ('{"q": {"d": [1]}}', "[1]"),
        ('{"q": ["d"]}', 'query "q": '),
        ('{"q": 3}', 'query "q": '),
        ('{"q": {"": 1}}', '""'),
        ('{"": {"d": 1}}', '""'),
        ('{"q": {"a\\nb": 1}}', '"a\\nb"'),
        ('{"q": {"a\\u0000": 1}}', '"a\\x00"'),
        ('{"q": {"\\ud800": 1}}', "surrogate"),
        ('{"\\udfff": {"d": 1}}', "surrogate"),
        ('{"q": {"d": 1}', "line 1, column 15: "),
        ('{"q": {"d": 1}} trailing', "line 1, column 17: "),
        ('{\n"q": {"d" 1}}', "line 2, column 11: "),
        pytest.param('{"a":' * 100_000, " 100 ", id="deep objects"),
        pytest.param('{"a": [' + "[" * 100_000, " 100 ", id="deep lists"),
    ],
)
def test_json_that_is_refused(path, text, fact, snapshot):
    snapshot(refused(written(path, text), fact, where="my.run"))


@pytest.mark.parametrize(
    "text", ["[1, 2]", "[]", '["q"]', "[[1]]", "[-1.5e3 ,2]", ' [\n {"q": 1}]']
)
def test_json_lists_are_no_runs(path, text, snapshot):
    snapshot(refused(written(path, text), where="my.run: "))


def test_a_bracket_does_not_make_it_json(path):
    text = "[q1] Q0 a 1 0.5 tag\n[1] Q0 b 1 0.5 tag\n"
    assert load(written(path, text)).queries == ("[q1]", "[1]")
    assert load(written(path, text.partition("\n")[2])).queries == ("[1]",)


def test_json_in_another_encoding(path):
    refused(written(path, b'{"q": {"\xe9": 1}}'), "UTF-8 (byte 8)", where="my.run")


# ── CSV and TSV ───────────────────────────────────────────────────────────────────────────────


def test_csv_with_quotes(path):
    text = 'Query_ID,"docid",note,Score\r\n"q,1","a ""b""",n,0.5\r\n\r\n"q,1", c ,n,0.25\r\n'
    rankings = load(written(path, text))
    assert rankings.queries == ("q,1",)
    assert decode(rankings.documents) == ['a "b"', "c"]
    odd = "query,document,score\nq,a\u2028b\x85c\x0bd,1\n"
    assert decode(load(written(path, odd)).documents) == ["a\u2028b\x85c\x0bd"]


@pytest.mark.parametrize(
    ("text", "where", "fact"),
    [
        ("query,document\nq,d\n", "my.run: ", "score or similarity or sim"),
        ("query,document,score\nq,d\n", "line 2", "2 columns"),
        ("query,document,score\nq,d,1\nq,e,2,3\n", "line 3", "4 columns"),
        ('query,document,score\nq,"a\nb",1\nq,d,x\n', "line 4", '"x"'),
        ('query,document,score\nq,d,1\nq,"a\nb",1\n', "line 3", '"a\\nb"'),
        ("query,document,score\nq,d,1\nq,,1\n", "line 3", '""'),
        ("query,document,score\n,d,1\n", "line 2", '""'),
        ("query,document,score\nq,d,\n", "line 2", '""'),
        ("query,document,score\nq,d,nan\n", "line 2", '"nan"'),
        ('query,document,score\nq,"d"x,1\n', "line 2", "CSV"),
        ('query,document,score\nq,"d,1\n', "my.run, line", "CSV"),
        ('query,document,score,"n"x\nq,d,1,2\n', "line 1", "CSV"),
        ("query,document,score\nq,d,1\n\nq,d,2\n", "line 4", '"d"'),
        ("query,document,score,score\nq,d,1,2\n", "my.run: ", '"score"'),
    ],
)
def test_csv_that_is_refused(path, text, where, fact, snapshot):
    snapshot(refused(written(path, text), fact, where=where))


def test_csv_in_another_encoding(path):
    text = "query,document,score\nq,caf\xe9,1\n".encode("latin-1")
    refused(written(path, text), "UTF-8", where="my.run")


def test_tsv_as_beir_has_it(path, snapshot):
    text = "query-id\tcorpus-id\tscore\r\nq 1\ta b\t1\r\nq 1\tc\t2\tmore\r\n\r\n"
    rankings = load(written(path, text))
    assert rankings.queries == ("q 1",)
    assert decode(rankings.documents) == ["c", "a b"]
    assert len(rankings.notes) == 1
    snapshot(rankings.notes)


def test_titles_that_begin_with_a_hash_cost_no_row(path):
    text = "#\tquery-id\tcorpus-id\tscore\n0\tq\ta\t1\n1\tq\tb\t2\n"
    rankings = load(written(path, text))
    assert decode(rankings.documents) == ["b", "a"]
    assert rankings.notes == ()


@pytest.mark.parametrize(
    ("text", "where", "fact"),
    [
        ("query-id\tcorpus-id\nq\td\n", "my.run: ", "score"),
        ("query-id\tcorpus-id\tscore\nq\td\n", "line 2", "2 columns"),
        ("query-id\tcorpus-id\tscore\nq\td\t1\n\nq\te\tx\n", "line 4", '"x"'),
        ("query-id\tcorpus-id\tscore\nq\td\t\n", "line 2", "empty"),
        ("query-id\tcorpus-id\tscore\nq\ta\t1\n\nq\t\t1\n", "line 4", "empty"),
        ("query-id\tcorpus-id\tscore\n\td\t1\n", "line 2", "empty"),
        ("query-id\tcorpus-id\tscore\nq\td\t1\nq\td\t2\n", "line 3", '"d"'),
    ],
)
def test_tsv_that_is_refused(path, text, where, fact, snapshot):
    said = refused(written(path, text), fact, where=where)
    assert refused(written(path, text.replace("\n", "\r\n")), where=where) == said
    snapshot(said)


# ── parquet and frames ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("columns", "fact"),
    [
        ({"a": [1], "b": [2]}, "query_id or query_key or qid"),
        ({"query": ["q"], "document": ["d"]}, "score"),
        ({"query": ["q"], "document": ["d"], "score": ["1"]}, "String"),
        ({"query": ["q"], "document": ["d"], "score": [True]}, "Boolean"),
        ({"query": ["q", "q"], "doc": ["d", "e"], "score": [1, None]}, "row 1: "),
        ({"query": ["q", None], "doc": ["d", "e"], "score": [1, 2]}, "row 1: "),
        ({"query": ["q", "q"], "doc": ["d", None], "score": [1, 2]}, "row 1: "),
        ({"query": ["q", "q"], "doc": ["d", ""], "score": [1, 2]}, "row 1: "),
        ({"query": ["q"], "doc": ["d"], "score": [float("nan")]}, "row 0: "),
        ({"query": ["q", "q"], "doc": ["d", "d"], "score": [1, 2]}, "row 1: "),
        ({"query": ["q"], "doc": [["d"]], "score": [1.0]}, "row 0: "),
    ],
    ids=str,
)
def test_parquet_that_is_refused(path, columns, fact, snapshot):
    snapshot(refused(written(path, parquet(**columns)), fact, where="my.run"))


@pytest.mark.parametrize(
    "content",
    [b"PAR1", b"PAR1" + b"\0" * 100, parquet(query=["q"], doc=["d"], score=[1.0])[:-9]],
    ids=["mark", "zeros", "cut"],
)
def test_parquet_that_cannot_be_read(path, content):
    refused(written(path, content), "parquet", where="my.run: ")


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
    ("columns", "fact"),
    [
        ({"query": ["q", "q"], "document": ["a", "b"], "score": [1.0, None]}, "run, row 1: "),
        ({"query": ["q", "q"], "document": ["a", "b"], "score": [1.0, np.nan]}, "run, row 1: "),
        ({"query": ["q", "q"], "document": ["a", "b"], "score": [1.0, np.inf]}, "run, row 1: "),
        ({"query": ["q", None], "document": ["a", "b"], "score": [1.0, 2.0]}, "run, row 1: "),
        ({"query": ["q", "q"], "document": ["a", None], "score": [1.0, 2.0]}, "run, row 1: "),
        ({"query": ["q", "q"], "document": [1.0, 2.0], "score": [1.0, 2.0]}, "1.0"),
        ({"query": ["q", "q"], "document": ["a", "a"], "score": [1.0, 2.0]}, "run, row 1: "),
        ({"query": ["q"], "document": ["a"], "score": ["high"]}, "score column"),
        ({"query": ["q"], "document": [b"\xe9"], "score": [1]}, "b'\\xe9'"),
        ({"who": ["q"], "what": ["a"], "score": [1.0]}, ": who, what, score"),
        ({"query": [], "document": [], "score": []}, "rows"),
    ],
)
def test_frames_that_are_refused(frame, columns, fact):
    refused(frame(columns), fact)


def test_a_pandas_frame_with_two_columns_of_one_name():
    table = pd.DataFrame([["q", "d", 1.0, 2.0]], columns=["query", "doc", "score", "score"])
    refused(table, '"score"')


# ── mappings and the rest ─────────────────────────────────────────────────────────────────────


def test_mappings(snapshot):
    rankings = load({1: {2: np.float32(0.5), "x": np.int64(3)}, "q": {"y": 1}})
    assert rankings.queries == ("1", "q")
    assert decode(rankings.documents) == ["x", "2", "y"]
    snapshot(
        [
            refused({"q": {"d": float("nan")}}, where='run, query "q", document "d": '),
            refused({"q": {"d": np.True_}}, "True"),
            refused({"q": {None: 1}}, "null", where='run, query "q": '),
            refused({"q": {"d": 1}, None: {"d": 1}}, "null"),
            refused({"q": {"1": 1, 1: 2}}, where='query "q", document "1"'),
            refused({"q": {"d" * 4097: 1}}, "4,096", where='run, query "q": '),
            refused({"q": None}, "null"),
        ]
    )


@pytest.mark.parametrize("thing", [None, 3, [("q", "d", 1)], b"path", {"q"}, np.ones(3)])
def test_other_things_are_refused(thing):
    problem, _, _ = refused(thing).partition("\n")
    assert problem.endswith(f" {type(thing).__name__}")


def test_unknown_options_are_refused(path):
    refused(written(path, TREC), '"trec"?', format="tre")
    with pytest.raises(UsageError, match=r"'docid', 'order', 'expected'"):
        load({"q": {"d": 1}}, ties="docids")


def test_comments_and_extra_columns_are_said(path, snapshot):
    for text, counts in (
        ("# run\n#q9 Q0 a 1 1 t\nq Q0 a 1 1 my tag\nq Q0 b 2 1 my\n", ["1", "2"]),
        ("# run\nq Q0 a 1 1 my 2 tags\nq Q0 b 2 1 my u\n", ["2", "1"]),
    ):
        notes = load(written(path, text)).notes
        assert all(n in note for n, note in zip(counts, notes, strict=True))
        snapshot(notes)


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


def test_rankings_keep_the_tie_rule_that_they_were_loaded_with(snapshot):
    tied = {"q": {"a": 1.0, "b": 1.0}}
    kept = load(tied, ties="order")

    assert load(kept, ties="order", name="again").name == "again"
    for run, other in ((kept, "docid"), (load(tied), "order")):
        with pytest.raises(UsageError, match=f"'{run.ties}'") as caught:
            load(run, ties=other)
        snapshot(caught.value)
    assert load(load({"q": {"a": 1.0}}), ties="order").tied == 0  # so nothing differs
