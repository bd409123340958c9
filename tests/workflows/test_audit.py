"""The X-ray as a whole: planted defects, two judges, runs, the real collections, and size."""

import json
import math
import os
import random
import time
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from assay.errors import AssayError, InputError, UsageError
from assay.records import Audit, AuditSettings, Dataset, Document, Judgment, Query, Reference
from assay.reports.audits.json import json as as_json
from assay.workflows.audit import audit

DATA = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[3] / "shared" / "data"))


def dataset(number=20, *, name="made", grade=lambda _: 1, **options):
    queries = (
        Query(f"q{i}", f"ask w{i} x{i}", (Judgment(Reference(f"d{i}"), grade(i)),), **options)
        for i in range(number)
    )
    return Dataset(name, tuple(queries))


def power_by_scipy(difference, sd, queries):
    critical = scipy.stats.t.isf(0.025, queries - 1)
    centre = difference / sd * math.sqrt(queries)
    upper = scipy.stats.nct.sf(critical, queries - 1, centre)
    return upper + np.nan_to_num(scipy.stats.nct.cdf(-critical, queries - 1, centre))


def test_what_is_detectable_agrees_with_the_noncentral_t():
    made = [dataset(12, category="api"), dataset(40, name="other", category="error")]
    both = Dataset("both", made[0].queries + tuple(_renamed(made[1].queries)))
    found = audit(both)
    tables = found.smallest_detectable
    rows = [{"queries": 52, **tables}, *tables["by_queries"], *tables["categories"].values()]
    assert [row["queries"] for row in tables["by_queries"]] == [50, 52, 100, 104, 200, 500, 1000]
    assert {name: row["queries"] for name, row in tables["categories"].items()} == {
        "error": 40,
        "api": 12,
    }
    for row in rows:
        for sd in (0.1, 0.2, 0.3):
            reached = power_by_scipy(row[f"sd={sd}"], sd, row["queries"])
            assert reached == pytest.approx(0.8, abs=1e-6)
    for sd, sizes in found.power.items():
        for size, power in sizes.items():
            spread = float(sd.removeprefix("sd="))
            assert power == pytest.approx(power_by_scipy(float(size), spread, 52), abs=1e-7)
            needed = found.queries_needed[sd][size]
            assert power_by_scipy(float(size), spread, needed) >= 0.8
            assert needed == 2 or power_by_scipy(float(size), spread, needed - 1) < 0.8


def _renamed(queries):
    return (Query(f"r{q.key}", f"r{q.text}", q.judgments, q.category) for q in queries)


def test_one_query_and_none_detect_nothing():
    for number in (0, 1):
        found = audit(dataset(number))
        assert found.smallest_detectable["sd=0.2"] is None
        json.dumps(as_json(found), allow_nan=False)


def test_a_spread_can_be_given():
    found = audit(dataset(), sd=[0.15])
    assert found.smallest_detectable["sd=0.15"] == pytest.approx(
        audit(dataset()).smallest_detectable["sd=0.1"] * 1.5
    )
    for wrong in ([], [0], [-0.1], [math.nan], [2], ["x"], 0.2, "0.2"):
        with pytest.raises(UsageError, match="sd"):
            audit(dataset(), sd=wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"dataset": 5},
        {"corpus": 5},
        {"judge": 5},
        {"runs": "no such.run"},
        {"runs": [5]},
        {"metric": "no such"},
        {"settings": AuditSettings(near=0)},
        {"settings": AuditSettings(leaked_share=2)},
    ],
)
def test_wrong_use_gets_one_message(wrong):
    given = {"dataset": dataset(), **wrong}
    with pytest.raises(AssayError):
        audit(given.pop("dataset"), **given)


def run(number, seed, *, noise):
    draw = random.Random(seed)
    return {
        f"q{i}": {f"d{i}": draw.gauss(1, noise), "d0 x": 0.5, "y": draw.gauss(0.5, noise)}
        for i in range(number)
    }


def test_runs_give_the_spread_and_the_difficulty():
    from assay.workflows.evaluate import evaluate

    asked = dataset(30)
    runs = [run(30, seed, noise=0.6) for seed in range(3)]
    found = audit(asked, runs=runs, names=["a", "b", "c"], metric="nDCG@10")
    pairs = found.smallest_detectable["runs"]
    assert [pair["runs"] for pair in pairs] == [["a", "b"], ["a", "c"], ["b", "c"]]
    qrels = {f"q{i}": {f"d{i}": 1} for i in range(30)}
    scores = [evaluate(qrels, one, "ndcg@10").per_query["ndcg@10"] for one in runs]
    assert pairs[0]["sd"] == pytest.approx(np.std(scores[1] - scores[0], ddof=1))
    reached = power_by_scipy(pairs[0]["smallest_detectable"], pairs[0]["sd"], 30)
    assert reached == pytest.approx(0.8, abs=1e-6)
    assert found.measured
    assert found.spread == max(pair["sd"] for pair in pairs)
    rows = found.findings["difficulty"].rows
    assert [row["score"] for row in rows] == pytest.approx(np.mean(scores, axis=0).tolist())


def test_one_run_measures_difficulty_and_no_spread():
    found = audit(dataset(30), runs=[run(30, 1, noise=0.6)])
    assert found.smallest_detectable["runs"] == []
    assert not found.measured
    assert sum(found.findings["difficulty"].figures["measured"].values()) == 30


def test_two_judges():
    one = dataset(10, grade=lambda i: i % 3)
    other = dataset(12, name="second", grade=lambda i: (i % 3) if i != 2 else 0)
    agreement = audit(one, judge=other).agreement
    assert agreement.judges == ("made", "second")
    assert (agreement.pairs, agreement.equal) == (10, 9)
    assert (agreement.only_first, agreement.only_second) == (0, 2)
    assert agreement.grades == (0, 1, 2)
    assert agreement.confusion == ((4, 0, 0), (0, 3, 0), (1, 0, 2))
    expected = (4 * 5 + 3 * 3 + 3 * 2) / 100
    assert agreement.coefficients["kappa"].value == pytest.approx((0.9 - expected) / (1 - expected))
    assert set(agreement.coefficients) == {
        *("kappa", "kappa_linear", "kappa_quadratic", "alpha_ordinal"),
    }
    assert agreement.disagreements == (
        {
            **{"query": "q2", "text": one.queries[2].text},
            **{"reference": 'document_id "d2"', "first": 2, "second": 0},
        },
    )


def test_the_largest_disagreements_come_first():
    one, other = (
        dataset(4, name=name, grade=lambda i, g=grades: g[i])
        for name, grades in {"a": (1, 3, 2, 0), "b": (2, 0, 2, 2)}.items()
    )
    apart = audit(one, judge=other).agreement.disagreements
    assert [row["query"] for row in apart] == ["q1", "q3", "q0"]


def test_judges_are_paired_by_document_where_a_corpus_tells(snapshot):
    ask = ("q", "where is it")
    one = Dataset("a", (Query(*ask, (Judgment(Reference(path="lib/x.py"), 2),)),))
    other = Dataset("b", (Query(*ask, (Judgment(Reference(file_name="x.py"), 2),)),))
    corpus = [Document("1", "text", path="lib/x.py", file_name="x.py")]
    apart = audit(one, judge=other).agreement
    assert (apart.pairs, apart.coefficients["kappa"].value) == (0, None)
    snapshot(apart.coefficients["kappa"].note)
    assert audit(one, corpus, judge=other).agreement.pairs == 1


def test_pooled_documents_and_repetitions_do_not_confuse_the_judges():
    judgments = (
        Judgment(Reference("a"), 1),
        Judgment(Reference("a"), 3),
        Judgment(Reference("b"), -1),
    )
    one = Dataset("a", (Query("q", "text", judgments),))
    other = Dataset(
        "b", (Query("q", "text", (Judgment(Reference("a"), 3), Judgment(Reference("b"), 0))),)
    )
    agreement = audit(one, judge=other).agreement
    assert (agreement.pairs, agreement.equal, agreement.only_second) == (1, 1, 1)


class Watched:
    """A corpus that counts how often it is read, and with what."""

    name, skipped = "watched", {}

    def __init__(self, number=20):
        self.number, self.asked = number, []

    def documents(self, *, texts=True, hashes=True):
        self.asked.append((texts, hashes))
        yield from (Document(f"d{i}", f"text of w{i}") for i in range(self.number))


def test_the_corpus_is_read_twice_and_its_texts_once():
    corpus = Watched()
    found = audit(dataset(), corpus)
    assert corpus.asked == [(False, False), (True, False)]
    assert (found.corpus, found.documents) == ("watched", 20)


def test_a_corpus_that_only_the_dataset_names_may_be_away(tmp_path, snapshot):
    from dataclasses import replace

    named = replace(dataset(), corpus={"path": str(tmp_path / "gone")})
    found = audit(named)
    snapshot(found.notes[-1])
    assert found.findings["leaked"].undone
    with pytest.raises(InputError):
        audit(dataset(), tmp_path / "gone")


def test_documents_that_the_file_holds_are_the_corpus():
    from dataclasses import replace

    made = replace(
        dataset(3), documents=tuple(Document(f"d{i}", f"ask w{i} x{i} y") for i in range(3))
    )
    assert audit(made).documents == 3
    settings = AuditSettings(leaked_whole=3)
    assert audit(made, settings=settings).defects == 3


def test_progress_is_told():
    told = []

    def track(items, doing, *, total=None, unit=""):
        told.append((doing, total, unit))
        return items

    audit(dataset(), Watched(), track=track)
    assert told == [
        ("reading watched", None, "documents"),
        ("comparing with watched", 20, "documents"),
    ]


@pytest.mark.skipif(
    not (DATA / "cranfield").is_dir(), reason="the collection is not on this machine"
)
def test_cranfield():
    found = audit(DATA / "cranfield")
    assert (found.queries, found.documents, found.defects) == (225, 1400, 1)
    (leak,) = found.findings["leaked"].rows
    # Query 172 stands in the titles of documents 320, 321 and 322.
    assert (leak["query"], leak["document"], leak["words"]) == ("172", "320", 10)
    assert not found.findings["duplicates"].rows
    assert found.smallest_detectable["sd=0.2"] == pytest.approx(0.0375, abs=1e-4)


@pytest.mark.skipif(
    not (DATA / "cosqa-dev").is_dir(), reason="the collection is not on this machine"
)
def test_cosqa():
    found = audit(DATA / "cosqa-dev")
    assert (found.queries, found.documents, found.defects) == (500, 6267, 0)
    assert [row["kind"] for row in found.findings["duplicates"].rows] == ["reordered"]


@pytest.mark.long
def test_half_a_million_queries_take_less_than_a_minute():
    draw = np.random.default_rng(1)
    words = (draw.zipf(1.3, size=(500_000, 9)) % 200_000).tolist()
    lengths = draw.integers(3, 10, 500_000).tolist()
    texts = (" ".join(f"w{w}" for w in row[:n]) for row, n in zip(words, lengths, strict=True))
    queries = (
        Query(f"q{i}", text, (Judgment(Reference(f"d{i % 1000}"), 1),))
        for i, text in enumerate(texts)
    )
    asked = Dataset("large", tuple(queries))
    start = time.process_time()
    found = audit(asked)
    assert time.process_time() - start < 60
    assert isinstance(found, Audit)


def test_runs_are_not_scored_by_parts_that_no_corpus_was_given_for():
    part = Judgment(Reference(path="a", match="substring"), 1)
    made = Dataset("d", (Query("q", "x", (part,)),))
    with pytest.raises(InputError, match='path "a"'):
        audit(made, runs=[{"q": {"src/a.py": 1.0}}])
