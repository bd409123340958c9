"""Looking at the index of a folder, with real engines and a real model."""

import os
import re
import shutil
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

import pytest

import assay
from assay.errors import InputError, UsageError
from assay.records import Configuration, Document
from assay.text.quote import quote_value
from assay.workflows.health import health
from assay.workflows.index import index

LEXICAL = {"search": "lexical"}
STATIC = {"model": "static"}


@pytest.fixture
def project(tmp_path):
    """Forty small files, of code and of prose."""
    folder = tmp_path / "project"
    (folder / "docs").mkdir(parents=True)
    for at in range(20):
        code = f"class Retry{at}:\n    def wait_{at}(self, times):\n        return times * {at}\n"
        (folder / f"part_{at:02}.py").write_text(code)
        prose = f"# Chapter {at}\n\nRequests of kind {at} that fail are tried again later.\n"
        (folder / "docs" / f"chapter_{at:02}.md").write_text(prose, encoding="utf-8")
    return folder


@pytest.fixture
def place(tmp_path):
    return tmp_path / "workspace"


def finding(found, name):
    (one,) = [one for one in found.findings if one.name == name]
    return one


def test_a_fresh_index_is_good(project, place):
    index(project, configuration=STATIC, workspace=place)
    found = assay.health(project, configuration=STATIC, workspace=place)
    assert found.corpus == "project"
    assert found.bad == 0
    assert not [one for one in found.findings if one.state == "watch"]
    assert finding(found, "documents").value == finding(found, "documents").least == 40
    # A file of code is one entry of words, and a chunk of prose is one.
    assert finding(found, "words").value == finding(found, "words").least
    assert finding(found, "languages").value.startswith("markdown 20, python 20")
    assert found.index["languages"] == {"python": 20, "markdown": 20}


def test_what_changed_since_is_told_and_nothing_is_brought_up_to_date(project, place):
    index(project, configuration=LEXICAL, workspace=place)
    (project / "new.py").write_text("def fresh(): ...\n")
    (project / "part_00.py").write_text("def quite_different(): ...\n")
    (project / "part_01.py").unlink()
    os.utime(project / "part_02.py")  # touched, and the same
    for _ in range(2):
        found = health(project, configuration=LEXICAL, workspace=place)
        assert finding(found, "added").cases == ("new.py",)
        assert finding(found, "changed").cases == ("part_00.py",)
        assert finding(found, "removed").cases == ("part_01.py",)
        assert finding(found, "documents indexed").value == pytest.approx(39 / 40)
        assert finding(found, "generation").value == 1
    index(project, configuration=LEXICAL, workspace=place)
    found = health(project, configuration=LEXICAL, workspace=place)
    assert [finding(found, name).value for name in ("added", "changed", "removed")] == [0, 0, 0]
    assert finding(found, "generation").value == 2


@pytest.mark.parametrize("unit", ["auto", "document", "chunk"])
def test_words_are_counted_in_the_unit_that_was_asked_for(project, place, unit):
    steps = "".join(f"def step_{at}(value):\n    return value + {at}\n\n" for at in range(20))
    (project / "steps.py").write_text(steps)
    chosen = {**LEXICAL, "chunk_size": 16, "lexical_unit": unit}
    index(project, configuration=chosen, workspace=place)
    found = health(project, configuration=chosen, workspace=place)
    words, chunks = finding(found, "words"), finding(found, "chunks").value
    assert words.state == "good"
    assert words.value == {"document": 41, "chunk": chunks}.get(unit, words.value)
    assert chunks > 50


def test_files_that_kept_their_stamps_are_not_read_again(project, place, monkeypatch):
    monkeypatch.setattr("assay.corpora.sources.folder.GRAIN", -(10**9))  # stamps at once
    index(project, configuration=LEXICAL, workspace=place)
    monkeypatch.setattr("assay.corpora.sources.folder._bytes", None)  # nothing can be read
    found = health(project, configuration=LEXICAL, workspace=place)
    assert [finding(found, name).value for name in ("added", "changed", "removed")] == [0, 0, 0]


def test_looking_writes_nothing(project, place):
    def content():
        return {
            path: path.read_bytes()
            for path in place.rglob("*")
            if path.is_file() and not path.name.endswith(("-shm", "-wal", ".lock"))
        }

    index(project, configuration=STATIC, workspace=place)
    before = content()
    health(project, configuration=STATIC, workspace=place)
    assert content() == before


def test_no_index_yet_is_one_message(project, place, snapshot):
    with pytest.raises(InputError) as caught:
        health(project, configuration=LEXICAL, workspace=place)
    command = f"`assay index {project} --search lexical --workspace {place}`"
    assert caught.value.hint.endswith(command)
    snapshot(caught.value)
    assert not place.exists()


@pytest.mark.parametrize(
    "chosen", [Configuration(search="lexical"), {"search": "lexical", "overlap": 3}]
)
def test_what_has_no_option_is_not_in_the_hint(project, place, chosen, snapshot):
    with pytest.raises(InputError) as caught:
        health(project, configuration=chosen, workspace=place)
    assert f"{project} --workspace {place}`" in caught.value.hint
    snapshot(caught.value)


def test_documents_of_a_program_have_no_command(place, snapshot):
    with pytest.raises(InputError) as caught:
        health([Document(id="a", text="words")], configuration=LEXICAL, workspace=place)
    assert "`assay.index`" in caught.value.hint
    snapshot(caught.value)


def test_an_index_of_other_settings_is_not_this_one(project, place, snapshot):
    index(project, configuration=LEXICAL, workspace=place)
    other = {**LEXICAL, "chunk_size": 64}
    with pytest.raises(InputError) as caught:
        health(project, configuration=other, workspace=place)
    snapshot(caught.value)
    index(project, configuration=other, workspace=place)
    found = health(project, configuration=LEXICAL, workspace=place)
    assert finding(found, "other indexes").value == 1


def test_a_lexical_index_has_no_vectors(project, place, snapshot):
    index(project, configuration=LEXICAL, workspace=place)
    found = health(project, configuration=LEXICAL, workspace=place, dataset="stdlib")
    (one,) = [one for one in found.findings if one.section == "embedding"]
    assert (one.state, one.value) == ("unknown", None)
    snapshot(one.meaning)
    assert finding(found, "recall@10").state == "unknown"
    assert found.embedding == {"model": None}
    answers = finding(found, "answers indexed")  # words need no vectors to lack an answer
    assert (answers.value, answers.state) == (0, "bad")
    snapshot(answers.cases[0].partition("(")[2])


def put(path, content):
    """Put another file in the place of one: what is cut in place, under a reader, kills it."""
    new = path.with_name("new")
    new.write_bytes(content)
    new.replace(path)


@pytest.mark.parametrize("engine", ["tantivy", "fts5", "postings"])
def test_lost_and_cut_files_of_words_are_bad(project, place, engine):
    chosen = {**LEXICAL, "lexical": engine}
    index(project, configuration=chosen, workspace=place)
    assert finding(health(project, configuration=chosen, workspace=place), "words").state == "good"
    (words,) = place.rglob("lexical-1")
    largest = max(words.iterdir(), key=lambda path: path.stat().st_size)
    content = largest.read_bytes()
    put(largest, content[:-1])
    assert finding(health(project, configuration=chosen, workspace=place), "words").state == "bad"
    put(largest, bytes(len(content)))  # of the same size, and nonsense
    found = health(project, configuration=chosen, workspace=place)
    assert finding(found, "words").state == "bad"
    shutil.rmtree(words)
    found = health(project, configuration=chosen, workspace=place)
    assert (finding(found, "words").state, finding(found, "words").value) == ("bad", None)


def test_a_damaged_index_is_one_message(project, place):
    index(project, configuration=LEXICAL, workspace=place)
    (file,) = place.rglob("index.sqlite")
    file.write_bytes(b"nothing of the kind" * 1000)
    with pytest.raises(InputError, match="damaged"):
        health(project, configuration=LEXICAL, workspace=place)


def test_an_index_of_another_version_is_one_message(project, place):
    index(project, configuration=LEXICAL, workspace=place)
    (file,) = place.rglob("index.sqlite")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version=1")
    with pytest.raises(InputError, match="version"):
        health(project, configuration=LEXICAL, workspace=place)


def test_an_index_that_is_written_meanwhile_is_noted(project, place, snapshot):
    index(project, configuration=LEXICAL, workspace=place)

    def writing(items, *_, **__):
        if not (project / "meanwhile.py").exists():
            (project / "meanwhile.py").write_text("def meanwhile(): ...\n")
            index(project, configuration=LEXICAL, workspace=place)
        return items

    found = health(project, configuration=LEXICAL, workspace=place, track=writing)
    assert len(found.notes) == 1
    snapshot(found.notes)
    assert health(project, configuration=LEXICAL, workspace=place).notes == ()


def test_the_age_is_that_of_the_last_writing(project, place):
    index(project, configuration=LEXICAL, workspace=place)
    (file,) = place.rglob("index.sqlite")
    past = time.time() - 3 * 86400
    os.utime(file, (past, past))
    found = health(project, configuration=LEXICAL, workspace=place)
    assert finding(found, "age").value == pytest.approx(3, abs=0.1)
    assert finding(found, "age").unit == "days"


def test_skipped_files_are_told(project, place):
    (project / "picture.png").write_bytes(b"\x89PNG\0\0")
    index(project, configuration=LEXICAL, workspace=place)
    found = finding(health(project, configuration=LEXICAL, workspace=place), "files skipped")
    assert (found.value, found.state, found.cases) == (1, "good", ("1 .png (binary)",))
    (project / "huge.txt").write_text("x" * 1_000_001)
    found = finding(health(project, configuration=LEXICAL, workspace=place), "files skipped")
    assert (found.value, found.state) == (2, "watch")
    assert "1 .txt (larger than 1 MB)" in found.cases


@pytest.mark.skipif(os.name == "nt", reason="folders cannot be closed to a user there")
def test_what_may_not_be_read_is_told_and_an_index_that_may_only_be_read_will_do(nobody):
    with tempfile.TemporaryDirectory() as place:
        folder, chosen = Path(place, "project"), {**LEXICAL, "lexical": "fts5"}
        (folder / "closed").mkdir(parents=True)
        for name in ("open.md", "shut.md", "closed/within.md"):
            (folder / name).write_text(f"# {name}\n\nsome words that are said here\n")
        options = {"configuration": chosen, "workspace": Path(place, "workspace")}
        index(folder, **options)
        for here, _, names in os.walk(place):
            Path(here).chmod(0o555)
            for name in names:
                Path(here, name).chmod(0o444)
        (folder / "shut.md").chmod(0)
        os.utime(folder / "shut.md", (1, 1))
        (folder / "closed").chmod(0)
        try:
            with nobody():
                found = health(folder, **options)
        finally:
            for here, _, _ in os.walk(place):
                Path(here).chmod(0o755)
    assert finding(found, "words").state == "good"
    assert finding(found, "removed").cases == ("closed/within.md", "shut.md")
    assert finding(found, "files skipped").state == "watch"


def test_a_folder_that_is_not_there_is_one_message(tmp_path, place):
    with pytest.raises(InputError, match="nowhere: "):
        health(tmp_path / "nowhere", configuration=LEXICAL, workspace=place)


def test_an_empty_folder_and_one_file(tmp_path, place):
    folder = tmp_path / "empty"
    folder.mkdir()
    with pytest.raises(InputError, match="no documents to index"):
        health(folder, configuration=STATIC, workspace=place)
    (folder / "über.md").write_text(
        "# Über\r\n\r\nGrüße an alle: 検索エンジン.\r\n", encoding="utf-8"
    )
    index(folder, configuration=STATIC, workspace=place)
    found = health(folder, configuration=STATIC, workspace=place)
    assert (found.bad, finding(found, "vectors").value) == (0, 1)


def test_expected_numbers_are_compared(project, place):
    index(project, configuration=LEXICAL, workspace=place)
    expect = {"documents": 41, "chunks": (30, 50), "words": (None, 1000), "generation": 1}
    found = health(project, configuration=LEXICAL, workspace=place, expect=expect)
    assert finding(found, "documents").state == "bad"
    names = ("chunks", "words", "generation")
    assert [finding(found, name).state for name in names] == ["good"] * 3


@pytest.mark.parametrize(
    "expect",
    [
        {"dokuments": 1},
        {"documents": -1},
        {"documents": True},
        {"documents": "12"},
        {"documents": 1.5},
        {"documents": (5, 1)},
        {"documents": (None, None)},
        {"documents": (1, 2, 3)},
        {"documents": None},
        {3: 1},
        {(): 1},
        "x",
        ["documents"],
        0,
    ],
)
def test_what_cannot_be_expected_is_refused(project, place, expect):
    with pytest.raises(UsageError):
        health(project, configuration=LEXICAL, workspace=place, expect=expect)


@pytest.mark.parametrize(
    ("search", "name"), [("dense", "words"), ("lexical", "vectors")], ids=["words", "vectors"]
)
def test_what_a_search_does_not_have_cannot_be_expected(project, place, search, name):
    index(project, configuration={"search": search, **_model(search)}, workspace=place)
    chosen = {"search": search, **_model(search)}
    for number in (9, 0):
        with pytest.raises(UsageError, match=name) as caught:
            health(project, configuration=chosen, workspace=place, expect={name: number})
        assert "documents, chunks, texts" in caught.value.hint
        assert name not in caught.value.hint
    found = health(project, configuration=chosen, workspace=place, expect={"chunks": 40})
    assert finding(found, "chunks").state == "good"


def _model(search):
    return STATIC if search == "dense" else {}


@pytest.mark.parametrize("seed", [-1, "a", True, 1.5, None])
def test_what_is_no_seed_is_refused(project, place, seed):
    index(project, configuration=LEXICAL, workspace=place)
    with pytest.raises(UsageError, match=f"seed: .*{re.escape(quote_value(seed))}"):
        assay.health(project, configuration=LEXICAL, workspace=place, seed=seed)


def test_a_system_that_searches_itself_is_refused(project, place):
    system = {"kind": "run_file", "path": "run.trec"}
    with pytest.raises(UsageError, match="Assay"):
        health(project, configuration=Configuration(system=system), workspace=place)


def test_the_queries_of_a_dataset_are_paired(project, place, tmp_path):
    lines = ["query,document,grade"]
    lines += [f"requests of kind {at},docs/chapter_{at:02}.md,1" for at in range(20)]
    dataset = tmp_path / "queries.csv"
    dataset.write_text("\n".join(lines))
    index(project, configuration=STATIC, workspace=place)
    found = health(project, configuration=STATIC, workspace=place, dataset=dataset)
    assert found.embedding["pairs_from"].startswith("20 queries of ")
    assert found.embedding["pairs"] == 20
    assert 0 < finding(found, "alignment").value < finding(found, "alignment").most / 0.85


def test_the_dataset_must_be_there(project, place):
    index(project, configuration=STATIC, workspace=place)
    with pytest.raises(InputError):
        health(project, configuration=STATIC, workspace=place, dataset="nowhere.json")
