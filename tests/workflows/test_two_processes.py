"""Two processes at one index at once: no error, nothing lost, the content of a fresh build."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing

import pytest

from assay.records import Configuration
from assay.searches.current_index import IndexRequest, current_index
from assay.workflows.index import index

FILES = 60
STATIC = Configuration(model="static")

SEARCHING = """
import json, sys
from assay.records import Configuration
from assay.workflows.search import search

_, corpus, workspace, times = sys.argv
for _ in range(int(times)):
    answer = search(corpus, "quartz version", configuration=Configuration(model="static"),
                    workspace=workspace, top=100)
    print(json.dumps([answer.documents, [(hit.path, hit.text) for hit in answer.hits]]), flush=True)
"""


def write(corpus, version, numbers=range(FILES)):
    corpus.mkdir(exist_ok=True)
    for number in numbers:
        body = f'"""quartz version{version}."""\n\n\ndef step_{number}(path):\n    return path\n'
        partial = corpus.with_name("partial")
        partial.write_text(body, encoding="utf-8")
        partial.replace(corpus / f"file{number}.py")  # no reader sees half of a file


def start(*arguments):
    command = [sys.executable, *map(str, arguments)]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


def indexing(corpus, workspace):
    return start(
        *("-m", "assay", "index", corpus, "--model", "static", "--json", "--workspace", workspace)
    )


def output(child):
    out, complaint = child.communicate(timeout=120)
    assert child.returncode == 0, complaint
    waits = re.compile(r"note: .*\b\d+ on \S+ .*index")  # for the process that writes it
    assert [line for line in complaint.splitlines() if not waits.match(line)] == []
    return out


def held(corpus, workspace):
    """Tell all that an index holds, after a look at its file."""
    opened = current_index(
        IndexRequest(corpus, STATIC, workspace), track=lambda items, *_, **__: items
    )
    with closing(sqlite3.connect(opened.store.folder / "index.sqlite")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with closing(opened.store.snapshot()) as snapshot:
        rows, packed = snapshot.vectors()
        vectors = dict(zip(rows.tolist(), map(bytes, packed), strict=True))
        content = sorted(
            (chunk.id, chunk.text, vectors[row])
            for row, chunk in zip(snapshot.rows.tolist(), snapshot.chunks(rows), strict=True)
        )
    with closing(opened.searcher()) as searcher:
        answers = [searcher.answer(f"quartz step_{number} version2") for number in range(0, 60, 7)]
    return content, [sorted(hit.path for hit in answer.hits) for answer in answers]


def test_two_that_index_together(tmp_path):
    corpus, workspace = tmp_path / "corpus", tmp_path / "workspace"
    for version in range(3):
        write(corpus, version, range(version, FILES, version + 1))
        children = [indexing(corpus, workspace) for _ in range(2)]
        done = [json.loads(output(child)) for child in children]

        assert {each["documents"] for each in done} == {FILES}
        assert held(corpus, workspace) == held(corpus, tmp_path / f"fresh{version}")


def test_the_second_waits_and_says_for_whom(tmp_path):
    corpus, workspace = tmp_path / "corpus", tmp_path / "workspace"
    write(corpus, 0)
    opened = current_index(
        IndexRequest(corpus, STATIC, workspace), track=lambda items, *_, **__: items
    )
    write(corpus, 1)
    with opened.store.update():
        child = indexing(corpus, workspace)
        note = child.stderr.readline()  # the child would wait for an hour

    assert f" {os.getpid()} on " in note
    assert "index" in note
    assert json.loads(output(child))["changed"] == FILES


def test_one_indexes_while_another_searches(tmp_path):
    corpus, workspace = tmp_path / "corpus", tmp_path / "workspace"
    write(corpus, 0)
    index(corpus, configuration=STATIC, workspace=workspace)
    searching = start("-c", SEARCHING, corpus, workspace, 12)
    for version in range(1, 5):
        write(corpus, version, range(0, FILES, 3))
        output(indexing(corpus, workspace))
    lines = output(searching).splitlines()

    assert len(lines) == 12
    for documents, hits in map(json.loads, lines):
        assert documents == len(hits) == FILES
        assert all("quartz version" in text for _, text in hits)
    assert held(corpus, workspace) == held(corpus, tmp_path / "fresh")


@pytest.mark.parametrize("engine", ["tantivy", "fts5", "postings"])
def test_who_only_reads_sees_whole_versions(tmp_path, engine):
    """Every file says one version; a reader of whatever is committed never sees two."""
    corpus, workspace = tmp_path / "corpus", tmp_path / "workspace"
    chosen = Configuration(model="static", lexical=engine)
    write(corpus, 0)
    wanted = IndexRequest(corpus, chosen, workspace)
    opened = current_index(wanted, track=lambda items, *_, **__: items)
    over, seen, wrong = threading.Event(), set(), []

    def read():
        while not over.is_set():
            with closing(opened.searcher()) as searcher:
                answer = searcher.answer("quartz")
            versions = {hit.text.split("version")[1].split(".")[0] for hit in answer.hits}
            seen.update(versions)
            if len(versions) != 1 or len(answer.hits) != FILES:
                wrong.append((versions, len(answer.hits)))

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for version in range(1, 6):
            write(corpus, version)
            index(corpus, configuration=chosen, workspace=workspace)
    finally:
        over.set()
        reader.join()

    assert wrong == []
    assert len(seen) > 1
