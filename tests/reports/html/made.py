"""Reports that are made for a page: as many runs and queries as a test asks for."""

import random
from dataclasses import replace

from assay.records import (
    Candidate,
    Comparison,
    Comparisons,
    Interval,
    Report,
    Run,
    Verdict,
)

METRICS = ("ndcg@10", "recall@5")
OUTCOMES = ("ship", "hold", "dont_ship", "needs_queries")


def made_run(name, keys, *, rng, skill=0.5, **options):
    scores = {key: min(1.0, max(0.0, rng.gauss(skill, 0.3))) for key in keys}
    mean = sum(scores.values()) / max(1, len(keys))
    told = {
        "configuration": {"search": "lexical", "depth": round(100 * skill)},
        "scores": {"ndcg@10": mean, "recall@5": mean / 2},
        "intervals": {"ndcg@10": Interval(mean - 0.1, mean + 0.1)},
        "latency_ms": {
            **{part: 10.0 * skill * at for at, part in enumerate(("p50", "p95", "p99"), 1)},
            "queries": {key: 9.87654 for key in keys},
        },
        "indexing": {"seconds": 1.5},
        "storage": {"index_bytes": 1000, "bytes_per_document": 4567.8},
        "per_query": {key: {"ndcg@10": s, "recall@5": s / 2} for key, s in scores.items()},
        "rankings": {key: tuple(rng.sample(DOCUMENTS, 10)) for key in keys},
        "waterfall": {"lexical": 0.6 * (1 - mean), "order": 0.4 * (1 - mean)},
        "losses": {key: {"lexical": 0.25, "order": 0.125} for key in keys},
        "missed": {key: {"doc-0.py": "lexical"} for key in keys[:3]},
        "judged_at_10": 0.75,
    }
    return Run(name=name, fingerprint="ab" * 32, **{**told, **options})


DOCUMENTS = [f"doc-{at}.py" for at in range(40)]


def made_comparison(metric, first, second):
    difference = second.scores[metric] - first.scores[metric]
    pairs = [(first.per_query[k][metric], second.per_query[k][metric]) for k in first.per_query]
    return Comparison(
        metric=metric,
        queries=len(pairs),
        baseline=first.scores[metric],
        candidate=second.scores[metric],
        baseline_interval=Interval(0.1, 0.9),
        candidate_interval=Interval(0.1, 0.9),
        difference=difference,
        interval=Interval(difference - 0.05, difference + 0.05),
        p=0.04,
        p_corrected=0.04,
        standardised=0.2,
        wins=sum(b > a for a, b in pairs),
        ties=sum(b == a for a, b in pairs),
        losses=sum(b < a for a, b in pairs),
        smallest_detectable=0.1,
    )


def made_comparisons(runs, queries):
    done = [run for run in runs if run.status == "completed"]
    if len(done) < 2:
        return None
    candidates = tuple(
        Candidate(
            run=run.name,
            metrics={name: made_comparison(name, done[0], run) for name in METRICS},
            verdict=Verdict(OUTCOMES[at % 4], f"The reason of {run.name}.", 12, "More queries."),
            agreement={},
            changes=(),
        )
        for at, run in enumerate(done[1:])
    )
    return Comparisons(
        baseline=done[0].name,
        primary="ndcg@10",
        queries=queries,
        candidates=candidates,
        judge_next=(),
        best_set=(done[1].name,),
        best=done[1].name,
        observed_gain=0.1,
        corrected_gain=0.05,
        evaluations=(),
        settings={"alpha": 0.05, "correction": "holm", "margin": 0.02},
    )


def made_report(names=("words", "meaning", "both"), queries=12, *, texts=None, runs=(), **options):
    """Make a report; ``runs`` replaces fields of the runs by their place."""
    rng = random.Random(7)
    texts = texts or {f"q{at}": f"what is number {at}" for at in range(queries)}
    keys = [*texts]
    made = [made_run(name, keys, rng=rng, skill=0.3 + 0.4 * rng.random()) for name in names]
    for at, changes in dict(runs).items():
        made[at] = replace(made[at], **changes)
    facts = {
        key: {
            "text": text,
            "category": ("api", "error")[at % 2],
            "judged": {"doc-0.py": 3, "doc-1.py": 0, f"doc-{at % 30 + 2}.py": 1},
        }
        for at, (key, text) in enumerate(texts.items())
    }
    told = {
        "benchmark": {"name": "bench", "metrics": list(METRICS), "primary": "ndcg@10"},
        "dataset": {"name": "d", "queries": len(keys), "fingerprint": "0" * 64},
        "corpus": {"name": "c", "documents": len(DOCUMENTS), "fingerprint": "1" * 64},
        "environment": {"cores": 2, "python": "3.11", "packages": {"numpy": "2.0"}},
        "truth": {"total": 30, "resolved": 28, "missing": 2, "leaked": 1, "judged@10": 0.75},
        "comparisons": made_comparisons(made, len(keys)),
        "id": "0123456789ab",
        "notes": ("a note on the whole",),
        "queries": facts,
        "recommendations": {"pick": {"run": names[-1], "by": "ndcg@10", "reason": "it is good"}}
        if names
        else {},
    }
    return Report(runs=tuple(made), **{**told, **options})
