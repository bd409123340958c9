"""The hub: its thread, its viewers, and what it does when the database is gone."""

import asyncio
import json
import logging
import time

import pytest
from tests.server.progress.sources import News, Source, progress, receive

from assay.errors import UnavailableError
from assay.server.progress import hub as hubs
from assay.server.progress.hub import ProgressHub
from assay.server.progress.viewer import GOING_AWAY


@pytest.fixture
def source():
    return Source(time.monotonic)


@pytest.fixture
def news():
    return News()


@pytest.fixture
def hub(source, news):
    made = ProgressHub(source, news)
    yield made
    made.stop()


def is_done(message):
    return message.get("benchmark", {}).get("state") == "completed"


def test_a_snapshot_comes_at_once_also_when_nothing_runs(hub):
    async def act():
        began = time.monotonic()
        (message,) = await receive(hub.join(), until=lambda each: each["type"] == "snapshot")
        assert message["benchmarks"] == []
        assert time.monotonic() - began < 5

    asyncio.run(act())


def test_a_thousand_viewers_all_see_the_end(hub, source, news):
    async def act():
        source.put(progress("b1"))
        viewers = [hub.join(("b1",) if number % 2 else ()) for number in range(1_000)]
        with pytest.raises(UnavailableError, match="too many"):
            hub.join()
        waiting = [
            asyncio.ensure_future(receive(each, until=is_done, seconds=60)) for each in viewers
        ]
        for done in range(1, 200):
            source.put(progress("b1", done))
            news.publish()
            await asyncio.sleep(0.005)
        source.put(progress("b1", 200, "completed"))
        news.publish()
        for received in await asyncio.gather(*waiting):
            assert received[0]["type"] == "snapshot"
            assert received[-1]["benchmark"]["runs"][0]["done"] == 200
            assert len(received) < 60

    asyncio.run(act())


def test_nothing_is_read_while_nobody_watches(hub, source, news):
    async def act():
        viewer = hub.join()
        await viewer.take()
        hub.leave(viewer)
        await asyncio.sleep(0.5)
        reads = source.reads
        for _ in range(5):
            news.publish()
            await asyncio.sleep(0.05)
        assert source.reads == reads
        source.put(progress("b1"))
        (message,) = await receive(hub.join(), until=lambda _: True)
        assert [each["id"] for each in message["benchmarks"]] == ["b1"]

    asyncio.run(act())


def test_news_that_got_lost_do_no_harm(hub, source, monkeypatch):
    monkeypatch.setattr(hubs, "_SAFETY_S", 0.2)

    async def act():
        source.put(progress("b1"))
        viewer = hub.join()
        await viewer.take()
        source.put(progress("b1", 9, "completed"))
        assert is_done((await receive(viewer, until=is_done))[-1])

    asyncio.run(act())


def test_after_an_error_of_the_database_it_goes_on(hub, source, news, monkeypatch, caplog):
    monkeypatch.setattr(hubs, "_RETRY_S", 0.05)

    async def act():
        source.put(progress("b1"))
        viewer = hub.join()
        await viewer.take()
        with caplog.at_level(logging.WARNING, "assay.server"):
            source.failures = news.failures = 2
            source.put(progress("b1", 9, "completed"))
            news.publish()
            assert is_done((await receive(viewer, until=is_done))[-1])
        assert news.subscribed >= 5
        assert "the database is gone" in caplog.text

    asyncio.run(act())


def test_when_it_stops_viewers_learn_why_and_no_other_is_taken(hub):
    async def act():
        viewers = [hub.join() for _ in range(3)]
        for viewer in viewers:
            await viewer.take()
        await asyncio.to_thread(hub.stop)
        assert [await viewer.take() for viewer in viewers] == [[], [], []]
        assert {viewer.code for viewer in viewers} == {GOING_AWAY}
        with pytest.raises(UnavailableError, match="stopping"):
            hub.join()

    asyncio.run(act())
    assert not hub._thread.is_alive()


def test_a_slow_viewer_skips_states_and_gets_each_benchmark_once(hub, source, news):
    async def act():
        names = [f"b{number}" for number in range(600)]
        slow = hub.join()
        await slow.take()
        for done in (0, 10, 20):
            for name in names:
                source.put(progress(name, done))
            news.publish()
            await asyncio.sleep(0.4)
        received = [json.loads(each.text)["benchmark"] for each in await slow.take()]
        assert sorted(each["id"] for each in received) == sorted(names)
        assert {each["runs"][0]["done"] for each in received} == {20}

    asyncio.run(act())
