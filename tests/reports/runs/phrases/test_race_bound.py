"""Beside what a raced report recommends stands how likely the best was stopped."""

from dataclasses import replace

import pytest

from assay.cli.terminal.analysis import show_analysis
from assay.cli.terminal.report import show_report, show_short
from assay.reports.runs.markdown import markdown
from assay.reports.runs.phrases.race_bound import race_bound
from assay.reports.runs.tables.brief import brief

PICK = {"pick": {"run": "good", "by": "ndcg@10", "reason": "the best"}}


@pytest.fixture
def raced(report):
    def make(*, stopped=("bad", "worse"), recommendations=PICK):
        told = report("good", "base", "bad", "worse", recommendations=recommendations)
        runs = [replace(run, status="beaten") if run.name in stopped else run for run in told.runs]
        beaten = [
            {"run": name, "after": 20, "by": "good", "score": 0.25, "leader_score": 0.5}
            for name in stopped
        ]
        left = [run.name for run in told.runs if run.name not in stopped]
        race = {"alpha": 0.05, "metric": "ndcg@10", "queries": 300}
        race |= {"survivors": left, "beaten": beaten}
        return replace(told, runs=tuple(runs), race=race)

    return make


def test_it_is_one_sentence(raced, report, snapshot):
    snapshot(race_bound(raced()))
    for fact in ("2 of 4", "ndcg@10", "0.05", "300 queries"):
        assert fact in race_bound(raced())
    assert race_bound(raced(stopped=())) == ""
    assert race_bound(report("a", "b")) == ""
    large = raced()
    large = replace(large, race=large.race | {"alpha": 0.001})
    assert "0.001." in race_bound(large)


@pytest.mark.parametrize("show", [show_short, show_report, show_analysis])
def test_the_terminal_has_it_once_below_the_answer(raced, capsys, show):
    show(raced())
    out = " ".join(capsys.readouterr().out.split())
    assert out.index("good: ") < out.index(race_bound(raced()))
    assert out.count("2 of 4") == 1
    show(raced(stopped=()))
    assert "0.05" not in capsys.readouterr().out


def test_markdown_has_it_after_the_pick(raced):
    told = raced()
    page = markdown(told, brief(told), [], date="today").decode()
    assert page.index("**good: ") < page.index(f"\n- {race_bound(told)}\n")
    told = raced(stopped=())
    assert "0.05" not in markdown(told, brief(told), [], date="today").decode()
