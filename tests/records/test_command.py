"""What a report was asked for with is told again, word for word, to whoever reads it."""

import shlex
from pathlib import Path

import pytest

from assay.records import Report
from assay.records.command import (
    asked_as,
    at_service,
    command,
    is_remote,
    searched,
    unplaced,
    without_service,
)
from assay.reports.analysis.busy import busy

OLD = {"name": "b", "metrics": ["mrr"], "primary": "mrr"}


def made(told=None, id_="0123456789abcdef", **benchmark):
    known = OLD | benchmark | ({} if told is None else {"command": told})
    return Report(known, {}, {}, {}, (), id=id_)


def run_of(file, **options):
    return command(made(asked_as(file, **options)))


def judge_of(file, **options):
    return command(made(asked_as(file, **options)), "judge")


def test_a_file():
    assert run_of("b.yaml") == "assay run b.yaml"
    assert run_of(Path("in") / "b.yaml") == "assay run in/b.yaml"
    assert judge_of("b.yaml") == "assay judge b.yaml"
    assert command(made(asked_as("b.yaml")), "run", "--fresh") == "assay run b.yaml --fresh"


def test_a_dataset_that_took_the_place_of_the_files_own():
    assert run_of("b.yaml", dataset="j.json", seed=3) == "assay run b.yaml --dataset j.json"
    graded = asked_as("b.yaml", dataset="j.json") | {"grades": True}
    assert command(made(graded), "judge") == "assay judge b.yaml -o j.json"
    assert judge_of("b.yaml", dataset="q.yaml") == "assay judge FILE"  # which asks about another
    assert searched(made(asked_as("b.yaml", dataset="j.json"))) == "j.json"
    assert searched(made(asked_as("b.yaml"))) == searched(made()) == "the dataset"


def test_how_judgments_are_read_is_typed_again():
    told = run_of("b.yaml", dataset="j.csv", binary=True, subtopics=False, match_weights=True)
    assert told == "assay run b.yaml --dataset j.csv --binary --match-weights"
    forged = asked_as("b.yaml") | {"flags": ["binary", "rm", 3]}
    assert command(made(forged)) == "assay run b.yaml --binary"
    assert command(made(asked_as("b.yaml") | {"flags": "binary"})) == "assay run b.yaml"


def test_no_file():
    told = {"suite": "quick_test", "dataset": "stdlib", "corpus": "src"}
    assert run_of(None, **told) == "assay run --suite quick_test --dataset stdlib --corpus src"
    assert run_of(None, dataset="q", model="a,b") == "assay run --dataset q --model a,b"
    assert judge_of(None, **told) == "assay judge FILE"


def test_a_suite_is_judged_by_its_report_and_another_corpus_by_no_file():
    assert judge_of("b.yaml", suite="small") == "assay judge b.yaml --report 01234567"
    assert command(made(asked_as("b.yaml", suite="s"), id_=""), "judge") == "assay judge b.yaml"
    assert judge_of("b.yaml", corpus="src") == "assay judge FILE"


@pytest.mark.parametrize(
    ("file", "options"),
    [({"dataset": "q"}, {}), ("-", {}), ("b.yaml", {"corpus": {"path": "x"}})],
)
def test_what_no_command_line_says_is_not_told(file, options):
    assert asked_as(file, **options) == {}
    assert run_of(file, **options) == "assay run FILE"


def test_an_old_report_names_no_file():
    assert command(made()) == "assay run FILE"
    assert command(made(), "judge") == "assay judge FILE"
    assert command(made(name="demo", dataset="stdlib")) == "assay demo"


def test_the_demo():
    told = made(asked_as(None, verb="demo"))
    assert command(told) == "assay demo"
    assert command(told, "run", "--fresh") == "assay demo --fresh"
    assert command(told, "run", "--resume", "--retry-failed") == "assay demo --fresh"
    assert command(told, "judge") == "assay judge FILE"
    full = made(asked_as(None, verb="demo", full=True))
    assert command(full) == "assay demo --full"
    assert command(full, "run", "--fresh") == "assay demo --full --fresh"


def test_of_an_absolute_path_only_the_name_is_kept():
    told = asked_as("/home/ann/b.yaml", dataset="/x/judged.json", corpus="git:/src/ours")
    assert command(made(unplaced(told))) == (
        "assay run b.yaml --dataset judged.json --corpus git:ours"
    )
    assert "ann" not in str(unplaced(told))
    near = asked_as("../b.yaml", dataset="in/j.json")
    assert unplaced(near) == near


def test_names_are_quoted_and_cannot_command_a_terminal():
    line = run_of("my bench.yaml", dataset="a;b.json")
    assert line == "assay run 'my bench.yaml' --dataset 'a;b.json'"
    assert shlex.split(line) == ["assay", "run", "my bench.yaml", "--dataset", "a;b.json"]
    assert "\x1b" not in run_of("\x1b[2Jb.yaml")
    assert "\x1b" not in searched(made(asked_as("b.yaml", dataset="\x1b[2J.json")))


@pytest.mark.parametrize(
    "told",
    [
        *("assay run b.yaml", [], {}, {"file": 3, "options": []}, {"file": "b.yaml"}),
        {"file": "b.yaml", "options": ["--save-runs", "/"]},
        {"file": "b.yaml", "options": ["--dataset"]},
        {"file": "b.yaml", "options": [1, 2]},
        {"file": None, "options": []},
    ],
)
def test_what_others_wrote_there_is_not_repeated(told):
    assert command(made(told)) == "assay run FILE"
    assert command(made(told), "judge") == "assay judge FILE"


def test_the_warning_of_a_busy_machine_repeats_it():
    load = {"cores": 1, "runs": {"a": {"cores_busy": 0.4, "busy_machine": True}}}
    known = OLD | {"command": asked_as("b.yaml", dataset="judged")}
    told = busy(Report(known, {}, {}, {}, (), analysis={"load": load}))
    assert "`assay run b.yaml --dataset judged`" in told


def test_at_a_service_what_is_resumed_is_named_by_its_id():
    there = at_service(made(asked_as("b.yaml")), "http://127.0.0.1:8787")
    url = "--url http://127.0.0.1:8787"
    assert command(there) == f"assay run b.yaml {url}"
    again = command(there, "run", "--resume", "--retry-failed")
    assert again == f"assay run 01234567 --resume --retry-failed {url}"


def test_the_service_that_was_noted_is_no_part_of_a_report():
    for here in (made(asked_as("b.yaml")), made()):
        there = at_service(here, "http://127.0.0.1:8787")
        assert (is_remote(here), is_remote(there)) == (False, True)
        assert without_service(there.benchmark) == here.benchmark
