"""Latency by stages is that of whole searches, as far as these agree with themselves."""

from statistics import median

import pytest

import assay

pytestmark = pytest.mark.long

SEARCHES = [
    {"name": "words", "search": "lexical"},
    {"name": "near", "search": "dense", "model": "static"},
    {"name": "ranks", "model": "static", "fusion": "rrf", "lexical_unit": "chunk"},
    {"name": "both", "model": "static"},
    {"name": "unlike", "model": "static", "mmr": {"always": True}},
]
NOISE = 0.35  # others may work on the machine: two medians of the same differ


def p50s(place, **options):
    given = {"dataset": "stdlib", "metrics": ["ndcg@10"], "configurations": SEARCHES}
    report = assay.run(given, workspace=place, fresh=True, **options)
    return {run.name: run.latency_ms["p50"] for run in report.runs}


def test_stages_add_up_to_whole_searches(tmp_path):
    """Both are measured in turns; medians of three."""
    turns = [
        (p50s(tmp_path / f"staged{at}"), p50s(tmp_path / f"live{at}", live=True)) for at in range(3)
    ]
    for name in turns[0][0]:
        staged, live = (median(turn[side][name] for turn in turns) for side in (0, 1))
        print(f"{name}: {staged:.3f} ms by stages, {live:.3f} ms live, {staged / live:.2f}")  # noqa: T201
        assert 1 - NOISE < staged / live < 1 / (1 - NOISE), name
