"""Systems of others without a corpus: references are ids, and all else works as with a corpus."""

import json
import subprocess
import sys

import pytest

import assay
from assay.errors import InputError
from assay.workflows.judge import judge

QUERIES = {f"q{at}": f"question {at}" for at in range(12)}
# Both find d0, which is relevant to all; of the others only d1 is judged, and not relevant.
ORDERS = {"before": ["x", "d0", "d1", "y"], "after": ["d0", "d1", "z", "x"]}
REFERENCES = [{"document_id": "d0"}, {"uri": "d0"}, {"path": "d0"}, {"file_name": "d0"}]


def dataset(references=REFERENCES, **metadata):
    """Give each query one relevant document, called in turn by each key, and one that is not."""
    queries = []
    for at, (key, text) in enumerate(QUERIES.items()):
        relevant = {"doc_ref": references[at % len(references)], "relevance_grade": 2}
        other = {"doc_ref": {"document_id": "d1"}, "relevance_grade": 0}
        queries.append({"query_key": key, "query_text": text, "relevant_docs": [relevant, other]})
    return {"metadata": {"name": "small", "scale": 2, **metadata}, "queries": queries}


def write(folder, *, orders=ORDERS, judged=None, **more):
    folder.mkdir(exist_ok=True)
    (folder / "dataset.json").write_text(json.dumps(judged or dataset()))
    for name, order in orders.items():
        run = {key: {one: -at for at, one in enumerate(order)} for key in QUERIES}
        (folder / f"{name}.run.json").write_text(json.dumps(run))
    systems = [
        {"name": name, "system": {"kind": "run_file", "path": f"{name}.run.json"}}
        for name in orders
    ]
    benchmark = {"dataset": "dataset.json", "metrics": ["ndcg@10", "recall@5"]}
    benchmark |= {"configurations": systems, **more}
    (folder / "bench.json").write_text(json.dumps(benchmark))
    return folder / "bench.json"


def ran(file, **options):
    return assay.run(file, workspace=file.parent / ".assay", untimed=True, **options)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return ran(write(tmp_path_factory.mktemp("none")))


def test_a_worked_example(report):
    before, after = report.runs
    assert before.scores["ndcg@10"] == pytest.approx(0.6309297535714575)  # 1 / log2(3)
    assert after.scores == {"ndcg@10": 1.0, "recall@5": 1.0}
    assert [run.judged_at_10 for run in report.runs] == [0.5, 0.5]
    assert report.truth["judged@10"] == 0.5
    assert before.waterfall["order"] == pytest.approx(1 - 0.6309297535714575)
    assert report.comparisons.candidates[0].verdict.outcome in ("ship", "hold")


def test_the_report_says_that_there_was_no_corpus(report):
    assert report.corpus["name"] == "none"
    assert "documents" not in report.corpus
    assert report.truth["leaked"] is None
    assert sum("no corpus was given" in note for note in report.notes) == 1
    assert not any("not in the corpus" in note for note in report.notes)


def test_it_is_as_with_a_corpus_that_has_every_document(report, tmp_path):
    documents = [{"id": name, "text": f"text of {name}"} for name in ("d0", "d1", "x", "y", "z")]
    (tmp_path / "documents.jsonl").write_text("\n".join(map(json.dumps, documents)))
    judged = dataset([{"document_id": "d0"}])
    both = ran(write(tmp_path, corpus="documents.jsonl", judged=judged))
    for one, other in zip(report.runs, both.runs, strict=True):
        for what in ("scores", "per_query", "rankings", "waterfall", "missed", "judged_at_10"):
            assert getattr(one, what) == getattr(other, what)
    for what in ("candidates", "judge_next"):
        assert getattr(report.comparisons, what) == getattr(both.comparisons, what)
    assert report.comparisons.judge_next


def test_eval_says_the_same(report, tmp_path):
    file = write(tmp_path)
    scored = assay.evaluate(
        tmp_path / "dataset.json", tmp_path / "before.run.json", ["ndcg@10", "recall@5"]
    )
    assert scored.scores == report.runs[0].scores
    assert file.exists()


@pytest.mark.parametrize(
    "reference",
    [{"path": "guide", "match": "substring"}, {"symbol": "retry"}, {"content_hash": "a" * 64}],
    ids=["substring", "symbol", "hash"],
)
def test_references_that_must_be_looked_up_are_refused(tmp_path, reference):
    with pytest.raises(InputError, match="must be looked up in a corpus") as refused:
        ran(write(tmp_path, judged=dataset([reference])))
    assert "match: exact" in refused.value.hint


def test_an_index_of_ours_needs_a_corpus(tmp_path):
    file = write(tmp_path)
    told = json.loads(file.read_text())
    told["configurations"].append({"name": "bm25", "search": "lexical"})
    file.write_text(json.dumps(told))
    with pytest.raises(InputError, match="has no corpus and contains no documents"):
        ran(file)


def test_a_system_that_returns_no_judged_document_has_failed(tmp_path):
    orders = {**ORDERS, "ids": ["docs/d0", "docs/d1"]}
    failed = ran(write(tmp_path, orders=orders)).runs[2]
    assert failed.status == "failed"
    assert "none of the 2 returned documents is in the judgments" in failed.error
    assert "docs/d0" in failed.error


def test_a_plan_and_a_second_process(tmp_path, report):
    file = write(tmp_path)
    plan = assay.plan(file, workspace=tmp_path / ".assay", untimed=True)
    assert [one.documents for one in plan.collections] == [0]
    shared = ran(file, parallel=2)
    assert [run.per_query for run in shared.runs] == [run.per_query for run in report.runs]


def test_an_interrupted_run_is_resumed(tmp_path, report):
    file = write(tmp_path / "here")
    (tmp_path / "here" / "slow.py").write_text(SLOW)
    told = json.loads(file.read_text())
    told["configurations"] += [
        {"name": "slow", "system": {"kind": "callable", "function": "slow.py:search"}}
    ]
    file.write_text(json.dumps(told))
    begun = subprocess.run(
        [sys.executable, "-m", "assay", "run", "bench.json", "--untimed", "--workspace", ".assay"],
        cwd=tmp_path / "here",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert begun.returncode == 130, begun.stderr
    (tmp_path / "here" / "slow.py").write_text(SLOW.replace("raise KeyboardInterrupt", "pass"))
    done = ran(file, resume=True)
    assert [run.name for run in done.runs] == ["before", "after", "slow"]
    assert done.runs[0].per_query == report.runs[0].per_query
    assert not any("started over" in note for note in done.notes)


SLOW = """
def search(query, top):
    if query == "question 6":
        raise KeyboardInterrupt
    return ["d0"]
"""


def test_documents_are_judged_by_their_ids(tmp_path):
    file = write(tmp_path)
    first = ran(file)
    cards = []

    def ask(view):
        cards.append(view.card)
        return "0"

    done = judge(file, ask=ask, output=tmp_path / "judged.json", workspace=tmp_path / ".assay")
    assert done.left == 0
    assert {card.document for card in cards} <= {"x", "y", "z"}
    assert all("no corpus was given" in card.empty and not card.lines for card in cards)
    again = ran(file, dataset=tmp_path / "judged.json")
    assert again.truth["judged@10"] > first.truth["judged@10"]
    low, high = again.comparisons.candidates[0].metrics["ndcg@10"].holes
    assert low > 0 or (low, high) == (low, low)


def test_one_dataset_with_documents_and_one_without(tmp_path):
    file = write(tmp_path)
    own = dataset([{"document_id": "d0"}])
    names = ("d0", "d1", "x", "y", "z")
    own["documents"] = [{"id": name, "text": f"text of {name}"} for name in names]
    (tmp_path / "own.json").write_text(json.dumps(own))
    told = json.loads(file.read_text())
    del told["dataset"]
    told["datasets"] = [
        {"dataset": "dataset.json", "name": "a"},
        {"dataset": "own.json", "name": "b"},
    ]
    file.write_text(json.dumps(told))
    found = ran(file)
    assert found.corpus["documents"] == 5
    assert "documents" not in found.corpus["collections"]["a"]
    assert found.runs[1].scores["ndcg@10"] == 1.0
