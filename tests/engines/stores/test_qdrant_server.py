"""How a server of Qdrant is asked: of a stub on this machine, which is not Qdrant and says so."""

import json
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from assay.engines.dense.exact import exact
from assay.engines.stores import _qdrant_points, _qdrant_wait
from assay.engines.stores.qdrant import qdrant
from assay.errors import InputError

pytestmark = pytest.mark.server

KEY = "a-secret-key"
DRAWN = np.random.default_rng(2).standard_normal((40, 4))


def fill(store, texts, vectors):
    store.fill([(np.arange(len(texts)), texts, vectors)], dimension=4, total=len(texts))


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


VECTORS = (DRAWN / np.linalg.norm(DRAWN, axis=1, keepdims=True)).astype(np.float32)
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
        version, *built = store.notes[0].split(", ")
        assert version == "Qdrant 0.0.0-stub"
        assert built[-3:] == ["m 8", "ef_construct 50", "ef 64"]
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
    assert (first["using"], first["limit"], first["params"]["hnsw_ef"]) == ("dense", 5, 20)
    assert (second["limit"], second["params"]["hnsw_ef"]) == (30, 30)


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
    assert [one[1:] for one in seen] == [(40, "chunks"), (40, "chunks"), (40, "vectors")]
    assert "index" in seen[-1][0]


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


@pytest.mark.parametrize("key", ["${NO_KEY:-secret}", "secret-${NO_KEY}", "secret", 5])
def test_a_key_that_stands_in_the_file_is_refused(stub, monkeypatch, key):
    monkeypatch.setenv("NO_KEY", "x")
    with pytest.raises(InputError, match="in plain text") as refused:
        qdrant(url=stub.url, api_key=key)
    assert "secret" not in str(refused.value)


def test_a_wrong_key_gives_one_message(stub, monkeypatch):
    stub.key = KEY
    monkeypatch.setenv("NO_KEY", "wrong-key")
    with pytest.raises(InputError, match="rejected the API key") as refused:
        qdrant(url=stub.url, api_key="${NO_KEY}")

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
    with pytest.raises(InputError, match="request failed") as refused:
        qdrant(url=stub.url)

    assert "start Qdrant" in refused.value.hint
    assert "\n" not in refused.value.problem


def test_a_server_that_stops_in_between_gives_one_message_and_names_what_stays(stub):
    store = qdrant(url=stub.url)
    fill(store, WORDS, VECTORS)
    (name,) = stub.collections
    stub.shutdown()
    stub.server_close()

    with pytest.raises(InputError, match="request failed"):
        store.dense(VECTORS[0], 5)
    with pytest.raises(InputError, match="request failed"):
        store.lexical("pear", 5)
    with pytest.raises(InputError, match=f"could not delete the collection {name}"):
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

    with pytest.raises(InputError, match="request failed"):
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
