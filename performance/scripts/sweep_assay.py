"""Replay configurations: python sweep_assay.py QUERIES DEPTH CONFIGURATIONS SEARCHED.

Each is replayed, and replayed and scored; of some, the stages are called query by query.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from _sweep import DOCUMENTS, judgments, parts

from assay.engines.fusions import Fusion
from assay.engines.fusions.blend import blend
from assay.engines.fusions.min_max import min_max
from assay.engines.fusions.rrf import rrf
from assay.engines.fusions.z_score import z_score
from assay.engines.stages.collapse import collapse
from assay.engines.stages.cut import cut
from assay.engines.stages.fuse import fuse
from assay.engines.stages.threshold import threshold
from assay.engines.sweep.sweep import ReplayedRankings, listen, record
from assay.metrics import parse
from assay.rankings.judge import judge
from assay.records import FoundRows, Rankings, SearchInput

_, queries, depth, configurations, searched = map(int, [0, *sys.argv[1:]])
TOP_K = 100
PARTS, METRIC = parts(queries, depth), parse("ndcg@10")
JUDGMENTS, NAMES = judgments(queries), np.array([str(code).encode() for code in DOCUMENTS])
ASKED = [SearchInput(str(query)) for query in range(queries)]
Chosen = tuple[Fusion, float | None]


def chosen() -> list[Chosen]:
    """Vary weights, k and thresholds of rrf in three fifths, weights of the others in two."""
    weights = [(at / 50, 1 - at / 50) for at in range(50)]
    by_rank: list[Chosen] = [
        (rrf(k=k, weights=pair), value)
        for k in (1, 20, 60, 100)
        for value in (None, 0.2, 0.4)
        for pair in weights
    ]
    makers: list[Callable[..., Fusion]] = [min_max, z_score, blend]
    by_score = [(make(weights=(a + part, b)), None) for part in (0, 0.5, 1, 2) for make in makers
                for a, b in weights]  # fmt: skip
    some = by_rank[: 3 * configurations // 5]
    return some + by_score[: configurations - len(some)]


def live(fusion: Fusion, value: float | None, found: list[list[FoundRows]]) -> list[FoundRows]:
    """Run the stages after those that retrieve, query by query."""
    steps = [threshold(value)] if value is not None else []
    steps += [collapse(DOCUMENTS), cut(TOP_K)]
    first = fuse(fusion, parts=PARTS, fill=fusion.scored)
    rankings = []
    for asked, lists in zip(ASKED, found, strict=True):
        one = first(asked, lists)
        for step in steps:
            one = step(asked, [one])
        rankings.append(one)
    return rankings


def score(replayed: ReplayedRankings) -> float:
    """Judge a replay, and return its mean."""
    rankings = Rankings(
        "", JUDGMENTS.queries, replayed.offsets, NAMES[replayed.rows], replayed.scores
    )
    return float(METRIC.score(judge(JUDGMENTS, rankings)).mean())


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds of a call, and what it gave."""
    start = time.process_time()
    value = call()
    return time.process_time() - start, value


def check(replayed: ReplayedRankings, rankings: list[FoundRows]) -> None:
    """Stop where a replay is not bit for bit what the stages give."""
    rows = np.concatenate([one.rows for one in rankings])
    scores = np.concatenate([one.scores for one in rankings])
    same = np.array_equal(rows, replayed.rows) and scores.tobytes() == replayed.scores.tobytes()
    if not (same and np.diff(replayed.offsets).tolist() == [len(one.rows) for one in rankings]):
        raise SystemExit("a replay differs from the stages")


heard = [listen(asked, PARTS) for asked in ASKED]
recording_s, recording = timed(lambda: record(heard, depth=depth, documents=DOCUMENTS))


def replay(one: Chosen) -> ReplayedRankings:
    """Replay one configuration."""
    return recording.replay(fusion=one[0], threshold=one[1], collapse="max", top_k=TOP_K)


sweep = chosen()
replay_s, _ = timed(lambda: [len(replay(one).rows) for one in sweep])
scored_s, _ = timed(lambda: [score(replay(one)) for one in sweep])
found = [[part(asked, []) for part in PARTS] for asked in ASKED]
few = sweep[:: max(1, len(sweep) // searched)]
live_s, by_stages = timed(lambda: [live(*one, found) for one in few])
for one, rankings in zip(few, by_stages, strict=True):
    check(replay(one), rankings)
union = sum(len(np.union1d(*(one.rows for one in lists))) for lists in found) / queries
print(json.dumps({
    "record_s": recording_s, "replay_s": replay_s / len(sweep), "scored_s": scored_s / len(sweep),
    "live_s": live_s / len(few), "union": union, "count": len(sweep), "searched": len(few),
    "documents": float(np.mean([len(one.rows) for one in by_stages[0]])),
}))  # fmt: skip
