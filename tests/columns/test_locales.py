"""Tables as spreadsheet programs of several countries save them."""

import pytest

from assay.datasets.load import load
from assay.datasets.load_judgments import load_judgments
from assay.errors import InputError
from assay.rankings.load import load as load_run
from assay.records import decode

GERMAN = "query;document;grade\r\nwie geht das, bitte;a.md;3,0\r\nwie geht das, bitte;b.md;0\r\n"
QUERY = "wie geht das, bitte"
UNICODE = GERMAN.replace(";", "\t").replace(QUERY, f'"{QUERY}"')


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("j.csv", GERMAN.encode()),
        ("j.csv", GERMAN.encode("utf-8-sig")),
        ("j.csv", GERMAN.encode("utf-16")),
        ("j.csv", b"\xef\xbb\xbfsep=;\r\n" + GERMAN.encode()),
        ("j.csv", b"sep=;\n" + GERMAN.encode()),
        ("j.txt", UNICODE.encode("utf-16")),
        ("j.txt", UNICODE.encode("utf-16-le")),
        ("j.txt", b"\xfe\xff" + UNICODE.encode("utf-16-be")),
    ],
)
def test_judgments(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    judgments = load_judgments(path)
    assert judgments.queries == (QUERY,)
    assert decode(judgments.documents) == ["a.md", "b.md"]
    assert judgments.grades.tolist() == [3, 0]
    (query,) = load(path).queries
    assert (query.text, [one.grade for one in query.judgments]) == (QUERY, [3, 0])


@pytest.mark.parametrize("mark", [";", "\t"])
def test_runs_with_decimal_commas(tmp_path, mark):
    text = mark.join(["query", "document", "score"]) + f"\nq{mark}a{mark}0,25\nq{mark}b{mark}1,5\n"
    path = tmp_path / "r.csv"
    path.write_bytes(text.encode("utf-16" if mark == "\t" else "utf-8"))
    run = load_run(path)
    assert (decode(run.documents), run.scores.tolist()) == (["b", "a"], [1.5, 0.25])


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        (b"query;document;score\nq;a;1.234\nq;b;0,5\n", "decimal"),
        (b'query,document,score\nq,a,"0,5"\n', "decimal"),
        ("query;document;score\nq;caf\xe9;1\n".encode("latin-1"), "UTF-8"),
        (b"\xff\xfeq\x00u", "UTF-8"),
    ],
)
def test_what_could_mean_two_things_is_refused(tmp_path, content, fact, snapshot):
    path = tmp_path / "r.csv"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load_run(path, format="csv")
    assert fact in caught.value.hint
    snapshot(caught.value)


def test_other_files_may_be_utf_16_too(tmp_path):
    path = tmp_path / "r.txt"
    path.write_bytes("q Q0 \u00fc 1 0.5 t\r\nq Q0 b 2 0.25 t\r\n".encode("utf-16"))
    assert decode(load_run(path).documents) == ["\u00fc", "b"]


def test_thousands_in_the_scores_of_a_run_are_refused(tmp_path, snapshot):
    """Read as decimals, 1,200 would come after 900."""
    path = tmp_path / "r.csv"
    path.write_text("query_id;doc_id;score\nq;a;1,200\nq;b;900\n", encoding="utf-8")
    with pytest.raises(InputError, match='"1,200"') as caught:
        load_run(path)
    snapshot(caught.value)
    for scores in (("1,2", "900"), ("0,912", "1"), ("1,200", "2,300"), ("1,25", "1,125")):
        rows = "".join(f"q;{d};{score}\n" for d, score in zip("ab", scores, strict=True))
        path.write_text(f"query_id;doc_id;score\n{rows}", encoding="utf-8")
        low, high = sorted(float(one.replace(",", ".")) for one in scores)
        assert load_run(path).scores.tolist() == [high, low]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.csv", 'query,document,score\nq,a,"1,23E+11"\n'),
        ("r.csv", "query,document,score\nq,a,1,23E+11\n"),
        ("r.tsv", "query-id\tcorpus-id\tscore\nq\ta\t1,23E+11\n"),
        ("r.run", "q Q0 a 1 1,23E+11 tag\n"),
    ],
)
def test_a_decimal_comma_is_named_in_the_hint(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        load_run(path)
    assert caught.value.hint.startswith("write decimals with a point")
    assert caught.value.where.startswith(f"{path}, line ")


def test_a_decimal_comma_of_large_numbers_is_read_beside_semicolons(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("query;document;score\nq;a;1,23E+11\nq;b;0,5\n")
    assert load_run(path).scores.tolist() == [1.23e11, 0.5]


def test_a_comma_that_is_no_decimal_one_gets_another_hint(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text('query,document,score\nq,a,"high, low"\n')
    with pytest.raises(InputError) as caught:
        load_run(path)
    assert "decimals" not in caught.value.hint


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\n\0"])
def test_a_mark_of_utf_16_and_nothing_else_is_an_empty_file(tmp_path, content):
    path = tmp_path / "j.csv"
    path.write_bytes(content)
    for read in (load_judgments, load):
        with pytest.raises(InputError, match="is empty"):
            read(path)
