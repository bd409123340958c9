"""A process that indexes is killed at random times: the index is the old one, or the new one."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from assay.benchmarks._parts import embedder_of, lexical_at
from assay.benchmarks.searching import Searcher
from assay.records import Configuration
from assay.workspace.index_store import open_store
from assay.workspace.locate import locate

FILES, KILLS = 200, 30
STATIC = Configuration(model="static")
pytestmark = pytest.mark.skipif(
    not hasattr(signal, "SIGKILL"), reason="the system knows no signal that cannot be caught"
)


def marker(age, number):
    """A word that stands in one file of one age, and is no part of any other."""
    letters = "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")
    return f"{age}zq{letters}"


def write(folder, age):
    """Make every file say that it is of this age."""
    folder.mkdir(exist_ok=True)
    for number in range(FILES):
        body = "\n".join(
            f"def step_{turn}(path):\n    return path.parent / 'part {turn} of {number}'\n"
            for turn in range(12)
        )
        text = f'"""{marker(age, number)}."""\n\n{body}'
        (folder / f"file{number}.py").write_text(text, encoding="utf-8")


def start(corpus, workspace):
    command = [sys.executable, "-m", "assay", "index", str(corpus), "--model", "static", "--json"]
    return subprocess.Popen(
        [*command, "--workspace", str(workspace)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def completed(child):
    out, complaint = child.communicate(timeout=120)
    assert child.returncode == 0, complaint
    return json.loads(out)


def the_store(workspace):
    (folder,) = (workspace / "indexes").iterdir()
    return open_store(folder, settings=open_store(folder, settings="").settings)


def age_of(workspace):
    """Look at all that an index holds, without bringing it up to date: it is of one age."""
    store = the_store(workspace)
    for file in (store.folder / "index.sqlite", workspace / "vectors.sqlite"):
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with closing(store.snapshot()) as snapshot:
        assert len(snapshot.documents) == FILES
        assert snapshot.vectors()[0].tolist() == snapshot.rows.tolist()
        text = "\n".join(snapshot.texts(snapshot.rows))
        ages = {age for age in ("old", "new") if f"{age}zq" in text}
        assert len(ages) == 1
        (age,) = ages
        _words_agree(snapshot, age)
    _answers(store, workspace, age)
    return age


def _words_agree(snapshot, age):
    other = {"old": "new", "new": "old"}[age]
    with closing(lexical_at(STATIC, snapshot.lexical)) as words:
        for number in range(FILES):
            (row,) = words.search(marker(age, number), 5).rows.tolist()
            assert row in snapshot.rows_of(f"file{number}.py")
            assert not len(words.search(marker(other, number), 5).rows)


def _answers(store, workspace, age):
    """Ask both parts as a user does."""
    embedder = embedder_of(STATIC, folder=locate(given=workspace).models)
    opened = store.read(lambda snapshot: Searcher(snapshot, STATIC, embedder=embedder))
    with closing(opened) as searcher:
        for number in (0, 77, FILES - 1):
            hit = searcher.answer(f"{marker(age, number)} step path").hits[0]
            assert hit.path == f"file{number}.py"
            assert marker(age, number) in hit.text


def kill_after(child, seconds):
    """Kill a process; tell whether it was still at work."""
    with suppress(subprocess.TimeoutExpired):
        child.wait(seconds)
    child.kill()
    child.communicate(timeout=60)
    return child.returncode == -signal.SIGKILL


@pytest.fixture
def indexed(tmp_path):
    """A corpus of new files with an index of the old ones, and how long a whole run takes."""
    corpus, workspace = tmp_path / "corpus", tmp_path / "workspace"
    write(corpus, "old")
    completed(start(corpus, workspace))
    write(corpus, "new")
    shutil.copytree(workspace, tmp_path / "before")
    started = time.monotonic()
    assert completed(start(corpus, workspace))["changed"] == FILES
    lasted = time.monotonic() - started
    assert age_of(workspace) == "new"
    _restore(workspace)
    return corpus, workspace, lasted


def _restore(workspace):
    shutil.rmtree(workspace)
    shutil.copytree(workspace.with_name("before"), workspace)


def test_a_killed_run_leaves_the_old_index_usable(indexed):
    corpus, workspace, lasted = indexed
    chance = random.Random(4)
    died = writing = 0
    for _ in range(KILLS):
        killed = kill_after(start(corpus, workspace), chance.uniform(0, lasted))
        writing += killed and (the_store(workspace).folder / "writer.txt").exists()
        died += killed
        if age_of(workspace) == "new":  # it had committed before it was killed
            _restore(workspace)

    assert died >= 20  # else the kills came too late
    assert writing >= 5  # else they came too early: nothing was under way
    assert completed(start(corpus, workspace))["changed"] == FILES
    assert age_of(workspace) == "new"
    _nothing_is_left_over(workspace)


def _nothing_is_left_over(workspace):
    """No folder of a killed writer stays beside the generation that counts and the one before."""
    folder = the_store(workspace).folder
    assert len(list(folder.glob("lexical-*"))) <= 2
    assert not (folder / "writer.txt").exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the moment is found by looking at files")
def test_a_run_killed_while_it_writes_leaves_the_old_index_usable(indexed):
    corpus, workspace, _ = indexed
    sign = the_store(workspace).folder / "writer.txt"
    coming = Path(sign.parent, f"lexical-{the_store(workspace).generation + 1}")
    for moment in (sign, coming, coming / "meta.json"):
        child = start(corpus, workspace)
        deadline = time.monotonic() + 60
        while not moment.exists() and time.monotonic() < deadline:
            time.sleep(0.001)
        assert kill_after(child, 0)
        assert age_of(workspace) == "old"
    assert completed(start(corpus, workspace))["changed"] == FILES
    assert age_of(workspace) == "new"
