"""The id of a result: by a path, a template, or a pattern that takes linear time."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.engines.systems._document_ids import DocumentIds
from assay.engines.systems.http import http
from assay.errors import InputError

HIT = {"_id": 7, "url": "https://docs.example.com/guide/setup.html", "a": {"b": ["x", "y"]}}
PATTERN = r"^https://docs\.example\.com/(.*)\.html$"


def read(document, hit=HIT):
    return DocumentIds.of(document).read(hit, 1)


@pytest.mark.parametrize(
    ("document", "id_"),
    [
        ("_id", "7"),
        ("a.b[1]", "y"),
        ("{_id}", "7"),
        ("docs/{_id}.md", "docs/7.md"),
        ("{a.b[0]}/{_id}", "x/7"),
        ('{["_id"]}!', "7!"),
        ({"path": "url", "match": PATTERN, "id": r"\1.md"}, "guide/setup.md"),
        ({"path": "url", "match": r"(?P<last>[^/]+)\.html", "id": r"\g<last>"}, "setup"),
        ({"path": "url", "match": r"(guide)|(faq)", "id": r"\1\2-\\"}, "guide-\\"),
        ({"path": "url", "match": "docs", "id": "fixed"}, "fixed"),
        ({"path": "url", "match": "docs", "id": r"\0"}, "docs"),
        ({"path": "{_id}-{a.b[0]}", "match": "(.*)-x", "id": r"\1"}, "7"),
    ],
)
def test_by_hand(document, id_):
    assert read(document) == (id_, "")


def test_what_does_not_match_stays_and_is_told():
    other = "http://elsewhere/x.html"
    document = {"path": "url", "match": PATTERN, "id": r"\1.md"}
    assert read(document, {"url": other}) == (other, other)
    assert DocumentIds.of({"match": "a", "id": "b"}).read({"id": "xay"}, 1) == ("b", "")


@pytest.mark.parametrize(
    ("document", "fact"),
    [
        ("docs/{_id", "template"),
        ("docs/{_id}}", "template"),
        ("{}x{a..b}", "path"),
        ("{a[*]}", "several"),
        ("a[*]", "several"),
        (7, "path"),
        ({"path": "url", "match": "("}, "id"),
        ({"path": "url", "id": "x"}, "match"),
        ({"path": "url", "match": "(", "id": "x"}, "missing"),
        ({"path": "url", "match": "(?=a)", "id": "x"}, "invalid pattern"),
        ({"path": "url", "match": r"(a)\1", "id": "x"}, "invalid pattern"),
        ({"path": "url", "match": "a" * 1001, "id": "x"}, "too long"),
        ({"path": "url", "match": "(a)", "id": r"\2"}, "group"),
        ({"path": "url", "match": "(a)", "id": r"\g<name>"}, "group"),
        ({"path": "url", "match": "(a)", "id": r"\d"}, "group"),
        ({"path": "url", "match": "(a)", "id": "x\\"}, "group"),
        ({"path": "url", "match": "a", "id": "x", "replace": "y"}, "replace"),
        ({"path": 3, "match": "a", "id": "x"}, "path"),
    ],
)
def test_what_cannot_be_read_is_refused(document, fact):
    with pytest.raises(InputError) as refused:
        DocumentIds.of(document)
    assert fact in str(refused.value)
    assert "response.document" in refused.value.where
    assert refused.value.hint


def test_a_missing_or_odd_value_names_the_result():
    with pytest.raises(InputError, match=r"result 3 has no title \(keys: _id, url, a\)"):
        DocumentIds.of("{_id}/{title}").read(HIT, 3)
    with pytest.raises(InputError, match="result 1 has an invalid document id"):
        read("x{a}")
    with pytest.raises(InputError, match="result 1 has an invalid document id"):
        read({"path": "url", "match": ".*", "id": r"\g<none>"} | {"match": "(?P<none>q)?.*"})


def test_a_pattern_that_backtracks_for_years_takes_milliseconds():
    document = DocumentIds.of({"path": "url", "match": "^(a+)+$", "id": "x"})
    started = time.process_time()
    for _ in range(100):
        text = "a" * 900 + "b"
        assert document.read({"url": text}, 1) == (text, text)
    assert time.process_time() - started < 5  # by re of Python: longer than the universe is old


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30))
def test_it_replaces_as_python_does(text):
    """An outside oracle: the same pattern and replacement by the standard library."""
    pattern, made = r"(\w+)[-/]([^.]*)", r"<\2|\1>"
    found = re.search(pattern, text, re.ASCII)
    id_, unmatched = DocumentIds.of({"match": pattern, "id": made}).read({"id": f"i{text}"}, 1)
    found = re.search(pattern, f"i{text}", re.ASCII)
    assert id_ == (found.expand(made) if found else f"i{text}")
    assert unmatched == ("" if found else f"i{text}")


def test_a_note_counts_what_did_not_match(serve, query):
    urls = ["https://docs.example.com/a.html", "https://other.example.com/b.html"]
    url, _ = serve(lambda _: {"hits": [{"url": one} for one in urls]})
    response = {"document": {"path": "url", "match": PATTERN, "id": r"\1.md"}}
    system = http(url=url, request={"q": "{query}"}, response=response)
    try:
        for key in ("q1", "q2", "q2"):  # asked again, it is not counted again
            assert list(system.search(query(key=key), 2).documents) == ["a.md", urls[1]]
        (note,) = [one for one in system.notes if "match" in one]
        assert "2 of 4 results" in note
        assert urls[1] in note
    finally:
        system.close()


def test_without_the_library_the_command_to_install_it_is_named(monkeypatch):
    monkeypatch.setattr("assay.extras.find_spec", lambda _: None)
    with pytest.raises(InputError, match="needs google-re2") as refused:
        DocumentIds.of({"match": "a", "id": "b"})
    assert "patterns" in refused.value.hint
    assert DocumentIds.of("docs/{_id}.md").read(HIT, 1) == ("docs/7.md", "")
