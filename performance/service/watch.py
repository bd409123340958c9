"""python -m performance.service.watch BENCHMARK VIEWERS HOST:PORT...: watch as browsers do.

The token comes on stdin. Prints ``ready`` when all have a snapshot, and at the end what each viewer
received: when, the version, how many queries were finished, and the state.
"""

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from typing import Any

from websockets.asyncio.client import connect

__all__ = ["watch"]

ENDED = {"completed", "failed", "cancelled"}
PATIENCE_S = 600.0
AT_ONCE = 20  # viewers that connect at the same time
AFTER_S = 1.0  # for which a viewer stays after the end


async def watch(
    benchmark: str, viewers: int, places: Sequence[str], token: str
) -> list[dict[str, Any]]:
    """Connect viewers to several processes in turns; returns what each received."""
    connecting, greeted = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(0)
    tasks = [
        asyncio.create_task(
            _view(benchmark, places[number % len(places)], token, connecting, greeted)
        )
        for number in range(viewers)
    ]
    async with asyncio.timeout(PATIENCE_S):
        for _ in tasks:
            await greeted.acquire()
        print("ready", flush=True)
        return list(await asyncio.gather(*tasks))


async def _view(
    benchmark: str,
    place: str,
    token: str,
    connecting: asyncio.Semaphore,
    greeted: asyncio.Semaphore,
) -> dict[str, Any]:
    address = f"ws://{place}/api/v1/progress?benchmark={benchmark}"
    headers = {"Authorization": f"Bearer {token}"}
    seen: list[tuple[float, int, int, str]] = []
    options: dict[str, Any] = {"additional_headers": headers, "proxy": None, "open_timeout": 60}
    await connecting.acquire()
    async with connect(address, **options) as socket:
        connecting.release()
        async for text in socket:
            now, message = time.time(), json.loads(text)
            found = message.get("benchmarks") or [message.get("benchmark")]
            if message["type"] == "snapshot":
                greeted.release()
            if found[0] is None:  # a ping
                continue
            done = sum(run["done"] for run in found[0]["runs"])
            seen.append((now, message["version"], done, found[0]["state"]))
            if found[0]["state"] in ENDED:
                await asyncio.sleep(AFTER_S)
                break
    return {"place": place, "seen": seen}


def _main() -> None:
    benchmark, viewers, *places = sys.argv[1:]
    token = sys.stdin.readline().strip()
    print(json.dumps(asyncio.run(watch(benchmark, int(viewers), places, token))), flush=True)


if __name__ == "__main__":
    _main()
