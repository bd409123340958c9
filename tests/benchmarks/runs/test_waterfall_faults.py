"""A fault that is planted in a stage of a real search is named by the waterfall of its run."""

import json
from dataclasses import replace

import pytest

import assay
from assay.searches import pipeline

WORDS = ["river", "stone", "cloud", "bridge", "harvest", "lantern", "meadow", "copper", "winter"]
LEXICAL = {"search": "lexical", "top_k": 10}
DENSE = {"search": "dense", "model": "static", "top_k": 10}
HYBRID = {"model": "static", "top_k": 10}
STRUCTURE = {**DENSE, "coherence": True, "mmr": {"always": True, "k": 10}}
CHUNKS = {**HYBRID, "lexical_unit": "chunk", "chunk_size": 32, "fusion": "rrf"}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Forty pages, each about one word and some others; a query asks for two words."""
    home = tmp_path_factory.mktemp("faults")
    (home / "docs").mkdir()
    for at in range(40):
        words = [WORDS[at % 9]] * 6 + [WORDS[(at * 5 + 2) % 9]] * 2 + [WORDS[(at * 7 + 4) % 9]]
        text = f"# Page {at}\n\n{' '.join(words)}\n\n{' '.join(reversed(words))} {at}\n"
        (home / "docs" / f"d{at:02}.md").write_text(text)
    (home / "docs" / "empty.md").write_text("")
    (home / "long").mkdir()
    for name in ("model.onnx", "tokenizer.json"):
        (home / "long" / name).write_text("{}")
    return home


def asked(key, text, *judged, **rest):
    grades = [{"doc_ref": {"path": path}, "relevance_grade": grade} for path, grade in judged]
    return {"query_key": key, "query_text": text, "relevant_docs": grades, **rest}


def hardly(word):
    return [at for at in range(9, 40) if (at * 7 + 4) % 9 == word]


def queries(*more):
    """Ask for each word: the page about it is right, and so are those that hardly mention it."""
    every = [
        asked(f"q{at}", word, (f"d{at:02}.md", 3), *((f"d{page:02}.md", 1) for page in hardly(at)))
        for at, word in enumerate(WORDS)
    ]
    return [*every, *more]


@pytest.fixture
def measured(place, tmp_path, monkeypatch):
    """Run one configuration, and return its run."""
    monkeypatch.setattr("assay.benchmarks.spine.analyse", lambda *_, **__: {})  # is not asked

    def running(settings, *, more=(), corpus=None, metrics=("ndcg@10", "recall@5"), **options):
        if "rerank" in settings:
            settings = {**settings, "rerank": f"cross-encoder:{place / 'long'}"}
        (tmp_path / "queries.json").write_text(json.dumps({"queries": queries(*more)}))
        given = {
            "dataset": str(tmp_path / "queries.json"),
            "corpus": corpus or str(place / "docs"),
            "metrics": [*metrics],
            "configurations": [{"name": "one", **settings}],
        }
        options = {"asks": 1, "workspace": place / "ws", **options}
        (run,) = assay.run(given, **options).runs
        assert sum(run.waterfall.values()) == pytest.approx(1 - run.scores[metrics[0]], abs=1e-9)
        assert min(run.waterfall.values()) >= 0
        return run

    return running


def grew(before, after):
    """Name the stages that lose more than before; what they lose is not lost by the order."""
    return {
        stage
        for stage, loss in after.waterfall.items()
        if loss > before.waterfall.get(stage, 0.0) + 1e-9 and stage != "order"
    }


@pytest.mark.parametrize(
    ("sound", "fault", "stage"),
    [
        (LEXICAL, {"depth": 10}, "lexical"),
        (DENSE, {"depth": 10}, "dense"),
        (CHUNKS, {"depth": 10}, "retrieve"),
        (DENSE, {"threshold": 0.99}, "threshold"),
    ],
    ids=["lexical", "dense", "retrieve", "threshold"],
)
def test_a_setting_that_loses_documents_is_named(measured, sound, fault, stage):
    deep = {**sound, "depth": 40, "top_k": 10}
    before, after = measured(deep), measured({**deep, **fault})
    assert grew(before, after) == {stage}
    assert stage in {one for told in after.missed.values() for one in told.values()}
    assert any(stage in losses for losses in after.losses.values())


def test_what_is_returned_too_deep_is_cut(measured):
    before, after = measured({**LEXICAL, "top_k": 40}), measured(LEXICAL)
    assert before.scores == after.scores
    assert grew(before, after) == {"cut"}
    assert before.waterfall["order"] == pytest.approx(
        after.waterfall["cut"] + after.waterfall["order"]
    )
    cut = {one for told in after.missed.values() for one, stage in told.items() if stage == "cut"}
    assert cut
    deep = {one for told in before.missed.values() for one in told}
    assert cut <= deep


def first_gone(step):
    """Let a stage forget what it likes best."""

    def run(query, found):
        kept = step.run(query, found)
        return replace(kept, rows=kept.rows[1:], scores=kept.scores[1:])

    return replace(step, run=run, identify=lambda: f"{step.fingerprint} without its first")


def last_first(step):
    """Let a stage turn its list round."""

    def run(query, found):
        kept = step.run(query, found)
        return replace(kept, rows=kept.rows[::-1].copy())

    return replace(step, run=run, identify=lambda: f"{step.fingerprint} turned round")


class Judge:
    """No model: likes long texts."""

    name = fingerprint = "long"

    def score(self, _query, texts):
        return [float(len(text)) for text in texts]


@pytest.fixture
def plant(monkeypatch):
    def planting(stage, fault=first_gone):
        """Make a stage faulty, wherever it is made."""
        modules = {"coherence": "coherence", "diversify": "diversify"}
        home = f"assay.engines.stages.{stage}" if stage in modules else pipeline.__name__
        make = getattr(__import__(home, fromlist=[stage]), stage)
        monkeypatch.setattr(
            f"{home}.{stage}", lambda *args, **options: fault(make(*args, **options))
        )

    return planting


STAGES = {
    "lexical": LEXICAL,
    "dense": DENSE,
    "fuse": HYBRID,
    "threshold": {**DENSE, "threshold": 0.05},
    "collapse": CHUNKS,
    "rerank": {**LEXICAL, "rerank": "cross-encoder"},
    "coherence": STRUCTURE,
    "diversify": STRUCTURE,
}


@pytest.mark.parametrize(
    ("stage", "live"), [*((stage, False) for stage in STAGES), ("fuse", True), ("rerank", True)]
)
def test_a_stage_that_forgets_its_best_is_named(measured, plant, monkeypatch, stage, live):
    monkeypatch.setattr("assay.models.open_reranker.open_reranker", lambda *_, **__: Judge())
    before = measured(STAGES[stage], live=live)
    plant(stage)
    after = measured(STAGES[stage], live=live)
    assert grew(before, after) == {stage}
    assert stage in {one for told in after.missed.values() for one in told.values()}


def test_a_stage_that_turns_its_list_round_loses_by_order_and_cut(measured, plant):
    before = measured({**LEXICAL, "depth": 10})
    plant("lexical", last_first)
    after = measured({**LEXICAL, "depth": 10})
    assert grew(before, after) == set()
    assert after.waterfall["order"] > before.waterfall["order"] + 0.1


def test_a_document_without_text_is_not_in_the_index(measured):
    run = measured(LEXICAL, more=[asked("lost", "river", ("empty.md", 3))])
    assert run.missed["lost"] == {"empty.md": "corpus"}
    assert run.losses["lost"] == {"corpus": 1.0}
    assert run.waterfall["corpus"] == pytest.approx(1 / 10)


def test_what_is_not_in_the_corpus_is_named_as_it_was_asked_for(measured, place):
    corpus = {"path": str(place / "docs"), "exclude": ["d0*.md"]}
    before, after = measured(LEXICAL), measured(LEXICAL, corpus=corpus)
    assert "corpus" in grew(before, after)
    assert after.missed["q0"]['path "d00.md"'] == "corpus"
    assert after.losses["q0"]["corpus"] > 0.3


def test_what_no_ranking_could_reach_is_lost_by_the_judgments(measured):
    hopeless = asked("none", "river", ("d00.md", 0))
    twice = asked("own", "stone", ("d01.md", 1), exclude=["d01.md"])
    run = measured(LEXICAL, more=[hopeless, twice])
    assert run.losses["none"] == run.losses["own"] == {"judgments": 1.0}
    assert run.missed["own"] == {"d01.md": "judgments"}
    assert "none" not in run.missed


def test_a_query_whose_search_failed_loses_by_that(measured, monkeypatch):
    whole = measured(DENSE)
    sound = pipeline.dense

    def failing(*args, **options):
        step = sound(*args, **options)

        def run(query, found):
            if query.text == "stone":
                raise ValueError("no stone is turned")
            return step.run(query, found)

        return replace(step, run=run, identify=lambda: f"{step.fingerprint} fails")

    monkeypatch.setattr(pipeline, "dense", failing)
    run = measured(DENSE)
    assert [*run.failed] == ["q1"]
    assert run.losses["q1"] == {"failed": 1.0}
    assert set(run.missed["q1"].values()) == {"failed"}
    assert grew(whole, run) == {"failed"}
    assert run.waterfall["failed"] == pytest.approx(1 / 9)
    assert "failed" not in whole.waterfall
