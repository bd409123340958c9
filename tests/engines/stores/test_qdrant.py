"""Qdrant's own: BM25 in sparse vectors, local mode, and how a server is asked (of a stub)."""

import json
import math
import sys
import threading
from collections import Counter
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import numpy as np
import pytest

from assay.engines.dense.exact import exact
from assay.engines.stores import _qdrant_points, _qdrant_wait
from assay.engines.stores._qdrant_wait import wait
from assay.engines.stores.qdrant import qdrant
from assay.errors import InputError
from assay.records import untracked

KEY = "a-secret-key"


def unit(vectors):
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def fill(store, texts, vectors=None):
    rows = np.arange(len(texts))
    dimension = 0 if vectors is None else vectors.shape[1]
    store.fill([(rows, texts, vectors)], dimension=dimension, total=len(texts))


TEXTS = ["apple", "apple apple pear", "", "pear plum", "plum plum plum plum", "grape apple plum"]


def bm25(query):
    """BM25 by its formula (k1 1.2, b .75) over the texts that have words."""
    counted = {row: Counter(text.split()) for row, text in enumerate(TEXTS) if text}
    mean = sum(one.total() for one in counted.values()) / len(counted)
    scores = Counter()
    for word, times in Counter(query.split()).items():
        holding = [row for row, one in counted.items() if word in one]
        rarity = math.log(1 + (len(counted) - len(holding) + 0.5) / (len(holding) + 0.5))
        for row in holding:
            tf, length = counted[row][word], counted[row].total()
            weight = tf * 2.2 / (tf + 1.2 * (1 - 0.75 + 0.75 * length / mean))
            scores[row] += times * rarity * weight
    return dict(scores)


@pytest.mark.parametrize("query", ["plum", "apple plum", "grape pear pear", "apple nothing"])
def test_words_are_scored_by_bm25(query):
    wanted = bm25(query)
    with closing(qdrant()) as store:
        fill(store, TEXTS)
        found = store.lexical(query, 10)

    scores = dict(zip(found.rows.tolist(), found.scores.tolist(), strict=True))
    assert scores == pytest.approx(wanted, rel=1e-5)
    assert found.rows.tolist() == sorted(wanted, key=lambda row: (-scores[row], row))


def test_words_are_our_tokens():
    with closing(qdrant()) as store:
        fill(store, ["def parseHTTPHeader(self):", "the houses", "東京都"])

        assert store.lexical("http header", 5).rows.tolist() == [0]
        assert store.lexical("house", 5).rows.tolist() == [1]
        assert store.lexical("京都", 5).rows.tolist() == [2]
        assert store.lexical("unknown", 5).rows.tolist() == []


def test_local_mode_is_exact_and_says_what_it_is():
    store = qdrant()

    assert not store.approximate
    told = "local mode scans all vectors: its latency says nothing about a server"
    assert told in store.notes[0]


def test_bytes_are_those_of_vectors_and_words():
    with closing(qdrant()) as store:
        fill(store, ["one two", "two"], np.eye(2, dtype=np.float32))

        assert store.size_bytes() == 2 * 2 * 4 + 3 * 8


def test_many_points_give_no_warning(monkeypatch):
    """Qdrant warns above 20,000 points in local mode; here above 10. Warnings fail a test."""
    from qdrant_client.common import client_warnings
    from qdrant_client.local.local_collection import LocalCollection

    monkeypatch.setattr(LocalCollection, "LARGE_DATA_THRESHOLD", 10)
    monkeypatch.setattr(client_warnings, "SEEN_MESSAGES", set())
    with closing(qdrant()) as store:
        fill(store, ["word"] * 20)

        assert len(store.lexical("word", 50).rows) == 20


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"m": 8}, "m has no effect in local mode"),
        ({"ef": 8}, "ef has no effect in local mode"),
        ({"url": "http://localhost:1", "exact": True, "ef": 8}, "no effect on exact search"),
        ({"m": 0}, "m is 0"),
        ({"ef_construct": 3}, "ef_construct is 3"),
        ({"ef": "many"}, "ef is 'many'"),
        ({"ef": True}, "ef is True"),
        ({"api_key": KEY}, "a key, and no server"),
        ({"url": "localhost:6333"}, "not that of a server"),
        ({"url": "ftp://localhost"}, "not that of a server"),
        ({"url": "http://"}, "not that of a server"),
        ({"url": "http://host:port"}, "not that of a server"),
        ({"url": ""}, "not that of a server"),
        ({"url": 6333}, "not that of a server"),
        ({"url": f"http://user:{KEY}@localhost:6333"}, "not that of a server"),
        ({"url": "${ASSAY_NO_SUCH}"}, "variable ASSAY_NO_SUCH is not set"),
        ({"url": "http://localhost:1", "api_key": "${ASSAY_NO_SUCH}"}, "ASSAY_NO_SUCH is not set"),
        ({"url": "http://localhost:1", "api_key": 5}, "the key itself was given"),
        ({"url": "http://localhost:1", "api_key": KEY}, "the key itself was given"),
        (
            {"url": "http://localhost:1", "api_key": "${NO:-line\nbreak}"},
            "no line of plain letters",
        ),
        ({"url": f"http://localhost:1/?key={KEY}"}, "not that of a server"),
    ],
)
def test_a_setting_that_cannot_be_applied_is_refused(settings, problem):
    with pytest.raises(InputError, match=problem) as refused:
        qdrant(**settings)

    assert refused.value.hint
    assert KEY not in str(refused.value)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "qdrant_client", None)

    with pytest.raises(InputError, match=r"assay-search\[qdrant\]"):
        qdrant()


class Stub(ThreadingHTTPServer):
    """A stub, not Qdrant: it keeps points, compares all vectors, and writes down what it is asked.

    Paths and bodies are those of Qdrant's documented REST interface.
    """

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked, self.collections, self.looks = [], {}, 0
        self.busy = 0  # how often a collection is yellow before it is green
        self.key = None
        self.broken = None
        threading.Thread(target=self.serve_forever, args=(0.01,)).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def bodies(self, method, ending):
        return [
            body
            for verb, path, body in self.asked
            if (verb, path.endswith(ending)) == (method, True)
        ]


class Handler(BaseHTTPRequestHandler):
    server_version = "stub"

    def log_message(self, *_):
        pass

    def handle_one(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        self.server.asked.append((self.command, self.path, body))
        if self.server.key is not None and self.headers.get("api-key") != self.server.key:
            return self.answer(401, {"status": {"error": "no key"}})
        if self.server.broken and self.path.endswith(self.server.broken):
            said = f"out of memory, says the stub to {self.headers.get('api-key')}"
            return self.answer(500, {"status": {"error": said}})
        if self.path == "/":
            return self.answer(200, {"title": "a stub of Qdrant", "version": "0.0.0-stub"})
        name = self.path.split("/")[2]
        what = self.path.partition(name)[2]
        result = getattr(self, f"do_{self.command.lower()}_{'points' if what else 'collection'}")(
            name, body
        )
        return self.answer(200, {"result": result, "status": "ok", "time": 0.0, "stub": True})

    do_GET = do_PUT = do_POST = do_DELETE = handle_one  # noqa: N815

    def answer(self, status, body):
        written = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(written)))
        self.end_headers()
        self.wfile.write(written)

    def do_put_collection(self, name, body):
        self.server.collections[name] = {}
        return True

    def do_delete_collection(self, name, body):
        return self.server.collections.pop(name, None) is not None

    def do_put_points(self, name, body):
        points = self.server.collections[name]
        points.update({point["id"]: point["vector"] for point in body["points"]})
        return {"operation_id": 0, "status": "completed"}

    def do_get_collection(self, name, body):
        self.server.looks += 1
        points = self.server.collections[name]
        busy = self.server.looks <= self.server.busy
        return {
            "status": "yellow" if busy else "green",
            "optimizer_status": "ok",
            "indexed_vectors_count": 0 if busy else len(points),
            "points_count": len(points),
            "segments_count": 1,
            "config": {
                "params": {},
                "hnsw_config": {"m": 16, "ef_construct": 100, "full_scan_threshold": 10},
                "optimizer_config": {
                    "deleted_threshold": 0.2,
                    "vacuum_min_vector_number": 1000,
                    "default_segment_number": 0,
                    "flush_interval_sec": 5,
                },
            },
            "payload_schema": {},
        }

    def do_post_points(self, name, body):
        points, query = self.server.collections[name], body["query"]
        query = query.get("nearest", query) if isinstance(query, dict) else query
        scores = {}
        for row, vector in points.items():
            if body["using"] == "dense" and "dense" in vector:
                scores[row] = float(np.dot(np.float32(vector["dense"]), np.float32(query)))
            if body["using"] == "words" and "words" in vector:
                weights = dict(
                    zip(vector["words"]["indices"], vector["words"]["values"], strict=True)
                )
                held = [one for one in query["indices"] if one in weights]
                if held:  # without the rarity: a stub need not be Qdrant
                    scores[row] = sum(weights[one] for one in held)
        best = sorted(scores, key=lambda row: -scores[row])[: body["limit"]]
        return {"points": [{"id": row, "version": 0, "score": scores[row]} for row in best]}


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setattr(_qdrant_wait, "PAUSE_S", 0.001)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    server = Stub()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


VECTORS = unit(np.random.default_rng(2).standard_normal((40, 4)))
WORDS = [f"word{row} {'pear' if row % 2 else 'plum'}" for row in range(40)]


def test_a_server_is_filled_searched_and_left_as_it_was(stub):
    truth = exact(VECTORS, np.arange(40), precision="float32")
    with closing(qdrant(url=f"{stub.url}/", m=8, ef_construct=50, ef=64)) as store:
        fill(store, WORDS, VECTORS)
        found, wanted = store.dense(VECTORS[3], 5), truth.search(VECTORS[3], 5)

        assert found.rows.tolist() == wanted.rows.tolist()
        assert found.scores.tobytes() == wanted.scores.tobytes()
        assert store.lexical("pear word8", 3).rows.tolist() == [8, 1, 3]
        assert store.approximate
        assert store.notes[0].startswith("Qdrant 0.0.0-stub, qdrant-client ")
        assert store.notes[0].endswith("hnsw, m 8, ef_construct 50, ef 64")
        (name,) = stub.collections
        assert name.startswith("assay_")
    assert stub.collections == {}


def test_what_a_server_is_asked(stub):
    with closing(qdrant(url=stub.url, m=8, ef_construct=50, ef=20)) as store:
        fill(store, WORDS, VECTORS)
        store.dense(VECTORS[3], 5)
        store.dense(VECTORS[3], 30)
        (made,) = [
            body for verb, path, body in stub.asked if verb == "PUT" and "points" not in path
        ]
        (written,) = stub.bodies("PUT", "/points?wait=true")
        first, second = stub.bodies("POST", "/points/query")

    assert made["vectors"]["dense"] == {"size": 4, "distance": "Cosine"}
    assert made["sparse_vectors"]["words"] == {"modifier": "idf"}
    assert made["hnsw_config"] == {"m": 8, "ef_construct": 50, "full_scan_threshold": 10}
    assert made["optimizers_config"] == {"indexing_threshold": 1}
    assert made["shard_number"] == 1
    assert [point["id"] for point in written["points"]] == list(range(40))
    assert np.float32(written["points"][3]["vector"]["dense"]).tolist() == VECTORS[3].tolist()
    assert (first["using"], first["limit"], first["params"]["hnsw_ef"]) == ("dense", 14, 20)
    assert (second["limit"], second["params"]["hnsw_ef"]) == (40, 40)


def test_large_requests_are_cut(stub, monkeypatch):
    monkeypatch.setattr(_qdrant_points, "AT_ONCE", 70)  # a point has 4 values and 4 words: 12
    with closing(qdrant(url=stub.url)) as store:
        fill(store, WORDS, VECTORS)

        written = stub.bodies("PUT", "/points?wait=true")
        assert [len(body["points"]) for body in written] == [6, 6, 6, 6, 6, 6, 4]
        assert len(store.dense(VECTORS[0], 50).rows) == 40


def test_exact_search_builds_no_graph_and_says_exact(stub):
    with closing(qdrant(url=stub.url, exact=True)) as store:
        fill(store, WORDS, VECTORS)
        store.dense(VECTORS[3], 5)
        (made,) = [
            body for verb, path, body in stub.asked if verb == "PUT" and "points" not in path
        ]
        (asked,) = stub.bodies("POST", "/points/query")

        assert not store.approximate
        assert "exact" in store.notes[0]
    assert made["optimizers_config"] == {"indexing_threshold": 0}
    assert "hnsw_config" not in made
    assert asked["params"]["exact"] is True
    assert stub.looks == 0


def test_a_server_is_asked_for_its_version_and_nothing_else_before_it_is_filled(stub):
    with closing(qdrant(url=stub.url)) as store:
        before = store.fingerprint, store.notes

    assert (store.fingerprint, store.notes) == before
    assert [asked[:2] for asked in stub.asked] == [("GET", "/")]


def test_a_graph_that_is_being_built_is_waited_for(stub):
    stub.busy, seen = 3, []

    def track(items, doing, *, total=None, unit=""):
        seen.append((doing, total, unit))
        return items

    with closing(qdrant(url=stub.url)) as store:
        store.fill([(np.arange(40), WORDS, VECTORS)], dimension=4, total=40, track=track)

    assert stub.looks == 5
    assert seen == [
        ("reading for Qdrant", 40, "chunks"),
        ("filling Qdrant", 40, "chunks"),
        ("Qdrant builds its graph", 40, "vectors"),
    ]


def test_the_environment_holds_url_and_key(stub, monkeypatch):
    stub.key = KEY
    monkeypatch.setenv("STUB_URL", stub.url)
    monkeypatch.setenv("STUB_KEY", f" {KEY}\n")
    with closing(qdrant(url="${STUB_URL}", api_key="${STUB_KEY}")) as store:
        fill(store, WORDS, VECTORS)
        told = [*store.notes, store.fingerprint, repr(store)]

        assert store.dense(VECTORS[0], 1).rows.tolist() == [0]
        assert not any(KEY in one for one in told)
    monkeypatch.delenv("STUB_URL")
    with closing(qdrant(url=f"${{STUB_URL:-{stub.url}}}", api_key="${STUB_KEY}")) as store:
        assert store.fingerprint


def test_a_wrong_key_gives_one_message(stub):
    stub.key = KEY
    with pytest.raises(InputError, match="refuses the key") as refused:
        qdrant(url=stub.url, api_key="${NO_KEY:-wrong-key}")

    assert "wrong-key" not in str(refused.value)
    assert str(stub.server_port) in refused.value.where


def test_what_a_server_says_is_passed_on_without_the_key(stub, monkeypatch):
    monkeypatch.setenv("STUB_KEY", KEY)
    monkeypatch.setenv("STUB_URL", stub.url)
    stub.broken = "/points/query"
    with closing(qdrant(url="${STUB_URL}", api_key="${STUB_KEY}")) as store:
        fill(store, WORDS, VECTORS)
        with pytest.raises(InputError, match=r"500: .*out of memory") as refused:
            store.dense(VECTORS[0], 5)

    assert KEY not in str(refused.value)
    assert "***" in str(refused.value)
    assert refused.value.where == "qdrant at ${STUB_URL}"


def test_a_failed_filling_leaves_nothing_behind(stub):
    stub.broken = "/points?wait=true"
    with closing(qdrant(url=stub.url)) as store:
        with pytest.raises(InputError, match="500"):
            fill(store, WORDS, VECTORS)

        assert stub.collections == {}


def test_no_server_gives_one_message(stub):
    stub.shutdown()
    stub.server_close()
    with pytest.raises(InputError, match="no answer") as refused:
        qdrant(url=stub.url)

    assert "start it" in refused.value.hint
    assert "\n" not in refused.value.problem


def test_a_server_that_stops_in_between_gives_one_message_and_names_what_stays(stub):
    store = qdrant(url=stub.url)
    fill(store, WORDS, VECTORS)
    (name,) = stub.collections
    stub.shutdown()
    stub.server_close()

    with pytest.raises(InputError, match="no answer"):
        store.dense(VECTORS[0], 5)
    with pytest.raises(InputError, match="no answer"):
        store.lexical("pear", 5)
    with pytest.raises(InputError, match=f"the collection {name} stays"):
        store.close()
    store.close()  # it was said


def test_a_closed_store_may_be_filled_again(stub):
    with closing(qdrant(url=stub.url)) as store:
        fill(store, WORDS, VECTORS)
        store.close()
        fill(store, WORDS[:5], VECTORS[:5])

        assert store.dense(VECTORS[0], 50).rows.size == 5
        assert len(stub.collections) == 1


def test_what_is_no_qdrant_gives_one_message(stub, monkeypatch):
    monkeypatch.setattr(Handler, "handle_one", None, raising=False)
    monkeypatch.setattr(Handler, "do_GET", lambda self: self.answer(200, ["no", "Qdrant"]))

    with pytest.raises(InputError, match="no answer"):
        qdrant(url=stub.url)


def test_settings_and_servers_change_the_fingerprint(stub):
    made = [
        qdrant(),
        qdrant(words=False),
        qdrant(url=stub.url),
        qdrant(url=stub.url, exact=True),
        qdrant(url=stub.url, ef=64),
        qdrant(url=stub.url, m=8),
    ]

    assert len({store.fingerprint for store in made}) == len(made)
    for store in made:
        store.close()


def state(status, indexed):
    return SimpleNamespace(status=SimpleNamespace(value=status), indexed_vectors_count=indexed)


def test_waiting_ends_when_it_is_green_twice_in_a_row():
    states = iter(
        [state("green", 0), state("grey", None), state("yellow", 3), *[state("green", 9)] * 2]
    )
    slept = []

    wait(lambda: next(states), 9, untracked, sleep=slept.append)

    assert len(slept) == 5


def test_waiting_has_a_bound():
    now = iter(range(0, 10**9, 100))

    with pytest.raises(InputError, match="not ready after 1800 s") as refused:
        wait(
            lambda: state("yellow", 0), 9, untracked, sleep=lambda _: None, clock=lambda: next(now)
        )

    assert "ef_construct" in refused.value.hint
