"""The fingerprint of a corpus: what it is, what changes it, and what does not."""

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from assay.corpora.fingerprint import fingerprint
from assay.corpora.sources.folder import folder
from assay.corpora.sources.inline import inline
from assay.records import Document


def of(*documents):
    return fingerprint(inline(documents))


def test_by_hand():
    content = sha256(b"x").hexdigest().encode()
    parts = (b"a", b"T", content)
    expected = sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()
    assert of(Document(id="a", title="T", text="x")) == expected
    assert of() == "0" * 64


def test_id_title_and_content_count():
    documents = [
        Document(id="a", text="x"),
        Document(id="b", text="x"),
        Document(id="a", text="y"),
        Document(id="a", title="x"),
        Document(id="ax"),
        Document(id="a", title="x", text="x"),
    ]
    assert len({of(document) for document in documents}) == len(documents)


@given(st.permutations("abcde"))
def test_order_does_not_count(order):
    assert of(*(Document(id=name) for name in order)) == of(
        *(Document(id=name) for name in "abcde")
    )


def test_place_does_not_count(tmp_path):
    for root in ("one", "two"):
        (tmp_path / root).mkdir()
        (tmp_path / root / "a.py").write_text("x")
    print_one = fingerprint(folder(tmp_path / "one"))
    assert print_one == fingerprint(folder(tmp_path / "two")) == of(Document(id="a.py", text="x"))
    (tmp_path / "two" / "a.py").write_text("y")
    assert fingerprint(folder(tmp_path / "two")) != print_one


def test_metadata_and_converter_count_where_they_are():
    documents = [
        Document(id="a"),
        Document(id="a", metadata={"year": 2020}),
        Document(id="a", metadata={"year": "2020"}),
        Document(id="a", converter="pdf 1"),
    ]
    assert len({of(document) for document in documents}) == len(documents)
    assert of(Document(id="a", metadata={"a": 1, "b": 2})) == of(
        Document(id="a", metadata={"b": 2, "a": 1, "nothing": None})
    )
