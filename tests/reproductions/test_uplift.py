"""The published uplift is what its command gives, and says no more than it shows."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from assay.cli import start as run

FOLDER = Path(__file__).parents[2] / "reproductions"
WITHIN = 0.005  # vectors differ in their last digits between processors
CELLS = {"0": "0.5,1,1.5", "1,1.5": "1"}  # noise: spreads; a cell depends on nothing but its own
METHODS = {
    "coherence": "coherence",
    "coherence_mmr": "coherence + MMR",
    "coherence_open": "ungated coherence",
    "neighbour_average": "neighbour average",
    "shuffled_graph": "shuffled graph",
}


def by_place(report):
    return {(cell["noise"], cell["spread"]): cell["methods"] for cell in report["cells"]}


@cache
def published():
    return json.loads((FOLDER / "uplift.json").read_text(encoding="utf-8"))


def sections(text):
    """Give the rows of each cell's table, by noise and spread."""
    for part in re.split(r"^\*\*(?=noise)", text, flags=re.MULTILINE)[1:]:
        noise, spread = re.match(r"noise (\S+), spread (\S+)\*\*", part).groups()
        cells = [
            [one.strip(" *") for one in row.strip("|").split("|")] for row in part.splitlines()
        ]
        yield (float(noise), float(spread)), {row[0]: row for row in cells if len(row) == 11}


def differ(found, expected):
    """Say of each figure of a cell where it is not near the one that is published."""
    for name, one in expected.items():
        pairs = [(found[name][key], one[key]) for key in ("score", "difference") if key in one]
        pairs += list(zip(found[name].get("ci", []), one.get("ci", []), strict=True))
        if any(abs(left - right) > WITHIN for left, right in pairs):
            yield name, found[name], one


@pytest.mark.long
@pytest.mark.parametrize(("noise", "spread"), CELLS.items())
def test_it_is_what_the_command_gives(noise, spread, tmp_path, capsys):
    from reproductions.uplift import small

    files = [tmp_path / "uplift.md", tmp_path / "uplift.json"]
    words = [word for file in files for word in ("-o", str(file))]
    assert run(["uplift", "--noise", noise, "--spread", spread, *words]) == 0
    capsys.readouterr()
    cells = by_place(small(json.loads(files[1].read_text(encoding="utf-8"))))
    expected = by_place(published())
    assert len(cells) == len(noise.split(",")) * len(spread.split(","))
    wrong = {place: list(differ(cells[place], expected[place])) for place in cells}
    assert not any(wrong.values()), wrong
    shown = dict(sections(files[0].read_text(encoding="utf-8")))
    for (share, width), methods in cells.items():
        assert {"cosine", *METHODS} == set(methods)
        assert {"cosine", *METHODS.values()} <= set(shown[share, width])
        holds(share, methods["coherence"])


def holds(noise, coherence):
    """Hold it to what is claimed: gains at noise 1 and 1.5 with spread 1, none where clean."""
    if noise:
        assert coherence["ci"][0] > 0
    else:  # the cosine is right by construction: whatever changes, loses
        assert coherence["difference"] <= 0
        assert coherence["ci"][0] <= 0
        assert coherence["wins"] == 0


def test_what_is_published_says_it_too():
    cells = by_place(published())
    assert len(cells) == 15
    for (noise, spread), methods in cells.items():
        assert {"cosine", *METHODS} == set(methods)
        if not noise or (noise in (1, 1.5) and spread == 1):
            holds(noise, methods["coherence"])
    gains = {place for place, methods in cells.items() if methods["coherence"]["ci"][0] > 0}
    loses = {place for place, methods in cells.items() if methods["coherence"]["ci"][1] < 0}
    assert gains == {(1, 1), (1.5, 1)}
    verdict = published()["verdict"]
    assert verdict.startswith(f"Coherence gains over cosine in {len(gains)} of 15 cells")
    assert f"loses in {len(loses)}," in verdict
    assert "better than the neighbour average in 0, as well in 0, worse in 2" in verdict


def test_the_page_and_the_file_have_the_same_figures():
    page = (FOLDER / "uplift.md").read_text(encoding="utf-8")
    shown, cells = dict(sections(page)), by_place(published())
    assert shown.keys() == cells.keys()
    assert published()["verdict"] in page
    for place, methods in cells.items():
        for name, called in METHODS.items():
            row, one = shown[place][called], methods[name]
            low, high = (float(end) for end in row[9].strip("[]").split(","))
            found = [float(row[1]), float(row[8]), low, high]
            told = [one["score"], one["difference"], *one["ci"]]
            assert found == pytest.approx(told, abs=0.000051), (place, name)
            assert row[10] == f"{one['wins']}/{one['ties']}/{one['losses']}"


def test_a_figure_that_is_elsewhere_is_noticed():
    expected = by_place(published())[1, 1]
    moved = json.loads(json.dumps(expected))
    assert not list(differ(moved, expected))
    moved["shuffled_graph"]["ci"][1] += 0.006
    assert [name for name, *_ in differ(moved, expected)] == ["shuffled_graph"]


def test_small_keeps_scores_and_changes(tmp_path):
    from reproductions.uplift import main, small

    change = {"difference": 0.1, "ci": [-0.1, 0.3], "wins": 2, "ties": 1, "losses": 0, "p": 0.5}
    methods = {
        "cosine": {"scores": {"ndcg@10": 0.5}, "uplift": {}, "latency_ms": {"p50": 1.0}},
        "coherence": {"scores": {"ndcg@10": 0.6}, "uplift": {"ndcg@10": change}},
    }
    names = ["queries", "documents", "dimension", "clusters", "relevant", "candidates", "k", "seed"]
    settings = {name: number for number, name in enumerate(names)} | {"noise": [1.0]}
    cell = {"noise": 1.0, "spread": 2.0, "structure": {"methods": methods, "parts": {}}}
    report = {"settings": settings, "verdict": "No gain is shown.", "cells": [cell, cell]}
    (tmp_path / "full.json").write_text(json.dumps(report), encoding="utf-8")
    assert main([str(tmp_path / "full.json"), "-o", str(tmp_path / "small.json")]) == 0
    found = json.loads((tmp_path / "small.json").read_text(encoding="utf-8"))
    assert found == small(report)
    assert found["verdict"] == "No gain is shown."
    assert (found["metric"], found["documents"], found["seed"]) == ("ndcg@10", 1, 7)
    assert found["cells"][1] == {
        "noise": 1.0,
        "spread": 2.0,
        "methods": {
            "cosine": {"score": 0.5},
            "coherence": {
                "score": 0.6,
                "difference": 0.1,
                "ci": [-0.1, 0.3],
                "wins": 2,
                "ties": 1,
                "losses": 0,
            },
        },
    }
