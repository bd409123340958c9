"""Likelihood: how probably an unjudged document is relevant, learnt from what has been judged.

Runs that rank a document high say that it is relevant, and so do the grades of its query's other
documents. A logistic regression on both is fitted to the judgments so far, and drawn to what is
usual in pools while there are few (Carterette, Allan and Sitaraman, SIGIR 2006, weigh documents by
such a chance; Losada, Parapar and Barreiro, SAC 2016, learn it as the judging goes on).
"""

import numpy as np

from assay.records import Bools, Floats, Ints

__all__ = ["likelihood"]

# What is expected before anything is judged: a document that no run shows high is seldom relevant,
# one that all show first mostly is. It counts as much as STRENGTH says, in judgments.
USUAL = np.array([-2.5, 3.0, 1.0, 1.0])
STRENGTH = 4.0
STEPS = 6  # of Newton's method, which is there after three or four


def likelihood(share: Floats, query: Ints, relevant: Bools, judged: Bools) -> Floats:
    """Return the chance that each document is relevant.

    ``share`` is how much each run makes of a document: a row for each, from 0 (not shown) to 1.
    Of those that are ``judged``, ``relevant`` says whether they are.
    """
    features = _features(share, query, relevant, judged)
    known, wanted = features[judged], relevant[judged].astype(np.float64)
    weights = USUAL.copy()
    for _ in range(STEPS if len(known) else 0):
        chance = _logistic(known @ weights)
        slope = known.T @ (wanted - chance) - STRENGTH * (weights - USUAL)
        bend = (known * (chance * (1 - chance))[:, None]).T @ known
        step = np.linalg.solve(bend + STRENGTH * np.eye(len(weights)), slope)
        weights = weights + np.clip(step, -2.0, 2.0)
    return _logistic(features @ weights)


def _features(share: Floats, query: Ints, relevant: Bools, judged: Bools) -> Floats:
    """Lay out a one, the mean and the best share, and how the query's other documents did."""
    size = int(query.max(initial=-1)) + 1
    found = np.bincount(query, relevant & judged, minlength=size)
    seen = np.bincount(query, judged, minlength=size)
    own = (relevant & judged).astype(np.float64), judged.astype(np.float64)
    base = (relevant & judged).sum() + 1.0, judged.sum() + 4.0
    usual = base[0] / base[1]
    others = (found[query] - own[0] + 4.0 * usual) / (seen[query] - own[1] + 4.0)
    columns = (np.ones(len(query)), share.mean(axis=1), share.max(axis=1), _logit(others))
    centred = columns[3] - _logit(np.array([usual]))
    return np.stack([columns[0], columns[1], columns[2], centred], axis=1)


def _logistic(value: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(value, -30.0, 30.0))), np.float64)


def _logit(chance: Floats) -> Floats:
    return np.asarray(np.log(chance) - np.log1p(-chance), np.float64)
