"""``assay dataset audit``, as a person types it."""

import json
import re

import polars as pl
import pytest

from assay.cli import start as run

TEXT = "returns the sum of all even numbers in a list"


def entry(key, text, *judged, **options):
    judgments = [{"doc_ref": ref, "relevance_grade": grade} for ref, grade in judged]
    return {"query_key": key, "query_text": text, "relevant_docs": judgments, **options}


@pytest.fixture
def files(tmp_path, monkeypatch):
    contents = {
        "lib/numbers.py": f'def sum_even(values):\n    """{TEXT.capitalize()}."""\n',
        "lib/logs.py": "def rotate_daily(path): ...\n",
        "old/setup.md": "old",
        "api/setup.md": "new",
    }
    for path, text in contents.items():
        (tmp_path / "src" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "src" / path).write_text(text)
    logs, numbers = {"path": "lib/logs.py"}, {"path": "lib/numbers.py"}
    planted = [
        entry("leak", TEXT, (numbers, 3), category="function"),
        entry("twin", TEXT.upper(), (numbers, 1), category="function"),
        entry("clash", "rotate the logs daily", (logs, 3), ({"file_name": "logs.py"}, 1)),
        entry("doubt", "set up everything", ({"file_name": "setup.md"}, 2)),
        entry("named", "what does rotate_daily do", (logs, 2)),
        entry("dead", "nobody knows this", (logs, 0)),
        entry("gone", "read the log", ({"path": "lib/log.py"}, 2)),
    ]
    clean = [
        entry("c1", "add up what can be halved", (numbers, 3)),
        entry("c2", "begin a fresh journal at midnight", (logs, 2)),
    ]
    for name, queries in {"planted": planted, "clean": clean}.items():
        value = {"metadata": {"name": name}, "queries": queries}
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def audit(*arguments):
    return run(["dataset", "audit", *arguments])


def test_every_planted_defect_is_found_by_name(files, capsys):
    assert audit("planted.json", "--corpus", "src", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["query"] for row in found["leaked"]["queries"]] == ["leak", "twin"]
    pairs = [(row["query"], row["other"], row["judged"]) for row in found["duplicates"]]
    assert pairs == [("leak", "twin", "contradicting")]
    assert {row["query"] for row in found["contradictions"]} == {"leak", "clash"}
    assert {row["query"] for row in found["without_relevant"]} == {"doubt", "dead", "gone"}
    assert {row["query"]: row["reason"] for row in found["unresolved"]["references"]} == {
        "doubt": "ambiguous",
        "gone": "not_found",
    }
    assert [row["query"] for row in found["identifiers"]["queries"]] == ["named"]
    assert found["queries"] == 7


def test_a_clean_dataset_is_said_to_be_clean(files, capsys, snapshot):
    assert audit("clean.json", "--corpus", "src", "--check") == 0
    first, *_, last = capsys.readouterr().out.split("\n\n")
    snapshot([first, last])


def test_what_a_person_sees(files, capsys, snapshot):
    assert audit("planted.json", "--corpus", "src") == 0
    shown = capsys.readouterr().out
    assert "0.255" in shown.splitlines()[0]
    assert "api/setup.md, old/setup.md" in shown
    snapshot(shown)


def test_check_fails_on_defects_only(files, capsys):
    assert audit("planted.json", "--corpus", "src", "--check") == 1
    assert audit("planted.json", "--check") == 1  # the contradiction needs no corpus
    assert audit("clean.json", "--check") == 0


def test_without_a_corpus_sections_say_why_they_are_missing(files, capsys, snapshot):
    assert audit("clean.json") == 0
    first, *_, nothing, leaked, unresolved, difficulty = capsys.readouterr().out.split("\n\n")
    snapshot([first, nothing, leaked, unresolved, difficulty])


def test_files_are_written(files, capsys):
    names = ("out.json", "out.csv", "out.parquet", "out.md", "out.tex")
    assert (
        audit("planted.json", "--corpus", "src", *(part for n in names for part in ("-o", n))) == 0
    )
    assert json.loads((files / "out.json").read_text())["queries"] == 7
    assert "leaked" in pl.read_csv("out.csv")["check"].to_list()
    assert pl.read_parquet("out.parquet").columns == ["check", "query", "case"]
    assert (files / "out.md").read_text().startswith("**7 queries: ")
    for line in (files / "out.md").read_text().splitlines():
        assert line.count("**") % 2 == 0
    # In TeX all that stands outside of a table is a comment.
    written = (files / "out.tex").read_text()
    outside = re.sub(r"\\begin\{tabular\}.*?\\end\{tabular\}", "", written, flags=re.DOTALL)
    assert all(line.startswith("%") for line in outside.splitlines() if line)


def test_a_second_judge(files, capsys, snapshot):
    assert audit("planted.json", "--judge", "planted.json") == 0
    equal = agreement(capsys)
    assert equal.split().count("8") == 2
    snapshot(equal)
    assert audit("planted.json", "--corpus", "src", "--judge", "clean.json") == 0
    none = agreement(capsys)
    assert "0" in none.split()
    snapshot(none)


def agreement(capsys):
    """Return the paragraph about two judges."""
    (found,) = re.findall(r"^agreement: .*(?:\n.+)*", capsys.readouterr().out, re.MULTILINE)
    return found


def test_runs_give_the_spread(files, capsys):
    queries = ["leak", "twin", "clash", "named"]
    for name, ranks in {"a.run": (1, 2), "b.run": (2, 1)}.items():
        lines = [
            f"{query} Q0 {document} {rank} {1 / rank} x"
            for at, query in enumerate(queries)
            for document, rank in zip(
                ("lib/logs.py", "lib/numbers.py"), ranks if at else (1, 2), strict=True
            )
        ]
        (files / name).write_text("\n".join(lines) + "\n")
    assert (
        audit("planted.json", "--corpus", "src", "--run", "a.run", "--run", "b.run", "--json") == 0
    )
    found = json.loads(capsys.readouterr().out)
    (pair,) = found["smallest_detectable"]["runs"]
    assert pair["runs"] == ["a", "b"]
    assert pair["sd"] > 0
    assert found["difficulty"]["measured"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gone.json"], "gone.json"),
        (["clean.json", "--corpus", "gone"], "gone"),
        (["clean.json", "--judge", "gone.json"], "gone.json"),
        (["clean.json", "--run", "gone.run"], "gone.run"),
        (["clean.json", "--sd", "0"], "sd"),
        (["clean.json", "--near", "0"], "--near"),
        (["clean.json", "--leak", "200%"], "--leak"),
        (["clean.json", "-m", "nonsense"], "nonsense"),
        (["clean.json", "-o", "x.nope"], "nope"),
        (["src"], "src"),
    ],
)
def test_what_is_wrong_gets_one_message(files, capsys, arguments, said):
    assert audit(*arguments) == 2
    assert said in capsys.readouterr().err


def test_lines_can_be_moved(files, capsys):
    assert audit("planted.json", "--sd", "0.15", "--near", "50%", "--leak", "0.5", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert "sd=0.15" in found["smallest_detectable"]
    assert "sd=0.2" not in found["power"]
