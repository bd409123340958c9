"""``assay health``, as a person types it."""

import json
import shlex

import pytest

from assay.cli import start as run
from assay.cli.search_options import KEYS
from assay.searches.current_index import OPTIONS

LEXICAL = ["--search", "lexical"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    folder = tmp_path / "project"
    folder.mkdir()
    for at in range(12):
        (folder / f"part_{at}.md").write_text(f"# Part {at}\n\nwords that are said in part {at}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_WORKSPACE", raising=False)
    return folder


@pytest.fixture
def indexed(project, capsys):
    assert run(["index", "project", *LEXICAL]) == 0
    capsys.readouterr()
    return project


def test_without_an_index_one_message_says_what_to_do(project, capsys):
    assert run(["health", "project", *LEXICAL]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "error: project: there is no index yet for this search\n"
        "  hint: build it first: `assay index project --search lexical`\n"
    )


def test_the_command_of_the_hint_builds_the_index_that_is_missing(project, capsys):
    asked = ["project", *LEXICAL, "--chunk-size", "64", "--exclude", "*_1 .md", "--workspace", "w"]
    assert run(["health", *asked]) == 2
    hint = capsys.readouterr().err.partition("`")[2].partition("`")[0]
    assert hint == (
        "assay index project --search lexical --chunk-size 64 --exclude '*_1 .md' --workspace w"
    )
    assert run(shlex.split(hint)[1:]) == 0
    assert run(["health", *asked, "--check"]) == 0


def test_every_option_of_a_search_can_be_in_the_hint():
    assert set(OPTIONS) == set(KEYS)


def test_a_good_index_fits_on_a_screen(indexed, capsys):
    assert run(["health", "project", *LEXICAL, "--check"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == "project: 12 documents in 12 chunks; 2 unknown, 24 good"
    assert len(rest) < 20
    assert max(map(len, rest)) <= 100


def test_what_is_bad_comes_first_and_fails_a_check(indexed, capsys):
    for path in list(indexed.iterdir())[:6]:
        path.unlink()
    assert run(["health", "project", *LEXICAL]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("bad      staleness   removed")
    assert "6 of 12 (expected at most 0)" in lines[2]
    assert "bring it up to date with `assay index`" in " ".join(lines)
    assert run(["health", "project", *LEXICAL, "--check"]) == 1


def test_json_is_for_programs(indexed, capsys):
    assert run(["health", "project", *LEXICAL, "--json", "--expect", "chunks=5:"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["corpus"] == "project"
    (chunks,) = [one for one in told["findings"] if one["name"] == "chunks"]
    assert (chunks["expected"], chunks["value"], chunks["state"]) == ([5, None], 12, "good")


def test_explained_every_finding_has_its_sentence(indexed, capsys):
    assert run(["health", "project", *LEXICAL, "--explain"]) == 0
    out = capsys.readouterr().out
    assert "Bad would mean: The index has lost a part of itself" in out
    assert out.count("\ngood ") == 24


@pytest.mark.parametrize(
    "text", ["documents", "documents=", "documents=:", "=5", "documents=-1", "documents=1.5", "☃=1"]
)
def test_a_wrong_expectation_is_one_message(indexed, capsys, text):
    assert run(["health", "project", *LEXICAL, "--expect", text]) == 2
    assert "--expect cannot be" in capsys.readouterr().err


def test_a_name_that_is_not_counted_or_counted_twice_is_refused(indexed, capsys):
    assert run(["health", "project", *LEXICAL, "--expect", "files=3"]) == 2
    assert "it can be documents, chunks" in capsys.readouterr().err
    twice = ["--expect", "chunks=1", "--expect", "chunks=2"]
    assert run(["health", "project", *LEXICAL, *twice]) == 2
    assert "names chunks twice" in capsys.readouterr().err


def test_a_check_does_not_pass_by_what_is_never_counted(indexed, capsys):
    assert run(["health", "project", *LEXICAL, "--check", "--expect", "vectors=9"]) == 2
    assert capsys.readouterr().err == (
        "error: vectors are not counted: this search has none\n"
        "  hint: it can be documents, chunks, texts, words, bytes, generation\n"
    )


@pytest.mark.parametrize("extension", ["md", "csv", "json", "tex"])
def test_files_are_written(indexed, capsys, extension, tmp_path):
    assert run(["health", "project", *LEXICAL, "-o", f"health.{extension}"]) == 0
    assert "equal chunks" in (tmp_path / f"health.{extension}").read_text()
