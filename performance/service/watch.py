"""python -m performance.service.watch HOST:PORT BENCHMARK VIEWERS: watch as so many browsers do.

The token comes on stdin. Prints ``ready`` when all have a snapshot, and at the end what each viewer
saw: when which number of queries was finished, and the last state.
"""

import asyncio
import json
import sys
import time
from typing import Any

from websockets.asyncio.client import connect

__all__ = ["watch"]

ENDED = {"completed", "failed", "cancelled"}
PATIENCE_S = 600.0


async def watch(place: str, token: str, benchmark: str, viewers: int) -> list[dict[str, Any]]:
    """Return what each viewer saw until the benchmark ended."""
    ready = asyncio.Semaphore(0)
    address = f"ws://{place}/api/v1/progress?benchmark={benchmark}"
    headers = {"Authorization": f"Bearer {token}"}

    async def view() -> dict[str, Any]:
        seen: list[tuple[float, int]] = []
        async with connect(address, additional_headers=headers, proxy=None) as socket:
            async for text in socket:
                now, message = time.time(), json.loads(text)
                found = message.get("benchmarks") or [message.get("benchmark")]
                if message["type"] == "snapshot":
                    ready.release()
                if found[0] is None:  # a ping
                    continue
                seen.append((now, sum(run["done"] for run in found[0]["runs"])))
                if found[0]["state"] in ENDED:
                    return {"seen": seen, "state": found[0]["state"]}
        return {"seen": seen, "state": "lost"}

    tasks = [asyncio.ensure_future(view()) for _ in range(viewers)]
    for _ in range(viewers):
        await ready.acquire()
    print("ready", flush=True)
    async with asyncio.timeout(PATIENCE_S):
        return list(await asyncio.gather(*tasks))


def _main() -> None:
    place, benchmark, viewers = sys.argv[1:]
    token = sys.stdin.readline().strip()
    print(json.dumps(asyncio.run(watch(place, token, benchmark, int(viewers)))), flush=True)


if __name__ == "__main__":
    _main()
