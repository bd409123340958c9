"""``assay diff``: what is typed, what is printed, and what is refused."""

import json
import os

import pytest

from assay.cli import start as run

OLD = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 1.0}, "q3": {"x": 1.0}}
NEW = {"q1": {"b": 3.0, "a": 2.0, "d": 1.0}, "q2": {"a": 1.0}, "q3": {"y": 1.0}}


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    (tmp_path / "old.json").write_text(json.dumps(OLD))
    (tmp_path / "new.json").write_text(json.dumps(NEW))
    (tmp_path / "log.csv").write_text(
        "id,query,count\nq1,reset password,60\nq2,log format,30\nq3,opening hours,10\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / "workspace"))
    return tmp_path


def printed(capsys, *words):
    assert run(["diff", *words]) == 0
    return capsys.readouterr().out


def refused(capsys, *words):
    assert run(["diff", *words]) == 2
    return capsys.readouterr().err


def test_two_run_files_by_traffic(capsys):
    out = printed(capsys, "old.json", "new.json", "--queries", "log.csv")
    assert "3 queries, 2 changed" in out
    rows = [line.split() for line in out.splitlines()]
    assert ["reset", "password", "60.0%"] in [row[:3] for row in rows]
    assert out.index("reset password") < out.index("opening hours")
    assert "Changed is not better" in out
    assert "assay diff old.json new.json --queries log.csv --to-judge to_judge.csv" in out


def test_json_has_every_query(capsys):
    found = json.loads(printed(capsys, "old.json", "new.json", "--queries", "log.csv", "--json"))
    assert found["totals"]["changed"] == pytest.approx(0.7)
    assert found["totals_unweighted"]["changed"] == pytest.approx(2 / 3)
    first = found["changes"][0]
    assert (first["query"], first["new"], first["gone"]) == ("q1", ["d"], ["c"])
    assert first["moved"] == [
        {"document": "b", "before": 2, "after": 1},
        {"document": "a", "before": 1, "after": 2},
    ]
    assert [one["changed"] for one in found["changes"]] == [True, True, False]
    assert found["judging"]["changed_share"] == pytest.approx(0.7)


def test_without_a_log_all_queries_count_the_same(capsys):
    found = json.loads(printed(capsys, "old.json", "new.json", "--json"))
    assert found["totals_unweighted"] is None
    assert found["totals"]["changed"] == pytest.approx(2 / 3)


def test_files_are_written_in_the_format_of_their_extension(capsys, place):
    outputs = [word for end in ("csv", "md", "json", "txt") for word in ("-o", f"x.{end}")]
    printed(capsys, "old.json", "new.json", *outputs)
    header, first, *_ = (place / "x.csv").read_text().splitlines()
    assert header.startswith("query,text,weight,share,rbo,overlap@10,changed")
    assert first.startswith("q3,q3,1.0,")  # of equal traffic the one that changed most
    assert "| top 10 changed |" in (place / "x.md").read_text()
    assert json.loads((place / "x.json").read_text())["queries"] == 3
    assert "changed" in (place / "x.txt").read_text()


def test_a_sample_as_a_spreadsheet_leads_to_a_comparison(capsys, place):
    words = ("old.json", "new.json", "--queries", "log.csv", "--to-judge", "judge.csv")
    out = printed(capsys, *words, "--sample", "2")
    assert "assay compare old.json new.json --qrels judge.csv" in out
    text = (place / "judge.csv").read_text()
    assert text.count('"-1"') == 6  # a, b, c and d for the first, x and y for the last
    (place / "judge.csv").write_text(text.replace('"-1"', '"1"'))
    assert run(["compare", "old.json", "new.json", "--qrels", "judge.csv", "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)
    assert compared["queries"] == 2
    assert "unweighted" in compared["candidates"][0]


def test_one_query_side_by_side(capsys):
    out = printed(capsys, "old.json", "new.json", "--queries", "log.csv", "--query", "q1")
    rows = [line.split() for line in out.splitlines()[3:]]
    assert rows == [["1", "a", "b", "2"], ["2", "b", "a", "1"], ["3", "c", "d", "new"]]
    err = refused(capsys, "old.json", "new.json", "--query", "q9")
    assert 'unknown query "q9"' in err


def test_the_order_is_that_of_traffic_or_of_the_change(capsys, place):
    old = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}}
    new = {"q1": {"a": 2.0, "c": 1.0, "b": 0.5}, "q2": {"z": 1.0}}
    (place / "old.json").write_text(json.dumps(old))
    (place / "new.json").write_text(json.dumps(new))
    words = ("old.json", "new.json", "--queries", "log.csv", "--most", "1", "--sort")
    by_traffic, by_change = (printed(capsys, *words, sort) for sort in ("traffic", "change"))
    assert "reset password" in by_traffic
    assert "log format" in by_change
    assert "1 more changed query:" in by_change


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("old.json",), "nothing to compare with"),
        (("old.json", "new.json", "a", "b"), "expected two"),
        (("old.json", "missing.json"), "no such file"),
        (("old.json", "new.json", "--sample", "5"), "no effect without --to-judge"),
        (
            ("old.json", "new.json", "--to-judge", "x.json", "--sample", "5", "--detect", "0.1"),
            "cannot be combined",
        ),
        (("old.json", "new.json", "-k", "0"), "-k"),
        (("old.json", "new.json", "--queries", "none.csv"), "none.csv"),
        (("nothing",), "nothing"),
    ],
)
def test_wrong_input_gets_one_message(words, said, capsys):
    err = refused(capsys, *words)
    assert said in err
    assert "Traceback" not in err


def test_nothing_changed(capsys):
    out = printed(capsys, "old.json", "old.json")
    assert "0 changed" in out
    assert "the same for every query" in out


def test_a_list_that_begins_as_the_other_is_explained(capsys, place):
    hint = "the shorter ranking is the beginning of the longer one"
    assert hint not in printed(capsys, "old.json", "new.json")
    longer = OLD | {"q2": {"a": 2.0, "z": 1.0}}
    (place / "new.json").write_text(json.dumps(longer))
    out = printed(capsys, "old.json", "new.json")
    assert "1.000" in out
    assert hint in " ".join(out.split())


def test_a_benchmark_keeps_the_threads_of_a_run(capsys, monkeypatch):
    """Else its times and its indexes are those of another machine."""
    names = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
    for name in names:
        monkeypatch.setenv(name, "2")  # restored at the end
        monkeypatch.delenv(name)
    refused(capsys, "missing.yaml")
    assert not {*names} & {*os.environ}
    printed(capsys, "old.json", "new.json")
    assert {os.environ[name] for name in names} == {"1"}
