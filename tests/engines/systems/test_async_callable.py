"""Async functions: awaited in one event loop, several at once, stopped in time and at the end."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from assay.engines.systems._event_loop import event_loop
from assay.engines.systems.callable import call_function
from assay.errors import InputError
from assay.records import Query


@pytest.fixture
def written(tmp_path):
    opened = []

    def make(text, *, name="search", **more):
        (tmp_path / "mine.py").write_text(textwrap.dedent(text), encoding="utf-8")
        system = call_function(function=f"mine.py:{name}", home=str(tmp_path), **more)
        opened.append(system)
        return system

    yield make
    for system in opened:
        system.close()


def ask(system, text="a badge", top=3):
    return system.search(Query("q1", text), top).documents


def ask_all(system, texts, threads):
    with ThreadPoolExecutor(threads) as pool:
        return [*pool.map(lambda text: ask(system, text), texts)]


@pytest.mark.parametrize(
    "text",
    [
        "async def search(query, top):\n    return [query]",
        "class Search:\n    async def __call__(self, query, top):\n        return [query]\n"
        "search = Search()",
        "async def found(query, top):\n    return [query]\n"
        "def search(query, top):\n    return found(query, top)",
        "import functools\nasync def found(query, top):\n    return [query]\n"
        "search = functools.partial(found)",
    ],
    ids=["function", "object", "wrapped", "partial"],
)
def test_whatever_must_be_awaited_is(written, text):
    assert ask(written(text), "x") == ["x"]


def test_all_of_them_share_one_loop_and_one_thread(written, tmp_path):
    """A client that is made once belongs to the loop in which it was first used."""
    text = """
    import asyncio, threading
    lock = None
    async def search(query, top):
        global lock
        lock = lock or asyncio.Lock()
        async with lock:  # of another loop it would raise
            await asyncio.sleep(0)
            return [f"{id(asyncio.get_running_loop())} {threading.get_ident()}"]
    async def other(query, top):
        return await search(query, top)
    """
    first = written(text, concurrency=8)
    second = written(text, name="other", concurrency=8)
    places = ask_all(first, map(str, range(32)), 8)
    first.close()
    places += ask_all(second, map(str, range(32)), 8)
    assert len({tuple(one) for one in places}) == 1
    assert not any(str(threading.get_ident()) in one[0] for one in places)


def test_as_many_are_under_way_as_ask(written):
    """Each of four waits for the three others: one after the other they would wait in vain."""
    system = written("""
    import asyncio
    here, all_here = 0, None
    async def search(query, top):
        global here, all_here
        all_here = all_here or asyncio.Event()
        here += 1
        if here == 4:
            all_here.set()
        await asyncio.wait_for(all_here.wait(), 60)
        return [query]
    """, concurrency=4)  # fmt: skip
    assert ask_all(system, ["a", "b", "c", "d"], 4) == [["a"], ["b"], ["c"], ["d"]]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("raise ValueError('too bad')", "mine.py:3: ValueError: too bad"),
        ("import sys; sys.exit(3)", "mine.py:3: SystemExit: 3"),
        ("raise TimeoutError('its own')", "mine.py:3: TimeoutError: its own"),
        ("raise asyncio.CancelledError", "mine.py: CancelledError"),
        ("return None", "mine.py:search: returned None"),
    ],
)
def test_what_it_raises_belongs_to_that_query(written, body, says):
    text = f"import asyncio\nasync def search(query, top):\n    {body}"
    system = written(text, timeout_s=60)
    for _ in range(2):  # the loop lives on
        with pytest.raises(InputError) as caught:
            ask(system)
        assert caught.value.problem.startswith(says)
    assert ask(written("async def search(query, top):\n    return [query]"), "x") == ["x"]


def test_a_function_that_takes_too_long_is_cancelled(written):
    system = written("""
    import asyncio
    cancelled = []
    async def search(query, top):
        try:
            await asyncio.sleep(3600 if query == "slow" else 0)
        except asyncio.CancelledError:
            cancelled.append(query)
            raise
        return [len(cancelled)]
    """, timeout_s=0.05)  # fmt: skip
    with pytest.raises(InputError, match=r"no result within 0\.05 s"):
        ask(system, "slow")
    end = time.monotonic() + 60
    while ask(system, "fast") == ["0"] and time.monotonic() < end:
        time.sleep(0.01)
    assert ask(system, "fast") == ["1"]


def test_a_limit_that_cannot_be_kept_is_refused(written):
    with pytest.raises(InputError, match="has no effect") as refused:
        written("def search(query, top):\n    return []", timeout_s=1)
    assert refused.value.where == "timeout_s"
    for wrong in (0, -1, True, "1", 1e9):
        with pytest.raises(InputError, match="timeout_s"):
            written("async def search(query, top):\n    return []", timeout_s=wrong)


def test_closing_stops_what_is_under_way(written):
    text = "import asyncio\nasync def search(query, top):\n    await asyncio.sleep(3600)"
    system = written(text)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(ask, system)
        end = time.monotonic() + 60
        while not system._awaited and time.monotonic() < end:
            time.sleep(0.001)
        system.close()
        with pytest.raises(InputError, match="CancelledError"):
            waiting.result(60)


def test_a_result_that_is_late_disturbs_nobody():
    """What a cancelled task still raises goes nowhere: no warning, no message."""

    async def stubborn():
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            raise ValueError("while cancelled") from None

    future = event_loop.submit(stubborn())
    time.sleep(0.01)
    future.cancel()

    async def now():
        return 1

    assert event_loop.submit(now()).result(60) == (1, None)


PROGRAM = """
import asyncio, sys
async def search(query, top):
    print("asked", file=sys.stderr, flush=True)
    try:
        await asyncio.sleep(3600)
    finally:
        print("cleaned up", file=sys.stderr, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("concurrency", [1, 4])
def test_ctrl_c_ends_a_run_cleanly(tmp_path, concurrency):
    (tmp_path / "mine.py").write_text(PROGRAM)
    system = {"kind": "callable", "function": "mine.py:search", "concurrency": concurrency}
    queries = [
        {"query_key": f"q{at}", "query_text": "x", "relevant_docs": ["a"]} for at in range(9)
    ]
    (tmp_path / "dataset.json").write_text(json.dumps({"queries": queries}))
    benchmark = {"dataset": "dataset.json", "configurations": [{"name": "slow", "system": system}]}
    (tmp_path / "bench.json").write_text(json.dumps(benchmark))
    child = subprocess.Popen(
        [sys.executable, "-X", "dev", "-m", "assay", "run", "bench.json", "--workspace", ".assay"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert any("asked" in line for line in child.stderr)
        child.send_signal(signal.SIGINT)
        _, complaint = child.communicate(timeout=120)
    finally:
        child.kill()
    assert child.returncode == 130, complaint
    assert "cleaned up" in complaint
    assert "never retrieved" not in complaint
    assert "Traceback" not in complaint
    assert "destroyed" not in complaint


CLIENT = """
import httpx

client = httpx.AsyncClient()  # made once, used by all calls

async def search(query, limit, url):
    reply = await client.post(url, json={"q": query, "n": limit})
    return [hit["id"] for hit in reply.json()["hits"]]

async def other(query, limit, url):
    return await search(query, limit, url)

async def close(query, limit):
    await client.aclose()
    return []
"""


def test_a_real_async_client_serves_two_systems_one_after_the_other(serve, written):
    """httpx keeps connections that belong to the loop in which they were opened."""
    pytest.importorskip("httpx")
    url, asked = serve(lambda one: {"hits": [{"id": one.body["q"]}]})
    texts = [str(at) for at in range(24)]
    for name in ("search", "other"):
        system = written(CLIENT, name=name, settings={"url": url}, concurrency=8, timeout_s=60)
        assert ask_all(system, texts, 8) == [[text] for text in texts]
        system.close()
    ask(written(CLIENT, name="close"))
    assert len(asked) == 48
    assert len({one.port for one in asked}) <= 8  # kept connections, over both systems
