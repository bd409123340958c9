import gzip

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from assay.errors import AssayError, InputError, UsageError
from assay.rankings.load import load
from assay.rankings.save import save
from assay.text.quote import quote_value

ENDINGS = [".run", ".trec", ".txt", ".tsv", ".csv", ".json", ".parquet"]
plain = st.text("abé\u20ac1,\"'\\", min_size=1, max_size=6)
any_id = st.one_of(
    plain,
    st.text(st.characters(exclude_characters="\0\n", exclude_categories=["Cs"]), min_size=1),
    st.sampled_from(["#1", " a", "a ", "{", "[1]", "query,document,score", "\ufeffq", "PAR1"]),
)
finite = st.floats(allow_nan=False, allow_infinity=False)


def tables(ids):
    ranking = st.dictionaries(ids, finite, min_size=1, max_size=5)
    return st.dictionaries(ids, ranking, min_size=1, max_size=4)


def same(one, other):
    assert one.queries == other.queries
    assert one.offsets.tolist() == other.offsets.tolist()
    assert one.documents.tolist() == other.documents.tolist()
    assert one.scores.tobytes() == other.scores.tobytes()
    assert one.tied == other.tied


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("save")


def test_by_hand(tmp_path):
    save(load({"q": {"a": 0.1, "b": 3}}, name="my run"), tmp_path / "x.run")
    assert (tmp_path / "x.run").read_text() == "q Q0 b 1 3.0 my_run\nq Q0 a 2 0.1 my_run\n"
    save(load({"q": {"a": 0.1}}), str(tmp_path / "x.csv.gz"))
    packed = (tmp_path / "x.csv.gz").read_bytes()
    assert gzip.decompress(packed) == b'"query","document","score"\n"q","a",0.1\n'


@pytest.mark.parametrize("ending", [*ENDINGS, ".run.gz", ".json.gz"])
@pytest.mark.parametrize("ties", ["docid", "order"])
@given(table=tables(plain))
@settings(max_examples=10)
def test_load_save_load(folder, ending, ties, table):
    rankings = load(table, ties=ties)
    save(rankings, folder / f"x{ending}")
    same(load(folder / f"x{ending}", ties=ties), rankings)


@pytest.mark.parametrize("ending", ENDINGS)
@given(table=tables(any_id))
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_saved_at_all_comes_back(folder, ending, table):
    try:
        rankings = load(table)
    except InputError:
        assume(False)
    path = folder / f"y{ending}"
    try:
        save(rankings, path)
    except AssayError as error:
        assert "hint: " in str(error)  # noqa: PT017
        names = (*table, *(name for row in table.values() for name in row))
        padded = any(name != name.strip() for name in names)
        assert ending in (".run", ".trec", ".txt", ".tsv") or (ending == ".csv" and padded)
        return
    same(load(path), rankings)


@pytest.mark.parametrize("name", ["a b", "a\tb", "a\u0001"])
def test_ids_that_a_line_cannot_hold(tmp_path, name, snapshot):
    for table in ({name: {"d": 1}}, {"q": {name: 1}}):
        with pytest.raises(InputError, match=r"x\.run: ") as caught:
            save(load(table), tmp_path / "x.run")
        assert quote_value(name) in caught.value.problem
    snapshot(caught.value)
    assert not (tmp_path / "x.run").exists()


def test_what_cannot_be_written(tmp_path, snapshot):
    rankings = load({"q": {"a": 1}, "r": {}})
    with pytest.raises(InputError, match='query "r"') as caught:
        save(rankings, tmp_path / "x.run")
    snapshot(caught.value)
    save(rankings, tmp_path / "x.json")
    same(load(tmp_path / "x.json"), rankings)
    with pytest.raises(UsageError, match=r'"x\.doc"') as caught:
        save(rankings, tmp_path / "x.doc")
    snapshot(caught.value)
    with pytest.raises(InputError, match="#") as caught:
        save(load({"#1": {"a": 1}}), tmp_path / "x.run")
    snapshot(caught.value)
    for query in ("{", "\ufeff", "PAR1", "qid,docid,"):
        with pytest.raises(InputError, match="trec") as caught:
            save(load({query: {"a": 1}}), tmp_path / "x.run")
    snapshot(caught.value)
    with pytest.raises(InputError, match=r"none/x\.run") as caught:
        save(load({"q": {"a": 1}}), tmp_path / "none" / "x.run")
    snapshot(caught.value)
