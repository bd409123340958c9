import math

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from tests.datasets.checks.given import dataset, document, found, judged, query


def test_by_hand():
    corpus = [
        document("1", "sort lists quickly"),
        document("2", "sort dictionaries"),
        document("3", "open files"),
    ]
    asked = dataset(query("q", "sorting: sort a list", judged("1"), judged("2")))
    # Three documents: "sort" stands in two, "list" (as lists) in one, "a" and "sorting" in none.
    idf = {term: math.log(4 / (df + 0.5)) for term, df in {"sort": 2, "list": 1, "no": 0}.items()}
    share = (idf["sort"] + idf["list"]) / (idf["sort"] + idf["list"] + 2 * idf["no"])
    (row,) = found("difficulty", asked, corpus).rows
    assert row["covered"] == pytest.approx(share)
    assert row["predicted"] == "hard" if share < 1 / 3 else "medium"


def test_three_levels():
    corpus = [document("1", "alpha beta gamma delta epsilon zeta")]
    texts = {"easy": "alpha beta", "medium": "alpha xx yy", "hard": "xx yy zz"}
    # One document: a term in it weighs log(2 / 1.5), one that is not log(2 / .5).
    asked = dataset(*(query(level, text, judged("1")) for level, text in texts.items()))
    shares = {row["query"]: row["covered"] for row in found("difficulty", asked, corpus).rows}
    assert shares["easy"] == 1
    assert shares["hard"] == 0
    finding = found("difficulty", asked, corpus)
    assert finding.figures["predicted"]["easy"] == 1


@pytest.mark.parametrize(
    ("score", "level"),
    [(1, "easy"), (2 / 3, "easy"), (0.66, "medium"), (1 / 3, "medium"), (0.33, "hard")],
)
def test_measured_by_runs(score, level):
    asked = dataset(query("q", "text", judged("1")))
    finding = found("difficulty", asked, scores={"q": score})
    assert finding.figures["measured"] == {level: 1}
    assert finding.undone == ""


def test_given_ones_are_counted():
    asked = dataset(
        query("a", "x", difficulty="Easy "), query("b", "y", difficulty="3"), query("c", "z")
    )
    finding = found("difficulty", asked)
    assert finding.figures["given"] == {"easy": 1, "3": 1}
    assert finding.table.rows == [["easy", 1], ["medium", 0], ["hard", 0], ["3", 1]]


def test_without_a_corpus_it_says_so():
    assert "no corpus" in found("difficulty", dataset(query("q", "text", judged("1")))).undone
    gone = found("difficulty", dataset(query("q", "text", judged("x"))), [document("1", "")])
    assert "no relevant document" in gone.undone


def test_the_best_document_counts_and_what_is_not_relevant_does_not():
    corpus = [
        document("1", "alpha"),
        document("2", "alpha beta"),
        document("0", "alpha beta gamma"),
    ]
    asked = dataset(query("q", "alpha beta gamma", judged("1"), judged("2"), judged("0", 0)))
    (row,) = found("difficulty", asked, corpus).rows
    idf = {"alpha": math.log(4 / 3.5), "beta": math.log(4 / 2.5), "gamma": math.log(4 / 1.5)}
    assert row["covered"] == pytest.approx((idf["alpha"] + idf["beta"]) / sum(idf.values()))


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), min_size=3, max_size=20))
def test_the_rank_correlation_is_that_of_scipy(pairs):
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]
    corpus = [document(str(at), " ".join(words[:held])) for at, (held, _) in enumerate(pairs)]
    asked = dataset(*(query(str(at), " ".join(words), judged(str(at))) for at in range(len(pairs))))
    scores = {str(at): score / 4 for at, (_, score) in enumerate(pairs)}
    finding = found("difficulty", asked, corpus, scores=scores)
    covered = [row["covered"] for row in finding.rows]
    if len(set(covered)) == 1 or len(set(scores.values())) == 1:
        assert finding.figures["rank_correlation"] is None
    else:
        expected = scipy.stats.spearmanr(covered, list(scores.values())).statistic
        assert finding.figures["rank_correlation"] == pytest.approx(expected)
