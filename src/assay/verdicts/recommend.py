"""Recommend: which run is the best by quality, speed, recall, and all of it together."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from assay.records import Run

__all__ = ["recommend"]

LATENCY = "latency_p50_ms"


def recommend(
    runs: Sequence[Run], *, primary: str, best_set: Collection[str] = ()
) -> dict[str, dict[str, Any] | None]:
    """Name a run for each question; None where nothing was measured that could answer it.

    ``best_set`` are the runs that cannot be told from the best, of which the fastest is the pick.
    The first of equals is named.
    """
    known = [run for run in runs if primary in run.scores and "p50" in run.latency_ms]
    if not known:
        return dict.fromkeys(("best_quality", "fastest", "best_recall", "best_balance", "pick"))
    recall = _recall(known[0])
    alike = [run for run in known if run.name in best_set] or [_most(known, primary)]
    return {
        "best_quality": _named(_most(known, primary), primary),
        "fastest": _named(min(known, key=_latency), LATENCY),
        "best_recall": _named(_most(known, recall), recall) if recall else None,
        "best_balance": _balanced(known, primary),
        "pick": _named(min(alike, key=_latency), LATENCY),
    }


def _latency(run: Run) -> float:
    return float(run.latency_ms["p50"])


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
