"""Recommend: which run is the best by quality, speed, recall, and all of it together."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from assay.records import Run

__all__ = ["recommend"]

LATENCY = "latency_p50_ms"
QUESTIONS = ("best_quality", "fastest", "best_recall", "best_balance", "pick")


def recommend(
    runs: Sequence[Run],
    *,
    primary: str,
    best_set: Collection[str] = (),
    refused: Collection[str] = (),
    silent: Collection[str] = (),
) -> dict[str, dict[str, Any] | None]:
    """Name a run for each question; None where nothing was measured that could answer it.

    ``best_set`` are the runs that cannot be told from the best, of which the fastest is the pick.
    The first of equals is named. A run whose time is not known can be the best, not the fastest;
    nor can one whose queries failed, or that answered nothing (``silent``): it saved its time. What
    is ``refused`` by its verdict is neither picked nor a good balance. Times are compared only
    between runs that were asked as many queries at once; the pick was asked as the best was.
    """
    known = [run for run in runs if primary in run.scores]
    timed = [run for run in known if _is_timed(run) and run.name not in silent]
    allowed = [run for run in timed if run.name not in refused]
    found: dict[str, dict[str, Any] | None] = dict.fromkeys(QUESTIONS)
    if not known:
        return found
    recall = _recall(known[0])
    found["best_quality"] = _named(_most(known, primary), primary)
    found["best_recall"] = _named(_most(known, recall), recall) if recall else None
    if len(set(map(_at_once, timed))) == 1:
        found["fastest"] = _named(min(timed, key=_latency), LATENCY)
    if len(set(map(_at_once, allowed))) == 1:
        found["best_balance"] = _balanced(allowed, primary)
    alike = [run for run in allowed if run.name in best_set or run is _most(known, primary)]
    if alike:
        like = _at_once(_most(alike, primary))
        picked = min((run for run in alike if _at_once(run) == like), key=_latency)
        found["pick"] = _named(picked, LATENCY)
    return found


def _is_timed(run: Run) -> bool:
    return "p50" in run.latency_ms and not run.errors


def _latency(run: Run) -> float:
    return float(run.latency_ms["p50"])


def _at_once(run: Run) -> int:
    return int(run.latency_ms.get("concurrency", 1))


def _most(runs: Sequence[Run], metric: str) -> Run:
    return max(runs, key=lambda run: run.scores[metric])


def _named(run: Run, by: str) -> dict[str, Any]:
    return {"run": run.name, "by": by, "value": _latency(run) if by == LATENCY else run.scores[by]}


def _recall(run: Run) -> str:
    """Choose the deepest recall that was measured."""
    named = [name for name in run.scores if name.startswith("recall") and "@" in name]
    return max(named, key=lambda name: int(name.rpartition("@")[2]), default="")


def _balanced(runs: Sequence[Run], primary: str) -> dict[str, Any]:
    """Average quality / best quality and min-max speed (Akashic); equal latencies are speed 1."""
    best = max(run.scores[primary] for run in runs)
    times = [_latency(run) for run in runs]
    spread = max(times) - min(times)

    def balance(run: Run) -> float:
        quality = run.scores[primary] / best if best else 0.0
        speed = 1 - (_latency(run) - min(times)) / spread if spread else 1.0
        return (quality + speed) / 2

    return _best(runs, balance)


def _best(runs: Sequence[Run], balance: Callable[[Run], float]) -> dict[str, Any]:
    chosen = max(runs, key=balance)
    return {"run": chosen.name, "by": "balance", "value": balance(chosen)}
