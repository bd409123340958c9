"""`assay dataset make`: families as commands, their settings as options."""

import json
import re
import shlex

import pytest

from assay.cli import start as run


@pytest.fixture
def assay(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    def call(*words):
        code = run(["dataset", "make", *map(str, words)])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


def test_json(assay, tmp_path):
    given = ("clusters", "--queries", 5, "--documents", 25, "--clusters", 5, "--noise", "0.25")
    code, out, _ = assay(*given, "--json", "-o", tmp_path / "x")
    assert code == 0
    assert json.loads(out) == {
        "path": str(tmp_path / "x"),
        "name": "clusters",
        "queries": 5,
        "documents": 25,
        "judgments": 25,
        "grades": {"1": 25},
        "left_out": {},
    }


def test_the_seed_counts(assay, tmp_path):
    for seed in (1, 2):
        assay("short-queries", "--seed", seed, "-o", tmp_path / str(seed))
    one, other = ((tmp_path / name / "corpus.jsonl").read_bytes() for name in "12")
    assert one != other


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("exactmatch", '"exact-match"'),
        ("zzz", "clusters, "),
        ("exact-match -o x --querys 3", '"--queries"'),
        ("exact-match -o x --queries many", "'many'"),
        ("exact-match", "'--output'"),
        ("git-history -o x", "'--corpus'"),
        ("exact-match -o x --queries 0", "queries=0"),
        ("exact-match -o x --seed -1", "seed=-1"),
        ("git-history -o x --corpus /nowhere", "/nowhere"),
        ("git-history -o x --corpus stdlib", "stdlib: "),
        ("git-history -o x --corpus .", "git"),
        ("repoeval -o x --corpus .", "Python, TypeScript"),
    ],
)
def test_mistakes_get_one_message(assay, words, named, tmp_path, monkeypatch, snapshot):
    here = tmp_path / "here"
    here.mkdir()
    (here / "note.txt").write_text("a text")
    monkeypatch.chdir(here)
    code, _, err = assay(*words.split())
    assert code == 2
    assert named in err
    assert [one.name for one in here.iterdir()] == ["note.txt"]
    snapshot(re.sub(r"\(.*\)", "(...)", err))  # git's own words


def test_fewer_queries_than_asked_for_are_said(assay, tmp_path, snapshot):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "prices.py").write_text("def up(value):\n    return int(value + 0.5)\n")
    (tmp_path / "code" / "till.py").write_text(
        "from prices import up\n\n\ndef total(items):\n    log(items)\n    return up(items)\n"
    )
    words = ("repoeval", "--corpus", tmp_path / "code", "--task", "masked", "-o", tmp_path / "made")
    code, out, err = assay(*words)
    assert code == 0
    snapshot(out)
    snapshot(line for line in err.splitlines() if line.startswith("note: "))


def test_the_next_command_raises_the_limits_that_it_meets(assay, tmp_path):
    words = ("--clusters", 2, "--documents", 300, "--queries", 3, "-o", tmp_path / "a b")
    _, _, err = assay("clusters", *words)
    (line,) = err.splitlines()
    command = shlex.split(line.partition("assay ")[2])
    assert command == ["dataset", "audit", f"{tmp_path}/a b", "--max-judgments", "150"]
    assert run(["dataset", "check", *command[2:]]) == 0
