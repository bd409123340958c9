"""Searching a folder, and keeping its index up to date, with real engines and a real model."""

import json
import os
import random
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.corpora.converters.made_files import pdf

import assay
from assay.corpora.sources import _read_document
from assay.corpora.sources import folder as folder_module
from assay.errors import InputError
from assay.records import Configuration
from assay.reports.searches.json import json as answer_json
from assay.reports.searches.lines import hit_lines
from assay.searches.current_index import IndexRequest, current_index
from assay.workflows.index import index
from assay.workflows.search import search

LEXICAL = Configuration(
    search="lexical", dense=None, model=None, precision=None, fusion=None, depth=200
)
STATIC = Configuration(model="static")

FILES = {
    "net/retry.py": "class Retry:\n    def wait_before_retry(self, times):\n        return times\n",
    "net/session.py": "class Session:\n    def open(self):\n        return connect(self.host)\n",
    "docs/guide.md": "# Guide\n\n## Retries\n\nRequests that fail are tried again.\n",
    "docs/über.md": "# Über\n\nGrüße an alle: 検索エンジン.\r\n",
}


@pytest.fixture
def project(tmp_path):
    """A small project of code and prose."""
    for path, text in FILES.items():
        file = tmp_path / "project" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "project"


@pytest.fixture
def asked(project, tmp_path):
    """Search the project, lexically unless told otherwise."""

    def ask(query, configuration=LEXICAL, **options):
        place = tmp_path / "workspace"
        return search(project, query, configuration=configuration, workspace=place, **options)

    return ask


def paths(answer):
    return [hit.path for hit in answer.hits]


def test_the_file_that_defines_what_is_asked_for_is_first(asked):
    answer = asked("wait before retry")

    assert paths(answer)[0] == "net/retry.py"
    hit = answer.hits[0]
    assert "Retry.wait_before_retry" in hit.symbols
    assert hit.lines == (1, 3)
    assert set(answer.latency_ms) >= {"lexical", "cut", "total"}


@pytest.mark.parametrize(
    "query", ["", "   ", "AND NOT (*", 'a"b\\', "\0", "🙂", "検索", "x" * 100_000, "-- ; DROP"]
)
def test_any_text_is_a_query(asked, query):
    answer = asked(query, STATIC)

    scores = [hit.score for hit in answer.hits]
    assert answer.query == query
    assert scores == sorted(scores, reverse=True)
    assert len(set(paths(answer))) == len(scores) <= len(FILES)


def test_a_document_stands_once(asked):
    found = paths(asked("retry session requests fail open wait", STATIC))

    assert len(found) == len(set(found))


def test_both_parts_and_every_stage_are_told(asked):
    answer = asked("requests that fail", STATIC, explain=True)

    hit = next(hit for hit in answer.hits if hit.path == "docs/guide.md")
    assert set(hit.stages) >= {"lexical", "dense", "fuse", "cut"}
    assert {term["term"] for term in hit.stages["lexical"]["terms"]} >= {"request", "fail"}
    assert all(hit.stages[name]["rank"] >= 1 for name in hit.stages)


def test_what_is_lost_is_told(asked):
    answer = asked("検索エンジン", why_not="net/retry.py")

    assert answer.loss.stage == "lexical"
    assert "does not match" in answer.loss.reason


def test_what_was_found_is_not_lost(asked):
    assert asked("retry", why_not="net/retry.py").loss.found


FILLER = "The weather of the valley changes by noon, and walkers wait under the old bridge. " * 8


@pytest.mark.parametrize("configuration", [LEXICAL, STATIC])
@pytest.mark.parametrize(
    ("path", "query", "line"),
    [
        ("rules.md", "what happens with ties", "Two that are tied share a rank."),
        ("rules.md", "どの検索", "全文検索エンジン。"),
        ("rules.py", "which ties", "    return break_tie(first, second)"),
    ],
)
def test_the_place_that_is_shown_holds_the_words(asked, project, configuration, path, query, line):
    begin = "def {}(first, second):\n" if path.endswith("py") else "## {}\n\n"
    fill = f'    """{FILLER}"""\n' if path.endswith("py") else f"{FILLER}\n\n"
    parts = [f"{begin.format(name)}{fill}{{}}\n\n" for name in ("one", "two", "three")]
    text = "".join(parts).format("    return 1", line, "    return 3")
    (project / path).write_text(text, encoding="utf-8")

    (hit,) = [hit for hit in asked(query, configuration).hits if hit.path == path]

    assert line in hit.text.split("\n")
    assert "three" not in hit.text  # it is one place of several
    assert len(hit.matched) == len(hit.text.split("\n"))
    assert hit.text.split("\n")[max(range(len(hit.matched)), key=hit.matched.__getitem__)] == line


def test_a_cut_document_is_told(asked):
    loss = asked("wait before retry session", why_not="net/session.py", top=1).loss

    assert loss.stage == "cut"
    assert loss.rank > 1


def test_an_unknown_document_gets_one_message(asked):
    with pytest.raises(InputError, match=r"net/retri\.py") as caught:
        asked("retry", why_not="net/retri.py")

    assert "net/retry.py" in str(caught.value)


def test_a_change_is_seen_at_once(asked, project):
    asked("retry")
    (project / "net/retry.py").write_text("def unrelated():\n    pass\n")

    assert "net/retry.py" not in paths(asked("wait times"))
    assert paths(asked("unrelated"))[0] == "net/retry.py"


def test_a_removed_file_is_never_found(asked, project):
    assert "net/session.py" in paths(asked("session open", STATIC))
    (project / "net/session.py").unlink()

    assert "net/session.py" not in paths(asked("session open", STATIC))


def test_a_renamed_file_is_found_by_its_new_name(asked, project):
    asked("session")
    (project / "net/session.py").rename(project / "net/connection.py")

    assert paths(asked("session open"))[0] == "net/connection.py"


@pytest.mark.parametrize("engine", ["tantivy", "fts5", "postings"])
def test_a_record_that_moves_is_found_by_its_new_path(tmp_path, engine):
    """The text is the same, but the path is searched, and says how the text is cut."""
    corpus, chosen = tmp_path / "corpus.jsonl", replace(LEXICAL, lexical=engine)

    def ask(query, **record):
        text = "def connect(host):\n    return host\n"
        corpus.write_text(json.dumps({"_id": "d", "text": text, **record}), encoding="utf-8")
        return search(corpus, query, configuration=chosen, workspace=tmp_path / "ws").hits

    assert [hit.path for hit in ask("attic", path="attic/notes.txt")] == ["attic/notes.txt"]
    (moved,) = ask("cellar", path="cellar/net.py")
    assert (moved.path, moved.symbols) == ("cellar/net.py", ("connect",))
    assert not ask("attic", path="cellar/net.py")
    assert ask("connect", path="cellar/net.py", language="text")[0].symbols == ()


@pytest.mark.parametrize("engine", ["tantivy", "fts5", "postings"])
def test_lost_files_of_words_are_built_anew(asked, project, tmp_path, engine):
    chosen = replace(LEXICAL, lexical=engine)
    asked("retry", chosen)
    for change in (False, True):
        (lost,) = (tmp_path / "workspace" / "indexes").glob("*/lexical-*")
        shutil.rmtree(lost)
        if change:
            (project / "net/session.py").write_text("class Session:\n    pass\n")
        assert paths(asked("wait before retry", chosen))[0] == "net/retry.py"


def test_only_what_changed_is_read_and_embedded(project, tmp_path, monkeypatch):
    monkeypatch.setattr("assay.corpora.sources.folder.GRAIN", 0)  # else a new file is read again
    place = tmp_path / "workspace"
    first = index(project, configuration=STATIC, workspace=place)
    second = index(project, configuration=STATIC, workspace=place)
    (project / "net/retry.py").write_text("def again():\n    pass\n")
    third = index(project, configuration=STATIC, workspace=place)

    assert (first.added, first.read) == (4, 4)
    assert (second.added, second.changed, second.read, second.embedded) == (0, 0, 0, 0)
    assert (third.changed, third.read, third.embedded) == (1, 1, 1)


def test_settings_of_building_do_not_share_an_index(project, tmp_path):
    place = tmp_path / "workspace"
    tiny = Configuration(model="static", chunk_size=4)
    small = index(project, configuration=tiny, workspace=place)
    large = index(project, configuration=STATIC, workspace=place)

    assert small.chunks > large.chunks


def test_a_folder_without_text_is_refused(tmp_path, without_converters):
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "a.pdf").write_bytes(b"%PDF-1.7")
    for _ in range(2):  # also once there is an index
        with pytest.raises(InputError, match=r"only PDF files: 1 file skipped") as refused:
            search(tmp_path / "empty", "x", configuration=LEXICAL, workspace=tmp_path / "workspace")
        assert "[documents]" in refused.value.hint
    with pytest.raises(InputError, match=r"1 \.pdf \(binary\)"):
        index(tmp_path / "empty", configuration=LEXICAL, workspace=tmp_path / "workspace")


def test_nothing_is_found_of_a_folder_that_became_empty(tmp_path):
    place, folder = tmp_path / "workspace", tmp_path / "pages"
    folder.mkdir()
    (folder / "a.md").write_text("red apples")
    assert search(folder, "red", configuration=LEXICAL, workspace=place).hits
    (folder / "a.md").write_text(" \n")
    with pytest.raises(InputError, match=r"1 \.md \(empty\)"):
        search(folder, "red", configuration=LEXICAL, workspace=place)
    (folder / "a.md").write_text("green pears")
    assert search(folder, "red", configuration=LEXICAL, workspace=place).hits == ()


def test_the_largest_file_is_a_setting_with_an_index_of_its_own(tmp_path):
    place, folder = tmp_path / "workspace", tmp_path / "pages"
    folder.mkdir()
    (folder / "a.md").write_text("red apples")
    (folder / "b.md").write_text("red " * 300_000)
    settings = {"configuration": LEXICAL, "workspace": place}
    assert search(folder, "red", **settings).documents == 1
    assert search(folder, "red", max_file_size="2MB", **settings).documents == 2
    found = search(folder, "red", why_not="b.md", **settings)
    assert "larger than 1 MB" in found.loss.reason
    assert "--max-file-size" in found.loss.reason
    assert found.documents == 1
    assert len([*(place / "indexes").iterdir()]) == 2
    assert search(folder, "red", max_file_size=1_000_000, **settings).documents == 1
    assert len([*(place / "indexes").iterdir()]) == 2


def test_a_missing_folder_gets_one_message(tmp_path):
    with pytest.raises(InputError, match="nowhere"):
        search(tmp_path / "nowhere", "x", workspace=tmp_path)


def test_documents_at_hand_are_searched(tmp_path):
    documents = [assay.Document(id="a", text="red apples"), assay.Document(id="b", text="blue sky")]

    answer = search(documents, "apples", configuration=LEXICAL, workspace=tmp_path)

    assert [hit.document for hit in answer.hits] == ["a"]


@pytest.mark.parametrize("dense", ["exact", "hnsw", "ivf"])
def test_every_dense_index_can_be_used(asked, dense):
    answer = asked("requests that fail", Configuration(model="static", dense=dense))
    again = asked("requests that fail", Configuration(model="static", dense=dense))

    assert "docs/guide.md" in paths(answer)
    assert [(hit.path, hit.score) for hit in answer.hits] == [
        (hit.path, hit.score) for hit in again.hits
    ]


WORDS = ["retry", "session", "open", "guide", "wait", "über", "connect", "host"]


@settings(
    max_examples=8,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 10**6))
def test_after_any_changes_the_index_holds_what_a_new_one_holds(tmp_path_factory, seed):
    chance = random.Random(seed)
    here = tmp_path_factory.mktemp("changes")
    folder = here / "project"
    folder.mkdir()
    for _ in range(6):
        _change(folder, chance)
        index(folder, configuration=LEXICAL, workspace=here / "old")

    assert _held(folder, here / "old") == _held(folder, here / "new")


def _change(folder, chance):
    (folder / "always.md").write_text("one that is never empty")
    for _ in range(chance.randint(0, 4)):
        file = folder / f"{chance.choice('abcdef')}.md"
        if file.exists() and chance.random() < 0.4:
            file.unlink()
        else:
            file.write_text("\n\n".join(chance.choices(WORDS, k=chance.randint(0, 30))))


def _held(folder, place):
    opened = current_index(
        IndexRequest(folder, LEXICAL, place), track=lambda items, *_, **__: items
    )
    with closing(opened.store.snapshot()) as snapshot:
        held = sorted((chunk.id, chunk.text) for chunk in snapshot.chunks(snapshot.rows))
    with closing(opened.searcher()) as searcher:
        found = {word: sorted(_documents(searcher, word)) for word in WORDS}
    return held, found


def _documents(searcher, word):
    return searcher.results(searcher.search(word).found.rows)


def test_a_configuration_may_be_a_mapping_or_hold_what_has_no_effect(asked):
    by_mapping = asked("retry", {"search": "lexical"})
    by_record = asked("retry", Configuration(search="lexical"))

    assert set(by_mapping.latency_ms) == set(by_record.latency_ms) == {"lexical", "cut", "total"}


def test_documents_are_reranked_by_their_best_chunk(asked, tmp_path):
    chosen = {"model": "minilm", "rerank": "maxsim"}

    first = asked("requests that fail are tried again", chosen)
    again = asked("requests that fail are tried again", chosen)

    assert paths(first)[0] == "docs/guide.md"
    assert "rerank" in first.latency_ms
    assert [hit.score for hit in first.hits] == [hit.score for hit in again.hits]
    assert (tmp_path / "workspace" / "tokens.sqlite").exists()


def test_words_are_counted_in_whole_programs_and_in_passages_of_prose(project, asked):
    far = "\n\n".join(["filler words that say nothing at all of it"] * 60)
    (project / "docs/long.md").write_text(f"# Fruit\n\nred apples\n\n{far}\n\nblue plums\n")
    (project / "fruit.py").write_text(f"RED = 'apples'\n'''{far}'''\nBLUE = 'plums'\n")

    stages = {hit.path: hit.stages["lexical"] for hit in asked("apples plums", explain=True).hits}

    told = {path: {term["term"] for term in stage["terms"]} for path, stage in stages.items()}
    assert told["fruit.py"] == {"appl", "plum"}
    assert len(told["docs/long.md"]) == 1


def test_who_closes_a_search_lets_go_of_all_files(project, tmp_path):
    wanted = IndexRequest(project, STATIC, tmp_path / "workspace")
    searcher = current_index(wanted, track=lambda items, *_, **__: items).searcher()
    memory = searcher._memory
    memory.put("key", b"value")
    assert memory._connection is not None
    searcher.close()

    assert memory._connection is None


def test_a_search_of_a_current_index_waits_for_nobody(asked, project, tmp_path):
    asked("retry", STATIC)
    wanted = IndexRequest(project, STATIC, tmp_path / "workspace")
    store = current_index(wanted, track=lambda items, *_, **__: items).store
    told = []
    with store.update():
        answer = asked("wait before retry", STATIC, waiting=told.append)

    assert paths(answer)[0] == "net/retry.py"
    assert told == []


def test_a_current_index_without_the_stamps_of_its_files_waits_for_nobody(
    asked, project, tmp_path, monkeypatch
):
    """Files that were indexed within two seconds of being written have none in the index."""
    grain = "assay.corpora.sources.folder.GRAIN"
    monkeypatch.setattr(grain, 10**18)

    def waiting(text):
        raise AssertionError(text)

    asked("retry", STATIC)
    wanted = IndexRequest(project, STATIC, tmp_path / "workspace")
    store = current_index(wanted, track=lambda items, *_, **__: items).store
    monkeypatch.setattr(grain, -(10**18))  # as if the files were older by now
    with store.update():
        answer = asked("wait before retry", STATIC, waiting=waiting)
    assert paths(answer)[0] == "net/retry.py"
    before = store.snapshot().known()
    asked("wait before retry", STATIC)
    after = store.snapshot().known()  # the stamps are written when nobody else writes
    assert before["net/retry.py"] == "" != after["net/retry.py"]


@pytest.mark.skipif(os.name == "nt", reason="folders cannot be closed to a user there")
@pytest.mark.parametrize("engine", ["tantivy", "fts5", "postings"])
@pytest.mark.parametrize("touched", [False, True])
def test_an_index_that_may_only_be_read_is_searched(tmp_path, nobody, monkeypatch, engine, touched):
    """Also where the stamps of the files are others, as after a copy."""
    with tempfile.TemporaryDirectory() as place:
        folder, chosen = Path(place, "project"), replace(LEXICAL, lexical=engine)
        folder.mkdir()
        Path(place).chmod(0o755)
        (folder / "retry.py").write_text("def wait_before_retry():\n    pass\n")
        monkeypatch.setattr("assay.corpora.sources.folder.GRAIN", 0)  # a new file has a stamp
        options = {"configuration": chosen, "workspace": Path(place, "workspace")}
        search(folder, "retry", **options)
        if touched:
            os.utime(folder / "retry.py", (1, 1))
        for here, _, names in os.walk(place):
            for name in names:
                Path(here, name).chmod(0o444)
            Path(here).chmod(0o555)
        try:
            with nobody():
                assert paths(search(folder, "retry", **options)) == ["retry.py"]
        finally:
            for here, _, _ in os.walk(place):
                Path(here).chmod(0o755)


def test_filters_leave_out_documents_by_their_metadata(tmp_path):
    lines = [
        {"_id": "a", "text": "the pump", "language": "en", "year": 2019},
        {"_id": "b", "text": "the pump again", "language": "en", "year": 2021},
        {"_id": "c", "text": "die pump", "language": "de", "metadata": {"year": 2022}},
    ]
    file = tmp_path / "corpus.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))

    def ask(filters, configuration=LEXICAL, **more):
        options = {"configuration": configuration, "workspace": tmp_path / "w", **more}
        return search(file, "pump", filters=filters, **options)

    def found(*given, **more):
        return sorted(hit.document for hit in ask(*given, **more).hits)

    for chosen in (LEXICAL, STATIC, Configuration(search="dense", lexical=None, model="static")):
        assert found(None, chosen) == ["a", "b", "c"]
        assert found({"language": "en"}, chosen) == ["a", "b"]
        assert found(["language=en", "year>=2020"], chosen) == ["b"]
        assert found({"year": [2019, 2022]}, chosen) == ["a", "c"]
    (hit,) = ask("year>2021").hits
    assert (hit.metadata, hit.page) == ({"language": "de", "year": 2022}, 0)
    assert any("did you mean" in note for note in ask(["langage=de"]).notes)
    assert ask({"language": "de"}, why_not="a").loss.stage == "filter"
    lines[0]["year"] = 2023  # nothing but metadata changed
    file.write_text("\n".join(map(json.dumps, lines)))
    assert found("year>=2022") == ["a", "c"]


def test_an_index_without_metadata_learns_them(project, tmp_path):
    """As after an update of Assay: the index was written before front matter was read."""
    front = "---\nteam: search\n---\n# Guide\n"
    (project / "docs/guide.md").write_text(front)
    place = tmp_path / "workspace"
    index(project, configuration=LEXICAL, workspace=place)
    (file,) = place.glob("indexes/*/index.sqlite")
    with closing(sqlite3.connect(file)) as connection:
        for statement in ("documents DROP COLUMN metadata", "documents DROP COLUMN converter"):
            connection.execute(f"ALTER TABLE {statement}")
        connection.execute("ALTER TABLE chunks DROP COLUMN page")
        connection.execute("PRAGMA user_version=2")
        connection.commit()

    done = index(project, configuration=LEXICAL, workspace=place)
    found = search(
        project, "guide", configuration=LEXICAL, workspace=place, filters={"team": "search"}
    )

    assert (done.added, done.changed, done.removed) == (0, 1, 0)
    assert paths(found) == ["docs/guide.md"]


def test_a_folder_of_documents(tmp_path, monkeypatch):
    pytest.importorskip("pypdfium2")
    real = folder_module.time.time_ns  # files are old enough to be stamped
    monkeypatch.setattr(folder_module.time, "time_ns", lambda: real() + 2 * folder_module.GRAIN)
    pages = [f"this page is about topic{number}" for number in range(1, 13)]
    (tmp_path / "docs").mkdir()
    files = {
        "handbook.pdf": pdf(*pages, info={"Title": "Handbook", "Author": "Ada"}),
        "locked.pdf": pdf("hidden", password="secret"),
        "scan.pdf": pdf(None),
        "plain.md": b"topic12 in Markdown",
    }
    for name, data in files.items():
        (tmp_path / "docs" / name).write_bytes(data)
    options = {"configuration": {"search": "lexical", "chunk_size": 8, "chunker": "text"}}
    options["workspace"] = tmp_path / "w"

    found = search(tmp_path / "docs", "topic12", **options)

    (hit,) = [hit for hit in found.hits if hit.path == "handbook.pdf"]
    assert (hit.page, hit.title) == (12, "Handbook")
    assert hit.metadata == {"language": "text", "author": "Ada", "pages": 12}
    assert hit.text.strip("\n\f") == pages[-1]
    (note,) = found.notes
    assert note.startswith("2 files could not be read: locked.pdf (encrypted), scan.pdf (scanned")
    assert next(iter(hit_lines(hit, 80, explain=False)))[1][0] == "handbook.pdf p. 12"
    found = search(tmp_path / "docs", "topic12", filters="author=Ada", **options)
    assert paths(found) == ["handbook.pdf"]
    monkeypatch.setattr(_read_document, "convert", None)  # also what failed is not tried again
    again = index(tmp_path / "docs", **options)
    assert (again.read, dict(again.skipped)) == (0, {"encrypted": 1, "scanned": 1})
    assert again.skipped.unread == {"locked.pdf": "encrypted", "scan.pdf": "scanned"}


def test_a_place_on_several_pages_names_all_of_them(tmp_path):
    pytest.importorskip("pypdfium2")
    pages = [f"page {number} is about topic{number}" for number in range(1, 13)]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.pdf").write_bytes(pdf(*pages))
    chunked = {"search": "lexical", "chunk_size": 16, "chunker": "text"}

    for number, about in enumerate(pages, 1):
        asked = search(
            tmp_path / "docs", f"topic{number}", configuration=chunked, workspace=tmp_path / "w"
        )
        (hit,) = asked.hits
        assert about in hit.text
        assert hit.text.strip().startswith(pages[hit.page - 1])
        assert hit.text.strip().endswith(pages[hit.last_page - 1])
        assert hit.page <= number <= hit.last_page
        (told,) = answer_json(asked)["hits"]
        assert (told["page"], told["pages"]) == (hit.page, [hit.page, hit.last_page])
    assert hit.page < hit.last_page


@pytest.fixture
def client(tmp_path):
    body = "".join(f"    wait_{at} = 'nothing to see in here'\n" for at in range(60))
    text = f"def close():\n    return 'lion'\n\n\ndef connect(host):\n{body}    return 'zebra'\n"
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "client.py").write_text(text)
    (tmp_path / "corpus" / "zoo.py").write_text("def feed():\n    return 'zebra zebra'\n")

    def ask(place, query="zebra", **more):
        chosen = {"search": "lexical", "chunk_size": 64}
        found = search(
            tmp_path / "corpus",
            query,
            why_not=place,
            configuration=chosen,
            workspace=tmp_path,
            **more,
        )
        return found.loss

    return ask


def test_why_not_a_symbol_follows_all_of_its_chunks(client):
    assert client("client.py::connect").rank == 2  # by its last chunk, which defines nothing
    assert client("client.py::close").reason == "does not match the query"
    assert client("client.py::connect", top=1).stage == "cut"
    assert client("client.py::close", query="lion").rank == 1


def test_why_not_lines(client):
    assert client("client.py:66").rank == 2
    assert client("client.py:7-8").stage == "lexical"
    assert client("client.py:1-66").rank == 2


@pytest.mark.parametrize(
    ("place", "problem", "hint"),
    [
        ("client.py::conect", "has no symbol conect", 'did you mean "connect"?'),
        ("client.py:900", "has no such lines", "its last line is"),
        ("clint.py::connect", "not in the index", 'did you mean "client.py"?'),
    ],
)
def test_places_that_are_not_there_are_refused(client, place, problem, hint):
    with pytest.raises(InputError) as caught:
        client(place)
    assert caught.value.problem == problem
    assert hint in caught.value.hint
