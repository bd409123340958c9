"""``assay index`` and ``assay search``, as a person types them."""

import json
import os
import re
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


def test_an_index_is_built_and_kept_up_to_date(project, capsys, snapshot):
    assert run(["index", "project", *LEXICAL]) == 0
    snapshot(capsys.readouterr().out.partition(" (")[0])  # then how long it took

    (project / "project" / "guide.md").unlink()
    assert run(["index", "project", *LEXICAL]) == 0
    snapshot(capsys.readouterr().out.partition(" (")[0])
    assert (project / ".assay" / ".gitignore").read_text() == "*\n"


def test_json_of_an_index(project, capsys):
    assert run(["index", "project", *LEXICAL, "--json"]) == 0

    told = json.loads(capsys.readouterr().out)
    assert (told["documents"], told["added"], told["removed"]) == (3, 3, 0)


def test_results_show_place_names_and_lines(project, capsys):
    assert run(["search", "project", "wait before a retry", *LEXICAL]) == 0

    out, err = capsys.readouterr()
    first, *rest = out.splitlines()
    assert first.split()[:4] == ["1", "net/retry.py:1-3", "Retry,", "Retry.wait_before_retry"]
    assert "wait_before_retry" in rest[0] + rest[1]
    assert " ms (lexical " in err


def test_lines_of_scripts_without_spaces_are_found_and_near_names_come_first(project, capsys):
    code = "def one():\n" + "    step()\n" * 4 + "\ndef two():\n    return '検索エンジン'\n"
    (project / "project" / "many.py").write_text(code, encoding="utf-8")

    assert run(["search", "project", "検索", *LEXICAL]) == 0

    first, *rest = capsys.readouterr().out.splitlines()
    assert first.split()[:4] == ["1", "many.py:1-8", "two,", "one"]
    assert rest[0].split() == ["8", "return", "'検索エンジン'"]


def test_the_stage_that_lost_a_document_is_named(project, capsys, snapshot):
    assert run(["search", "project", "guide", *LEXICAL, "--why-not", "net/session.py"]) == 0

    line = why_not(capsys, "net/session.py")
    assert "lexical" in line
    snapshot(line)


def why_not(capsys, name):
    """Return the line about the document that was asked for."""
    shown = capsys.readouterr().out.splitlines()
    (line,) = [line for line in shown if line.startswith(f"{name}: ")]
    return line


def test_bm25_is_lexical_search(project, capsys, monkeypatch):
    monkeypatch.setenv("ASSAY_MODEL", "nowhere/model")  # which lexical search does not open
    for word in ("lexical", "bm25"):
        assert run(["search", "project", "open session", "--search", word, "--json"]) == 0
    one, other = capsys.readouterr().out.split("}\n{")
    assert [*json.loads(one + "}")["hits"]] == [*json.loads("{" + other)["hits"]]


def test_knobs_of_lexical_search(project, capsys):
    (project / "rules.txt").write_text("handbook, guide\n")

    def first(*options):
        assert run(["search", "project", "that handbook", *LEXICAL, *options, "--json"]) == 0
        return [hit["path"] for hit in json.loads(capsys.readouterr().out)["hits"]]

    def override(*given):
        return [word for one in given for word in ("--override", one)]

    assert first() == []
    assert first(*override("synonyms=rules.txt"))[0] == "guide.md"
    assert first(*override("stop_words=none")) != []
    both = override("synonyms=rules.txt", "k1=0.5", "b=0", "fields.path=0", "stop_words=english")
    assert first(*both, "--explain")[0] == "guide.md"
    assert first("--language", "none", *override("synonyms=rules.txt"))[0] == "guide.md"
    folders = [one.name for one in (project / ".assay" / "indexes").iterdir()]
    assert len(folders) == 3  # tantivy, postings, and one without stems


def test_json_of_a_search(project, capsys):
    assert run(["search", "project", "open session", *LEXICAL, "--json", "-k", "1"]) == 0

    told = json.loads(capsys.readouterr().out)
    (hit,) = told["hits"]
    assert (hit["rank"], hit["path"], hit["lines"]) == (1, "net/session.py", [1, 3])
    assert hit["symbols"] == ["Session", "Session.open"]
    assert set(told["latency_ms"]) >= {"lexical", "total"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "nowhere", "x"], "nowhere"),
        (["search", "project", "x", "--chunker", "cod"], "code"),
        (["search", "project", "x", "--model", "minilmm"], "minilm"),
        (["search", "project", "x", "--chunk-size", "0"], "chunk_size"),
        (["search", "project", "x", "--search", "bm52"], "bm25"),
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
    "arguments",
    [
        ["search", LONG, "x"],
        ["search", "project", "x", *LEXICAL, "--workspace", LONG],
        ["index", "project", *LEXICAL, "--workspace", LONG],
        ["search", "project", "x", *LEXICAL, "--why-not", LONG],
    ],
    ids=["corpus", "workspace", "workspace of an index", "document"],
)
def test_a_name_that_is_too_long_gets_a_short_message(project, capsys, arguments, snapshot):
    assert run(arguments) == 2

    err = capsys.readouterr().err
    assert len(err) < 800
    assert "…" in err
    snapshot(re.sub(r"\S*aaa\S*:", "NAME:", err))


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no folder in which none can be made")  # noqa: PTH112
def test_a_workspace_that_cannot_be_made(project, capsys, snapshot):
    assert run(["index", "project", *LEXICAL, "--workspace", "/proc/x"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: /proc/x")
    snapshot(re.sub(r"project-\w+", "INDEX", err))


@pytest.mark.parametrize("query", ["zzzz", " "], ids=["word", "query"])
def test_nothing_found_is_said(project, capsys, query, snapshot):
    assert run(["search", "project", query, *LEXICAL]) == 0
    snapshot(capsys.readouterr().out)


def test_skipped_files_are_told_in_words(project, capsys, snapshot):
    (project / "project" / "a.bin").write_bytes(b"a\0b")
    (project / "project" / "b.txt").write_text("x" * 1_000_001)
    for name in "cd":
        (project / "project" / name).symlink_to("guide.md")
    told = set()
    for command in (["index", "project"], ["search", "project", "retry"]):
        (project / "project" / "new.md").write_text(f"# {command}")
        assert run([*command, *LEXICAL]) == 0
        first = capsys.readouterr().err.splitlines()[0]
        told.add(first.removeprefix("note: "))
    (skipped,) = told
    assert re.findall(r"\d+", skipped) == ["4", "2", "1", "1", "1"]  # the last one is 1 MB
    snapshot(skipped)


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
    assert why_not(capsys, place).endswith(" 1")


@pytest.mark.parametrize("name", ["empty.py", "a.bin", "big [1].txt", "link", "old/x.md", "net"])
def test_a_file_that_is_not_indexed_is_told_why(project, capsys, name, snapshot):
    folder = project / "project"
    (folder / "old").mkdir()
    (folder / ".gitignore").write_text("old\n")
    (folder / "old" / "x.md").write_text("retry\n")
    (folder / "empty.py").touch()
    (folder / "a.bin").write_bytes(b"a\0b")
    (folder / "big [1].txt").write_text("x" * 1_000_001)
    (folder / "link").symlink_to("guide.md")
    assert run(["search", "project", "retry", *LEXICAL, "--why-not", name]) == 0

    snapshot(why_not(capsys, name))


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


def test_a_receipt_is_read_at_a_glance(project, capsys, snapshot):
    arguments = ["search", "project", "try again", *COHERENCE, "--explain"]
    assert run([*arguments, "--override", "force_fallback=true"]) == 0
    forced = capsys.readouterr().out
    assert "(forced fallback)" in forced
    snapshot(headline(forced))
    assert run([*arguments, "--override", "gap_margin=2", "--override", "min_drop=0"]) == 0
    out = capsys.readouterr().out
    assert "(forced fallback)" not in out
    assert "deltaH" in out
    snapshot(headline(out))


def headline(shown):
    """Return the sentence of a receipt, below which are the numbers that a model measures."""
    (line,) = [line for line in shown.splitlines() if line.strip().startswith("coherence: ")]
    return line


def test_a_receipt_tells_that_results_were_diversified(project, capsys, snapshot):
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
    lines = out.splitlines()
    snapshot(line for line in lines if "before MMR" in line)
    (start,) = [at for at, line in enumerate(lines) if line.split()[:1] == ["rank"]]
    table = [line.split() for line in lines[start + 1 : start + 1 + len(hits)]]
    assert [cells[-1] for cells in table] == hits
    assert [int(cells[0]) for cells in table] == list(range(1, len(hits) + 1))


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
    ("options", "numbers"),
    [
        (["-k", "5"], ["8", "5"]),
        ([], ["8", "3", "0.35", "0.NN"]),
        (
            ["--override", "mmr.min_k=2", "--override", "mmr.min_redundancy=1"],
            ["2", "3", "1", "0.NN"],
        ),
        (["--override", "mmr.min_k=2", "--override", "mmr.min_redundancy=-1"], None),
        (["-k", "2", "--override", "mmr.always=true"], None),
    ],
    ids=["few", "default", "unlike", "redundant", "always"],
)
def test_mmr_that_has_nothing_to_do_says_so(project, capsys, options, numbers, snapshot):
    acted = numbers is None
    arguments = ["search", "project", "try again", "--mmr", "--model", "static", *options]
    assert run([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["mmr"]["acted"] is acted
    assert -1 <= told["mmr"]["redundancy"] <= 1
    notes = [masked(note) for note in told["notes"] if "MMR" in note]
    assert len(notes) == (not acted)
    for note in notes:
        found = re.findall(r"0\.NN|\d[\d.]*\b", note)
        assert [number for number in found if number in numbers] == numbers
    snapshot(notes)

    assert run([*arguments, "--explain"]) == 0
    out = capsys.readouterr().out
    (line,) = [line for line in out.splitlines() if line.strip().startswith("MMR ")]
    assert f"top {told['mmr']['k']} " in line
    snapshot(masked(line))


def masked(text):
    """Leave out what a model measures: its last digits differ by machine."""
    return re.sub(r"\b0\.\d\d+", lambda found: found[0] if found[0] == "0.35" else "0.NN", text)


def test_stages_that_moved_nothing_share_a_line(project, capsys):
    arguments = ["search", "project", "try again", "--search", "dense", "--model", "static"]
    assert run([*arguments, "--explain"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"\n    dense, collapse, cut  .*\b1\b.* 0\.", out)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("--override alpha=0.2", "--coherence"),
        ("--coherence --override alpha", "KEY=VALUE"),
        ("--coherence --override alpha=much", "coherence.alpha"),
        ("--coherence --override mmr.lambda=0.5", "--mmr"),
        ("--mmr --override lambda=0.5", "mmr.lambda=0.5"),
        ("--coherence --override k=5", "mmr.k=5"),
        ("--mmr --override mmr.k=9 -k 5", "5"),
        ("--coherence --search hybrid", "hybrid"),
        ("--mmr --search lexical", "mmr"),
        ("--override k1=much", "k1"),
        ("--override stopwords=none", "stop_words"),
        ("--override fields=2", "fields.title=2"),
        ("--override fields.titel=2", "fields.titel"),
        ("--override synonyms=nowhere.txt", "nowhere.txt"),
        ("--language germna", "german"),
        ("--search dense --language german", "language"),
    ],
)
def test_structure_that_cannot_be(project, capsys, arguments, named, snapshot):
    assert run(["search", "project", "x", *arguments.split()]) == 2
    err = capsys.readouterr().err
    assert named in err
    snapshot(err)
