"""A report of many runs and queries: rankings are made, all else is measured on them."""

import random
from collections.abc import Mapping
from typing import Any

import assay
from assay.records import Comparisons, Report, Run

__all__ = ["made_report"]

METRICS = ("ndcg@10", "recall@5", "mrr@10")
CATEGORIES = ("api", "concept", "error", "function", "pattern")
WORDS = ("how", "does", "the", "parser", "read", "nested", "lists", "when", "one", "is", "missing")
STAGES = ("corpus", "lexical", "fuse", "rerank", "order")
Rankings = dict[str, dict[str, float]]


def made_report(queries: int, runs: int) -> Report:
    """Make rankings of growing skill, compare them, and tell of each query what a run would."""
    rng = random.Random(1)
    keys = [f"query-{at:04}" for at in range(queries)]
    pools = {key: [_document(rng) for _ in range(60)] for key in keys}
    judged = {key: {name: _grade(at) for at, name in enumerate(pools[key][:18])} for key in keys}
    names = [
        f"hybrid chunk_size={128 * (1 + at % 4)} depth={50 * (1 + at // 4)}" for at in range(runs)
    ]
    found = [_rankings(rng, pools, judged, 0.6 + 0.05 * at) for at in range(runs)]
    compared = assay.compare(
        found[0], found[1:], qrels=judged, metrics=METRICS, names=names, flips=1000
    )
    return Report(
        benchmark={"name": "large", "metrics": [*METRICS], "primary": METRICS[0]},
        dataset={"name": "made", "queries": queries, "fingerprint": "0" * 64},
        corpus={"name": "made", "documents": 20_000, "fingerprint": "1" * 64},
        environment={"cores": 2},
        runs=tuple(_run(rng, compared, at, found[at], judged) for at in range(runs)),
        comparisons=compared,
        truth={"total": 18 * queries, "resolved": 18 * queries, "judged@10": 0.6},
        queries={key: _known(rng, at, judged[key]) for at, key in enumerate(keys)},
    )


def _document(rng: random.Random) -> str:
    part = rng.randrange(20_000)
    return f"src/package_{part % 40}/module_{part % 900}/file_{part}.py"


def _grade(at: int) -> int:
    return max(0, 3 - at)  # three relevant documents for a query, the others are judged, too


def _rankings(
    rng: random.Random,
    pools: Mapping[str, list[str]],
    judged: Mapping[str, Mapping[str, int]],
    skill: float,
) -> Rankings:
    """Rank each pool by grades that are seen through noise."""
    return {
        key: dict(
            sorted(
                ((name, skill * judged[key].get(name, 0) + rng.gauss(0, 1)) for name in pool),
                key=lambda one: -one[1],
            )[:10]
        )
        for key, pool in pools.items()
    }


def _run(
    rng: random.Random,
    compared: Comparisons,
    at: int,
    rankings: Rankings,
    judged: Mapping[str, Mapping[str, int]],
) -> Run:
    told = compared.evaluations[at]
    keys = list(told.queries)
    per_query = {
        key: {name: float(told.per_query[name][row]) for name in METRICS}
        for row, key in enumerate(keys)
    }
    lost = {key: 1 - per_query[key][METRICS[0]] for key in keys}
    times = {key: (2 + at) * rng.lognormvariate(0, 0.3) for key in keys}
    middle = sorted(times.values())
    return Run(
        name=told.run,
        fingerprint=f"{at:064}",
        configuration={"search": "hybrid", "chunk_size": 128 * (1 + at % 4), "depth": 50 + at},
        scores=told.scores,
        intervals=told.intervals or {},
        latency_ms={
            **{f"p{p}": middle[len(middle) * p // 100] for p in (50, 95, 99)},
            "queries": times,
        },
        indexing={"seconds": 30.0 + at},
        storage={"index_bytes": 10**7 * (1 + at % 4), "bytes_per_document": 500.0 * (1 + at % 4)},
        per_query=per_query,
        rankings={key: tuple(one) for key, one in rankings.items()},
        losses={
            key: {stage: lost[key] / len(STAGES) for stage in STAGES}
            for key in keys
            if lost[key] > 0
        },
        waterfall={stage: sum(lost.values()) / len(keys) / len(STAGES) for stage in STAGES},
        missed={key: _missed(rng, rankings[key], judged[key]) for key in keys},
        judged_at_10=0.6,
    )


def _missed(
    rng: random.Random, ranking: Mapping[str, float], judged: Mapping[str, int]
) -> dict[str, str]:
    relevant = [name for name, grade in judged.items() if grade]
    return {name: rng.choice(STAGES) for name in relevant if name not in ranking}


def _known(rng: random.Random, at: int, judged: Mapping[str, int]) -> dict[str, Any]:
    return {
        "text": " ".join(rng.choices(WORDS, k=9)),
        "category": CATEGORIES[at % len(CATEGORIES)],
        "predicted": rng.random(),
        "judged": judged,
    }
