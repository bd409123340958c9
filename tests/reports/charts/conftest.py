"""Reports of every shape that a chart may meet."""

import random

import pytest

from assay.records import (
    Comparison,
    Comparisons,
    Interval,
    Report,
    Run,
)
from assay.records.comparisons import Candidate
from assay.records.structure import Distribution, Structure
from assay.records.verdict import Verdict

LONG = "hybrid, chunker=code, chunk_size={size}, model=minilm, rerank=maxsim, fusion=rrf"
STAGES = ("chunking", "lexical", "dense", "fuse", "rerank", "collapse", "cut")


def structure(values):
    edges = tuple(0.05 * at for at in range(11))
    spread = Distribution(
        values, 0, 0.2, 0.0, 0.5, {"p50": 0.21}, edges, (1, 4, 9, 12, 20, 14, 8, 4, 2, 1)
    )
    return Structure(
        primary="ndcg@10",
        queries=values,
        studied=values,
        methods=(),
        against={},
        gates={},
        fallbacks={},
        rates={},
        parts={},
        distributions={"delta_h": spread},
        redundancy=None,
        diversified=0,
        relations={},
        suggested_alpha=None,
        targets={},
        verdict="",
    )


def one_run(name, at, *, queries, categories, rng, timed=True, **options):
    skill = 0.35 + 0.3 * rng.random()
    scores = {f"q{n}": min(1.0, max(0.0, rng.gauss(skill, 0.3))) for n in range(queries)}
    mean = sum(scores.values()) / max(1, queries)
    base = 0.4 * 1.6**at
    times = {key: base * rng.lognormvariate(0, 0.3) for key in scores}
    losses = [rng.random() for _ in STAGES]
    losses = {s: (1 - mean) * x / sum(losses) for s, x in zip(STAGES, losses, strict=True)}
    if at % 3 == 2:  # a stage that wins something back
        losses["rerank"] -= 0.08
        losses["cut"] += 0.08
    told = {
        "scores": {"ndcg@10": mean, "recall@5": 0.5},
        "intervals": {"ndcg@10": Interval(mean - 0.06, mean + 0.05)},
        "latency_ms": {
            "mean": base,
            "p50": base,
            "p95": 1.8 * base,
            "p99": 2.5 * base,
            "intervals": {"p50": [0.9 * base, 1.1 * base], "p99": [2 * base, None]},
            "queries": times,
        }
        if timed
        else {},
        "indexing": {"seconds": 12.0},
        "storage": {"index_bytes": 10_000 * (at + 1), "bytes_per_document": 100.0},
        "categories": {
            name: {"ndcg@10": min(1.0, max(0.0, mean + rng.gauss(0, 0.15))), "queries": 5}
            for name in categories
        },
        "per_query": {key: {"ndcg@10": score, "recall@5": 0.5} for key, score in scores.items()},
        "waterfall": losses,
        "structure": structure(queries) if at % 4 == 0 else None,
        **options,
    }
    configuration = {"search": "hybrid", "chunk_size": 64 * (at + 1), "mmr": {"lambda": 0.5}}
    return Run(name=name, fingerprint=f"{at:064x}", configuration=configuration, **told)


def compared(runs, queries):
    def about(run):
        gain = run.scores["ndcg@10"] - runs[0].scores["ndcg@10"]
        ends = Interval(gain - 0.03, gain + 0.03)
        own = Interval(0.4, 0.6)
        return Comparison(
            "ndcg@10",
            queries,
            0.5,
            0.5 + gain,
            own,
            own,
            gain,
            ends,
            0.01,
            0.02,
            0.3,
            1,
            2,
            3,
            0.05,
        )

    candidates = tuple(
        Candidate(run.name, {"ndcg@10": about(run)}, Verdict("hold", "why"), {}, ())
        for run in runs[1:]
    )
    best = max(runs, key=lambda run: run.scores["ndcg@10"]).name
    return Comparisons(
        runs[0].name, "ndcg@10", queries, candidates, (), (best,), best, 0.1, 0.05, ()
    )


def analysis(runs, rng):
    effects = [
        {
            "parameter": parameter,
            "levels": [],
            "effects": [
                {"from": a, "to": b, "difference": d, "ci": [d - 0.03, d + 0.03], "p": 0.1}
                for a, b in values
                for d in (rng.gauss(0, 0.05),)
            ],
        }
        for parameter, values in (
            ("chunk_size", [(64, 128), (64, 256)]),
            ("a rather long name of a setting that was swept", [("none", "a" * 60)]),
            ("coherence.alpha", [(0.1, 0.2), (0.1, 0.3)]),
        )
    ]
    loads = {
        run.name: {
            "capacity_qps": 1000 / run.latency_ms["p50"],
            "loads": [
                {"qps": q, "p95_ms": p95 * (1 + q / 300) if q * p95 < 3000 else None}
                for q in (1.0, 5.0, 10.0, 50.0, 100.0)
                for p95 in (run.latency_ms["p95"],)
            ],
        }
        for run in runs
        if run.latency_ms
    }
    across = [
        {
            "parameter": parameter,
            "group": {"search": "hybrid", "rerank": group},
            "points": [
                {"value": v, "run": run.name, "p50": p50 * (1 + v / 200), "p95": 1, "score": 0.61}
                for v in (50, 100, 200, 400)
                for p50 in (run.latency_ms["p50"],)
            ],
        }
        for parameter in ("depth", "top_k")
        for run, group in zip(runs, ("none", "maxsim", "a longer name of a reranker"), strict=False)
        if run.latency_ms
    ]
    clusters = [
        {
            "cluster": at,
            "terms": ["error", "timeout", "socket", "retry"][: at + 1],
            "queries": 10 + at,
            "keys": [],
            "mean": 0.5,
            "scores": {run.name: rng.random() for run in runs},
        }
        for at in range(4)
    ]
    lines = [
        {
            "index": {"kind": kind, "m": 16 * (at + 1)},
            "setting": "ef_search",
            "group": {"precision": "a longer name of a setting"} if at else {},
            "points": [
                {"run": run.name, "value": 2**n, "recall": 1 - 0.5**n / (at + 1)}
                | {"p50": 0.1 * 2**n, "p95": 0.3 * 2**n, "score": 0.4 + 0.01 * n}
                for n in range(1, 8)
            ],
        }
        for at, (run, kind) in enumerate(zip(runs, ("hnsw", "hnsw", "store"), strict=False))
        if run.latency_ms
    ]
    exact = {runs[0].name: {"p50": 20.0, "p95": 30.0, "score": 0.47}}
    return {
        "approximate": {"k": 10, "margin": 0.02, "lines": lines, "exact": exact},
        "main_effects": effects,
        "load": {"cores": 2, "runs": loads},
        "latency_across": across,
        "clusters": clusters,
    }


def made(
    names,
    *,
    queries=40,
    categories=("how", "where", "why"),
    benchmark=(),
    analysed=True,
    **options,
):
    rng = random.Random(7)
    shared = {"queries": queries, "categories": categories, "rng": rng}
    runs = [one_run(name, at, **shared, **options) for at, name in enumerate(names)]
    texts = {f"q{n}": {"text": f"how to do thing {n}", "category": "how"} for n in range(queries)}
    best = max(runs, key=lambda run: run.scores["ndcg@10"]).name if runs else ""
    return Report(
        benchmark={
            "name": "bench",
            "metrics": ["ndcg@10"],
            "primary": "ndcg@10",
            "baseline": names[0] if names else "",
            **dict(benchmark),
        },
        dataset={"name": "d", "queries": queries},
        corpus={"name": "c", "documents": 9},
        environment={"cores": 2},
        runs=tuple(runs),
        comparisons=compared(runs, queries) if len(runs) > 1 else None,
        winner={"best": best, "pick": best} if runs else {},
        queries=texts,
        analysis=analysis(runs, rng) if runs and analysed else {},
    )


def with_odd_runs():
    report = made(["words", "meaning", "both"], analysed=False)
    lost = Run(name="broken", fingerprint="f", configuration={}, status="failed", error="no index")
    beaten = one_run("beaten", 3, queries=9, categories=(), rng=random.Random(1), status="beaten")
    return Report(
        **{
            key: getattr(report, key)
            for key in ("benchmark", "dataset", "corpus", "environment", "comparisons")
        },
        runs=(*report.runs, lost, beaten),
        winner=report.winner,
        queries=report.queries,
        analysis=report.analysis,
    )


LONG_NAMES = [LONG.format(size=64 * (at + 1)) for at in range(16)]
SHAPES = {
    "empty": lambda: made([]),
    "one": lambda: made(["only"]),
    "three": lambda: made(
        ["words", "meaning", "both"], benchmark={"budgets": {"latency_p50_ms": 0.7}}
    ),
    "sixteen": lambda: made(LONG_NAMES),
    "many_queries": lambda: made(LONG_NAMES, queries=1000),
    "one_query": lambda: made(["words", "meaning"], queries=1, analysed=False),
    "many_categories": lambda: made(
        LONG_NAMES, categories=[f"category {n} with a long name of many words" for n in range(20)]
    ),
    "untimed": lambda: made(["words", "meaning", "both"], timed=False),
    "equal": lambda: made(
        ["a", "b"],
        analysed=False,
        scores={"ndcg@10": 0.0},
        intervals={},
        per_query={f"q{n}": {"ndcg@10": 0.0} for n in range(40)},
        latency_ms={"p50": 1.0, "p95": 1.0, "p99": 1.0},
        categories={"x": {"ndcg@10": 0.0, "queries": 1}},
        waterfall={"lexical": 1.0},
    ),
    "negative": lambda: made(
        ["a", "b"],
        analysed=False,
        per_query={f"q{n}": {"ndcg@10": -0.5 + n / 20} for n in range(20)},
        categories={"x": {"ndcg@10": -0.3, "queries": 1}, "": {"ndcg@10": 0.3, "queries": 2}},
    ),
    "odd_runs": with_odd_runs,
    "unicode": lambda: made(
        ["検索エンジン", "поиск <b>&amp;</b>", 'a "quoted"\nname\x1b[31m', "x" * 300, "🙂 e\u0301"],
        categories=["日本語のカテゴリー", "<script>", "ünïcödé"],
        benchmark={"name": "名前 & <name>"},
    ),
}


@pytest.fixture(scope="session")
def make_report():
    """Return a report of runs with these names, each as ``options`` say."""
    return made


@pytest.fixture(scope="session")
def shapes():
    """Return each kind of report by its name."""
    return {name: make() for name, make in SHAPES.items()}
