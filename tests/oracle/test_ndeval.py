"""alpha-nDCG agrees with ndeval, the program of the TREC diversity tasks (through pyndeval)."""

import random

import pyndeval
import pytest

import assay


@pytest.mark.parametrize("seed", range(6))
def test_alpha_ndcg_of_every_query(tmp_path, seed):
    draw = random.Random(seed)
    documents = [f"d{n}" for n in range(25)]
    judged, shown = [], []
    for query in (f"q{n}" for n in range(12)):
        pairs = {(draw.choice(documents), str(draw.randint(1, 4))) for _ in range(20)}
        rows = [(query, topic, name, draw.randint(0, 1)) for name, topic in sorted(pairs)]
        judged += [*rows, (query, "9", "d0", 1)]
        ranking = draw.sample(documents, draw.randint(1, 20))
        shown += [(query, name, 20.0 - rank) for rank, name in enumerate(ranking)]
    (tmp_path / "qrels").write_text("".join(f"{q} {t} {d} {g}\n" for q, t, d, g in judged))
    (tmp_path / "run").write_text("".join(f"{q} Q0 {d} 0 {s} t\n" for q, d, s in shown))
    oracle = pyndeval.RelevanceEvaluator(
        [pyndeval.SubtopicQrel(*row) for row in judged],
        measures=[f"alpha-nDCG@{k}" for k in (5, 10, 20)],
    ).evaluate([pyndeval.ScoredDoc(*row) for row in shown])

    for k in (5, 10, 20):
        metric = f"alpha_nDCG@{k}"
        ours = assay.evaluate(tmp_path / "qrels", tmp_path / "run", metric, subtopics=True)
        expected = [oracle[query][f"alpha-nDCG@{k}"] for query in ours.queries]
        assert ours.per_query[f"alpha_ndcg@{k}"].tolist() == pytest.approx(expected, abs=1e-9)
