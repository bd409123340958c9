import gzip
import io
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.datasets.load_judgments import load_judgments
from assay.errors import AssayError, InputError
from assay.records import Judgments, decode

QRELS = "q1 0 a 2\nq1 0 b 0\nq2 0 a -1\n"


def refused(qrels, *, where="", problem="", **options):
    """Check that judgments are refused with one message that says what, where and what next."""
    with pytest.raises(InputError) as caught:
        load_judgments(qrels, **options)
    text = str(caught.value)
    assert where in text.partition("\n")[0]
    assert problem in text
    assert text.count("\n") == 1
    assert "\n  hint: " in text
    return [caught.value.problem, caught.value.hint]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("judgments") / "my.qrels"


def written(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_by_hand(path):
    judgments = load_judgments(written(path, QRELS))
    assert judgments.queries == ("q1", "q2")
    assert judgments.offsets.tolist() == [0, 2, 3]
    assert decode(judgments.documents) == ["a", "b", "a"]
    assert judgments.grades.tolist() == [2, 0, -1]
    assert judgments.grades.dtype == np.int64
    assert (judgments.scale, judgments.name, judgments.notes) == (2, str(path), ())
    assert load_judgments(judgments) is judgments


def test_the_scale(path):
    written(path, QRELS)
    assert load_judgments(path, scale=4).scale == 4
    assert load_judgments({"q": {"d": 0}}).scale == 1
    refused(path, scale=1, where="my.qrels: ", problem="grade 2 ")


@pytest.mark.parametrize("at", [1, 3, 5])
@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("q 0 x 0.5", "grade 0.5 "),
        ("q 0 x 1e-300", "grade 1e-300 "),
        ("q 0 x high", 'grade "high"'),
        ("q 0 x NaN", 'grade "NaN"'),
        ("q 0 x inf", 'grade "inf"'),
        ("q 0 x 1001", "grade 1001 "),
        ("q 0 x -1e300", "grade -1e+300 "),
        ("q 0 x 99999999999999999999", "grade 1e+20 "),
        ("q 0 x", "3 columns"),
        ("q x 1", "3 columns"),
    ],
)
def test_a_bad_line_is_named(path, bad, problem, at, snapshot):
    lines = [f"q 0 d{n} 1" for n in range(5)]
    lines[at - 1] = bad
    refused(written(path, "\n".join(lines)), where=f"my.qrels, line {at}: ", problem=problem)
    text = "\r\n".join(["", *lines, ""])
    told = refused(written(path, text), where=f"my.qrels, line {at + 1}: ", problem=problem)
    if at == 3:  # the same words are said of each line
        snapshot(told)


def test_a_document_judged_twice_names_the_second_line(path, snapshot):
    text = "q1 0 a 1\nq2 0 a 1\nq1 0 b 1\nq1 0 a 1\n"
    snapshot(refused(written(path, text), where="my.qrels, line 4: ", problem='document "a"'))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"# nothing\n", id="a comment"),
        pytest.param(b"{}", id="an object"),
        pytest.param(b"query\tdocument\trelevance\n", id="titles"),
        pytest.param(b"\0\1\2", id="binary"),
        pytest.param(gzip.compress(QRELS.encode(), mtime=0)[:-3], id="gzip"),
    ],
)
def test_files_without_judgments(path, content, snapshot):
    snapshot(refused(written(path, content), where="my.qrels"))


def test_a_run_in_the_place_of_judgments(path, snapshot):
    """Its ranks would be read as grades."""
    text = "# run\nq1 Q0 a 1 0.5 tag\nq1 Q0 b 2 0.4 tag\n"
    refused(written(path, text), where="my.qrels: ", problem="contains a run")
    refused(path, problem="`assay eval`")
    judgments = load_judgments(written(path, "q1 Q0 a 1\nq1 Q0 b 0 more\n"))
    assert judgments.grades.tolist() == [1, 0]
    assert len(judgments.notes) == 1
    snapshot(judgments.notes)


def test_other_formats_are_told(path, snapshot):
    titles = "query-id<TAB>corpus-id<TAB>score"
    snapshot(refused(written(path, "q1 a 1\nq1 b 0\n"), where="my.qrels, line 1: ", problem=titles))
    snapshot(refused(written(path, "q;a;1\nq;b;0\n"), problem="query_id,document_id,grade"))
    snapshot(refused(written(path, '[{"query": "q"}]'), where="my.qrels: "))


@pytest.mark.parametrize("title", ["grade", "Relevance", "rel", "label", "score"])
@pytest.mark.parametrize("separator", [",", "\t"])
def test_titles(path, title, separator):
    rows = [["query-id", "corpus-id", title], ["q 1", "d 1", "2"], ["q 1", "d 2", "0"]]
    text = "\n".join(separator.join(row) for row in rows)
    judgments = load_judgments(written(path, text))
    assert (judgments.queries, decode(judgments.documents)) == (("q 1",), ["d 1", "d 2"])
    assert judgments.grades.tolist() == [2, 0]


def test_halves_are_refused_in_every_form(path):
    refused({"q": {"a": 1, "b": 0.5}}, where='qrels, query "q", document "b": ')
    refused(written(path, json.dumps({"q": {"b": 0.5}})), where='my.qrels, query "q", document "b"')
    refused(written(path, "query,doc,grade\nq,a,1\nq,b,0.5\n"), where="my.qrels, line 3: ")
    refused(written(path, "query\tdoc\tgrade\nq\ta\t1\nq\tb\t0.5\n"), where="my.qrels, line 3: ")
    columns = {"query": ["q", "q"], "doc": ["a", "b"], "grade": [1.0, 0.5]}
    for frame in (pl.DataFrame, pl.LazyFrame, pd.DataFrame):
        refused(frame(columns), where="qrels, row 1: ", problem="grade 0.5 ")
    buffer = io.BytesIO()
    pl.DataFrame(columns).write_parquet(buffer)
    refused(written(path, buffer.getvalue()), where="my.qrels, row 1: ")


@pytest.mark.parametrize("thing", [None, 3, [("q", "d", 1)], b"path", np.ones(3)])
def test_other_things_are_refused(thing):
    refused(thing, problem="judgments")


def load_or_refuse(path, content):
    try:
        judgments = load_judgments(written(path, content))
    except AssayError as error:
        assert error.hint  # noqa: PT017
        return
    assert isinstance(judgments, Judgments)
    assert len(judgments.grades) == judgments.offsets[-1] > 0
    assert judgments.scale >= max(1, judgments.grades.max())


fuzz = settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow], deadline=None)


@fuzz
@given(st.binary(max_size=120))
def test_any_bytes_are_read_or_refused(path, content):
    load_or_refuse(path, content)


@fuzz
@given(st.integers(0, len(QRELS)), st.integers(0, 3), st.binary(max_size=4))
def test_any_damage_is_read_or_refused(path, at, length, added):
    content = bytearray(QRELS.encode())
    content[at : at + length] = added
    load_or_refuse(path, bytes(content))
