"""A file of records: by hand, what is refused, and the real collections where they are at hand."""

import gzip
import hashlib
import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.corpora.sources._id_set import IdSet
from assay.corpora.sources.jsonl import jsonl
from assay.errors import InputError

DATA = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[4] / "shared" / "data"))


def corpus_of(folder, *lines, name="docs.jsonl"):
    place = folder / name
    place.write_text("\n".join(lines), encoding="utf-8")
    return jsonl(place)


def test_by_hand(tmp_path):
    corpus = corpus_of(
        tmp_path,
        '{"_id": "d1", "title": "Wings", "text": "grün", "metadata": {"a": NaN}}\r',
        "",
        '{"docno": 7, "contents": null, "url": "http://x/y", "path": "src/a.py"}',
    )
    first, second = corpus.documents()

    assert corpus.name == "docs"
    assert (first.id, first.title, first.text, first.size_bytes) == ("d1", "Wings", "grün", 5)
    assert first.content_hash == hashlib.sha256("grün".encode()).hexdigest()
    assert (second.id, second.text, second.uri) == ("7", "", "http://x/y")
    assert (second.path, second.file_name, second.language) == ("src/a.py", "a.py", "python")


def test_further_fields_are_metadata(tmp_path):
    record = {"_id": "d1", "text": "a", "title": "T", "year": 2020, "vector": [0.5] * 99,
              "metadata": {"language": "de", "product": {"name": "pump"}}}  # fmt: skip
    (found,) = corpus_of(tmp_path, json.dumps(record)).documents(texts=False)
    (other,) = corpus_of(tmp_path, json.dumps(record | {"year": 2021})).documents()
    (plain,) = corpus_of(tmp_path, '{"_id": "d1", "title": "T", "text": "a"}').documents()

    assert found.metadata == {"year": 2020, "language": "de", "product.name": "pump"}
    assert plain.metadata == {}
    assert len({found.stamp, other.stamp, plain.stamp}) == 3
    assert plain.stamp == "36c3670c30dcf001d190d12be598fd23"  # as it always was


def test_what_is_not_asked_for_is_left_empty(tmp_path):
    (found,) = corpus_of(tmp_path, '{"id": "a", "body": "xyz"}').documents(
        texts=False, hashes=False
    )
    assert (found.id, found.text, found.content_hash, found.size_bytes) == ("a", "", "", 3)


def test_a_packed_file_with_a_byte_order_mark(tmp_path):
    place = tmp_path / "corpus.jsonl.gz"
    place.write_bytes(gzip.compress(b'\xef\xbb\xbf{"id": "a", "content": "b"}\n'))
    corpus = jsonl(place)
    assert [document.text for document in corpus.documents()] == ["b"]
    assert corpus.name == tmp_path.name  # as a BEIR folder is called


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "b", "text": "x"', "JSON"),
        ('["b", "x"]', "list"),
        ("null", "null"),
        ('{"text": "x"}', "id"),
        ('{"_id": 1.5, "text": "x"}', '"_id"'),
        ('{"_id": true, "text": "x"}', '"_id"'),
        ('{"_id": "", "text": "x"}', '"_id"'),
        ('{"_id": "\\ud800", "text": "x"}', '"_id"'),
        ('{"_id": "b"}', "text"),
        ('{"_id": "b", "text": ["x"]}', '"text"'),
        ('{"_id": "b", "text": "x", "path": 3}', '"path"'),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, said, snapshot):
    reading = corpus_of(tmp_path, '{"_id": "a", "text": ""}', line).documents()
    assert next(reading).id == "a"
    with pytest.raises(InputError, match="line 2") as raised:
        next(reading)
    assert said in raised.value.problem
    snapshot(raised.value)


@pytest.mark.parametrize(
    "line", ["[" * 100_000, '{"_id": ' + "9" * 5000 + ', "text": ""}'], ids=["deep", "long"]
)
def test_a_line_that_python_cannot_read_is_named(tmp_path, line):
    with pytest.raises(InputError) as raised:
        list(corpus_of(tmp_path, '{"_id": "a", "text": ""}', line).documents())
    assert raised.value.where.endswith("line 2")
    assert "JSON" in raised.value.hint


def test_bytes_that_are_not_text(tmp_path):
    (tmp_path / "x.jsonl").write_bytes(b'{"id": "a", "text": "\xff"}')
    with pytest.raises(InputError, match=r"line 1: .*UTF-8"):
        list(jsonl(tmp_path / "x.jsonl").documents())


def test_half_of_a_surrogate_pair_does_not_leak(tmp_path):
    (found,) = corpus_of(tmp_path, '{"id": "a", "text": "x\\ud800y"}').documents()
    assert found.text == "x?y"


def test_an_id_that_stands_twice_names_both_lines(tmp_path):
    lines = [f'{{"id": "d{number}", "text": "."}}' for number in range(3000)]
    lines[2500] = lines[17]
    with pytest.raises(InputError, match=r'line 2501: .*"d17".* line 18\b'):
        list(corpus_of(tmp_path, *lines).documents())


def test_ids_that_share_a_hash_are_not_accused(tmp_path, monkeypatch):
    monkeypatch.setattr(IdSet, "add", lambda self, name: True)
    corpus = corpus_of(tmp_path, '{"id": "a", "text": ""}', '{"id": "b", "text": ""}')
    assert [document.id for document in corpus.documents()] == ["a", "b"]


def test_a_line_without_end_is_refused(tmp_path):
    place = tmp_path / "x.jsonl"
    with place.open("wb") as file:
        file.truncate(70 << 20)  # a sparse file: zeros without a line end
    with pytest.raises(InputError, match=r"line 1: .*64 MiB(.|\n)*max_file_size"):
        list(jsonl(place).documents())


@pytest.mark.parametrize("path", ["-", "missing.jsonl", "", "."])
def test_wrong_places(path):
    with pytest.raises(InputError):
        jsonl(path)


def test_an_empty_file_and_a_broken_one(tmp_path):
    (tmp_path / "x.jsonl").write_text("\n\n")
    with pytest.raises(InputError, match=r"x\.jsonl"):
        list(jsonl(tmp_path / "x.jsonl").documents())
    (tmp_path / "y.jsonl.gz").write_bytes(gzip.compress(b'{"id": "a", "text": "b"}' * 99)[:-9])
    with pytest.raises(InputError, match=r"y\.jsonl\.gz"):
        list(jsonl(tmp_path / "y.jsonl.gz").documents())


def test_the_longest_line_is_a_setting(tmp_path):
    place = tmp_path / "x.jsonl"
    place.write_text('{"id": "a", "text": "b"}\n' + '{"id": "c", "text": "%s"}\n' % ("d" * 400))
    assert [one.id for one in jsonl(place, max_file_size=450).documents()] == ["a", "c"]
    with pytest.raises(InputError, match=r"line 2: longer than 300 bytes"):
        list(jsonl(place, max_file_size=300).documents())
    assert len(list(jsonl(place, max_file_size="none").documents())) == 2


TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.dictionaries(TEXT.filter(len), TEXT, min_size=1), st.booleans())
def test_what_is_written_is_read(tmp_path, texts, ascii_only):
    lines = [
        json.dumps({"_id": name, "text": text}, ensure_ascii=ascii_only)
        for name, text in texts.items()
    ]
    found = corpus_of(tmp_path, *lines).documents()
    assert {document.id: document.text for document in found} == texts


@given(st.lists(TEXT, max_size=3000))
def test_seen_is_a_set(names):
    seen, expected = IdSet(), set()
    for name in names:
        assert seen.add(name) == (name in expected)
        expected.add(name)


def test_seen_grows():
    seen = IdSet()
    assert not any(seen.add(f"d{number}") for number in range(5000))
    assert all(seen.add(f"d{number}") for number in range(5000))


@pytest.mark.skipif(not DATA.exists(), reason="the collections are not part of the project")
@pytest.mark.parametrize(("name", "count"), [("cranfield", 1400), ("cosqa-dev", 6267)])
def test_real_collections(name, count):
    corpus = jsonl(DATA / name / "corpus.jsonl")
    assert corpus.name == name
    assert sum(1 for _ in corpus.documents()) == count
