"""What viewers are told of benchmarks that change, by a clock of the test."""

import asyncio
import json
import random
from contextlib import suppress

import pytest
from tests.server.progress.sources import Source, progress

from assay.server.progress._updates import UpdateWriter
from assay.server.progress.viewer import Viewer


class Scenario:
    """A writer with its viewers and a clock; each viewer remembers the newest states."""

    def __init__(self):
        self.now = 100.0
        self.source = Source(lambda: self.now)
        self.writer = UpdateWriter(self.source)
        self.viewers, self.seen, self.messages = [], {}, []

    def add(self, *ids, back=60.0):
        viewer = Viewer(ids, back)
        self.viewers.append(viewer)
        self.seen[viewer] = {}
        return viewer

    def look(self):
        for update in self.writer.look(self.viewers, self.now, self.now):
            update.viewer.put(update.message, update.benchmark)

    async def read(self, viewer):
        """Take all that is there, as a page that shows it does."""
        if not viewer._pending:
            return []
        received = [json.loads(each.text) for each in await viewer.take()]
        for each in received:
            states = each.get("benchmarks", [each["benchmark"]] if "benchmark" in each else [])
            self.seen[viewer] |= {
                one["id"]: (one["state"], one["runs"][0]["done"]) for one in states
            }
        return received


def run_scenario(act):
    scenario = Scenario()
    asyncio.run(act(scenario))


def test_a_viewer_gets_a_snapshot_and_then_what_changes():
    async def act(scenario):
        scenario.source.put(progress("b1", 3))
        viewer = scenario.add()
        scenario.look()
        (snapshot,) = await scenario.read(viewer)
        assert snapshot["type"] == "snapshot"
        assert [each["runs"][0]["done"] for each in snapshot["benchmarks"]] == [3]
        scenario.look()
        assert await scenario.read(viewer) == []
        scenario.source.put(progress("b1", 8))
        scenario.now += 0.1
        scenario.look()
        (news,) = await scenario.read(viewer)
        assert (news["type"], news["benchmark"]["runs"][0]["done"]) == ("progress", 8)
        assert news["version"] > snapshot["version"]

    run_scenario(act)


def test_a_viewer_of_one_benchmark_hears_of_no_other():
    async def act(scenario):
        for name in ("b1", "b2", "old"):
            scenario.source.put(progress(name))
        scenario.source.put(progress("old", 9, "completed"))
        scenario.now += 10_000
        one, all_ = scenario.add("b1", "old", "unknown"), scenario.add()
        scenario.look()
        (snapshot,) = await scenario.read(one)
        assert [each["id"] for each in snapshot["benchmarks"]] == ["b1", "old"]
        (snapshot,) = await scenario.read(all_)
        assert [each["id"] for each in snapshot["benchmarks"]] == ["b1", "b2"]
        scenario.source.put(progress("b2", 50))
        scenario.now += 1
        scenario.look()
        assert await scenario.read(one) == []
        assert len(await scenario.read(all_)) == 1

    run_scenario(act)


def test_a_snapshot_has_what_ended_while_a_viewer_was_away():
    async def act(scenario):
        scenario.source.put(progress("b1", 9, "failed"))
        scenario.now += 100
        short, long = scenario.add(back=60.0), scenario.add(back=120.0)
        scenario.look()
        assert [each["benchmarks"] for each in await scenario.read(short)] == [[]]
        assert [len(each["benchmarks"]) for each in await scenario.read(long)] == [1]

    run_scenario(act)


def test_after_a_while_without_news_a_sign_of_life():
    async def act(scenario):
        viewer = scenario.add()
        scenario.look()
        assert len(await scenario.read(viewer)) == 1
        scenario.now += 19
        scenario.look()
        assert await scenario.read(viewer) == []
        scenario.now += 1
        scenario.look()
        assert [each["type"] for each in await scenario.read(viewer)] == ["ping"]
        scenario.look()
        assert await scenario.read(viewer) == []

    run_scenario(act)


@pytest.mark.parametrize("seed", range(20))
def test_every_viewer_ends_with_the_last_state_however_slow_it_reads(seed):
    """Viewers come and read at any time, and reading the ledger fails now and then."""
    draw = random.Random(seed)

    async def act(scenario):
        for _ in range(150):
            _change_one(scenario, draw)
            if draw.random() < 0.1 and len(scenario.viewers) < 12:
                scenario.add(*draw.choice([(), (), ("b1",), ("b2", "b5")]))
            scenario.source.failures = draw.choice([0, 0, 0, 1])
            scenario.now += draw.choice([0.02, 0.1, 0.6, 3.0])
            with suppress(OSError):
                scenario.look()
            if scenario.viewers and draw.random() < 0.5:
                await scenario.read(draw.choice(scenario.viewers))
        scenario.source.failures = 0
        scenario.now += 0.6
        scenario.look()
        expected = {
            key: (one.state, one.runs[0].done) for key, one in scenario.source.found.items()
        }
        for viewer in scenario.viewers:
            await scenario.read(viewer)
            for key, state in scenario.seen[viewer].items():
                assert state == expected[key], (key, viewer.ids)
            open_ = {key for key, one in scenario.source.found.items() if one.state == "running"}
            assert {key for key in open_ if viewer.wants(key)} <= scenario.seen[viewer].keys()

    run_scenario(act)


def _change_one(scenario, draw):
    name = f"b{draw.randrange(6)}"
    before = scenario.source.found.get(name, progress(name))
    if before.state == "running":
        state = draw.choice(["running"] * 12 + ["completed", "failed"])
        scenario.source.put(progress(name, before.runs[0].done + draw.choice([0, 1, 1, 7]), state))
