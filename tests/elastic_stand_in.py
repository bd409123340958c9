"""A stand-in for Elasticsearch that says so: its documented requests and answers, by Tantivy."""

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import tantivy

__all__ = ["stand_in"]

ANALYZERS = {"standard": "default", "english": "en_stem"}  # what Tantivy calls them
WORD = re.compile(r"\w+")


class Index:
    """Articles under a mapping; the analyzers of its fields decide which words match."""

    def __init__(self, mapping, articles):
        fields = mapping["mappings"]["properties"]
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw")
        for name, field in fields.items():
            analyzer = field.get("analyzer", "standard")
            builder.add_text_field(name, tokenizer_name=ANALYZERS[analyzer])
        self._index = tantivy.Index(builder.build())
        writer = self._index.writer(heap_size=15_000_000, num_threads=1)
        for one in articles:
            writer.add_document(tantivy.Document(**one))
        writer.commit()
        self._index.reload()

    def search(self, body):
        """Answer a multi_match query of the type most_fields, whose fields add up their scores."""
        asked = body["query"]["multi_match"]
        assert asked["type"] == "most_fields"
        text = " ".join(WORD.findall(asked["query"]))
        searcher = self._index.searcher()
        query = self._index.parse_query(text, asked["fields"])
        found = searcher.search(query, body["size"]).hits
        hits = [
            {"_index": "articles", "_id": searcher.doc(place)["id"][0], "_score": score}
            for score, place in found
        ]
        return {
            "stand-in": "this is not Elasticsearch",
            "took": 1,
            "timed_out": False,
            "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
            "hits": {"total": {"value": len(hits), "relation": "eq"}, "hits": hits},
        }


@contextmanager
def stand_in(indexes, key):
    """Serve indexes by their names to whoever has the key; yields the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        server_version = "stand-in"
        disable_nagle_algorithm = True

        def log_message(self, *_):
            pass

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            name = self.path.strip("/").removesuffix("/_search")
            status, told = 404, {"error": {"type": "index_not_found_exception"}, "status": 404}
            if self.headers["Authorization"] != f"ApiKey {key}":
                status, told = 401, {"error": {"type": "security_exception"}, "status": 401}
            elif name in indexes:
                status, told = 200, indexes[name].search(body)
            content = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join(5)
        server.server_close()
