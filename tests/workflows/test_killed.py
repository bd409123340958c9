"""A process that indexes is killed at random times: the index is the old one, or the new one."""

import json
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress

import pytest

from assay.records import Configuration
from assay.searches.parts import embedder_of, lexical_at
from assay.searches.searcher import Searcher
from assay.workspace.index.index_store import open_store
from assay.workspace.locate import locate

FILES, ATTEMPTS = 200, 8
ALL, HALF, FEW = range(FILES), range(0, FILES, 2), range(0, FILES, 20)
STATIC = Configuration(model="static")
pytestmark = pytest.mark.skipif(
    not hasattr(signal, "SIGKILL"), reason="the system knows no signal that cannot be caught"
)


def marker(age, number):
    """A word that stands in one file of one age, and is no part of any other."""
    letters = "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")
    return f"{age}zq{letters}"


def write(folder, age, numbers=ALL):
    """Make files say that they are of this age."""
    folder.mkdir(exist_ok=True)
    for number in numbers:
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


def age_of(workspace, changed=ALL):
    """Look at all that an index holds, without bringing it up to date: it is of one age."""
    store = the_store(workspace)
    for file in (store.folder / "index.sqlite", workspace / "vectors.sqlite"):
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with closing(store.snapshot()) as snapshot:
        assert len(snapshot.documents) == FILES
        assert snapshot.vectors()[0].tolist() == snapshot.rows.tolist()
        age = "new" if "newzq" in "".join(snapshot.texts(snapshot.rows)) else "old"
        _says(snapshot, [age if number in changed else "old" for number in ALL])
    _answers(store, workspace, {number: age for number in changed})
    return age


def _says(snapshot, ages):
    """Find the word of each file's age in its text and by the lexical index, and no other."""
    other = {"old": "new", "new": "old"}
    with closing(lexical_at(STATIC, snapshot.lexical)) as words:
        for number, age in enumerate(ages):
            rows = snapshot.rows_of(f"file{number}.py")
            assert marker(age, number) in "".join(snapshot.texts(rows))
            (row,) = words.search(marker(age, number), 5).rows.tolist()
            assert row in rows
            assert not len(words.search(marker(other[age], number), 5).rows)


def _answers(store, workspace, ages):
    """Ask both parts as a user does."""
    embedder = embedder_of(STATIC, folder=locate(given=workspace).models)
    opened = store.read(lambda snapshot: Searcher(snapshot, STATIC, embedder=embedder))
    with closing(opened) as searcher:
        for number in (min(ages), max(ages)):
            word = marker(ages[number], number)
            hit = searcher.answer(f"{word} step path").hits[0]
            assert hit.path == f"file{number}.py"
            assert word in hit.text


def kill_after(child, seconds):
    """Kill a process; tell whether it was still at work."""
    with suppress(subprocess.TimeoutExpired):
        child.wait(seconds)
    child.kill()
    child.communicate(timeout=60)
    return child.returncode == -signal.SIGKILL


def indexed(folder, changed):
    """Make a corpus of new files with an index of the old ones; measure a whole run."""
    corpus, workspace = folder / "corpus", folder / "workspace"
    write(corpus, "old")
    completed(start(corpus, workspace))
    write(corpus, "new", changed)
    shutil.copytree(workspace, folder / "before")
    started = time.monotonic()
    done = completed(start(corpus, workspace))
    lasted = time.monotonic() - started
    assert done["changed"] == len(changed)
    assert done["rebuilt"] == (changed is HALF)  # few deleted ones stay, and all go as a whole
    assert age_of(workspace, changed) == "new"
    _restore(workspace)
    return corpus, workspace, lasted


def _restore(workspace):
    shutil.rmtree(workspace)
    shutil.copytree(workspace.with_name("before"), workspace)


@pytest.mark.long
def test_a_killed_run_leaves_the_old_index_usable(tmp_path, kills):
    corpus, workspace, lasted = indexed(tmp_path, ALL)
    chance = random.Random(4)
    died = writing = 0
    for _ in range(kills.number):
        killed = kill_after(start(corpus, workspace), chance.uniform(0, lasted))
        writing += killed and (the_store(workspace).folder / "writer.txt").exists()
        died += killed
        if age_of(workspace) == "new":  # it had committed before it was killed
            _restore(workspace)

    kills.log(f"index: {died} of {kills.number} died, {writing} while writing; all usable")
    if kills.are_many:
        assert died >= 30  # else the kills came too late
        assert writing >= 5  # else they came too early: nothing was under way
    assert completed(start(corpus, workspace))["changed"] == FILES
    assert age_of(workspace) == "new"
    _nothing_is_left_over(workspace)


def _nothing_is_left_over(workspace):
    """No folder of a killed writer stays beside the generation that counts and the one before."""
    folder = the_store(workspace).folder
    assert len(list(folder.glob("lexical-*"))) <= 2
    assert not (folder / "writer.txt").exists()


@pytest.mark.parametrize("changed", [HALF, FEW], ids=["half changed", "few changed"])
def test_a_run_killed_while_it_writes_leaves_the_old_index_usable(tmp_path, changed):
    corpus, workspace, _ = indexed(tmp_path, changed)
    store = the_store(workspace)
    coming = store.folder / f"lexical-{store.generation + 1}"
    for moment in (store.folder / "writer.txt", coming, coming / "meta.json"):
        for _ in range(ATTEMPTS):
            killed = kill_at(moment, start(corpus, workspace))
            if age_of(workspace, changed) == "old":
                assert killed
                break
            _restore(workspace)  # we were slow, and it had committed
        else:
            pytest.fail(f"whenever {moment.name} is seen, all is over")
        shutil.rmtree(coming, ignore_errors=True)  # each moment shall come again
        (store.folder / "writer.txt").unlink(missing_ok=True)
    assert completed(start(corpus, workspace))["changed"] == len(changed)
    assert age_of(workspace, changed) == "new"


def kill_at(path, child):
    """Kill a process as soon as a file is there; tell whether it was still at work."""
    deadline = time.monotonic() + 60
    while not path.exists() and child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)
    return kill_after(child, 0)
