"""Workers that are killed at random times, alone and two at once: every row is there, once."""

import random
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from assay.records.work import RecordedAnswer, Unit
from assay.workspace.ledger.ledger import open_ledger, worker_name

WORK = Path(__file__).with_name("ledger_work.py")
ROWS, UNITS, BATCH = 60, 12, 5
STARTS_S = 0.35  # before a worker does anything


def start(*arguments):
    return subprocess.Popen([sys.executable, str(WORK), *map(str, arguments)])


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_kills_at_random_times_lose_nothing(place, workers, kills):
    path, log = place / "l.sqlite", place / "log"
    chance = random.Random(workers)
    with closing(open_ledger(path)) as book:
        benchmark = book.begin(identity="i", name="n", about={}, runs=["a"], resume=False).id
        keys = [f"u{n}" for n in range(UNITS)]
        needs = [()] * 2 + [(key,) for key in keys[:-2]]
        book.prepare(
            benchmark,
            [Unit(key, "stage", key, need, ROWS) for key, need in zip(keys, needs, strict=True)],
        )
        hits = 0
        for _ in range(kills.number):
            running = [start("work", path, benchmark, log, 0.02) for _ in range(workers)]
            time.sleep(chance.uniform(0, 2 * STARTS_S))
            victim = running[0]
            hits += victim.poll() is None
            victim.kill()
            victim.wait(timeout=60)
            for other in running[1:]:  # stopped, too, but told before
                book.cancel(benchmark)
                other.wait(timeout=60)
                book.begin(identity="i", name="n", about={}, runs=["a"], resume=True)
        for last in [start("work", path, benchmark, log, 0) for _ in range(workers)]:
            assert last.wait(timeout=120) == 0
        # One of two ends when all that is left is held or waits for the other.
        assert {state.state for state in book.states(benchmark).values()} == {"completed"}
        expected = {(f"q{at // 2}", at % 2) for at in range(ROWS)}
        for key, state in book.states(benchmark).items():
            found = [(row.query, row.round) for row in book.rows(key)]
            assert (len(found), set(found), state.done) == (ROWS, expected, ROWS)
        asked = Counter(line.rsplit(" ", 1)[0] for line in log.read_text().splitlines())
        assert set(asked) == {f"{key} {query} {nth}" for key in keys for query, nth in expected}
        kills.log(f"ledger, {workers} worker(s): {hits} of {kills.number} hit; every row once")
        assert hits >= 10 or not kills.are_many
        assert sum(asked.values()) - len(asked) <= BATCH * kills.number * workers


@pytest.mark.long
def test_batches_are_stored_fast_enough(place):
    """A floor in CPU time, far below what is usual: 25,000 a second."""
    with closing(open_ledger(place / "l.sqlite")) as book:
        benchmark = book.begin(identity="i", name="n", about={}, runs=["a"], resume=False).id
        book.prepare(benchmark, [Unit("u", "stage", "u", (), 10_000)])
        claim = book.claim(benchmark, worker_name())
        batches = [
            [
                RecordedAnswer(f"q{n}", 0, f"document {n}".encode() * 20, {"x": 0.5})
                for n in range(at, at + 25)
            ]
            for at in range(0, 10_000, 25)
        ]
        started = time.process_time()
        for batch in batches:
            book.record(claim, batch)
        assert 10_000 / (time.process_time() - started) > 5000
