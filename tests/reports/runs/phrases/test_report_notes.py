"""What is said of several runs is said once."""

from assay.records import Report, Run
from assay.reports.runs.phrases.report_notes import report_notes


def told(notes, names=("words", "both", "dense")):
    about = {"name": "b", "metrics": ["ndcg@10"], "primary": "ndcg@10"}
    runs = tuple(Run(name, name, {}) for name in names)
    return report_notes(Report(about, {}, {}, {}, runs, notes=tuple(notes)))


def test_what_holds_for_several_runs_is_said_once():
    said = "latency_p95_ms was not measured, so its budget is not checked"
    assert told(f"{name}: {said}" for name in ("words", "both", "dense")) == [f"all runs: {said}"]
    assert told([f"words: {said}", f"both: {said}"]) == [f'{said}: "words", "both"']
    assert told([f"words: {said}"]) == [f'"words": {said}']
    unknown = [f"nobody: {said}", "words and both: alike"]
    assert told(unknown) == unknown


def test_long_names_of_many_have_the_numbers_of_the_tables():
    names = [f"both chunk_size=256 depth={at}" for at in range(6)]
    notes = [f"{names[2]}: slow", f'"{names[1]}" and "{names[0]}" answer alike']
    first, second, third = (f"run {at} ({name})" for at, name in enumerate(names[:3], 1))
    assert told(notes, names) == [f"{third}: slow", f"{second} and {first} answer alike"]


def test_a_name_that_begins_another_is_not_taken_for_it():
    names = ["a", "a: b", "c", "d"]
    assert told(["a: b: x", "a: y"], names) == ['"a: b": x', '"a": y']
    assert told([]) == []
