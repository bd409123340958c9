import hashlib

import pytest

from assay.errors import InputError, UsageError
from assay.records import Dataset, Document, Judgment, Query, Reference
from assay.workflows.audit import audit
from assay.workflows.resolve import resolve


def dataset(*references, **options):
    judgments = tuple(Judgment(reference, 1) for reference in references)
    return Dataset("d", (Query("q", "text", judgments),), **options)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "app.py").write_text("def start(): ...\n")
    (tmp_path / "src" / "blob.py").write_bytes(bytes(range(256)))
    return tmp_path / "src"


class Watched:
    """A corpus that notes what it was asked for."""

    name, skipped = "watched", {"binary": 2}

    def documents(self, *, texts=True, hashes=True):
        self.asked = (texts, hashes)
        yield Document("a", path="a", content_hash="0" * 64)


def test_a_folder(folder):
    found = resolve(dataset(Reference(path="app.py"), Reference(path="gone.py")), folder)
    assert (found.status, found.corpus, found.documents) == ("partial", "src", 1)
    assert found.skipped == {"binary": 1}
    assert found.rows[0].key == "path"


def test_hashes_are_those_of_the_bytes(folder):
    digest = hashlib.sha256((folder / "app.py").read_bytes()).hexdigest()
    assert resolve(dataset(Reference(content_hash=digest)), str(folder)).status == "resolved"


@pytest.mark.parametrize(
    ("reference", "asked"),
    [(Reference(path="a"), (False, False)), (Reference(content_hash="0" * 64), (False, True))],
)
def test_only_what_is_needed_is_read(reference, asked):
    corpus = Watched()
    found = resolve(dataset(reference), corpus)
    assert (corpus.asked, found.status, found.skipped) == (asked, "resolved", {"binary": 2})


def test_without_a_corpus_the_dataset_brings_its_own(folder, monkeypatch, snapshot):
    held = dataset(Reference(document_id="7"), documents=(Document("7"),))
    assert resolve(held).status == "resolved"
    assert resolve(dataset(Reference("7")), [Document("7")]).status == "resolved"
    named = dataset(Reference(path="app.py"), corpus={"path": str(folder)})
    assert resolve(named).status == "resolved"
    with pytest.raises(InputError, match="corpus") as caught:
        resolve(dataset(Reference(path="app.py")))
    snapshot(caught.value)


def test_a_corpus_that_a_file_names_is_relative_to_the_file(folder, monkeypatch):
    path = folder.parent / "d.json"
    path.write_text(
        '{"metadata": {"name": "d", "corpus": "src"}, "queries": [{"query_key": "q",'
        ' "query_text": "t", "relevant_docs": [{"doc_ref": {"path": "app.py"}}]}]}'
    )
    monkeypatch.chdir("/")
    assert resolve(path).status == "resolved"


def test_progress_sees_every_document():
    seen = []

    def track(items, doing, *, total=None, unit=""):
        for item in items:
            seen.append((doing, item.id, unit))
            yield item

    resolve(dataset(Reference("7")), [Document("7"), Document("8")], track=track)
    assert seen == [("reading documents", id_, "documents") for id_ in "78"]


@pytest.fixture
def repositories(tmp_path):
    for name, text in (("alpha", "def start(): ..."), ("beta", "how to stop the engine")):
        (tmp_path / "repos" / name).mkdir(parents=True)
        (tmp_path / "repos" / name / "app.py").write_text(text)
    return tmp_path / "repos"


def in_collections(*named):
    judged = (Judgment(Reference(path="app.py"), 1),)
    text = "how to stop the engine"
    queries = (Query(f"q{at}", text, judged, collection=one) for at, one in named)
    return Dataset("d", tuple(queries))


def test_each_collection_is_looked_up_in_its_own_corpus(repositories):
    asked = in_collections((1, "beta"), (2, "alpha"), (3, "beta"))
    found = resolve(asked, f"collections:{repositories}")
    assert [row.documents for row in found.rows] == [
        ("beta/app.py",),
        ("alpha/app.py",),
        ("beta/app.py",),
    ]
    assert (found.total, found.resolved, found.documents) == (3, 3, 2)
    leaked = audit(asked, {"collections": str(repositories)}).findings["leaked"].rows
    assert [row["query"] for row in leaked] == ["q1", "q3"]


def test_a_collection_without_a_corpus_is_refused(repositories):
    for name, told in (("gamma", '"gamma"'), ("", "no collection")):
        with pytest.raises(InputError, match=told):
            resolve(in_collections((1, "alpha"), (2, name)), f"collections:{repositories}")
    run = {"q1": {"app.py": 1.0}}
    with pytest.raises(UsageError, match="runs cannot be scored"):
        audit(in_collections((1, "alpha")), f"collections:{repositories}", runs=[run])


def test_symbols_that_a_file_does_not_define_are_named_with_the_nearest():
    text = "class Client:\n    def send(self): ...\n\ndef retry(): ...\n"
    asked = [
        Judgment(Reference(path="app.py", symbol=name), 1)
        for name in ("retry", "Client.send", "send", "retryy", "Client.sent", "zzz")
    ]
    asked += [Judgment(Reference(path="app.py", symbol="x", match="substring"), 1)]
    asked += [Judgment(Reference(path="app.py", symbol="ient.s", match="substring"), 1)]
    known = Dataset("d", (Query("q1", "how", tuple(asked)),))
    found = resolve(known, [Document("app.py", text, path="app.py", language="python")])
    assert found.status == "resolved"
    assert [(one.symbol, one.candidates[:1]) for one in found.unknown_symbols] == [
        ("retryy", ("retry",)),
        ("Client.sent", ("Client.send",)),
        ("zzz", ()),
        ("x", ()),
    ]


@pytest.mark.parametrize(
    ("place", "near"), [("repos", "alpha/app.py"), ("collections:repos", "alpha/app.py")]
)
def test_near_files_of_a_collection_are_named(repositories, monkeypatch, place, near):
    monkeypatch.chdir(repositories.parent)
    lost = Judgment(Reference(path="appp.py"), 1)
    known = Judgment(Reference(path="app.py"), 1)
    asked = Dataset("d", (Query("q1", "how", (lost, known), collection="alpha"),))
    assert resolve(asked, place).rows[0].candidates == (near,)
