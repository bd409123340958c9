"""`assay dataset make`: families as commands, their settings as options."""

import json
import shlex

import pytest

from assay.cli import start as run


@pytest.fixture
def assay(capsys):
    def call(*words):
        code = run(["dataset", "make", *map(str, words)])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


def test_it_says_what_was_made_and_what_next(assay, tmp_path):
    code, out, err = assay("exact-match", "--queries", 10, "--documents", 40, "-o", tmp_path / "x")
    assert code == 0
    assert "10 queries over 40 documents, 40 judgments" in out
    assert "10 of grade 3, 10 of grade 2, 10 of grade 1, 10 of grade 0" in out
    assert err == f"next: assay dataset audit {tmp_path}/x\n"


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


def test_help_lists_families_and_settings(assay):
    _, out, _ = assay("--help")
    for family in ("exact-match", "semantic-similarity", "clusters", "repoeval", "git-history"):
        assert family in out
    _, out, _ = assay("clusters", "--help")
    for option in ("--seed", "--noise", "--spread", "--dimensions", "[default: 0.5]"):
        assert option in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["exactmatch"], "Did you mean 'exact-match'?"),
        (["zzz"], "There are: clusters, "),
        (["exact-match", "-o", "x", "--querys", "3"], "Did you mean '--queries'?"),
        (["exact-match", "-o", "x", "--queries", "many"], "'many' is not a valid int"),
        (["exact-match"], "Missing option '-o' / '--output'"),
        (["git-history", "-o", "x"], "Missing option '--corpus'"),
        (["exact-match", "-o", "x", "--queries", "0"], "queries=0 is too small"),
        (["exact-match", "-o", "x", "--seed", "-1"], "seed=-1 is too small"),
        (["git-history", "-o", "x", "--corpus", "/nowhere"], "/nowhere"),
        (["git-history", "-o", "x", "--corpus", "stdlib"], "stdlib: is not a git repository"),
        (["git-history", "-o", "x", "--corpus", "."], "is not a git repository"),
        (["repoeval", "-o", "x", "--corpus", "."], "it takes files in Python, TypeScript"),
    ],
)
def test_mistakes_get_one_message(assay, words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = assay(*words)
    assert code == 2
    assert said in err
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


def test_fewer_queries_than_asked_for_are_said(assay, tmp_path):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "prices.py").write_text("def up(value):\n    return int(value + 0.5)\n")
    (tmp_path / "code" / "till.py").write_text(
        "from prices import up\n\n\ndef total(items):\n    log(items)\n    return up(items)\n"
    )
    words = ("repoeval", "--corpus", tmp_path / "code", "--task", "masked", "-o", tmp_path / "made")
    code, out, err = assay(*words)
    assert code == 0
    assert "1 query over 2 documents, 1 judgment (1 of grade 3)" in out
    assert "note: 1 query of the 100 that were asked for: there are no more" in err
    assert "note: left out: calls to what is not defined here (1)" in err


def test_the_next_command_raises_the_limits_that_it_meets(assay, tmp_path):
    words = ("--clusters", 2, "--documents", 300, "--queries", 3, "-o", tmp_path / "a b")
    _, _, err = assay("clusters", *words)
    (line,) = err.splitlines()
    assert line == f"next: assay dataset audit '{tmp_path}/a b' --max-judgments 150"
    command = shlex.split(line.removeprefix("next: assay "))
    assert run(["dataset", "check", *command[2:]]) == 0


def test_the_list_names_families(capsys):
    assert run(["list", "families"]) == 0
    assert "exact-match" in capsys.readouterr().out
