"""What holds for every metric: a new file in the room is covered as soon as it is there."""

from importlib import import_module
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
import assay.metrics
from assay import catalogue
from assay.errors import InputError
from assay.metrics import parse

NAMES = catalogue.names(assay.metrics)
RESIDUAL = "rbp_residual"  # not a quality: the less is known, the larger


def spellings(name):
    """Return the metric without a cut-off and at several, as far as its kind takes them."""
    kind = catalogue.find(assay.metrics, name).kind
    texts = [] if kind.cutoff == "required" else [name]
    texts += [] if kind.cutoff == "none" else [f"{name}@{k}" for k in (1, 2, 3, 7, 1000)]
    levels = [f"{name}(rel=2){text.removeprefix(name)}" for text in texts] if kind.levels else []
    return texts + levels


EVERY = [text for name in NAMES for text in spellings(name)]


def run_of(ranking):
    return {document: -float(at) for at, document in enumerate(ranking)}


def scores(grades, ranking, metrics=EVERY, **options):
    # A second query, all right and the same for everybody, shows that queries do not mix.
    qrels = {"q": grades, "r": {"x": 3}}
    result = assay.evaluate(qrels, {"r": {"x": 1.0}, "q": run_of(ranking)}, metrics, **options)
    return {text: values[0] for text, values in result.per_query.items()}


judged_documents = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-1, 3), min_size=1)
rankings = st.permutations("abcdefghuv").flatmap(lambda p: st.integers(1, 10).map(lambda n: p[:n]))


@pytest.mark.parametrize("name", NAMES)
def test_one_public_name_per_file_with_a_documented_kind(name):
    module = import_module(f"assay.metrics.{name}")
    assert module.__all__ == [name]
    formula = catalogue.find(assay.metrics, name)
    assert module.__doc__
    assert formula.kind.summary.endswith((".", "0")) or "," in formula.kind.summary
    assert 10 < len(formula.kind.summary) < 100
    low, high = formula.kind.bounds
    assert low < high
    assert set(formula.kind.shown) <= set(formula.kind.parameters)


@pytest.mark.parametrize("text", EVERY)
def test_its_text_reads_back(text):
    metric = parse(text)
    assert parse(str(metric)) == metric
    assert str(parse(str(metric))) == str(metric)


@pytest.mark.parametrize("name", NAMES)
def test_a_cutoff_is_refused_or_demanded_as_the_kind_says(name):
    kind = catalogue.find(assay.metrics, name).kind
    refused = {"required": name, "none": f"{name}@5", "optional": f"{name}@0"}[kind.cutoff]
    with pytest.raises(InputError):
        parse(refused)


@settings(max_examples=60, deadline=None)
@given(judged_documents, rankings, st.sampled_from(["docid", "expected"]))
def test_within_its_bounds(grades, ranking, ties):
    for text, score in scores(grades, ranking, ties=ties).items():
        low, high = parse(text).kind.bounds
        assert low - 1e-12 <= score <= high + 1e-12, text


@settings(max_examples=60, deadline=None)
@given(judged_documents, rankings)
def test_nothing_beats_the_ideal_ranking(grades, ranking):
    ideal = sorted(grades, key=lambda document: -grades[document])
    best, got = scores(grades, ideal), scores(grades, ranking)
    for text in got:
        metric = parse(text)
        if metric.name in ("judged", RESIDUAL):
            continue  # of what is known, not of how good it is
        assert got[text] <= best[text] + 1e-12, text
        if metric.kind.ideal and max(grades.values()) >= metric.level:
            assert best[text] == pytest.approx(1.0, abs=1e-12), text


@settings(max_examples=60, deadline=None)
@given(judged_documents.filter(lambda grades: min(grades.values()) >= 0))
def test_the_ideal_ranking_is_fully_judged(grades):
    ideal = scores(grades, sorted(grades), ["judged", "judged@1", "judged@100"])
    assert set(ideal.values()) == {1.0}


@pytest.mark.parametrize("options", [{}, {"ties": "expected"}, {"unjudged": "condense"}])
def test_silence_scores_nothing(options):
    qrels = {"q": {"a": 3, "b": 0, "c": -1}, "r": {"x": 3}, "s": {"a": 3}}
    run = {"q": {}, "r": {"x": 1.0}}  # q got no document, s is missing
    for text, values in assay.evaluate(qrels, run, EVERY, **options).per_query.items():
        expected = 1.0 if parse(text).name == RESIDUAL else 0.0
        assert values[0] == values[2] == expected, text


@pytest.mark.parametrize("options", [{}, {"ties": "expected"}, {"unjudged": "condense"}])
def test_nothing_relevant_scores_nothing(options):
    for text, score in scores({"a": 0, "b": -1}, "abu", **options).items():
        if parse(text).name in ("judged", RESIDUAL):
            assert 0.0 <= score <= 1.0  # they tell of judgments, not of relevance
        else:
            assert score == 0.0, text


@settings(max_examples=40, deadline=None)
@given(judged_documents.filter(lambda grades: min(grades.values()) >= 0), st.randoms())
def test_condensing_changes_nothing_in_a_fully_judged_run(grades, random):
    ranking = random.sample(sorted(grades), len(grades))
    plain, condensed = scores(grades, ranking), scores(grades, ranking, unjudged="condense")
    assert plain == condensed


@settings(max_examples=40, deadline=None)
@given(judged_documents, rankings)
def test_condensing_is_the_run_without_its_unjudged_documents(grades, ranking):
    known = [document for document in ranking if grades.get(document, -1) >= 0]
    assert scores(grades, ranking, unjudged="condense") == scores(grades, known)


@settings(max_examples=40, deadline=None)
@given(judged_documents, rankings)
def test_expected_ties_of_an_untied_run_change_nothing(grades, ranking):
    expected = scores(grades, ranking, ties="expected")
    assert scores(grades, ranking) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(judged_documents, rankings)
def test_a_cutoff_beyond_the_run_and_the_pool_is_no_cutoff(grades, ranking):
    got = scores(grades, ranking)
    for name in NAMES:
        if name in got and f"{name}@1000" in got:
            assert got[f"{name}@1000"] == pytest.approx(got[name], abs=1e-12), name


def test_moving_a_better_document_up_never_hurts():
    grades = {"a": 3, "b": 2, "c": 0, "d": -1}
    orders = ["".join(order) for order in permutations("abcdu")]
    result = assay.evaluate(
        dict.fromkeys(orders, grades), {order: run_of(order) for order in orders}, EVERY
    )
    at = {query: number for number, query in enumerate(result.queries)}
    for order in orders:
        for rank in range(4):
            above, below = order[rank], order[rank + 1]
            if grades.get(below, 0) <= max(grades.get(above, 0), 0):
                continue
            moved = order[:rank] + below + above + order[rank + 2 :]
            for text, values in result.per_query.items():
                if parse(text).name not in ("judged", RESIDUAL, "infap"):
                    assert values[at[moved]] >= values[at[order]] - 1e-12, (text, order, moved)


def test_the_catalogue_is_not_empty():
    assert {"precision", "recall", "ndcg", "mrr", "ap"} <= set(NAMES)
    assert np.unique(EVERY).size == len(EVERY) > 50
