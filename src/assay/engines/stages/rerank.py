"""Rerank: rescore the top results with a slower, more precise model."""

from collections.abc import Callable, Sequence

import numpy as np

from assay.engines.check_values import check_count, check_share
from assay.engines.rank_rows import above, ranked
from assay.engines.stages._step import Step
from assay.errors import InputError
from assay.records import Floats, FoundRows, Ints, PairScorer, SearchInput
from assay.records.fingerprint import fingerprint_settings
from assay.text.count_noun import count_noun

__all__ = ["rerank"]


def rerank(
    scorer: PairScorer,
    texts: Callable[[SearchInput, Ints], Sequence[str]],
    *,
    depth: int,
    weight: float = 1.0,
) -> Step:
    """Rescore the top ``depth`` results; the others stay below them, in their order.

    With a ``weight`` below 1, the new score is a weighted mean of both scores, each scaled to 0..1
    by min-max over the top ``depth``. The scores of the other results only encode their order: each
    is one less than the score above it.
    """
    check_count(depth, where="rerank_depth")
    check_share(weight, where="rerank weight")

    def run(asked: SearchInput, found: Sequence[FoundRows]) -> FoundRows:
        (only,) = found
        rows = only.rows[:depth]
        if not len(rows):
            return FoundRows(only.rows, only.scores, "rerank")
        judged = _judge(scorer, asked.text, texts(asked, rows))
        head = ranked(rows, _mixed(judged, only.scores[:depth], weight), kind="rerank")
        return above(head, only.rows[depth:])

    return Step(
        name="rerank",
        identify=lambda: fingerprint_settings(
            stage="rerank", scorer=scorer.fingerprint, depth=depth, weight=weight
        ),
        run=run,
    )


def _judge(scorer: PairScorer, query: str, texts: Sequence[str]) -> Floats:
    scores = np.asarray(scorer.score(query, texts), dtype=np.float64)
    if scores.shape != (len(texts),) or not np.isfinite(scores).all():
        raise InputError(
            f"the reranker {scorer.name} did not return one finite score per text "
            f"({count_noun(len(texts), 'text')})",
            where="rerank",
            hint="check the model, or remove the reranker",
        )
    return scores


def _mixed(judged: Floats, earlier: Floats, weight: float) -> Floats:
    if weight == 1:
        return judged
    return weight * _scaled(judged) + (1 - weight) * _scaled(earlier)


def _scaled(scores: Floats) -> Floats:
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.ones(len(scores))
