"""How a function is called: query, number of results, settings, fields of the query."""

import pytest

from assay.engines.systems._arguments import Arguments
from assay.engines.systems.callable import call_function
from assay.errors import InputError
from assay.records import Query

STORE = """
from typing import NamedTuple

class Row(NamedTuple):
    path: str
    score: float

class Result:
    def __init__(self, path, score):
        self.path, self.score = path, score

class Store:
    def __init__(self):
        self.asked = []
    async def search(self, *, query, limit=10, use_reranker=False):
        return [Result(f"{query} {limit} {use_reranker}", 0.5), Result("other", 0.25)]
    def plain(self, query, limit=10):
        return [{"doc": {"id": at}, "score": -at} for at in range(limit)]
    def rows(self, query, limit=10):
        return [Row("a", 0.5), Row("b", 0.25)]

class Holder:
    store = Store()

store = Store()
holder = Holder()
"""


def called(function, settings=None, *, top=7, **variables):
    """Call a function as a system would, and return what it got."""
    arguments = Arguments.of(function, settings or {}, "mine.py:search")
    places, names = arguments.of_query(Query("q1", "text", variables=variables), top)
    return function(*places, **names)


@pytest.mark.parametrize(
    ("function", "got"),
    [
        (lambda query, top: (query, top), ("text", 7)),
        (lambda text, number: (text, number), ("text", 7)),
        (lambda query, n=3, /: (query, n), ("text", 7)),
        (lambda query, index=None, limit=10: (query, index, limit), ("text", None, 7)),
        (lambda query, *, top_k: (query, top_k), ("text", 7)),
        (lambda *, query, limit=1: (query, limit), ("text", 7)),
        (lambda query, top, id: (query, top, id), ("text", 7, "q1")),  # noqa: A006
        (lambda query, top, **more: (query, top, more), ("text", 7, {})),
        (lambda *places: places, ("text", 7)),
        (lambda limit, top_k: (limit, top_k), ("text", 7)),
    ],
)
def test_where_the_query_and_the_number_go(function, got):
    assert called(function) == got


def test_settings_are_keywords():
    def search(query, index="a", limit=10, *, use_reranker=False, language="en"):
        return query, index, limit, use_reranker, language

    assert called(search, {"use_reranker": True, "index": "b"}) == ("text", "b", 7, True, "en")
    assert called(search, {"limit": 3}) == ("text", "a", 3, False, "en")
    assert called(search, language="de") == ("text", "a", 7, False, "de")
    assert called(search, {"language": "fr"}, language="de")[-1] == "fr"  # the file decides
    assert called(lambda query, top, **more: more, {"any": [1]}, language="de") == {"any": [1]}


def test_a_field_that_a_query_lacks_fails_that_query():
    def search(query, top, language):
        return language

    assert called(search, language="de") == "de"
    assert called(search, {"language": "fr"}) == "fr"
    with pytest.raises(InputError, match='"language"') as refused:
        called(search)
    assert "settings" in refused.value.hint


@pytest.mark.parametrize(
    ("function", "settings", "says"),
    [
        (lambda query, top, use_reranker=False: [], {"use_rerank": True}, '"use_rerank"'),
        (lambda query, top: [], {"query": "x"}, "cannot be set"),
        (lambda: [], {}, "positional argument"),
        (lambda query: [], {}, "positional argument"),
        (lambda query, top, more, /: [], {}, "'more'"),
    ],
)
def test_what_cannot_be_called_is_refused(function, settings, says):
    with pytest.raises(InputError) as refused:
        called(function, settings)
    assert says in refused.value.problem
    assert refused.value.where
    assert refused.value.hint


@pytest.fixture
def store(tmp_path):
    (tmp_path / "store.py").write_text(STORE)
    opened = []

    def make(name, **more):
        opened.append(call_function(function=f"store.py:{name}", home=str(tmp_path), **more))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def test_a_method_of_an_object_with_results_of_its_own(store):
    """As Akashic's CodeStore: async, named arguments, objects as results."""
    response = {"document": "path", "score": "score"}
    system = store("store.search", settings={"use_reranker": True}, response=response)
    reply = system.search(Query("q", "text"), 5)
    assert list(reply.documents) == ["text 5 True", "other"]
    assert reply.scores.tolist() == [0.5, 0.25]
    assert store("holder.store.plain", response={"document": "docs/{doc.id}.md"}).search(
        Query("q", "text"), 2
    ).documents == ["docs/0.md", "docs/1.md"]


@pytest.mark.parametrize("paths", [("path", "score"), ("[0]", "[1]")])
def test_results_are_tuples_with_names_or_without(store, paths):
    system = store("store.rows", response=dict(zip(("document", "score"), paths, strict=True)))
    reply = system.search(Query("q", "text"), 5)
    assert (reply.documents, reply.scores.tolist()) == (["a", "b"], [0.5, 0.25])


def test_results_that_a_pattern_does_not_match_are_a_note(store):
    pattern = {"path": "path", "match": "^(a)$", "id": r"\1.md"}
    system = store("store.rows", response={"document": pattern})
    for _ in range(2):  # asked again, they are still the same results
        assert system.search(Query("q", "text"), 5).documents == ["a.md", "b"]
    assert [note for note in system.notes if "1 of 2 results did not match" in note]


def test_another_setting_is_another_system(store):
    response = {"document": "path"}
    names = {
        store("store.search", response=response, **more).fingerprint
        for more in ({}, {"settings": {"use_reranker": True}}, {"settings": {"limit": 5}},
                     {"timeout_s": 1}, {"timeout_s": 2})
    }  # fmt: skip
    assert len(names) == 5


def test_fewer_results_than_are_measured_are_noted(store):
    system = store("store.plain", settings={"limit": 3}, response={"document": "doc.id"})
    assert len(system.search(Query("q", "text"), 10).documents) == 3
    assert any("limit is set to 3" in note for note in system.notes)


@pytest.mark.parametrize(
    ("name", "more", "says"),
    [
        ("store.serch", {}, '"store.serch"'),
        ("stor.search", {}, '"stor"'),
        ("store", {}, '"store"'),
        ("store.search", {"settings": ["limit"]}, "invalid value"),
        ("store.search", {"settings": {1: 2}}, "invalid value"),
        ("store.search", {"response": {"score": "score"}}, "invalid value"),
        ("store.search", {"response": {"document": "a", "hits": "b"}}, '"hits"'),
        ("store.search", {"response": {"document": "a[*]"}}, "several"),
    ],
)
def test_what_is_refused(store, name, more, says):
    with pytest.raises(InputError) as refused:
        store(name, **more)
    assert says in refused.value.problem
    assert refused.value.hint


def test_a_result_without_its_document_fails_the_query(store):
    system = store("store.search", response={"document": "file"})
    with pytest.raises(InputError, match="result 1 has no file"):
        system.search(Query("q", "text"), 5)
