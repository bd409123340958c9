"""A run is called the same in every sentence: by its number where tables have it, else quoted."""

import pytest

from assay.reports.runs.phrases.run_label import label_runs, list_runs, run_label

LONG = ("words", "dense chunk_size=32 depth=50", "dense chunk_size=64", "both", "both depth=200")


def test_few_runs_are_quoted(report):
    told = report("both", "words, plain")
    assert run_label(told, "both") == '"both"'
    assert run_label(told, "words, plain") == '"words, plain"'
    assert list_runs(told, ["both", "words, plain"]) == '"both", "words, plain"'
    assert label_runs(told, '"both" scores best.') == '"both" scores best.'


def test_many_runs_with_long_names_are_numbered(report):
    told = report(*LONG)
    assert run_label(told, "both") == "run 4 (both)"
    assert list_runs(told, ["both"]) == "run 4 (both)"
    assert list_runs(told, ["both", "words"]) == "runs 4, 1"
    assert run_label(told, "gone") == '"gone"'
    assert run_label(told, None) == '"None"'


def test_what_a_report_holds_is_told_by_the_same_names(report):
    told = report(*LONG)
    stored = '{} and {} are like {}, both "bold".'
    names = ("both", "both depth=200", "dense chunk_size=64")
    shown = (f"run {LONG.index(name) + 1} ({name})" for name in names)
    assert label_runs(told, stored.format(*map('"{}"'.format, names))) == stored.format(*shown)


@pytest.mark.parametrize("name", ['a "b" c', "x\x1b[31m", "(a|b)*", ""])
def test_odd_names_do_no_harm(report, name):
    told = report(*LONG, name)
    assert "\x1b" not in run_label(told, name)
    assert label_runs(told, f'"{name}" wins over "words".').endswith("over run 1 (words).")
    assert run_label(report(name), name).startswith('"')
