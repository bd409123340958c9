"""A program that writes an index over and over, and one that kills it meanwhile."""

import json
import os
import random
import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np

from assay.records import Chunk, Document
from assay.workspace.index.index_store import open_store

DOCUMENTS = 60


def rewrite(store):
    """Replace every document, vector and engine file of version n by that of version n + 1."""
    with store.update(copy=lambda name: False) as update:
        known = update.known()
        version = int(next(iter(known.values()), "0")) + 1
        update.remove(list(known))
        for number in range(DOCUMENTS):
            rows = _put(update, str(number), version)
            update.vectors(rows, np.full((len(rows), 388), version % 256, dtype=np.uint8))
            engine = update.lexical / f"segment-{number % 7}"
            engine.unlink(missing_ok=True)
            engine.write_text(str(version))
        update.counts(version=version)


def _put(update, name, version):
    text = f"version {version} " + name * 300
    chunk = [Chunk(document=name, start=n, end=n, lines=(1, 1), text=text) for n in range(4)]
    return update.put(Document(id=name, stamp=str(version)), chunk)


def versions(store):
    """Collect every version that any part of the index tells of: it must be one."""
    with closing(store.snapshot()) as snapshot:
        assert len(snapshot.documents) == DOCUMENTS
        assert len(snapshot.rows) == len(snapshot.vectors()[0]) == 4 * DOCUMENTS
        seen = {int(text.split()[1]) for text in snapshot.texts(snapshot.rows)}
        seen |= {snapshot.counts["version"]}
        files = list(snapshot.lexical.iterdir())
        assert len(files) == 7
        seen |= {int(file.read_text()) for file in files}
        wrong = set(snapshot.vectors()[1].ravel().tolist()) - {max(seen) % 256}
    with closing(sqlite3.connect(store.folder / "index.sqlite")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    return sorted(seen) + sorted(wrong)


def killed(folder, times, seed):
    """Kill a writer at random times; print what was there before, after, and after the next."""
    store, chance = open_store(folder, settings="a"), random.Random(seed)
    rewrite(store)
    started = time.perf_counter()
    rewrite(store)
    takes = time.perf_counter() - started
    for _ in range(times):
        before = versions(store)
        writer = os.fork()
        if not writer:
            rewrite(store)
            os._exit(0)
        time.sleep(chance.uniform(0, 1.1 * takes))
        os.kill(writer, signal.SIGKILL)
        _, status = os.waitpid(writer, 0)
        after = versions(store)
        rewrite(store)
        print(json.dumps([os.WIFSIGNALED(status), before, after, versions(store)]))  # noqa: T201


def counting(folder, times):
    """Add documents one by one, and count them in an engine's file, beside another process."""
    store = open_store(folder, settings="a")
    for number in range(times):
        with store.update() as update:
            update.put(Document(id=f"{os.getpid()}-{number}"), [])
            count = update.lexical / "count"
            count.write_text(str(int(count.read_text()) + 1 if count.exists() else 1))


if __name__ == "__main__":
    act, where, *numbers = sys.argv[1:]
    {"killed": killed, "counting": counting}[act](Path(where), *map(int, numbers))
