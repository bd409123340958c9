"""What viewers are told of benchmarks that change, by a clock of the test."""

import asyncio
import json
import random
from contextlib import suppress

import pytest
from tests.server.progress.sources import Source, progress

from assay.server.progress._letters import LetterWriter
from assay.server.progress.viewer import Viewer


class Desk:
    """A writer with its viewers and a clock; each viewer remembers the newest states."""

    def __init__(self):
        self.now = 100.0
        self.source = Source(lambda: self.now)
        self.writer = LetterWriter(self.source)
        self.viewers, self.seen, self.messages = [], {}, []

    def add(self, *ids, back=60.0):
        viewer = Viewer(ids, back)
        self.viewers.append(viewer)
        self.seen[viewer] = {}
        return viewer

    def look(self):
        for letter in self.writer.look(self.viewers, self.now, self.now):
            letter.viewer.put(letter.message, letter.benchmark)

    async def read(self, viewer):
        """Take all that is there, as a page that shows it does."""
        if not viewer._mail:
            return []
        received = [json.loads(each.text) for each in await viewer.take()]
        for each in received:
            states = each.get("benchmarks", [each["benchmark"]] if "benchmark" in each else [])
            self.seen[viewer] |= {
                one["id"]: (one["state"], one["runs"][0]["done"]) for one in states
            }
        return received


def on_a_desk(act):
    desk = Desk()
    asyncio.run(act(desk))


def test_a_viewer_gets_a_snapshot_and_then_what_changes():
    async def act(desk):
        desk.source.put(progress("b1", 3))
        viewer = desk.add()
        desk.look()
        (snapshot,) = await desk.read(viewer)
        assert snapshot["type"] == "snapshot"
        assert [each["runs"][0]["done"] for each in snapshot["benchmarks"]] == [3]
        desk.look()
        assert await desk.read(viewer) == []
        desk.source.put(progress("b1", 8))
        desk.now += 0.1
        desk.look()
        (news,) = await desk.read(viewer)
        assert (news["type"], news["benchmark"]["runs"][0]["done"]) == ("progress", 8)
        assert news["version"] > snapshot["version"]

    on_a_desk(act)


def test_a_viewer_of_one_benchmark_hears_of_no_other():
    async def act(desk):
        for name in ("b1", "b2", "old"):
            desk.source.put(progress(name))
        desk.source.put(progress("old", 9, "completed"))
        desk.now += 10_000
        one, all_ = desk.add("b1", "old", "unknown"), desk.add()
        desk.look()
        (snapshot,) = await desk.read(one)
        assert [each["id"] for each in snapshot["benchmarks"]] == ["b1", "old"]
        (snapshot,) = await desk.read(all_)
        assert [each["id"] for each in snapshot["benchmarks"]] == ["b1", "b2"]
        desk.source.put(progress("b2", 50))
        desk.now += 1
        desk.look()
        assert await desk.read(one) == []
        assert len(await desk.read(all_)) == 1

    on_a_desk(act)


def test_a_snapshot_has_what_ended_while_a_viewer_was_away():
    async def act(desk):
        desk.source.put(progress("b1", 9, "failed"))
        desk.now += 100
        short, long = desk.add(back=60.0), desk.add(back=120.0)
        desk.look()
        assert [each["benchmarks"] for each in await desk.read(short)] == [[]]
        assert [len(each["benchmarks"]) for each in await desk.read(long)] == [1]

    on_a_desk(act)


def test_after_a_while_without_news_a_sign_of_life():
    async def act(desk):
        viewer = desk.add()
        desk.look()
        assert len(await desk.read(viewer)) == 1
        desk.now += 19
        desk.look()
        assert await desk.read(viewer) == []
        desk.now += 1
        desk.look()
        assert [each["type"] for each in await desk.read(viewer)] == ["ping"]
        desk.look()
        assert await desk.read(viewer) == []

    on_a_desk(act)


@pytest.mark.parametrize("seed", range(20))
def test_every_viewer_ends_with_the_last_state_however_slow_it_reads(seed):
    """Viewers come and read at any time, and reading the ledger fails now and then."""
    draw = random.Random(seed)

    async def act(desk):
        for _ in range(150):
            _change_one(desk, draw)
            if draw.random() < 0.1 and len(desk.viewers) < 12:
                desk.add(*draw.choice([(), (), ("b1",), ("b2", "b5")]))
            desk.source.failures = draw.choice([0, 0, 0, 1])
            desk.now += draw.choice([0.02, 0.1, 0.6, 3.0])
            with suppress(OSError):
                desk.look()
            if desk.viewers and draw.random() < 0.5:
                await desk.read(draw.choice(desk.viewers))
        desk.source.failures = 0
        desk.now += 0.6
        desk.look()
        expected = {key: (one.state, one.runs[0].done) for key, one in desk.source.found.items()}
        for viewer in desk.viewers:
            await desk.read(viewer)
            for key, state in desk.seen[viewer].items():
                assert state == expected[key], (key, viewer.ids)
            open_ = {key for key, one in desk.source.found.items() if one.state == "running"}
            assert {key for key in open_ if viewer.wants(key)} <= desk.seen[viewer].keys()

    on_a_desk(act)


def _change_one(desk, draw):
    name = f"b{draw.randrange(6)}"
    before = desk.source.found.get(name, progress(name))
    if before.state == "running":
        state = draw.choice(["running"] * 12 + ["completed", "failed"])
        desk.source.put(progress(name, before.runs[0].done + draw.choice([0, 1, 1, 7]), state))
