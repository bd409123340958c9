"""Score a run held as Assay's records: python memory_assay.py QRELS RUN REPEATS METRIC..."""

import json
import sys

from _timing import timed

from assay.datasets.load_judgments import load_judgments
from assay.metrics import parse_all
from assay.rankings.judge import judge
from assay.rankings.load import load

_, qrels, run, repeats, *names = sys.argv
judgments, rankings, metrics = load_judgments(qrels), load(run), parse_all(names)


def score() -> dict[str, float]:
    """Judge afresh and score: nothing is carried over from an earlier call."""
    judged = judge(judgments, rankings)
    return {str(metric): float(metric.score(judged).mean()) for metric in metrics}


print(json.dumps(timed(score, int(repeats))))
