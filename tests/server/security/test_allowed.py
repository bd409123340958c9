"""What requests may name: only what an administrator listed, whatever it is written as."""

import json
import os
import subprocess

import pytest

from assay.corpora.open_corpus import open_corpus
from assay.errors import AssayError, InputError, UsageError
from assay.workflows.service.allowed import Allowed

SECRET = "the secret of another folder"
PASSWORD = "hunter2hunter2"


@pytest.fixture
def place(tmp_path):
    """An allowed folder with documents, and one beside it that is not allowed."""
    root = tmp_path.resolve()
    for name in ("docs/@types/x", "docs/sub", "secret", "docs@secret", "docs-secret"):
        (root / name).mkdir(parents=True)
    (root / "docs/a.md").write_text("allowed")
    (root / "docs/sub/b.md").write_text("allowed, too")
    for name in ("secret", "docs@secret", "docs-secret"):
        (root / name / "s.md").write_text(SECRET)
    (root / "secret/corpus.jsonl").write_text(json.dumps({"_id": "1", "text": SECRET}) + "\n")
    (root / "docs/out").symlink_to(root / "secret")
    (root / "docs/s.jsonl").symlink_to(root / "secret/corpus.jsonl")
    (root / "docs/beir").mkdir()
    (root / "docs/beir/corpus.jsonl").symlink_to(root / "secret/corpus.jsonl")
    return root


@pytest.fixture
def allowed(place):
    return Allowed([f"corpus={place}/docs", f"run_file={place}/docs"])


def test_a_corpus_in_an_allowed_folder_is_read(place, allowed):
    for path in ("docs", "docs/sub", "docs/../docs/sub", "docs/@types/.."):
        allowed.refuse_corpus({"path": f"{place}/{path}"})
    for where in ({"source": "stdlib"}, {"path": "stdlib"}, {"source": "dataset"}):
        allowed.refuse_corpus(where)


OUTSIDE = [
    "{0}/secret",
    "{0}",
    "/",
    "/etc",
    "{0}/docs/../secret",
    "{0}/docs/sub/../../secret",
    "{0}/docs/@types/../../secret",
    "{0}/docs/@types/x/../../../docs@secret",
    "{0}/docs@secret",
    "{0}/docs-secret",
    "{0}/docs/out",
    "{0}/docs/out/../secret",
    "{0}/docs/s.jsonl",
    "{0}/docs/beir",
    "git:{0}/secret",
    "git:{0}/secret@HEAD",
    "git:{0}/docs/../secret@HEAD",
    "git:{0}/none@/../secret",
    "docs",
    "../docs",
    "~/docs",
    "~root",
    "",
    "{0}/docs\0/../secret",
    "file://{0}/docs",
    "\\\\server\\share",
    "C:\\Windows\\win.ini",
    "{0}/docs/" + "a/" * 3000,
    "{0}/docs/" + "a" * 300 + "/../../secret",
    "git:" + "a" * 300,
    "/proc/self/environ",
    "/dev/zero",
    None,
    5,
    ["{0}/docs"],
    {"path": "{0}/docs"},
]


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("key", ["path", "folder", "jsonl", "git", "repository"])
def test_a_corpus_outside_is_refused(place, allowed, key, path):
    given = path.format(place) if isinstance(path, str) else path
    with pytest.raises(AssayError):
        allowed.refuse_corpus({key: given})


@pytest.mark.parametrize(
    "more",
    [
        {"source": "folder"},
        {"source": "git"},
        {"source": ""},
        {"path": "/etc"},
        {"vectors": "/etc/passwd"},
        {"collections": {"a": {"path": "/etc"}}},
    ],
)
def test_what_is_beside_an_allowed_place_changes_nothing(place, allowed, more):
    """Whatever passes reads the allowed folder only."""
    paths = ("{0}/docs", "git:{0}/docs@{0}/secret", "git:{0}/docs/@types/../../secret@main")
    for given in ({"path": one.format(place)} for one in paths):
        where = {**given, **more}
        try:
            allowed.refuse_corpus(where)
            found = list(open_corpus(where).documents())
        except AssayError:
            continue
        assert all(SECRET not in one.text for one in found)


def test_a_repository_is_read_where_it_was_checked(place, allowed):
    """A revision may hold anything; the folder before it counts, as `open_corpus` finds it."""
    root = place / "docs"
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    for words in (
        ("init", "-q", "-b", "main"),
        ("add", "a.md"),
        ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"),
    ):
        subprocess.run(["git", *words], cwd=root, check=True, env=environment, timeout=60)
    where = {"path": f"git:{root}@main"}
    allowed.refuse_corpus(where)
    assert [one.text for one in open_corpus(where).documents()] == ["allowed"]
    for revision in ("--output=/tmp/x", "-h", "main:../secret", "@{upstream}"):
        with pytest.raises(AssayError):
            open_corpus({"path": f"git:{root}@{revision}"})


def refused(allowed, settings):
    with pytest.raises(InputError) as caught:
        allowed.refuse_settings("configurations[0]", {"name": "x", **settings})
    return str(caught.value)


@pytest.mark.parametrize("path", [*OUTSIDE[:13], "/etc/passwd", None, 5])
def test_a_run_file_outside_is_refused(place, allowed, path):
    given = path.format(place) if isinstance(path, str) else path
    refused(allowed, {"system": {"kind": "run_file", "path": given}})
    refused(allowed, {"system": {"kind": "run_file", "path": [f"{place}/docs/a.md", given]}})
    refused(allowed, {"system": [None, {"kind": "run_file", "path": given}]})


def test_a_run_file_in_an_allowed_folder_is_taken(place, allowed):
    settings = {"name": "x", "system": {"kind": "run_file", "path": f"{place}/docs/a.md"}}
    allowed.refuse_settings("configurations[0]", settings)


@pytest.mark.parametrize(
    "system",
    [
        {"kind": "callable", "function": "os:system"},
        {"kind": "callable", "function": "subprocess:run"},
        {"kind": "callable", "function": "mine:search "},
        {"kind": "callable", "function": "mine:search.__globals__"},
        {"kind": "callable", "function": ["mine:search", "os:system"]},
        {"kind": ["run_file", "callable"], "function": "os:system", "path": "/"},
        {"kind": "callable"},
        {"kind": "callable", "function": None},
        {"kind": "callable", "function": {"a": 1}},
        {"kind": "Callable", "function": "mine:search"},
        {"function": "mine:search"},
        {"kind": None, "function": "os:system"},
        "callable",
        True,
    ],
)
def test_a_posted_function_is_never_run_unless_it_is_listed(system):
    refused(Allowed(), {"system": system})
    if not (isinstance(system, dict) and system.get("kind") is None):
        refused(Allowed(["callable=mine:search"]), {"system": system})


def test_a_listed_function_is_allowed():
    settings = {"name": "x", "system": {"kind": "callable", "function": "mine:search"}}
    Allowed(["callable=mine:search"]).refuse_settings("x", settings)


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest",
        "http://2852039166/",
        "http://[::ffff:169.254.169.254]/",
        "http://[fe80::1]/",
        "http://127.0.0.1:22/",
        f"http://user:{PASSWORD}@127.0.0.1:9200/",
        None,
        5,
    ],
)
def test_an_address_that_is_not_listed_is_refused(url):
    for allowed in (Allowed(), Allowed(["http=http://127.0.0.1:9200/api"])):
        told = refused(allowed, {"system": {"kind": "http", "url": url}})
        assert PASSWORD not in told
        refused(allowed, {"system": [{"kind": "http", "url": ["http://127.0.0.1:9200/api", url]}]})


def test_a_listed_address_is_allowed_with_its_own_host():
    allowed = Allowed(["http=http://127.0.0.1:9200/api"])
    system = {"kind": "http", "url": "http://127.0.0.1:9200/api/_search"}
    allowed.refuse_settings("x", {"name": "x", "system": system})
    told = refused(allowed, {"system": {**system, "headers": {"hOST": "admin.internal"}}})
    assert "header Host" in told


@pytest.mark.parametrize(
    "system",
    [
        {"kind": "lancedb"},
        {"kind": "pgvector"},
        {"kind": "elasticsearch"},
        {"kind": "qdrant", "url": "http://169.254.169.254"},
        {"kind": "qdrant", "path": "/etc"},
        {"kind": "qdrant", "url": [None, "http://169.254.169.254"]},
        {"kind": "qdrant", "url": f"http://user:{PASSWORD}@127.0.0.1:6333"},
    ],
)
def test_a_database_and_its_place_have_to_be_listed(system):
    allowed = Allowed(["store=qdrant", "store=http://127.0.0.1:6333"])
    assert PASSWORD not in refused(allowed, {"system": system})
    allowed.refuse_settings("x", {"system": {"kind": "qdrant"}})
    allowed.refuse_settings("x", {"system": {"kind": "qdrant", "url": "http://127.0.0.1:6333"}})


@pytest.mark.parametrize(
    "model",
    [
        "/etc",
        "../models/mine",
        "onnx:/srv/models",
        "sentence_transformers:evil/model",
        "openai:http://169.254.169.254",
        "ollama:all-minilm",
        f"openai:http://user:{PASSWORD}@h/v1",
        "minilm/../../etc",
        ["minilm", "/etc"],
    ],
)
def test_a_model_that_does_not_come_along_has_to_be_listed(model):
    for key in ("model", "rerank"):
        refused(Allowed(["model=/srv/models/*"]), {key: model})


def test_a_listed_model_is_allowed():
    allowed = Allowed(["model=ollama:*", "model=/srv/models/one"])
    for name in ("minilm", "ollama:all-minilm", "/srv/models/one"):
        allowed.refuse_settings("x", {"model": name})


@pytest.mark.parametrize(
    "settings",
    [
        {"stop_words": "/etc/passwd"},
        {"stop_words": {"file": "/etc/passwd"}},
        {"synonyms": "/etc/passwd"},
        {"synonyms": {"file": "/etc/passwd"}},
        {"synonyms": ["/etc/passwd", None]},
        {"chunker": "${HOME}"},
        {"system": {"kind": "http", "url": "http://127.0.0.1/${HOME}"}},
        {"system": {"kind": "http", "headers": {"X": "${ASSAY_DATABASE_URL:-x}"}}},
        {"system": {"kind": "http", "request": {"deep": [{"er": "$HOME"}]}}},
        {"system": {"kind": "http", "params": {"${HOME}": 1}}},
    ],
)
def test_files_and_variables_of_the_server_are_not_put_in(settings):
    refused(Allowed(["http=http://127.0.0.1"]), settings)


def test_all_that_is_not_allowed_is_reported_together():
    told = refused(Allowed(), {"model": "/etc", "system": {"kind": "callable"}})
    assert "model" in told
    assert "function" in told


@pytest.mark.parametrize("entry", ["", "corpus", "corpus=", "corpora=/srv", "=x"])
def test_an_entry_that_says_nothing_is_refused(entry):
    with pytest.raises(UsageError):
        Allowed([entry])


@pytest.mark.parametrize(
    ("entry", "form"),
    [
        ("wiki", "--allow corpus=wiki"),
        ("corpora=/srv", "corpus=FOLDER"),
        ("http=localhost:9200", "http://"),
        ("http=ftp://x", "http://"),
        ("callable=foo", "callable=MODULE:FUNCTION"),
        ("callable=foo:", "callable=MODULE:FUNCTION"),
        ("callable=a b:c", "callable=MODULE:FUNCTION"),
        ("store=oracle", "pgvector"),
        ("store=qdrnt", "qdrant"),
        ("http=http://Ada:secret@search.example.org", "password"),
    ],
)
def test_an_entry_that_can_never_match_is_refused_with_its_form(entry, form):
    with pytest.raises(UsageError) as refusal:
        Allowed([entry])
    assert form in refusal.value.hint
    assert "secret" not in str(refusal.value)


def test_what_is_not_there_now_is_only_told(tmp_path):
    allowed = [f"corpus={tmp_path}", "callable=json:loads", "model=minilm", "model=ollama:bge"]
    allowed += ["store=pgvector", f"store={tmp_path}/data.db", "model=org/name", "model=*"]
    assert Allowed([*allowed, "http=https://search.example.org/api"]).missing() == []
    gone = ["corpus=/none", "run_file=/none", "callable=nomod:foo", "model=nosuch", "model=minlm"]
    told = Allowed(gone).missing()
    assert len(told) == len(gone)
    assert 'did you mean "minilm"?' in [hint for _, hint in told]
