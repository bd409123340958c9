"""RepoEval's reproduction on a repository that is written here: datasets, runs and the table."""

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
