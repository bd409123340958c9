"""A run with coherence says what it was measured with."""

import json

import numpy as np

import assay

APPROXIMATE = {"graph": "approximate", "directions": 1}


def test_a_graph_that_gave_way_to_the_exact_one_is_a_note(tmp_path):
    """One direction finds few neighbours of 64 dimensions."""
    random = np.random.default_rng(0)
    np.save(tmp_path / "document_vectors.npy", random.standard_normal((60, 64)))
    np.save(tmp_path / "query_vectors.npy", random.standard_normal((2, 64)))
    lines = [json.dumps({"_id": f"d{at}", "text": f"page {at}"}) for at in range(60)]
    (tmp_path / "pages.jsonl").write_text("\n".join(lines))
    relevant = [{"doc_ref": {"document_id": "d1"}, "relevance_grade": 1}]
    queries = [
        {"query_key": f"q{at}", "query_text": "page", "relevant_docs": relevant} for at in range(2)
    ]
    (tmp_path / "queries.json").write_text(json.dumps({"queries": queries}))
    kinds = {
        "strict": APPROXIMATE | {"min_overlap": 1.0},
        "loose": APPROXIMATE | {"min_overlap": 0},
    }
    report = assay.run(
        {
            "dataset": str(tmp_path / "queries.json"),
            "corpus": str(tmp_path / "pages.jsonl"),
            "configurations": [
                {"name": name, "search": "dense", "model": "given", "coherence": one}
                for name, one in kinds.items()
            ],
        },
        workspace=tmp_path / "workspace",
        untimed=True,
    )
    strict, loose = (" ".join(run.notes) for run in report.runs)
    assert "exact graph for 2 of 2 queries" in strict
    assert "exact graph" not in loose
