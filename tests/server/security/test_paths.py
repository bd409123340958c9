"""Whatever text a request has anywhere: no file is opened by it but those that are allowed."""

import copy
import itertools
import json
import os
import sys
import threading
from functools import partial
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.server.routes.stored import FRUIT, file_of
from tests.server.security.routes import operations, protected_client, strings_of

from assay.searches.configuration.settings import SETTINGS
from assay.server.security import request_log

MANY = 100_000
SECRET = "the-content-of-a-private-file"
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
# Objects whose keys the schema does not tell: all that might be a place, at once.
SYSTEMS = (
    {"kind": "run_file", "path": "PATH"},
    {"kind": "callable", "function": "PATH"},
    {"kind": "http", "url": "PATH"},
    {"kind": "http", "url": "file://PATH"},
    {"kind": "lancedb", "path": "PATH"},
    {"kind": "PATH"},
)
WHERE = (
    *({key: "PATH"} for key in ("path", "folder", "jsonl", "git", "repository")),
    {"path": "git:PATH@HEAD"},
    {"source": "folder", "path": "PATH"},
    {"source": "PATH"},
    {"source": "stdlib", "vectors": "PATH"},
    {"path": "ALLOWED/link"},
    {"path": "ALLOWED/@at/../UP"},
    {"path": "git:ALLOWED/@at/../UP@HEAD"},
)


class OpenedFiles:
    """Records which files this process opens and which folders it lists, while it is on."""

    EVENTS = ("open", "os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove")

    def __init__(self):
        self.on, self.read, self.written = False, set(), set()
        self._busy = threading.local()
        self._installed = False

    def start(self):
        """Begin to record; a hook stays for good, for there is no way to take it away."""
        if not self._installed:
            sys.addaudithook(self._heard)
            self._installed = True
        self.read.clear()
        self.written.clear()
        self.on = True

    def _heard(self, event, args):
        if not self.on or event not in self.EVENTS or getattr(self._busy, "now", False):
            return
        if not args or not isinstance(args[0], str | bytes | os.PathLike):
            return
        if event in self.EVENTS[3:] and not Path(os.fsdecode(args[0])).is_absolute():
            return  # of a folder that is open: who clears one away goes down so
        self._busy.now = True
        try:
            place = os.path.realpath(os.fsdecode(args[0]))
        except (ValueError, OSError):
            return
        finally:
            self._busy.now = False
        writes = event in self.EVENTS[3:] or (event == "open" and (args[2] or 0) & WRITING)
        (self.written if writes else self.read).add(place)


OPENED = OpenedFiles()


@pytest.fixture
def private(tmp_path_factory):
    """A folder that nobody may read: a text, a corpus, a run file, a benchmark."""
    root = tmp_path_factory.mktemp("private").resolve()
    (root / "file").write_text(SECRET)
    (root / "corpus.jsonl").write_text(json.dumps({"_id": "1", "text": SECRET}) + "\n")
    return root


@pytest.fixture
def protected(make_service, monkeypatch, tmp_path, private):
    """The application with an allowed folder that has a link to the private one."""
    monkeypatch.setattr(request_log, "REFUSED", 10)  # the log is no part of this
    root = (tmp_path / "allowed").resolve()
    (root / "@at").mkdir(parents=True)
    (root / "a.md").write_text("allowed")
    (root / "link").symlink_to(private)
    entries = (f"corpus={root}", f"run_file={root}", "store=lancedb", "model=minilm")
    service = make_service(rate=MANY, allow=entries)
    token = service.store.tokens.create("a", "admin", author="test").plain
    with protected_client(service) as client:
        client.service, client.root = service, root
        yield client.as_(token)


@pytest.fixture
def ids(protected):
    """One of each thing, so that requests get as far as they can."""
    answer = protected.post("/api/v1/datasets", files=file_of(FRUIT))
    assert answer.status_code == 201, answer.text
    body = {"name": "c", "where": {"path": str(protected.root)}}
    corpus = protected.post("/api/v1/corpora", json=body).json()["id"]
    body = {"dataset": answer.json()["id"], "corpus": corpus}
    mapping = protected.post("/api/v1/mappings", json=body).json()
    found = {"dataset": answer.json()["id"], "corpus": corpus, "mapping": mapping["id"]}
    return {**found, "mappings": [mapping["id"]], "job": mapping["job"]["id"], "number": "1"}


def texts(private, root):
    """Ways to write a path, each of which leads to the private folder if somebody follows it."""
    up = "../" * 12
    return (
        f"{private}/file",
        str(private),
        f"{up}{str(private)[1:]}/file",
        f"{root}/link/file",
        f"{root}/../{os.path.relpath(private, root.parent)}",
        quote(f"{up}{private}/file", safe=""),
        f"x\0{private}/file",
        f"file://{private}/file",
        f"..\\..\\..{private!s}\\file",
        "C:\\Windows\\win.ini",
        f"{private}/" + "a" * 400,
    )


def free_objects(name, text, root):
    """Objects without a schema, with a text wherever it might be a place."""
    given = WHERE if name == "where" else ()
    up = os.path.relpath((root / "link").resolve(), root)
    every = json.loads(json.dumps(given).replace("ALLOWED", str(root)).replace("UP", up))
    if name != "where":
        every = [{**dict.fromkeys(SETTINGS, text), "name": "x", "system": None}]
        every += [{"name": "x", "system": [None, *SYSTEMS]}, {text: text}]
    return [put_text(one, text) for one in every]


def put_text(value, text):
    if isinstance(value, dict):
        return {put_text(key, text): put_text(one, text) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [put_text(one, text) for one in value]
    return value.replace("PATH", text) if isinstance(value, str) else value


def sample(schema, schemas, ids, name=""):
    """A value that a schema takes, with ids of things that exist."""
    if name in ids:
        return ids[name]
    if "$ref" in schema:
        return sample(schemas[schema["$ref"].rpartition("/")[2]], schemas, ids, name)
    if "anyOf" in schema:
        return sample(schema["anyOf"][0], schemas, ids, name)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    kind = schema.get("type")
    if kind == "object":
        known = schema.get("properties", {})
        wanted = [*schema.get("required", ()), *(one for one in known if one in ids)]
        return {one: sample(known[one], schemas, ids, one) for one in wanted if one in known}
    if kind == "array":
        return [sample(schema.get("items", {}), schemas, ids)] if schema.get("minItems") else []
    usual = {"string": "x", "integer": 1, "number": 0.5, "boolean": False}
    return (
        max(usual.get(kind, "x"), schema.get("minimum", 1))
        if kind == "integer"
        else usual.get(kind)
    )


def put_at(value, path, text):
    """Put a text at a place of a body, making whatever is missing on the way."""
    if not path:
        return text
    step, rest = path[0], path[1:]
    if step == 0:
        return [put_at(value[0] if isinstance(value, list) and value else None, rest, text)]
    found = dict(value) if isinstance(value, dict) else {}
    if step == "*":
        return {text: text}
    found[step] = put_at(found.get(step), rest, text)
    return found


def requests_of(operation, ids, text, root, *, wanted):  # noqa: C901 - a part for each place
    """Every request with a text in one of its places: arguments of the client.

    ``wanted`` tells of each plain text whether it is one of those that get this text.
    """
    own = {name: ids.get(name, "1" * 12) for name in operation.parameters("path")}
    for name in filter(wanted, own):
        yield {"url": operation.address(**{**own, name: quote(text, safe="")})}
    usual = {"url": operation.address(**own)}
    kind, schema = operation.body
    body = sample(schema, operation.schemas, ids) if schema else None
    is_json = kind == "application/json"
    rest = {"json": body} if is_json else {"files": {"file": ("a.json", b"{}")}} if kind else {}
    for name in filter(wanted, operation.parameters("query")):
        yield {**usual, **rest, "params": {name: text}}
    if is_json:
        places = {one for one in strings_of(schema, operation.schemas)}
        for path in sorted(places, key=str):
            if path[-1:] == ("*",):
                for free in free_objects(path[0], text, root):
                    given = copy.deepcopy(put_at(body, path[:-1], free))
                    yield {**usual, "json": given}
            elif wanted(path):
                yield {**usual, "json": put_at(body, path, text)}
    elif kind:
        content = json.dumps({"queries": text, "corpus": {"path": text}, "documents": text})
        yield {**usual, "files": {"file": (text, b"q,d,1\n")}}
        yield {**usual, "files": {"file": (text + ".json", content.encode())}}
        yield {**usual, "files": {"file": ("a.yaml", f"corpus: {text!r}\nqueries: []".encode())}}
        named = [one[0] for one in strings_of(schema, operation.schemas) if one[:1] != ("file",)]
        for name in filter(wanted, named):
            yield {**usual, "files": {"file": ("a.json", b"{}")}, "data": {name: text}}


def is_next(at, numbers, _):
    """Whether one of the texts with numbers is to be sent now."""
    return (next(numbers) + at) % 4 == 0


def test_no_text_of_a_request_opens_a_file(protected, private, ids, tmp_path):
    """Of all routes; the operating system is asked what was opened.

    What may be a place gets each way to write one, every other text some of them in turn.
    """
    every = sorted(operations(protected.app), key=lambda one: one.method == "delete")
    asked = 0
    OPENED.start()
    try:
        for operation in every:
            for at, text in enumerate(texts(private, protected.root)):
                wanted = partial(is_next, at, itertools.count())
                for given in requests_of(operation, ids, text, protected.root, wanted=wanted):
                    answer = protected.request(operation.method, **given)
                    asked += 1
                    assert answer.status_code < 500, (str(operation), given, answer.text)
                    assert SECRET not in answer.text, (str(operation), given)
    finally:
        OPENED.on = False
    assert asked > 500
    assert not [one for one in OPENED.read if Path(one).is_relative_to(private)]
    own = {protected.service.place.folder.resolve(), Path("/dev"), tmp_path.resolve()}
    own |= {Path(one).resolve() for one in ("/dev/shm", os.environ.get("TMPDIR", "/tmp"))}
    outside = [one for one in OPENED.written if not any(Path(one).is_relative_to(a) for a in own)]
    assert not [one for one in outside if "__pycache__" not in one]
    assert sorted(one.name for one in private.iterdir()) == ["corpus.jsonl", "file"]


def test_what_is_opened_would_be_seen(private):
    """That the test above can fail: files opened and folders listed are noticed."""
    OPENED.start()
    try:
        (private / "file").read_text()
        assert sorted(private.iterdir())
        (private / "new").write_text("x")
    finally:
        OPENED.on = False
    assert {str(private), str(private / "file")} <= OPENED.read
    assert str(private / "new") in OPENED.written
