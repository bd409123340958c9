"""``assay health``, as a person types it."""

import json
import re
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


def test_the_command_of_the_hint_builds_the_index_that_is_missing(project, capsys):
    asked = ["project", *LEXICAL, "--chunk-size", "64", "--exclude", "*_1 .md", "--workspace", "w"]
    assert run(["health", *asked]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    hint = err.partition("`")[2].partition("`")[0]
    assert shlex.split(hint) == ["assay", "index", *asked]
    assert run(shlex.split(hint)[1:]) == 0
    assert run(["health", *asked, "--check"]) == 0


def test_every_option_of_a_search_can_be_in_the_hint():
    assert set(OPTIONS) == set(KEYS)


def test_a_good_index_fits_on_a_screen(indexed, capsys):
    assert run(["health", "project", *LEXICAL, "--check"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert [int(number) for number in re.findall(r"\d+", first)] == [12, 12, 26, 2, 24]
    assert len(rest) < 20
    assert max(map(len, rest)) <= 100


def test_what_is_bad_comes_first_and_fails_a_check(indexed, capsys, snapshot):
    for path in sorted(indexed.iterdir())[:6]:
        path.unlink()
    assert run(["health", "project", *LEXICAL]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert lines[2].split()[:3] == ["bad", "staleness", "removed"]
    assert "6 of 12" in lines[2]
    assert "`assay index`" in "".join(lines)
    snapshot(out.split("\n\n")[1])  # below is what is good, with sizes
    assert run(["health", "project", *LEXICAL, "--check"]) == 1


def test_json_is_for_programs(indexed, capsys):
    assert run(["health", "project", *LEXICAL, "--json", "--expect", "chunks=5:"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["corpus"] == "project"
    (chunks,) = [one for one in told["findings"] if one["name"] == "chunks"]
    assert (chunks["expected"], chunks["value"], chunks["state"]) == ([5, None], 12, "good")


@pytest.mark.parametrize(
    "text", ["documents", "documents=", "documents=:", "=5", "documents=-1", "documents=1.5", "☃=1"]
)
def test_a_wrong_expectation_is_one_message(project, capsys, text, snapshot):
    assert run(["health", "project", *LEXICAL, "--expect", text]) == 2
    err = capsys.readouterr().err
    assert "--expect" in err
    snapshot(err)


@pytest.mark.parametrize(
    ("words", "named"), [("files=3", "documents, chunks"), ("chunks=1 chunks=2", "chunks")]
)
def test_a_name_that_is_not_counted_or_counted_twice_is_refused(
    indexed, capsys, words, named, snapshot
):
    expected = [part for word in words.split() for part in ("--expect", word)]
    assert run(["health", "project", *LEXICAL, *expected]) == 2
    err = capsys.readouterr().err
    assert named in err
    snapshot(err)


def test_a_check_does_not_pass_by_what_is_never_counted(indexed, capsys, snapshot):
    assert run(["health", "project", *LEXICAL, "--check", "--expect", "vectors=9"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: expect: ")
    assert "no vectors" in err
    assert "documents, chunks, texts" in err
    snapshot(err)


@pytest.mark.parametrize("extension", ["md", "csv", "json", "tex"])
def test_files_are_written(indexed, capsys, extension, tmp_path):
    assert run(["health", "project", *LEXICAL, "-o", f"health.{extension}"]) == 0
    assert "equal chunks" in (tmp_path / f"health.{extension}").read_text()
