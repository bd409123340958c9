"""``assay index`` and ``assay search``, as a person types them."""

import json
import os
from types import SimpleNamespace

import pytest

from assay.cli import start as run
from assay.cli.commands.index import _rate

TEXTS = {
    "net/retry.py": "class Retry:\n    def wait_before_retry(self, times):\n        return times\n",
    "net/session.py": "class Session:\n    def open(self):\n        return connect()\n",
    "guide.md": "# Guide\n\n## Failing\n\nRequests that fail are tried again.\n",
}
LEXICAL = ["--search", "lexical"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    for path, text in TEXTS.items():
        file = tmp_path / "project" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_WORKSPACE", raising=False)
    return tmp_path


def test_an_index_is_built_and_kept_up_to_date(project, capsys):
    assert run(["index", "project", *LEXICAL]) == 0
    assert capsys.readouterr().out.startswith("3 documents in 3 chunks: 3 added")

    (project / "project" / "guide.md").unlink()
    assert run(["index", "project", *LEXICAL]) == 0
    assert capsys.readouterr().out.startswith("2 documents in 2 chunks: 1 removed")
    assert (project / ".assay" / ".gitignore").read_text() == "*\n"


def test_json_of_an_index(project, capsys):
    assert run(["index", "project", *LEXICAL, "--json"]) == 0

    told = json.loads(capsys.readouterr().out)
    assert (told["documents"], told["added"], told["removed"]) == (3, 3, 0)


def test_results_show_place_names_and_lines(project, capsys):
    assert run(["search", "project", "wait before a retry", *LEXICAL]) == 0

    out, err = capsys.readouterr()
    first, *rest = out.splitlines()
    assert first.startswith(" 1  net/retry.py:1-3  Retry, Retry.wait_before_retry")
    assert "wait_before_retry" in rest[0] + rest[1]
    assert " ms (lexical " in err


def test_lines_of_scripts_without_spaces_are_found_and_near_names_come_first(project, capsys):
    code = "def one():\n" + "    step()\n" * 4 + "\ndef two():\n    return '検索エンジン'\n"
    (project / "project" / "many.py").write_text(code, encoding="utf-8")

    assert run(["search", "project", "検索", *LEXICAL]) == 0

    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith(" 1  many.py:1-8  two, one")
    assert rest[0].split() == ["8", "return", "'検索エンジン'"]


def test_explaining_tells_terms_and_stages(project, capsys):
    assert run(["search", "project", "wait before a retry", *LEXICAL, "--explain"]) == 0

    out = capsys.readouterr().out
    assert "  lexical  rank 1, score " in out
    assert "holds 100% of the query" in out
    assert "names: " in out
    assert "body: " in out


def test_the_stage_that_lost_a_document_is_named(project, capsys):
    assert run(["search", "project", "guide", *LEXICAL, "--why-not", "net/session.py"]) == 0

    assert "net/session.py: lost by lexical: nothing in it matches" in capsys.readouterr().out


def test_json_of_a_search(project, capsys):
    assert run(["search", "project", "open session", *LEXICAL, "--json", "-k", "1"]) == 0

    told = json.loads(capsys.readouterr().out)
    (hit,) = told["hits"]
    assert (hit["rank"], hit["path"], hit["lines"]) == (1, "net/session.py", [1, 3])
    assert hit["symbols"] == ["Session", "Session.open"]
    assert set(told["latency_ms"]) >= {"lexical", "total"}


def test_nothing_found_is_said(project, capsys):
    assert run(["search", "project", "zzzz", *LEXICAL]) == 0
    assert capsys.readouterr().out == "nothing found\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "nowhere", "x"], "nowhere"),
        (["search", "project", "x", "--chunker", "cod"], "code"),
        (["search", "project", "x", "--model", "minilmm"], "minilm"),
        (["search", "project", "x", "--chunk-size", "0"], "chunk_size"),
        (["search", "project", "x", *LEXICAL, "--model", "static"], "model"),
        (["search", "project", "x", *LEXICAL, "--why-not", "gide.md"], "guide.md"),
        (["index", "project", "--dense", "exakt"], "exact"),
        (["search", "project", "x", "--threshold", "0.5"], "threshold"),
    ],
)
def test_what_is_wrong_gets_one_message(project, capsys, arguments, message):
    assert run(arguments) == 2

    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize("record", [{"text": 1}, {"title": 1, "text": 1}, {"path": 1, "text": 1}])
def test_no_document_commands_the_terminal(project, capsys, monkeypatch, record):
    """Also where click lets colours through, as it does on a terminal."""
    evil = "quartz \x1b]0;mine\x07\x9b2J end"
    (project / "c.jsonl").write_text(json.dumps({"_id": "d", **dict.fromkeys(record, evil)}))
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)
    monkeypatch.setattr("click._compat.should_strip_ansi", lambda *_: False)
    assert run(["search", "c.jsonl", "quartz", *LEXICAL]) == 0

    out = capsys.readouterr().out
    assert "quartz" in out
    assert not {"\x1b]", "\x07", "\x9b"} & {
        out[at : at + n] for at in range(len(out)) for n in (1, 2)
    }


LONG = "a" * 5000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", LONG, "x"], "cannot be opened (File name too long)"),
        (["search", "project", "x", *LEXICAL, "--workspace", LONG], "name that is too long"),
        (["index", "project", *LEXICAL, "--workspace", LONG], "name that is too long"),
        (["search", "project", "x", *LEXICAL, "--why-not", LONG], "is not in the index"),
    ],
)
def test_a_name_that_is_too_long_gets_a_short_message(project, capsys, arguments, message):
    assert run(arguments) == 2

    err = capsys.readouterr().err
    assert message in err
    assert len(err) < 800


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no folder in which none can be made")  # noqa: PTH112
def test_a_workspace_that_cannot_be_made(project, capsys):
    assert run(["index", "project", *LEXICAL, "--workspace", "/proc/x"]) == 2
    assert ": cannot be made there\n  hint: choose another folder" in capsys.readouterr().err


def test_what_was_searched_for_nothing_is_said(project, capsys):
    assert run(["search", "project", "retry", *LEXICAL, "--include", "*.rs"]) == 0
    assert capsys.readouterr().out.startswith("nothing found: 0 documents were searched; check")
    assert run(["search", "project", " ", *LEXICAL]) == 0
    assert capsys.readouterr().out == "nothing found: the query is empty\n"


def test_skipped_files_are_told_in_words(project, capsys):
    (project / "project" / "a.bin").write_bytes(b"a\0b")
    (project / "project" / "b.txt").write_text("x" * 1_000_001)
    for name in "cd":
        (project / "project" / name).symlink_to("guide.md")
    for command in (["index", "project"], ["search", "project", "retry"]):
        (project / "project" / "new.md").write_text(f"# {command}")
        assert run([*command, *LEXICAL]) == 0
        told = "note: skipped 1 binary file, 1 file that is too large, 2 links\n"
        assert sorted(told[14:-1].split(", ")) == sorted(
            capsys.readouterr().err.splitlines()[0][14:].split(", ")
        )


@pytest.mark.parametrize(
    ("read", "embedded", "seconds", "told"),
    [
        (1, 0, 1, ""),
        (5, 0, 2, ", 2.5 files/s"),
        (50, 0, 1, ", 50 files/s"),
        (2, 9, 3, ", 3.0 chunks/s"),
    ],
)
def test_rates_are_told_with_what_they_count(read, embedded, seconds, told):
    assert _rate(SimpleNamespace(read=read, embedded=embedded, seconds=seconds)) == told


@pytest.mark.parametrize("name", ["net/retry.py", "./net/retry.py", "project/net/retry.py", "{}"])
def test_a_document_is_known_by_any_path_to_it(project, capsys, name):
    place = name.format(project / "project" / "net" / "retry.py")
    assert run(["search", "project", "retry", *LEXICAL, "--why-not", place]) == 0
    assert f"{place}: it was found, as number 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("empty.py", "it is not indexed: it is empty"),
        ("a.bin", "it is not indexed: it is a binary file"),
        ("big [1].txt", "it is not indexed: it is a file that is too large"),
        ("link", "it is not indexed: it is a link"),
        ("old/x.md", "it is not indexed: git ignores it, or --include"),
        ("net", "it is a folder"),
    ],
)
def test_a_file_that_is_not_indexed_is_told_why(project, capsys, name, reason):
    folder = project / "project"
    (folder / "old").mkdir()
    (folder / ".gitignore").write_text("old\n")
    (folder / "old" / "x.md").write_text("retry\n")
    (folder / "empty.py").touch()
    (folder / "a.bin").write_bytes(b"a\0b")
    (folder / "big [1].txt").write_text("x" * 1_000_001)
    (folder / "link").symlink_to("guide.md")
    assert run(["search", "project", "retry", *LEXICAL, "--why-not", name]) == 0

    out = capsys.readouterr().out
    assert out.startswith(" 1  net/retry.py")
    assert f"{name}: {reason}" in out


COHERENCE = ["--coherence", "--model", "static"]


def test_a_receipt_accounts_for_a_ranking_by_structure(project, capsys):
    arguments = ["search", "project", "try again", *COHERENCE, "--explain", "--json"]
    assert run([*arguments, "--override", "gap_margin=2", "--override", "min_drop=0"]) == 0

    told = json.loads(capsys.readouterr().out)
    receipt = told["receipt"]
    assert (receipt["gate"], receipt["fallback"]) == (None, None)
    assert receipt["deltaH"] == pytest.approx(sum(receipt["terms"].values()))
    for term in ("coherence", "anchor", "ground"):
        parts = sum(item[term] for item in receipt["items"])
        assert parts == pytest.approx(receipt["terms"][term], abs=1e-9)
    assert receipt["condition_bound"] > 1
    assert receipt["settings"]["gap_margin"] == 2
    named = [item["document"] for item in receipt["items"]]
    assert sorted(named) == sorted(hit["document"] for hit in told["hits"])
    assert named == [hit["document"] for hit in told["hits"]]
    stages = set(told["latency_ms"])
    assert stages >= {"embed", "coherence_build", "coherence_solve", "coherence_rank"}


def test_a_receipt_is_read_at_a_glance(project, capsys):
    arguments = ["search", "project", "try again", *COHERENCE, "--explain"]
    assert run([*arguments, "--override", "force_fallback=true"]) == 0
    out = capsys.readouterr().out
    assert "as was asked for (forced fallback)" in out
    assert run([*arguments, "--override", "gap_margin=2", "--override", "min_drop=0"]) == 0
    out = capsys.readouterr().out
    assert "ranked by alignment" in out
    assert "deltaH" in out


def test_a_receipt_tells_that_results_were_diversified(project, capsys):
    for name in ("one", "two", "three"):
        (project / "project" / f"{name}.md").write_text("try again and again\n" * 3)
    structure = [*COHERENCE, "--mmr", "--override", "mmr.always=true", "--override", "gap_margin=2"]
    arguments = ["search", "project", "try again", *structure, "--explain"]
    assert run([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    hits = [hit["document"] for hit in told["hits"]]
    last = {item["rank_final"]: item["document"] for item in told["receipt"]["items"]}
    assert hits == [last[rank] for rank in range(1, len(hits) + 1)]
    assert hits != [item["document"] for item in told["receipt"]["items"]][: len(hits)]

    assert run(arguments) == 0
    out = capsys.readouterr().out
    assert "then the results were diversified (MMR)" in out
    table = out[out.index("  rank  coh.  was") :].splitlines()[1 : len(hits) + 1]
    assert [line.split()[-1] for line in table] == hits
    assert [int(line.split()[0]) for line in table] == list(range(1, len(hits) + 1))


def test_no_name_of_a_file_commands_the_terminal(project, capsys):
    (project / "project" / "evil\x1b[31m.md").write_text("try again, try again")
    arguments = ["search", "project", "try again", *COHERENCE, "--explain"]
    assert run([*arguments, "--override", "gap_margin=2"]) == 0
    out = capsys.readouterr().out
    assert "ground  document" in out
    assert out.count(r"evil\x1b[31m.md") == 2  # as a hit, and in the receipt
    assert "\x1b[31m.md" not in out


def test_without_explaining_there_is_no_receipt(project, capsys):
    assert run(["search", "project", "try again", *COHERENCE, "--json"]) == 0
    assert "receipt" not in json.loads(capsys.readouterr().out)


def test_results_can_be_made_to_differ(project, capsys):
    options = ["--mmr", "--override", "mmr.always=true", "--model", "static"]
    assert run(["search", "project", "try again", *options, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert "diversify" in told["latency_ms"]
    scores = [hit["score"] for hit in told["hits"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("options", "acted", "said"),
    [
        (["-k", "5"], False, "MMR acts for k above 8 (here k is 5); mmr.always=true lets it act"),
        ([], False, "for k above 8 (here 3) and redundancy above 0.35 (here 0."),
        (["--override", "mmr.min_k=2", "--override", "mmr.min_redundancy=1"], False, "above 1 (h"),
        (["--override", "mmr.min_k=2", "--override", "mmr.min_redundancy=-1"], True, ""),
        (["-k", "2", "--override", "mmr.always=true"], True, ""),
    ],
)
def test_mmr_that_has_nothing_to_do_says_so(project, capsys, options, acted, said):
    arguments = ["search", "project", "try again", "--mmr", "--model", "static", *options]
    assert run([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["mmr"]["acted"] is acted
    assert -1 <= told["mmr"]["redundancy"] <= 1
    notes = [note for note in told["notes"] if "results are as they were" in note]
    assert len(notes) == (not acted)
    assert all(said in note for note in notes)
    if said == "":
        assert notes == []

    assert run([*arguments, "--explain"]) == 0
    out = capsys.readouterr().out
    line = f"MMR {'chose' if acted else 'left as they were'} the first {told['mmr']['k']}, of redu"
    assert line in out


def test_stages_that_moved_nothing_share_a_line(project, capsys):
    arguments = ["search", "project", "try again", "--search", "dense", "--model", "static"]
    assert run([*arguments, "--explain"]) == 0
    out = capsys.readouterr().out
    assert "\n    dense, collapse, cut  rank 1, score 0." in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--override", "alpha=0.2"], "has no effect without --coherence"),
        (["--coherence", "--override", "alpha"], "is no KEY=VALUE"),
        (["--coherence", "--override", "alpha=much"], "coherence.alpha cannot be 'much'"),
        (["--coherence", "--override", "mmr.lambda=0.5"], "without --mmr"),
        (["--mmr", "--override", "lambda=0.5"], "hint: write mmr.lambda=0.5, with --mmr"),
        (["--coherence", "--override", "k=5"], "hint: write mmr.k=5, with --mmr"),
        (["--mmr", "--override", "mmr.k=9", "-k", "5"], "is above the number of results (5)"),
        (["--coherence", "--search", "hybrid"], "no meaning with search: hybrid"),
        (["--mmr", *LEXICAL], "needs vectors"),
    ],
)
def test_structure_that_cannot_be(project, capsys, arguments, message):
    assert run(["search", "project", "x", *arguments]) == 2
    assert message in capsys.readouterr().err
