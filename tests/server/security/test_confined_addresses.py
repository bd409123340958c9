"""Queries of a dataset that would lead out of the allowed start of an address."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.server.routes.stored import dataset_of, upload

from assay.workflows.jobs.perform import perform

QUERIES = {"up": "../secret", "twice": "%2e%2e/secret", "good": "apples"}


@pytest.fixture
def server():
    """A server that notes the paths that it is asked for."""
    paths = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            paths.append(self.path)
            body = b'{"hits": [{"id": "apple.md"}]}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.paths = paths
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_are_not_sent(server, make_service, make_client, tmp_path):
    (tmp_path / "apple.md").write_text("Apples grow on trees.")
    start = f"http://127.0.0.1:{server.server_port}/ok"
    service = make_service(allow=(f"corpus={tmp_path}", f"http={start}"))
    client = make_client(service)
    where = {"path": str(tmp_path)}
    corpus = client.post("/api/v1/corpora", json={"name": "c", "where": where}).json()["id"]
    asked = [(key, [{"path": "apple.md"}]) for key in QUERIES]
    dataset = dataset_of(*asked)
    for one in dataset["queries"]:
        one["query_text"] = QUERIES[one["query_key"]]
    pair = {"dataset": upload(client, dataset)["id"], "corpus": corpus}
    mapping = client.post("/api/v1/mappings", json=pair).json()
    perform(service.ledger.job(mapping["job"]["id"]), service.place)
    paths = {"hits": "hits", "document": "id"}
    system = {"kind": "http", "url": f"{start}/{{query}}/secret", "response": paths}
    body = {"name": "b", "mappings": [mapping["id"]], "settings": {"untimed": True}}
    body["configurations"] = [{"name": "x", "system": system}]
    made = client.post("/api/v1/benchmarks", json=body)
    assert made.status_code == 201, made.text
    client.post(f"/api/v1/benchmarks/{made.json()['id']}/start")
    perform(service.ledger.job(made.json()["id"]), service.place)
    assert "/ok/apples/secret" in server.paths
    assert not [one for one in server.paths if "%2F" in one or ".." in one]
