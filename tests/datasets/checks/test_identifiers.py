import pytest
from tests.datasets.checks.given import dataset, document, found, judged, query

from assay.datasets.checks._names import called, names_of
from assay.records import Document, Reference

DECODER = document("1", "", path="Lib/json/decoder.py", file_name="decoder.py")


def define(_):
    return ["JSONDecoder", "JSONDecoder.raw_decode", "scan", "Queue.put"]


def names(text, *, reference=None, documents=(DECODER,), define=define):
    one = judged(reference or "1")
    finding = found("identifiers", dataset(query("q", text, one)), documents, define=define)
    exact = {row["name"]: row["kind"] for row in finding.rows}
    return exact, {row["name"] for row in finding.figures["words"]}


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("what is in Lib/json/decoder.py?", "lib/json/decoder.py", "path"),
        ("what is in json/decoder.py?", "json/decoder.py", "path"),
        ("what is in json\\decoder.py", "json/decoder.py", "path"),
        ("open decoder.py.", "decoder.py", "file_name"),
        ("import json.decoder fails", "json.decoder", "module"),
        ("what does JSONDecoder do", "jsondecoder", "symbol"),
        ("jsondecoder slow", "jsondecoder", "symbol"),
        ("when raw_decode() raises", "raw_decode", "symbol"),
        ("`JSONDecoder.raw_decode`", "jsondecoder.raw_decode", "symbol"),
        ("Queue.put blocks", "queue.put", "symbol"),
    ],
)
def test_each_kind_of_name(text, name, kind):
    assert names(text)[0] == {name: kind}


def test_common_words_are_told_apart():
    assert names("a decoder that can scan and put") == ({}, {"decoder", "scan", "put"})


def test_what_must_not_be_an_alarm():
    assert names("how to decode json with raw decode") == ({}, set())
    assert names("my_raw_decode and json.decoders") == ({}, set())
    assert names("what does __init__ do", documents=[document("1", "", path="a/__init__.py")]) == (
        {},
        set(),
    )


def test_references_alone_are_enough():
    asked = dataset(
        query("p", "open lib/logs.py", judged(Reference(path="lib/logs.py"))),
        query("s", "what rotate_daily does", judged(Reference(symbol="logs.rotate_daily"))),
        query("u", "read a/b.md", judged(Reference(uri="file:///home/a/b.md"))),
        query("w", "empty the queue", judged(Reference(path="queue.py"))),
        query("0", "lib/logs.py", judged(Reference(path="lib/logs.py"), 0)),
        query("i", "doc 7 and c12", judged("7"), judged("c12")),
        query("d", "see guide_7.html", judged("guide_7.html")),
    )
    finding = found("identifiers", asked)
    assert [(row["query"], row["kind"]) for row in finding.rows] == [
        ("p", "path"),
        ("s", "symbol"),
        ("u", "path"),
        ("d", "document_id"),
    ]
    assert [row["query"] for row in finding.figures["words"]] == ["w"]
    assert finding.figures["share"] == 4 / 7
    assert finding.defects == 0


def test_names_in_a_text_are_its_chunks_and_their_parts():
    assert called("a.b/c, d") == {"a.b/c", "a.b", "b/c", "a", "b", "c", "d"}
    assert called("x" + ".y" * 400)  # bounded, not the square of its length


def test_a_name_without_suffix_or_with_only_a_dot():
    assert names_of(Document("1", path="bin/run_all"), [])["run_all"] == "file_name"
    assert names_of(Document("1", path=".gitignore"), [])[".gitignore"] == "file_name"
    assert names_of(Reference(content_hash="0" * 64), [""]) == {}
