"""``assay uplift``, as a person types it."""

import json
import re

import polars as pl
import pytest

from assay.cli import start as run

SMALL = [
    "uplift", "--queries", "6", "--documents", "40", "--dimension", "8", "--clusters", "8",
    "--candidates", "20",
]  # fmt: skip
GRID = [*SMALL, "--noise", "0,1.5", "--spread", ".5,1"]


def test_the_grid_and_its_verdict_are_shown(capsys):
    assert run(GRID) == 0

    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith("ndcg@10 ")
    assert lines[1].split() == ["method", "spread", "0.5", "spread", "1"]
    assert [line.split("  ")[0] for line in lines if line.startswith("noise")] == [
        "noise 0: cosine", "noise 1.5: cosine",
    ]  # fmt: skip
    assert sum(line.startswith("  neighbour average") for line in lines) == 2
    assert sum(line.startswith("  shuffled graph") for line in lines) == 2
    assert max(map(len, lines[:-3])) <= 80
    assert [line for line in err.splitlines() if line.startswith("note: ")]


def test_a_single_cell_is_told_in_full(capsys):
    assert run([*SMALL, "--noise", "1", "--spread", "1", "-k", "5"]) == 0

    out = capsys.readouterr().out
    assert out.split()[:3] == ["method", "ndcg@5", "change"]
    table, _, below = out.partition("\n\n")
    assert len(table.splitlines()) == 2 + 6  # a title, a rule and the methods
    for part in ("ndcg@5", "deltaH", "MMR", "alpha", "p95", "easy gate", "fallbacks"):
        assert part in below


def test_more_candidates_than_documents_are_noted(capsys, snapshot):
    cell = ["--noise", "1", "--spread", "1"]
    assert run([*SMALL, *cell, "--candidates", "40"]) == 0
    before = capsys.readouterr().err.splitlines()
    assert run([*SMALL, *cell, "--candidates", "1000"]) == 0
    (more,) = set(capsys.readouterr().err.splitlines()) - set(before)
    assert re.findall(r"[\d,]*\d", more) == ["40", "1,000"]
    snapshot(more)


def test_files_hold_the_same_figures(tmp_path, capsys):
    names = [tmp_path / f"uplift.{end}" for end in ("json", "md", "csv", "parquet", "tex")]
    assert run([*GRID, "--json", *(part for one in names for part in ("-o", str(one)))]) == 0

    printed = json.loads(capsys.readouterr().out)
    assert json.loads(names[0].read_text()) == printed
    first = printed["cells"][0]["structure"]["methods"]["coherence"]
    rows = pl.read_csv(names[2])
    assert rows.equals(pl.read_parquet(names[3]).cast(dict(rows.schema)))
    assert len(rows) == 4 * 6 * 4
    one = rows.filter(noise=0, spread=0.5, method="coherence", metric="ndcg@10")
    assert one["score"][0] == pytest.approx(first["scores"]["ndcg@10"])
    assert one["difference"][0] == pytest.approx(first["uplift"]["ndcg@10"]["difference"])
    assert "spread 0.5" in names[4].read_text()


def test_markdown_has_the_columns_and_lines_of_the_ancestor(tmp_path, snapshot):
    assert run([*GRID, "-o", str(tmp_path / "uplift.md")]) == 0

    text = (tmp_path / "uplift.md").read_text()
    header = (
        "| Method | nDCG@10 | MRR@10 | P95 Lat (ms) | Avg ΔH | Explainability | nDCG Uplift % "
        "| MRR Uplift % |"
    )
    assert text.count(header) == 4
    assert re.search(r"\| cosine \| .*\| 0\.0000 \| none \| - \| - \|", text)
    assert re.search(r"\| coherence \| .*\| receipt \| [+-]\d+\.\d\d \| [+-]\d+\.\d\d \|", text)
    for line in ("ndcg@5 (cosine, coherence)", "ndcg@10 (cosine, coherence)", "Alpha",
                 "Latency P50/P95 (ms)", "Fallback rate (forced excluded)", "Easy gate rate",
                 "Edge overlap (median)", "Redundancy (before, after MMR)",
                 "Suggested alpha (median)", "Verdict"):  # fmt: skip
        assert text.count(f"| {line} |") >= 4
    assert "**noise 1.5, spread 0.5**" in text
    about = [line for line in text.splitlines() if line.startswith(("| Corpus |", "| Relevant |"))]
    snapshot(about)


def test_the_whole_cluster_can_be_relevant(capsys):
    assert run([*SMALL, "--noise", "1", "--spread", "1", "--relevant", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"]["relevant"] is None


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("--noise a,1", "--noise"),
        ("--noise ,", "noise"),
        ("--spread 1,1", "spread"),
        ("--queries 1", "queries"),
        ("--clusters 501", "501"),
        ("-o uplift.xyz", '"xyz"'),
    ],
)
def test_what_cannot_be_is_one_message(arguments, named, capsys, snapshot):
    assert run(["uplift", *arguments.split()]) == 2
    err = capsys.readouterr().err
    assert named in err
    snapshot(err)
