"""What holds for every metric: a new file in the folder is covered as soon as it is there.

What its kind declares decides what is asked of it; none is exempt by its name.
"""

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
from assay.metrics._grammar import ALIASES

NAMES = catalogue.names(assay.metrics)


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


def ideal_ranking(grades, metric):
    """Return what it asks for and nothing else: relevant documents, or judged ones, best first."""
    lowest = metric.level if metric.kind.measures == "relevance" else 0
    wanted = [document for document, grade in grades.items() if grade >= lowest]
    return sorted(wanted, key=lambda document: -grades[document])


def better_by(metric, one, other):
    """Return how much better one score is than another, by the metric's own direction."""
    return one - other if metric.kind.higher_is_better else other - one


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


def test_no_file_has_the_name_of_an_alias():
    """It would never be found: an alias is looked up first."""
    assert not set(ALIASES) & set(catalogue.names(assay.metrics))


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


@settings(max_examples=25, deadline=None)
@given(judged_documents, rankings, st.sampled_from(["docid", "expected"]))
def test_within_its_bounds(grades, ranking, ties):
    for text, score in scores(grades, ranking, ties=ties).items():
        low, high = parse(text).kind.bounds
        assert low - 1e-12 <= score <= high + 1e-12, text


@settings(max_examples=25, deadline=None)
@given(judged_documents, rankings)
def test_nothing_beats_the_ideal_ranking(grades, ranking):
    got = scores(grades, ranking)
    by_ideal = {}
    for text in got:
        by_ideal.setdefault("".join(ideal_ranking(grades, parse(text))), []).append(text)
    for ideal, texts in by_ideal.items():
        for text, best in scores(grades, ideal, texts).items():
            metric = parse(text)
            if ideal or metric.kind.higher_is_better:  # with nothing to find, less may be anything
                assert better_by(metric, got[text], best) <= 1e-12, text
            if ideal and metric.kind.ideal:
                top = metric.kind.bounds[metric.kind.higher_is_better]
                assert best == pytest.approx(top, abs=1e-12), text


@pytest.mark.parametrize("options", [{}, {"ties": "expected"}, {"unjudged": "condense"}])
def test_silence_scores_nothing(options):
    qrels = {"q": {"a": 3, "b": 0, "c": -1}, "r": {"x": 3}, "s": {"a": 3}}
    run = {"q": {}, "r": {"x": 1.0}}  # q got no document, s is missing
    for text, values in assay.evaluate(qrels, run, EVERY, **options).per_query.items():
        kind = parse(text).kind
        # Where less is better, silence is either blameless or all that one does not know.
        possible = kind.bounds[:1] if kind.higher_is_better else kind.bounds
        assert values[0] == values[2], text
        assert values[0] in possible, text


@pytest.mark.parametrize("options", [{}, {"ties": "expected"}, {"unjudged": "condense"}])
def test_nothing_relevant_scores_nothing(options):
    for text, score in scores({"a": 0, "b": -1}, "abu", **options).items():
        kind = parse(text).kind
        if kind.measures == "relevance" and kind.higher_is_better:
            assert score == kind.bounds[0], text


@settings(max_examples=25, deadline=None)
@given(judged_documents, rankings, st.sampled_from(["docid", "expected"]))
def test_grades_count_only_where_the_kind_says_so(grades, ranking, ties):
    plain = [text for text in EVERY if not parse(text).kind.graded and parse(text).level == 1]
    flat = {document: min(grade, 1) for document, grade in grades.items()}
    got = scores(flat, ranking, plain, ties=ties)
    assert scores(grades, ranking, plain, ties=ties) == pytest.approx(got, abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(judged_documents, rankings, st.sampled_from(["docid", "expected"]))
def test_a_level_moves_the_lowest_relevant_grade(grades, ranking, ties):
    raised = [text for text in EVERY if "(rel=2)" in text]
    plain = [text.replace("(rel=2)", "") for text in raised]
    flat = {document: min(grade, 0) + (grade >= 2) for document, grade in grades.items()}
    got = scores(grades, ranking, raised, ties=ties)
    expected = scores(flat, ranking, plain, ties=ties)
    assert list(got.values()) == pytest.approx(list(expected.values()), abs=1e-12), raised


@settings(max_examples=25, deadline=None)
@given(judged_documents.filter(lambda grades: min(grades.values()) >= 0), st.randoms())
def test_condensing_changes_nothing_in_a_fully_judged_run(grades, random):
    ranking = random.sample(sorted(grades), len(grades))
    plain, condensed = scores(grades, ranking), scores(grades, ranking, unjudged="condense")
    assert plain == condensed


@settings(max_examples=25, deadline=None)
@given(judged_documents, rankings)
def test_condensing_is_the_run_without_its_unjudged_documents(grades, ranking):
    known = [document for document in ranking if grades.get(document, -1) >= 0]
    assert scores(grades, ranking, unjudged="condense") == scores(grades, known)


@settings(max_examples=25, deadline=None)
@given(judged_documents, rankings)
def test_expected_ties_of_an_untied_run_change_nothing(grades, ranking):
    expected = scores(grades, ranking, ties="expected")
    assert scores(grades, ranking) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=25, deadline=None)
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
            if grades.get(below, 0) <= grades.get(above, 0) or above == "d":
                continue  # d was pooled but never judged: nobody knows whether it is worse
            moved = order[:rank] + below + above + order[rank + 2 :]
            for text, values in result.per_query.items():
                change = better_by(parse(text), values[at[moved]], values[at[order]])
                assert change >= -1e-12, (text, order, moved)


def test_the_catalogue_is_not_empty():
    assert {"precision", "recall", "ndcg", "mrr", "ap"} <= set(NAMES)
    assert np.unique(EVERY).size == len(EVERY) > 50
