"""Latency by stages is that of whole searches, as far as these agree with themselves."""

import math

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
NAMES = [one["name"] for one in SEARCHES]
TURNS = 8
NOISE = 0.25  # the lowest of few medians still differ


def p50s(place, **options):
    given = {"dataset": "stdlib", "metrics": ["ndcg@10"], "configurations": SEARCHES}
    report = assay.run(given, workspace=place, fresh=True, **options)
    return {run.name: run.latency_ms["p50"] for run in report.runs}


def test_stages_add_up_to_whole_searches(tmp_path):
    """Both are measured in turns, until the lowest of each agree: other work only adds to a time.

    What stages leave out, or count twice, keeps them apart in every turn.
    """
    lowest = [dict.fromkeys(NAMES, math.inf), dict.fromkeys(NAMES, math.inf)]
    for at in range(TURNS):
        for side, options in enumerate(({}, {"live": True})):
            found = p50s(tmp_path / f"{side}-{at}", **options)
            lowest[side] = {name: min(lowest[side][name], found[name]) for name in NAMES}
        ratios = {name: lowest[0][name] / lowest[1][name] for name in NAMES}
        print(f"turn {at + 1}, by stages / live: {ratios}")  # noqa: T201
        if all(1 - NOISE < ratio < 1 / (1 - NOISE) for ratio in ratios.values()):
            return
    pytest.fail(f"by stages / live: {ratios}")
