"""Malformed files: the first five faults with their lines, and how many there are."""

import pytest

from assay.columns.blocks import block
from assay.datasets.load_judgments import load_judgments
from assay.errors import ProblemsError
from assay.rankings.load import load


def refusal(read, path):
    with pytest.raises(ProblemsError) as caught:
        read(path)
    error = caught.value
    lines = str(error).splitlines()
    assert lines[0].startswith(f"{path}: {error.count:,} ")
    assert f" {error.count - 5:,} " in lines[6]  # below the five that are shown
    assert len(error.problems) == 5
    return error.count, [int(one.where.rpartition(" ")[2]) for one in error.problems]


@pytest.mark.parametrize("size", [64, 1 << 22])
def test_of_a_run(tmp_path, monkeypatch, size):
    monkeypatch.setattr(block, "SIZE", size)
    kinds = ["q Q0 d{n} 1 {n} t", "q Q0 d{n} 1 high t", "q Q0 d{n}", "q Q0 my d{n} x 1 {n} t"]
    path = tmp_path / "run.txt"
    path.write_text("".join(kinds[n % 4].format(n=n) + "\n" for n in range(400)))
    assert refusal(load, path) == (300, [2, 3, 4, 6, 7])


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_of_a_table(tmp_path, mark):
    rows = [["query", "document", "score"], *([["q", f"d{n}", "1"] for n in range(20)])]
    for at, row in ((3, ["q"]), (5, ["q", "x", "high"]), (6, ["q", "y", "-"]), (9, ["q", "z"])):
        rows[at] = row
    rows[11:14] = [["q", "v", "nan"], ["q", "w", "1_0"], ["q", "inf", "inf"]]
    path = tmp_path / "run.csv"
    path.write_text("".join(mark.join(row) + "\n" for row in rows))
    assert refusal(load, path) == (7, [4, 6, 7, 10, 12])


def test_of_judgments(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text("".join(f"q 0 d{n} {n / 2}\n" for n in range(20)))
    assert refusal(load_judgments, path) == (10, [2, 4, 6, 8, 10])
    path.write_text("".join(f"q 0 d{n % 3} 1\n" for n in range(20)))
    assert refusal(load_judgments, path) == (17, [4, 5, 6, 7, 8])


def test_of_json(tmp_path):
    path = tmp_path / "run.json"
    path.write_text('{"a": 1, "b": {"d": "x"}, "c": {"d": 1}}')
    with pytest.raises(ProblemsError) as caught:
        load(path)
    assert caught.value.count == 2
