"""RepoEval's reproduction on a repository that is written here: datasets, runs and the table."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRICES = "def round_half_up(value):\n    return int(value + 0.5)\n"
TILL = '''"""The till."""

from prices import round_half_up


def total(items):
    amount = 0
    for item in items:
        amount += item.discounted_price
    return round_half_up(amount)


def average(items):
    return sum(item.discounted_price for item in items) / len(items)
'''


def test_one_command_gives_the_table(tmp_path):
    shop = tmp_path / "repositories" / "shop"
    shop.mkdir(parents=True)
    (shop / "prices.py").write_text(PRICES)
    (shop / "till.py").write_text(TILL)
    (shop / "notes.md").write_text("# Not code\n")
    words = [shop.parent, "--work", tmp_path / "work", "--search", "lexical"]
    words += ["-o", tmp_path / "table.md"]
    command = [sys.executable, "-m", "reproductions.repoeval", *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    _, _, *rows = (tmp_path / "table.md").read_text().splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert [row[:5] for row in cells] == [
        [name, task, "1", "0", "1.000"]
        for name in ("shop", "all")
        for task in ("verbatim", "masked", "definition")
    ]
    assert cells[0][5] == "0.207 to 1.000"  # Wilson: 1 of 1
    assert done.stdout.splitlines()[2:] == rows


def test_a_run_is_never_taken_from_before_and_check_holds_it_to_what_is_expected(
    tmp_path, monkeypatch, capsys
):
    from reproductions import repoeval

    (tmp_path / "repositories" / "shop").mkdir(parents=True)
    recalls, asked = {"verbatim": 0.99, "masked": 0.89, "definition": 0.52}, []

    def assay(*words):
        """Stand in for the program: it writes a report with the recall that is told."""
        asked.append(words[0])
        place = Path(words[-1])
        if words[0] == "dataset":
            place.mkdir(parents=True)
            (place / "dataset.json").touch()
            return
        task = next(task for task in recalls if f"-{task}-" in str(place))
        scores = {"q": {"recall@5": recalls[task], "mrr@10": 1.0}}
        place.write_text(json.dumps({"runs": [{"errors": 0, "per_query": scores}]}))

    monkeypatch.setattr(repoeval, "_assay", assay)
    words = [str(tmp_path / "repositories"), "--work", str(tmp_path / "work"), "--check"]
    assert repoeval.main(words) == 0
    assert asked == ["dataset", "run"] * 3
    recalls["masked"] = 0.88
    assert repoeval.main(words) == 1
    assert asked[6:] == ["run"] * 3
    assert "masked 0.880 < 0.89" in capsys.readouterr().err
    assert repoeval.main(words[:-1]) == 0
    assert repoeval.main([*words[:-1], "--per-file", "2"]) == 0
    assert asked[12:] == ["dataset", "run"] * 3


def test_units_come_from_one_benchmark_file(tmp_path):
    for name in ("shop", "store"):
        place = tmp_path / "repositories" / name
        place.mkdir(parents=True)
        (place / "prices.py").write_text(PRICES)
        (place / "till.py").write_text(TILL)
    words = [tmp_path / "repositories", "--work", tmp_path / "work", "--model", "static"]
    words += ["--task", "definition", "-o", tmp_path / "table.md"]
    command = [sys.executable, "-m", "reproductions.repoeval_units", *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    _, _, *rows = (tmp_path / "table.md").read_text().splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert [row[:3] for row in cells] == [
        [name, "definition", run]
        for run in ("default", "dense")
        for name in ("shop", "store", "all")
    ]
    assert [row[3:7] for row in cells[:3]] == [["2", "2", "1", "0"]] * 2 + [["4", "4", "2", "0"]]
    assert {cell.split()[0] for row in cells for cell in row[7:]} == {"1.000"}
    assert {len(row) for row in cells} == {10}
    (file,) = (tmp_path / "work").glob("*.yaml")
    assert "collections:" in file.read_text()
