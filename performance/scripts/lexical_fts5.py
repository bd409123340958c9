"""Search with SQLite's FTS5 alone, its own tokens: python lexical_fts5.py FOLDER CHUNKS."""

import sqlite3
import sys
import time
from pathlib import Path

from _lexical import chunks, queries, report

_, folder, count = sys.argv
fresh = not Path(folder).exists()
Path(folder).mkdir(exist_ok=True)
database = sqlite3.connect(Path(folder) / "chunks.sqlite")
taken = None
if fresh:
    database.execute("CREATE VIRTUAL TABLE chunks USING fts5(body, names, path)")
    texts = [
        (row, chunk.text, " ".join(chunk.symbols), chunk.path)
        for row, chunk in enumerate(chunks(int(count)))
    ]
    start = time.process_time()
    database.executemany("INSERT INTO chunks(rowid, body, names, path) VALUES (?, ?, ?, ?)", texts)
    database.commit()
    taken = time.process_time() - start
asked = [" OR ".join(f'"{word}"' for word in words) for words in queries()]
SEARCH = """SELECT rowid FROM chunks WHERE chunks MATCH ?
            ORDER BY bm25(chunks, 1.0, 2.0, 1.0) LIMIT ?"""


def search(number: int, depth: int) -> list[int]:
    """Ask for any of the words."""
    return [row for (row,) in database.execute(SEARCH, (asked[number], depth))]


size = sum(path.stat().st_size for path in Path(folder).iterdir())
report(search, build_s=taken, size_bytes=size)
