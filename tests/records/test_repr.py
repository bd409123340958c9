"""What records show of themselves: a few lines, and a small table in a notebook."""

import copy
import pickle
import re
from dataclasses import replace
from html.parser import HTMLParser

import polars as pl
import pytest

from assay.records import Comparison, Comparisons, Evaluation, Interval, Report, Run
from assay.records.comparisons import Candidate, Change
from assay.records.since import ReportChanges, RunChange, Since
from assay.records.verdict import Verdict

OWN = Interval(-0.05, 0.45)
PER_QUERY = {f"q{at}": {"ndcg@10": 0.5} for at in range(500)}
CHANGES = tuple(Change(f"q{at}", 0.1, 0.2, 0.1) for at in range(500))
HOSTILE = "<script>alert(1)</script>\x1b[31m\ud800" + "x" * 500


def run(name, score=0.5, **options):
    given = {
        "scores": {"ndcg@10": score, "mrr": 0.25},
        "per_query": PER_QUERY,
        "latency_ms": {"p95": 1234.5},
    }
    return Run(name=name, fingerprint=name, configuration={}, **(given | options))


def candidate(name, outcome="ship"):
    told = Comparison("ndcg@10", 9, 0.5, 0.7, OWN, OWN, 0.2, OWN, 0.1, 0.04, 1.0, 1, 1, 0, 0.3)
    return Candidate(name, {"ndcg@10": told}, Verdict(outcome, "It gains."), {}, CHANGES)


def compared(*candidates):
    return Comparisons("words", "ndcg@10", 9, candidates, (), (), "both", 0.2, None, ())


def report(*runs, **options):
    about = {"name": "help", "primary": "ndcg@10", "metrics": ["ndcg@10"], "baseline": "words"}
    given = {"benchmark": about, "dataset": {"queries": 9}, "corpus": {}, "environment": {}}
    return Report(**(given | {"runs": runs} | options))


@pytest.fixture
def whole():
    runs = (
        run("words"),
        run("both", 0.7, failed={"q1": "why", "q2": "why"}),
        run("slow", 0.9, status="beaten"),
        Run(name="lost", fingerprint="l", configuration={}, status="failed"),
    )
    race = {"beaten": [{"run": "slow", "after": 3}]}
    pick = {"run": "words", "sure": False, "meanwhile": "both", "reason": "it leads"}
    return report(
        *runs,
        comparisons=compared(candidate("both")),
        race=race,
        id="5f3a9c2b7d10",
        recommendations={"pick": pick, "pick_within_budgets": None, "fastest": {"run": "slow"}},
    )


def first_words(lines):
    return [line.split()[0] for line in lines]


def test_a_report_shows_its_runs_the_best_first(whole, snapshot):
    lines = repr(whole).splitlines()
    assert first_words(lines[2:6]) == ["both", "words", "slow", "lost"]
    assert lines[2].split()[1:4] == ["0.7000", "1,234.50", "2"]
    snapshot(lines)
    snapshot(repr(whole.runs[1]))


def test_a_report_prints_every_metric_the_verdicts_and_the_pick_with_its_reason(whole, snapshot):
    lines = str(whole).splitlines()
    assert first_words(lines[2:6]) == ["both", "words", "slow", "lost"]
    assert lines[2].split()[1:5] == ["0.7000", "0.2500", "1,234.50", "2"]
    assert lines[-1].endswith("(it leads)")
    snapshot(lines)
    assert lines[-1].removesuffix(" (it leads)") in whole._repr_html_()
    picks = {"pick": {"run": "both", "reason": "it wins"}, "pick_within_budgets": {"run": None}}
    sure = str(replace(whole, recommendations=picks)).splitlines()
    assert sure[-1].endswith("both (it wins)")
    itself = {"pick": {"run": "words", "sure": False, "meanwhile": "words"}}
    told = str(replace(whole, recommendations=itself)).splitlines()[-1]
    assert "words" in told
    same = replace(whole, recommendations=dict.fromkeys(picks, picks["pick"]))
    both = str(same).splitlines()
    assert str(same).count("both (it wins)") == 1
    assert len(both) == len(lines)
    snapshot([sure[-1], told, both[-1]])


def test_a_report_of_several_datasets_says_that_scores_are_means(whole, snapshot):
    several = replace(whole, dataset={"queries": 9, "collections": {"ours": {}, "theirs": {}}})
    told, printed = (text.splitlines()[0] for text in (repr(several), str(several)))
    assert told == f"<{printed}"
    assert "2 collections" in printed
    snapshot(printed)


def test_a_comparison_shows_its_candidates(snapshot):
    found = compared(candidate("both"), candidate("near", "needs_queries"))
    lines = repr(found).splitlines()
    assert first_words(lines[2:5]) == ["words", "both", "near"]
    assert lines[3].split()[1:6] == ["0.7000", "+0.2000", "[-0.0500,", "+0.4500]", "0.0400"]
    snapshot(lines)
    snapshot(repr(candidate("both")))
    assert found.frame()["verdict"].to_list() == ["ship", "needs_queries"]
    assert found.frame().schema["wins"] == pl.Int64


@pytest.fixture
def changes():
    one = RunChange(run("words"), run("both"), candidate("both"))
    return ReportChanges([Since("a.json", name, "ndcg@10", 9, (one,)) for name in ("b", "c")])


def test_changes_of_reports_are_a_tuple_with_a_frame(changes):
    frame = changes.frame()
    assert frame["report"].to_list() == ["b", "c"]
    assert frame.columns[:4] == ["report", "baseline_run", "run", "metric"]
    assert frame["difference"].to_list() == [0.2, 0.2]
    assert changes[0].frame().equals(frame[:1])
    assert ReportChanges().frame().schema == frame.schema
    first, second = changes
    assert (first.after, second.after, isinstance(changes, tuple)) == ("b", "c", True)


def test_changes_of_reports_show_what_was_and_is(changes, snapshot):
    lines = repr(changes[0]).splitlines()
    assert lines[2].split()[:4] == ["both", "0.5000", "0.7000", "+0.2000"]
    snapshot(lines)
    assert repr(changes).count("<") == 2
    assert len(re.findall("<table", changes._repr_html_())) == 2


class Seen(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.words = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.words.append(data)


def seen(html):
    found = Seen()
    found.feed(html)
    return found


def test_a_notebook_has_a_table_without_colours_or_scripts(whole):
    html = whole._repr_html_()
    found = seen(html)
    assert found.tags.count("tr") == 5
    assert found.words[1:5] == ["run", "ndcg@10", "p95 ms", "failed queries"]
    assert found.words[6:11] == ["both", "0.7000", "1,234.50", "2", "SHIP"]
    styles = " ".join(re.findall(r'style="([^"]*)"', html))
    assert not re.search(r"background|color:(?!inherit)|#", styles)
    assert "http" not in html


def test_what_others_wrote_is_harmless_and_short(changes):
    about = {"name": HOSTILE, "primary": HOSTILE}
    picks = {"pick": {"run": HOSTILE, "reason": HOSTILE}}
    told = report(run(HOSTILE, scores={HOSTILE: 0.5}), benchmark=about, recommendations=picks)
    assert str(told).replace("\n", "").isprintable()
    since = Since(HOSTILE, HOSTILE, HOSTILE, 1, changes[0].changes)
    for one in (told, compared(candidate(HOSTILE)), since, ReportChanges([since])):
        html, text = one._repr_html_(), repr(one)
        assert "script" not in seen(html).tags
        assert max(map(len, text.splitlines())) <= 400
        assert text.replace("\n", "").isprintable()
        assert html.replace("\n", "").isprintable()
        (html + text).encode()
    for one in (run(HOSTILE), candidate(HOSTILE)):
        assert repr(one).isprintable()
        assert len(repr(one)) < 200


def test_nothing_floods_a_screen(whole):
    names = [f"run {at}" for at in range(1000)]
    many = replace(
        whole,
        runs=tuple(map(run, names)),
        comparisons=compared(*map(candidate, names)),
    )
    for one in (many, many.comparisons, whole):
        assert len(repr(one).splitlines()) <= 15
        assert len(str(one).splitlines()) <= 22
    assert re.search(r"\b990\b", repr(many))  # the runs that are left out
    assert re.search(r"\b982\b.*\.frame\(\)", str(many))
    assert re.search(r"\b970\b", many._repr_html_())
    assert len(many._repr_html_()) < 30_000
    assert len(repr(candidate("both"))) < 100


def test_odd_reports_show_themselves(snapshot):
    empty = Report(benchmark={}, dataset={}, corpus={}, environment={}, runs=())
    assert "<table" in empty._repr_html_()
    snapshot(repr(empty))
    snapshot(str(empty))
    alone = report(run("words"), status="cancelled")
    assert "verdict" not in repr(alone)
    snapshot(repr(alone))


def test_an_evaluation_is_a_line(snapshot):
    found = Evaluation("bm25", tuple(f"q{at}" for at in range(500)), {"mrr": 0.5}, {})
    assert "mrr 0.5000" in repr(found)
    snapshot(repr(found))


def test_records_are_equal_and_pickled_as_before(whole, changes):
    assert run("a") == run("a") != run("b")
    assert candidate("a") == candidate("a") != candidate("b")
    again = pickle.loads(pickle.dumps(whole))
    assert (repr(again), again.runs, again == whole) == (repr(whole), whole.runs, False)
    for one in (pickle.loads(pickle.dumps(changes)), copy.deepcopy(changes)):
        assert type(one) is ReportChanges
        assert repr(one) == repr(changes)
