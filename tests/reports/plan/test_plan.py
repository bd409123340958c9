"""A plan in a few lines, in one, and as JSON."""

import json as standard
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.records.plan import (
    Estimate,
    Plan,
    PlannedCollection,
    PlannedIndex,
    PlannedRun,
    PlannedStage,
)
from assay.reports.plan.about import about
from assay.reports.plan.json import json
from assay.reports.plan.line import line
from assay.reports.plan.lines import lines

NONE = Estimate(0.0, "it is there already")
TRIED = "tried on 6 of 60 documents"
BUILT = PlannedIndex(
    key="a",
    collection="",
    runs=("both",),
    made=False,
    chunks=Estimate(1204, TRIED),
    reading=Estimate(1.0, TRIED),
    embedding=Estimate(9.0, "rate measured here on 2026-11-16"),
    disk=Estimate(2_000_000, TRIED),
    model="minilm",
)
THERE = replace(
    BUILT, key="b", made=True, chunks=NONE, reading=NONE, embedding=NONE, disk=NONE, model=""
)
EMBED = PlannedStage(
    key="c",
    name="embed",
    kind="stage",
    collection="",
    runs=("both",),
    searches=21,
    recorded=0,
    milliseconds=Estimate(100.0, "tried on 2 queries"),
    seconds=2.1,
    disk=Estimate(21_000, "not known, 1,000 bytes each assumed"),
)
WORDS = replace(
    EMBED,
    key="d",
    name="lexical",
    recorded=20,
    milliseconds=Estimate(2.0, "not known, 2 ms each assumed"),
    seconds=0.002,
    disk=Estimate(1_000, ""),
)
PLAN = Plan(
    name="handbook",
    cells=3,
    runs=(PlannedRun("words"), PlannedRun("both", ("same", "again"))),
    collections=(PlannedCollection("", 7, 6, 4096),),
    indexes=(BUILT, THERE),
    stages=(EMBED, WORDS, replace(EMBED, name="study", kind="study", seconds=0.9)),
    searches_alone=63,
    asks=3,
    merged=("rrf_k has no effect without fusion: 3 cells are 2 runs",),
)


def numbers(said):
    return re.findall(r"[\d,.]*\d", said)


def test_a_plan_in_lines_worked_by_hand(snapshot):
    said = lines(PLAN)
    snapshot(said)
    assert numbers(said[0]) == ["7", "6", "3", "2"]  # queries, documents, cells, runs
    assert numbers(said[1]) == ["1", "1", "2", "22", "20", "63"]
    assert numbers(said[2]) == ["13", "2.0"]
    assert [numbers(one)[0] for one in said[3:6]] == ["1", "9", "3"]  # seconds, 13 in all
    assert said[4].count("1,204") == said[4].count("minilm") == 1
    for rests_on in (TRIED, BUILT.embedding.rests_on, WORDS.milliseconds.rests_on):
        assert any(rests_on in one for one in said[3:6])
    assert PLAN.merged[0] in said[6]
    assert re.search("same, again .*both", said[7])


def test_a_corpus_that_several_ask_about_is_counted_once():
    asked = [("a", 7, 6, "x"), ("b", 3, 6, "x"), ("c", 1, 2, "y"), ("d", 1, 2, "")]
    collections = tuple(
        PlannedCollection(name, queries, documents, 9, content)
        for name, queries, documents, content in asked
    )
    first = lines(replace(PLAN, collections=collections))[0]
    assert numbers(first) == ["4", "12", "10", "3", "2"]  # 10 documents: 6, 2 and 2


def test_files_that_could_not_be_read_are_told_with_their_collection():
    one = PlannedCollection("docs", 7, 6, 9, "a", unread="1 file could not be read: x.pdf")
    two = replace(one, name="code", content="b", unread="")
    same = replace(one, name="docs again")

    def told(*collections):
        shown = lines(replace(PLAN, collections=collections))
        return [line for line in shown if "could not be read" in line]

    assert told(one) == ["note: 1 file could not be read: x.pdf"]
    assert told(two, one) == ["note: docs: 1 file could not be read: x.pdf"]
    assert len(told(one, two, same)) == 1  # they share a corpus


def test_a_plan_in_one_line(snapshot):
    snapshot(line(PLAN))
    assert numbers(line(PLAN)) == ["3", "2", "1", "22", "20", "13"]


def test_vectors_that_are_remembered_are_not_counted():
    told = lines(replace(PLAN, indexes=(replace(BUILT, remembered=0.5),)))
    assert "602 chunks" in "\n".join(told)


def test_whole_searches_are_told_apart(snapshot):
    whole = replace(EMBED, name="search", kind="search")
    told = lines(replace(PLAN, indexes=(), stages=(whole,), searches_alone=21))
    snapshot(told[1])
    assert numbers(told[1]) == ["0", "1", "21"]


def test_a_large_plan_still_fits_on_a_screen():
    runs = tuple(PlannedRun(f"r{at}", tuple(f"a{n}" for n in range(9))) for at in range(50))
    merged = tuple(f"note {at}" for at in range(50))
    models = tuple(replace(BUILT, model=f"m{at}") for at in range(2))
    told = lines(replace(PLAN, runs=runs, merged=merged, indexes=models))
    assert len(told) <= 15
    assert len([one for one in told if "47" in one and "--json" in one]) == 2
    assert told[-2].split(": ")[1].startswith("a0, a1, a2 ")
    assert " 6 " in told[-2]


def test_names_cannot_steer_a_terminal():
    evil = "a\x1b[31m\nb"
    made = replace(PLAN, name=evil, runs=(PlannedRun(evil, (evil,)),), merged=(evil,))
    made = replace(made, indexes=(replace(BUILT, model=evil),))
    assert all(text.isprintable() for text in lines(made))


def test_json_has_all_of_it_and_the_sums():
    told = standard.loads(standard.dumps(json(PLAN), allow_nan=False))
    assert told["indexes"][0]["embedding"] == {
        "value": 9.0,
        "rests_on": BUILT.embedding.rests_on,
    }
    assert told["indexes"][0]["seconds"] == 10.0
    assert told["stages"][1]["left"] == 1
    assert told["runs"][1] == {"name": "both", "aliases": ["same", "again"]}
    sums = ("searches", "searches_left", "searches_alone", "building_s", "searching_s")
    assert [told[key] for key in sums] == [42, 22, 63, 10.0, pytest.approx(3.002)]
    assert told["seconds"] == pytest.approx(13.002)
    assert told["disk_bytes"] == 2_000_000 + 21_000 + 1_000 + 21_000


def test_times_as_people_say_them(snapshot):
    seconds = {0: "1 s", 1: "1 s", 59.6: "1 min", 3599.6: "1 h", 5400: "30 min", 400_000: "15 h"}
    said = [about(one) for one in seconds]
    snapshot(said)
    assert all(one.endswith(f" {end}") for one, end in zip(said, seconds.values(), strict=True))
    assert len({*said}) == len(said)  # less than a second is not a second


@given(st.floats(0, 1e9))
def test_no_time_has_sixty_of_anything(seconds):
    told = about(seconds)
    assert "60" not in told.replace(",", "").split()
    assert len(told) < 30


def test_of_several_bases_the_one_of_most_time_is_named():
    guessed = replace(BUILT, key="e", reading=Estimate(5.0, "assumed"), embedding=NONE)
    one = replace(PLAN, indexes=(BUILT, guessed))
    assert any("reading and indexing (mostly assumed)" in told for told in lines(one))
