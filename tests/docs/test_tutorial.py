"""docs/tutorial-elasticsearch.md: its files are those of the example, and its figures are true."""

import json
import re
import shutil
from pathlib import Path

import pytest
from tests.elastic_stand_in import Index, stand_in

from assay.cli import start as run

ROOT = Path(__file__).parents[2]
HOME = ROOT / "examples" / "elasticsearch"
PAGE = (ROOT / "docs" / "tutorial-elasticsearch.md").read_text()
KEY = "s3cr3t-0f-th3-tut0r1al"
TIME = re.compile(r"\d+\.\d(?= (baseline|HOLD|SHIP))")


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def plain(text):
    """Return the lines of an output without times and the widths of columns."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [TIME.sub("time", line) for line in lines if line]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Copy the example, and start a stand-in for Elasticsearch with both of its indexes."""
    folder = shutil.copytree(HOME, tmp_path / "example")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / "workspace"))
    monkeypatch.setenv("ELASTIC_API_KEY", KEY)
    articles = [json.loads(line) for line in (HOME / "articles.jsonl").read_text().splitlines()]
    mappings = {f"articles-v{at}": HOME / f"mapping-v{at}.json" for at in (1, 2)}
    indexes = {name: Index(json.loads(one.read_text()), articles) for name, one in mappings.items()}
    with stand_in(indexes, KEY) as url:
        monkeypatch.setenv("ELASTICSEARCH_URL", url)
        yield folder


def test_files_are_those_of_the_example():
    (benchmark,), (judged,) = blocks("yaml"), blocks("csv")
    assert (HOME / "benchmark.yaml").read_text().endswith(benchmark)
    assert (HOME / "judgments.csv").read_text().startswith(judged)


def test_figures_are_those_of_a_run(place, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    first, shown = blocks("text")
    assert run(["run", "benchmark.yaml"]) == 0
    printed = plain(capsys.readouterr().out)
    for line in plain(first):
        assert any(one.startswith(line) for one in printed), line
    assert any("p = 0.0012" in line for line in printed)
    assert run(["show", "--query", "sending-back"]) == 0
    printed = plain(capsys.readouterr().out)
    for line in plain(shown):
        assert line in printed
    assert run(["run", "benchmark.yaml", "--unjudged", "zero", "--check", "-o", "report.json"]) == 0
    assert any(line.startswith("after: SHIP") for line in plain(capsys.readouterr().out))
    assert KEY not in (place / "report.json").read_text()


def test_a_plan_sends_no_query(place, capsys):
    assert run(["run", "benchmark.yaml", "--plan"]) == 0
    assert "30 queries, no corpus" in capsys.readouterr().out


def test_a_key_that_is_wrong_is_told_before_the_run(place, capsys, monkeypatch):
    monkeypatch.setenv("ELASTIC_API_KEY", "another-key")
    assert run(["run", "benchmark.yaml"]) == 2
    told = capsys.readouterr().err
    assert "401" in told
    assert "another-key" not in told
