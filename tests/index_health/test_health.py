"""Looking at an index that was built with planted faults; models here are fakes that say so."""

import re
import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from assay.corpora.sources.inline import inline
from assay.engines.dense import Recall
from assay.engines.dense.hnsw import hnsw
from assay.index_health.health import IndexState, health_of
from assay.index_health.vectors import recall_finding
from assay.models.quality.antihubs import antihubs
from assay.models.quality.hubness import hubness
from assay.records import Dataset, Document, Judgment, Query, Reference
from assay.searches.configuration.configuration import configuration
from assay.searches.indexing import bring_up_to_date
from assay.searches.parts import text_of
from assay.workspace.index.index_store import open_store

DENSE = {"name": "dense", "search": "dense", "model": "fake", "precision": "float32"}


class Planted:
    """A fake model: the vector of a text is that of the first number in it."""

    name = "planted (a fake)"
    fingerprint = "planted"

    def __init__(self, table, *, window=None):
        self._table = np.asarray(table, dtype=np.float32)
        self.dimension = self._table.shape[1]
        self.window = window

    def embed(self, texts, *, query=False, track=None):
        found = [re.search(r"\d+", text) for text in texts]
        rows = [self._table[int(one[0])] if one else np.zeros(self.dimension) for one in found]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dimension)

    def count(self, text):
        return len(text.split())


def gaussian(count, dimension=64, seed=0):
    rows = np.random.default_rng(seed).normal(size=(count, dimension))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def documents(count, text="text number {} of many words"):
    return [
        Document(id=f"d{at}", text=text.format(at), content_hash=f"h{at}") for at in range(count)
    ]


@pytest.fixture
def looked(tmp_path):
    """Index documents with a planted table of vectors, and look at the result."""

    def look(
        held, table, *, now=None, dataset=None, expect=None, window=None, change=None, **chosen
    ):
        settings = configuration({**DENSE, "model": "static", **chosen})
        model = Planted(table, window=window)
        store = open_store(tmp_path / "index", settings="planted")
        bring_up_to_date(store, inline(held), settings, embedder=model)
        if change:
            change(store)
        with closing(store.snapshot()) as snapshot:
            return health_of(
                IndexState(snapshot, settings, model, expect or {}),
                inline(held if now is None else now),
                sizes=store.sizes(),
                dataset=dataset,
            )

    return look


def states(health):
    return {f"{one.section}: {one.name}": one.state for one in health.findings}


def finding(health, name):
    (found,) = [one for one in health.findings if one.name == name]
    return found


def recall_of(health, source):
    (found,) = [one for one in health.findings if one.section == "recall" and source in one.name]
    return found


def off(health):
    return {name for name, state in states(health).items() if state != "good"}


def meanings(health):
    return [f"{one.name} ({one.state}): {one.meaning}" for one in health.findings]


def test_a_good_index_is_good(looked, snapshot):
    health = looked(documents(150), gaussian(150))
    assert off(health) == {"embedding: alignment"}  # one chunk each: no neighbours to pair
    snapshot(meanings(health))
    assert health.bad == 0
    assert health.embedding["sampled"] == 150
    assert (health.index["documents"], health.index["chunks"], health.index["vectors"]) == (
        150,
    ) * 3


def test_a_narrow_cone_is_told(looked):
    cone = np.eye(64)[0] + 0.02 * gaussian(150)
    health = looked(documents(150), cone)
    assert finding(health, "anisotropy").state == "bad"
    assert finding(health, "uniformity").state == "bad"


def test_a_hub_is_told(looked):
    others = np.eye(200)[0] * 0.3 + np.random.default_rng(0).normal(size=(299, 200)) * 0.05
    table = np.concatenate([others.mean(axis=0, keepdims=True), others])
    found = finding(looked(documents(300), table), "hubness")
    assert found.state == "bad"
    assert found.cases[0] == "d0:1-1"  # the planted one
    assert len(found.cases) == 10


def test_copies_make_no_hubs_and_hide_none(looked):
    table = gaussian(150)
    copied = np.concatenate([table, np.repeat(table[:2], 150, axis=0)])
    health = looked(documents(450), copied)
    assert (health.embedding["sampled"], health.embedding["distinct"]) == (450, 150)
    assert finding(health, "hubness").value == pytest.approx(hubness(table))
    assert finding(health, "antihubs").value == antihubs(table)
    assert finding(health, "near-equal vectors").state == "bad"  # where copies are told


def test_a_hub_is_named_beside_copies(looked):
    others = np.eye(200)[0] * 0.3 + np.random.default_rng(0).normal(size=(299, 200)) * 0.05
    hub = others.mean(axis=0, keepdims=True)
    table = np.concatenate([np.repeat(others[:1], 20, axis=0), others, hub])
    assert finding(looked(documents(320), table), "hubness").cases[0] == "d319:1-1"


def test_vectors_that_are_all_one_are_bad_and_break_nothing(looked, snapshot):
    health = looked(documents(150), np.repeat(gaussian(1), 150, axis=0))
    assert finding(health, "effective dimension").value == 0
    assert finding(health, "effective dimension").state == "bad"
    assert finding(health, "anisotropy").state == "bad"
    snapshot(finding(health, "hubness").meaning)


def test_few_directions_are_told(looked):
    health = looked(documents(150), gaussian(150, 2) @ np.eye(2, 64))
    found = finding(health, "effective dimension")
    assert found.state == "bad"
    assert found.value == pytest.approx(2.0, abs=0.2)
    assert found.unit == "of 64"


def test_few_vectors_are_too_few_to_tell(looked):
    health = looked(documents(99), gaussian(99))
    assert finding(health, "anisotropy").state == "unknown"
    assert finding(health, "anisotropy").value is None
    assert health.embedding["anisotropy"] is None


def test_vectors_without_direction_do_not_count_as_vectors(looked):
    held = [*documents(99), *(Document(id=f"e{at}", text="wordless") for at in range(50))]
    health = looked(held, gaussian(99))
    few = "Not enough vectors: 99, at least 100 needed."
    assert finding(health, "hubness").meaning == finding(health, "anisotropy").meaning == few


def test_queries_are_paired_with_their_answers(looked):
    near = looked(documents(150), gaussian(150), dataset=asked_of(40))
    assert finding(near, "alignment").value == pytest.approx(0.0, abs=1e-6)
    assert near.embedding["pairs_from"].startswith("40 queries")
    astray = looked(documents(150), gaussian(150), dataset=asked_of(40, shift=50))
    assert finding(astray, "alignment").state == "bad"
    assert astray.embedding["alignment"] == pytest.approx(2.0, abs=0.3)


def asked_of(count, *, shift=0):
    queries = (
        Query(f"q{at}", str(at + shift), (Judgment(Reference.named(f"d{at}"), 1),))
        for at in range(count)
    )
    return Dataset("asked", tuple(queries))


def test_what_is_near_is_told_by_what_is_near_at_random(looked):
    # In a cone all lie near, also queries and answers that have nothing to do with each other.
    cone = np.eye(64)[0] + 0.5 * gaussian(150)
    astray = asked_of(40, shift=50)
    health = looked(documents(150), cone, dataset=astray)
    found = finding(health, "alignment")
    assert health.embedding["alignment"] < 0.6
    assert (found.state, found.value) == ("bad", pytest.approx(1.0, abs=0.1))
    assert found.most == 0.85
    assert f"{health.embedding['alignment']:.2f}" in found.unit


def test_a_query_is_paired_with_the_nearest_chunk_of_an_answer(looked):
    # Each document has a chunk that is about the query, between two that are not.
    texts = [
        "\n\n".join(f"{number} a paragraph of its own" for number in (at + 50, at, at + 100))
        for at in range(30)
    ]
    held = [Document(id=f"d{at}", text=text) for at, text in enumerate(texts)]
    health = looked(held, gaussian(150), dataset=asked_of(30), chunker="text", chunk_size=8)
    assert health.index["chunks"] == 90
    assert finding(health, "alignment").value == pytest.approx(0.0, abs=1e-6)


def test_answers_that_the_index_does_not_hold_are_named(looked):
    named = ["d1", "d2", "d2", "new", "nobody"]  # one is judged twice
    judgments = [(Judgment(Reference.named(name), 1),) for name in named]
    dataset = Dataset("asked", tuple(
        Query(f"q{at}", "1", (*one, Judgment(Reference.named("d3"), 0)))
        for at, one in enumerate(judgments)
    ))  # fmt: skip
    held = documents(150)
    now = [*held, Document(id="new", text="1")]
    found = finding(looked(held, gaussian(150), now=now, dataset=dataset), "answers indexed")
    assert (found.section, found.value, found.unit) == ("coverage", 2, "of 4")
    assert (found.least, found.state) == (4, "bad")
    new, nobody = found.cases
    assert new == "new"
    assert nobody.startswith('"nobody" (')


@pytest.mark.parametrize(("missing", "state"), [(0, "good"), (1, "watch"), (3, "bad")])
def test_some_missing_answers_are_to_be_watched_and_many_are_bad(looked, missing, state):
    dataset = asked_of(20 + missing)
    found = finding(looked(documents(20), gaussian(150), dataset=dataset), "answers indexed")
    assert (found.value, found.state) == (20, state)


def test_one_document_of_an_expected_item_will_do(looked):
    item = Judgment(Reference(path="d1", match="substring"), 1)
    dataset = Dataset("items", (Query("q", "1", (item,)),))
    held = [replace(one, path=one.id) for one in documents(30)]
    now = [*held, Document(id="d1x", path="d1x", text="1")]
    found = finding(looked(held, gaussian(150), now=now, dataset=dataset), "answers indexed")
    assert (found.value, found.least, found.state) == (1, 1, "good")


def test_another_of_its_group_stands_for_an_answer_and_an_empty_document_for_none(looked):
    pair = [Judgment(Reference.named(name), 1, group="g") for name in ("nobody", "d1")]
    empty = Judgment(Reference.named("empty"), 1)
    dataset = Dataset("groups", (Query("q", "1", (*pair, empty)),))
    held = [*documents(30), Document(id="empty", text="")]
    found = finding(looked(held, gaussian(150), dataset=dataset), "answers indexed")
    assert (found.value, found.unit, found.cases) == (1, "of 2", ("empty",))


def test_what_is_only_told_reads_as_no_fault(looked, snapshot):
    told = [one for one in looked(documents(20), gaussian(20)).findings if not one.compared]
    snapshot(f"{one.name}: {one.meaning}" for one in told)


def test_without_a_dataset_no_answers_are_counted(looked):
    health = looked(documents(20), gaussian(20))
    assert "answers indexed" not in [one.name for one in health.findings]


def test_irrelevant_and_unknown_answers_are_no_pairs(looked, snapshot):
    queries = (
        Query("q0", "1", (Judgment(Reference.named("d1"), 0),)),
        Query("q1", "2", (Judgment(Reference.named("nobody"), 3),)),
    )
    health = looked(documents(150), gaussian(150), dataset=Dataset("odd", queries))
    snapshot([health.embedding["pairs_from"], *health.notes])


def test_neighbouring_chunks_are_paired(looked):
    text = "\n\n".join(f"{at} paragraph with quite a few words in it" for at in range(8))
    held = [Document(id=f"d{at}", text=text.replace("0", str(at))) for at in range(20)]
    health = looked(held, gaussian(150), chunker="text", chunk_size=16)
    assert health.embedding["pairs"] >= 20
    assert finding(health, "alignment").value is not None


def test_twins_of_other_documents_are_counted_and_those_of_the_same_are_not(looked):
    table = gaussian(150)
    table[1:31] = table[0]
    health = looked(documents(150), table)
    found = finding(health, "near-equal vectors")
    assert (found.value, found.state, found.unit) == (31, "bad", "of 150")
    text = "\n\n".join("7 the same paragraph again and again" for _ in range(20))
    alone = looked([Document(id="one", text=text)], table, chunker="text", chunk_size=8)
    assert alone.index["chunks"] > 1
    assert finding(alone, "near-equal vectors").value == 0


def test_equal_chunks_but_for_white_space_and_equal_documents_are_counted(looked):
    held = [
        Document(id="a", path="a.txt", text="1 the same\twords", content_hash="x"),
        Document(id="b", path="b.txt", text="1 the  same words\r\n", content_hash="y"),
        Document(id="c", path="c.txt", text="2 other words", content_hash="z"),
        Document(id="d", path="d.txt", text="2 other words", content_hash="z"),
        Document(id="e", path="e.txt", text="", content_hash="0"),
        Document(id="f", path="f.txt", text="", content_hash="0"),
    ]
    health = looked(held, gaussian(5))
    assert finding(health, "equal chunks").value == 2
    assert finding(health, "equal chunks").cases == ("b.txt", "d.txt")
    assert finding(health, "equal documents").value == 1  # empty files are no copies
    assert finding(health, "equal documents").cases == ("d.txt",)
    assert finding(health, "without chunks").cases == ("e.txt", "f.txt")


def test_empty_near_empty_and_oversized_chunks(looked):
    held = [
        Document(id="long", text="3 " + "word " * 100),
        Document(id="short", text="4 x"),
        Document(id="fit", text="5 just enough words to say something"),
    ]
    health = looked(held, gaussian(9), window=50, chunker="whole")
    assert finding(health, "above 50 model tokens").value == 1
    assert finding(health, "above 50 model tokens").cases == ("long",)
    assert finding(health, "below 5 tokens").cases == ("short",)
    assert finding(health, "below 5 tokens").state == "bad"
    assert health.index["chunk_tokens"]["max"] > 100


def test_a_model_that_does_not_tell_its_window_leaves_whole_documents_unknown(looked):
    health = looked([Document(id="d", text="1 word")], gaussian(2), chunker="whole")
    assert finding(health, "oversized").state == "unknown"


def test_blank_chunks_are_found(looked, monkeypatch):
    from assay.records import Chunk, ChunkedDocument

    def blank(document):
        return ChunkedDocument((Chunk(document.id, 0, 3, (1, 1), " \n\t"),))

    monkeypatch.setattr("assay.searches.indexing.chunker_of", lambda *_: blank)
    health = looked([Document(id="d", text="1 word")], gaussian(2))
    assert (finding(health, "empty").value, finding(health, "empty").state) == (1, "bad")


def test_what_changed_in_the_corpus_is_told(looked):
    held = documents(40)
    now = [
        *held[2:],
        Document(id="new", path="new.txt", text="1", content_hash="new"),
    ]
    now[0] = Document(id="d2", text="2 other", content_hash="other")
    health = looked(held, gaussian(50), now=now)
    assert finding(health, "added").cases == ("new.txt",)
    assert finding(health, "changed").cases == ("d2",)
    assert finding(health, "removed").cases == ("d0", "d1")
    assert {finding(health, name).state for name in ("added", "changed", "removed")} == {"watch"}
    assert finding(health, "documents").state == "watch"
    assert (finding(health, "documents").least, finding(health, "documents").value) == (39, 40)
    assert finding(health, "documents indexed").value == pytest.approx(38 / 39)


def test_a_tenth_that_is_stale_is_still_watched_and_more_is_bad(looked):
    held = documents(20)
    assert finding(looked(held, gaussian(20), now=held[2:]), "removed").state == "watch"
    assert finding(looked(held, gaussian(20), now=held[3:]), "removed").state == "bad"


def test_lost_vectors_and_texts_are_told(looked):
    def lose(*tables):
        def change(store):
            with closing(sqlite3.connect(store.folder / "index.sqlite")) as connection:
                for table in tables:
                    connection.execute(f"DELETE FROM {table} WHERE row = 3")
                connection.commit()

        return change

    health = looked(documents(150), gaussian(150), change=lose("vectors"))
    assert (finding(health, "vectors").value, finding(health, "vectors").state) == (149, "bad")
    health = looked(documents(150), gaussian(150), change=lose("texts"))
    assert finding(health, "texts").state == "bad"
    assert "missing" in finding(health, "texts").meaning
    assert not any(one.section == "chunks" for one in health.findings)


def test_vectors_of_no_chunk_are_told(looked):
    def orphan(store):
        with closing(sqlite3.connect(store.folder / "index.sqlite")) as connection:
            connection.execute(
                "INSERT INTO vectors SELECT 99999, packed FROM vectors WHERE row = 0"
            )
            connection.commit()

    health = looked(documents(150), gaussian(150), change=orphan)
    assert (finding(health, "vectors").value, finding(health, "vectors").state) == (151, "bad")
    assert health.embedding["vectors"] == 150


def test_what_a_person_expects_is_binding(looked):
    expect = {"documents": (41, 50), "chunks": (None, 40), "vectors": (40, 40), "bytes": (1, None)}
    health = looked(documents(40), gaussian(40), expect=expect)
    assert finding(health, "documents").state == "bad"
    assert "expected" in finding(health, "documents").meaning
    assert [finding(health, name).state for name in ("chunks", "vectors", "bytes")] == ["good"] * 3


def test_an_empty_corpus_and_one_document(looked):
    assert looked([], gaussian(1)).bad == 0
    health = looked(
        [Document(id="ü", path="ü.md", text="0 größer als\r\nalles andere hier: 検索")], gaussian(1)
    )
    assert health.bad == 0
    assert finding(health, "recall@10").value == 1.0


def test_poor_recall_is_bad_and_good_recall_is_good():
    vectors = gaussian(2000, 16).astype(np.float32)
    rows = np.arange(2000)
    poor = hnsw(vectors, rows, precision="float32", m=2, ef_construction=2, ef_search=1)
    # Asked for what lies between the vectors: a walk that starts at its end finds too much.
    asked = gaussian(100, 16, seed=1).astype(np.float32)
    found = recall_finding(poor, asked, "queries", depth=10)
    assert found.state == "bad"
    assert found.value < 0.9
    assert found.name.startswith("recall@10 of hnsw")
    assert "--dense exact" in found.meaning
    good = hnsw(vectors, rows, precision="float32")
    assert recall_finding(good, asked, "queries", depth=10).state == "good"
    # Asked as searches ask, for more, it looks further, unless it is told how far.
    assert recall_finding(poor, asked, "queries", depth=200).value == found.value
    usual = hnsw(vectors, rows, precision="float32", m=4, ef_construction=4)
    near, far = (recall_finding(usual, asked, "queries", depth=n).value for n in (10, 400))
    assert near < far


def test_an_exact_index_misses_nothing_and_none_is_unknown(looked):
    found = finding(looked(documents(3), gaussian(3)), "recall@10")
    assert (found.value, found.state) == (1.0, "good")
    none = finding(looked([], gaussian(1)), "recall@10")
    assert (none.value, none.state) == (None, "unknown")
    alone = finding(looked(documents(1), gaussian(1), dense="hnsw"), "recall@10")
    assert (alone.value, alone.state) == (None, "unknown")
    assert "single vector" in alone.meaning


def test_an_index_is_asked_as_its_searches_ask_and_a_chunk_is_not_its_own_neighbour(
    looked, monkeypatch
):
    told = []

    def noted(*_, **how):
        told.append(how)
        return Recall(1.0, 1.0, 1, 10)

    monkeypatch.setattr("assay.index_health.vectors.recall", noted)
    looked(documents(30), gaussian(30), dense="hnsw", depth=70, dataset=asked_of(5))
    by_chunks, by_queries = told
    assert (by_chunks["depth"], by_queries["depth"]) == (70, 70)
    assert by_chunks["own"].tolist() == list(range(30))
    assert by_queries["own"] is None


def test_vectors_that_point_nowhere_are_told_with_their_chunks(looked):
    table = gaussian(150)
    table[[3, 7]] = 0
    health = looked(documents(150), table)
    found = finding(health, "without direction")
    assert (found.section, found.value, found.unit, found.state) == (
        "coverage",
        2,
        "of 150",
        "watch",
    )
    assert found.cases == ("d3:1-1", "d7:1-1")
    assert health.embedding["sampled"] == 148


def test_an_index_of_which_most_cannot_be_found_is_bad(looked):
    table = gaussian(300)
    table[:180] = 0
    health = looked(documents(300), table)
    assert finding(health, "without direction").state == "bad"
    assert health.bad == 1


def spoil(*rows, value=np.nan, width=64):
    """Damage stored vectors, as a broken disk or another program might."""

    def change(store):
        vector = np.zeros(width, "<f4")
        vector[1] = value
        with closing(sqlite3.connect(store.folder / "index.sqlite")) as connection:
            for row in rows:
                asked = "UPDATE vectors SET packed = ? WHERE row = ?"
                connection.execute(asked, (vector.tobytes(), row))
            connection.commit()

    return change


@pytest.mark.parametrize("count", [30, 150])
@pytest.mark.parametrize("dense", ["exact", "hnsw", "ivf"])
@pytest.mark.parametrize("value", [np.nan, -np.inf])
def test_a_vector_that_is_no_number_is_bad_and_named_and_the_rest_is_measured(
    looked, count, dense, value
):
    change = spoil(5, value=value)
    health = looked(documents(count), gaussian(count), change=change, dense=dense)
    found = finding(health, "without direction")
    assert (found.value, found.state, found.cases) == (1, "bad", ("d5:1-1",))
    assert "finite" in found.meaning
    assert finding(health, "recall@10").state == "unknown"
    figure = finding(health, "anisotropy").value
    assert figure is None if count == 30 else figure == pytest.approx(0, abs=0.1)


def test_a_damaged_scale_of_a_small_vector_is_told(looked):
    def change(store):
        with closing(sqlite3.connect(store.folder / "index.sqlite")) as connection:
            asked = "SELECT packed FROM vectors WHERE row = 5"
            (packed,) = connection.execute(asked).fetchone()
            broken = np.float32(np.inf).tobytes() + packed[4:]
            connection.execute("UPDATE vectors SET packed = ? WHERE row = 5", (broken,))
            connection.commit()

    table = gaussian(30)
    table[5, 0] = 0  # infinity times zero is no number
    health = looked(documents(30), table, change=change, precision="int8")
    assert finding(health, "without direction").cases == ("d5:1-1",)


def test_queries_without_direction_are_no_pairs(looked):
    dataset = asked_of(40)
    wordless = replace(dataset.queries[0], text="wordless")
    dataset = replace(dataset, queries=(wordless, *dataset.queries[1:]))
    health = looked(documents(150), gaussian(150), dataset=dataset, dense="hnsw")
    assert health.embedding["pairs"] == 39
    assert health.embedding["pairs_from"].startswith("39 queries")
    assert "39 queries" in recall_of(health, "queries").meaning


def test_where_texts_are_lost_chunks_are_named_by_their_documents(looked):
    def change(store):
        with closing(sqlite3.connect(store.folder / "index.sqlite")) as connection:
            connection.execute("DELETE FROM texts WHERE row = 3")
            connection.commit()

    table = gaussian(30)
    table[3] = 0
    health = looked(documents(30), table, change=change)
    assert finding(health, "without direction").cases == ("d3",)


def test_an_approximate_index_is_measured_by_chunks_and_by_queries(looked):
    health = looked(documents(400), gaussian(400), dense="hnsw", dataset=asked_of(30))
    assert len([one for one in health.findings if one.section == "recall"]) == 2
    assert all("recall@10" in recall_of(health, one).name for one in ("chunks", "queries"))
    assert "30 queries" in recall_of(health, "queries").meaning


def test_a_sample_is_the_same_for_the_same_seed(looked):
    health = looked(documents(30), gaussian(30))
    assert health.embedding["seed"] == 0
    look = IndexState(None, configuration(DENSE | {"model": "static"}), seed=3)
    again = IndexState(None, configuration(DENSE | {"model": "static"}), seed=3)
    other = IndexState(None, configuration(DENSE | {"model": "static"}), seed=4)
    assert look.some(5000).tolist() == again.some(5000).tolist() != other.some(5000).tolist()
    assert len(look.some(5000)) == 2000
    assert look.some(7).tolist() == list(range(7))


def test_text_of_a_chunk_is_what_the_model_is_shown():
    from assay.records import Chunk

    assert text_of(Chunk("d", 0, 1, (1, 1), "x", title="Title")) == "Title\nx"
