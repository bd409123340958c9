"""Benchmarks in memory, where a test decides what happens when; the ledger stands in elsewhere."""

import asyncio
import json
import threading

from assay.records.service import BenchmarkProgress, RunProgress

__all__ = ["NEVER", "News", "Source", "progress", "receive"]

NEVER = "never closed"


def progress(id_="b1", done=0, state="running", total=1_000):
    run = RunProgress("r", state, done, total)
    return BenchmarkProgress(id_, f"name of {id_}", "benchmark", state, 0, 1, (run,))


class Source:
    """What the ledger would return; ``failures`` is how many reads fail next."""

    def __init__(self, clock=lambda: 0.0):
        self.found, self.ended, self.reads, self.failures = {}, {}, 0, 0
        self._clock = clock
        self._lock = threading.Lock()

    def put(self, benchmark):
        with self._lock:
            self.found[benchmark.id] = benchmark
            if benchmark.state not in ("pending", "running"):
                self.ended[benchmark.id] = self._clock()

    def progress(self, ids):
        self._read()
        with self._lock:
            if ids is None:
                return {key: one for key, one in self.found.items() if one.state == "running"}
            return {key: self.found[key] for key in ids if key in self.found}

    def ended_within(self, seconds):
        self._read()
        with self._lock:
            return [key for key, at in self.ended.items() if at > self._clock() - seconds]

    def _read(self):
        self.reads += 1
        if self.failures:
            self.failures -= 1
            raise OSError("the database is gone")


class News:
    """A channel in memory, with one subscriber."""

    def __init__(self):
        self._news = threading.Event()
        self.subscribed = self.failures = 0

    def publish(self, ids=()):
        self._news.set()

    def subscribe(self):
        self.subscribed += 1
        if self.failures:
            self.failures -= 1
            raise OSError("the database is gone")
        return self

    def wait(self, timeout):
        came = self._news.wait(timeout)
        self._news.clear()
        return came

    def close(self):
        pass


async def receive(viewer, *, until, seconds=20.0):
    """Take messages until one of them is as expected, and return all of them."""
    received = []
    async with asyncio.timeout(seconds):
        while not (received and until(received[-1])):
            received += [json.loads(each.text) for each in await viewer.take()]
    return received
