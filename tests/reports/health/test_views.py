"""A look at an index for people and for programs."""

import json as plain
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from assay.records import Health, HealthFinding
from assay.reports.health.finding_values import expected, value
from assay.reports.health.headline import headline
from assay.reports.health.json import json
from assay.reports.health.lines import lines
from assay.reports.health.table import table
from assay.text import sanitize

GOOD = HealthFinding("statistics", "documents", 1200, "good", "Index again.", 1200, 1200)
BAD = HealthFinding(
    "staleness", "changed", 3, "bad", "Bring it up to date.", None, 0, "of 20", ("a", "b", "c", "d")
)
WATCH = HealthFinding(
    "embedding", "anisotropy", 0.55, "watch", "All alike.", None, 0.5, reason="R."
)
UNKNOWN = HealthFinding("recall", "recall@10", None, "unknown", "No vectors.")
HEALTH = Health("docs", {"documents": 1200, "chunks": 1}, (GOOD, WATCH, UNKNOWN, BAD))


def shown(health, **options):
    return [line.text for line in lines(health, **options)]


def test_the_worst_comes_first_with_what_to_do_and_the_good_in_brief(snapshot):
    snapshot(shown(HEALTH))
    words = [text.split() for text in shown(HEALTH)]
    states = ("bad", "watch", "unknown", "good")
    assert [one[0] for one in words if one and one[0] in states] == [*states]
    assert words[0][1:6] == ["staleness", "changed", "3", "of", "20"]
    assert BAD.meaning in shown(HEALTH)[1]
    assert words[-1][1:] == ["statistics", "documents", "1,200"]


def test_explained_the_good_say_what_they_are_not(snapshot):
    texts = shown(HEALTH, explained=True)
    good = replace(WATCH, state="good")
    told = shown(Health("c", {}, (good,)), explained=True)
    snapshot([*texts, "", *told])
    assert texts[-2].count("1,200") == 2  # found and expected
    assert texts[-1].endswith(GOOD.meaning)
    assert told[1].endswith(f"{WATCH.meaning} {WATCH.reason}")


def test_what_is_unknown_of_a_section_is_one_line(snapshot):
    few = [
        HealthFinding("embedding", name, None, "unknown", "3 vectors are too few.")
        for name in ("anisotropy", "hubness", "uniformity")
    ]
    pairs = HealthFinding("embedding", "alignment", None, "unknown", "No pairs.")
    health = Health("c", {}, (pairs, *few, UNKNOWN))
    brief, explained = shown(health), shown(health, width=90, explained=True)
    snapshot([*brief, "", *explained])
    assert [text.split()[:2] for text in brief] == [["unknown", "embedding"], ["unknown", "recall"]]
    assert " 4 " in brief[0]
    assert "alignment, anisotropy, hubness, uniformity: " in explained[0]


def test_a_sentence_that_several_share_is_said_once():
    twice = Health("c", {}, (BAD, replace(BAD, name="removed")))
    assert sum("Bring it" in text for text in shown(twice)) == 1


def test_where_all_is_good_the_brief_lines_stand_alone():
    assert shown(Health("c", {}, (GOOD,))) == shown(HEALTH)[-1:]
    assert shown(Health("c", {}, ())) == []


def test_the_headline_counts(snapshot):
    said = [headline(HEALTH), headline(Health("c", {}, ()))]
    snapshot(said)
    assert re.findall(r"[\d,]*\d", said[0]) == ["1,200", "1", "4", "1", "1", "1", "1"]
    assert re.findall(r"\d+", said[1]) == ["0", "0", "0"]


def test_json_has_the_keys_that_programs_rely_on():
    told = plain.loads(plain.dumps(json(HEALTH), allow_nan=False))
    assert list(told) == ["corpus", "index", "findings", "embedding", "notes"]
    first, second, *_ = told["findings"]
    assert first["expected"] == 1200
    assert second["expected"] == [None, 0.5]
    assert {"section", "name", "value", "expected", "state", "meaning"} <= set(first)
    assert told["findings"][3]["cases"] == ["a", "b", "c", "d"]
    assert told["findings"][2]["expected"] is None


def test_every_finding_has_a_row():
    made = table(HEALTH)
    assert [row[1] for row in made.rows] == ["documents", "anisotropy", "recall@10", "changed"]
    assert made.caption.startswith("docs: ")


def test_a_file_says_nothing_bad_of_what_is_good(snapshot):
    rows = {row[1]: row[-1] for row in table(HEALTH).rows}
    assert rows["documents"] == ""
    assert rows["anisotropy"] == WATCH.meaning
    assert rows["recall@10"] == UNKNOWN.meaning
    assert rows["changed"].startswith(BAD.meaning)
    told = {one["name"]: one for one in json(HEALTH)["findings"]}
    snapshot(f"{name}: {one['says']} / {one['meaning']}" for name, one in told.items())
    assert GOOD.meaning not in told["documents"]["says"]
    assert told["documents"]["meaning"].endswith(GOOD.meaning)
    assert told["changed"]["says"] == BAD.meaning
    assert told["changed"]["meaning"].endswith(BAD.meaning)
    assert told["recall@10"]["says"] == told["recall@10"]["meaning"] == UNKNOWN.meaning


def test_what_is_only_told_says_what_it_is():
    only = Health("c", {}, (HealthFinding("s", "bytes", 7, "good", "On disk."),))
    (one,) = json(only)["findings"]
    assert one["says"] == one["meaning"] == "On disk."


def test_a_row_is_read_with_its_unit_and_keeps_its_number():
    made = table(HEALTH)
    assert (made.rows[3][2], made.texts[3, 2]) == (3, "3 of 20")


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        (0.985, "share", "98.5%"),
        (1.0, "share", "100%"),
        (999, "bytes", "999 bytes"),
        (1000, "bytes", "1.0 KB"),  # thousands, as disks are sold
        (1_024_000, "bytes", "1.0 MB"),
        (1_050_000, "bytes", "1.1 MB"),
        (1_500_000, "bytes", "1.5 MB"),
        (2e15, "bytes", "2,000.0 TB"),
        (3.5, "days", "3.5 days"),
        (0.01, "days", "14 minutes"),
        (1 / 1440, "days", "1 minute"),
        (0, "of 7", "0"),
        (2, "of 7", "2 of 7"),
        (-2.5, "", "-2.50"),
        (12345, "", "12,345"),
        ("python 3", "", "python 3"),
        (None, "", "-"),
    ],
)
def test_a_value_reads_with_its_unit(number, unit, text):
    assert value(HealthFinding("s", "n", number, "good", "", unit=unit)) == text


def test_what_was_expected_reads_as_a_number_a_range_or_an_end():
    def told(least, most):
        return expected(HealthFinding("s", "n", 1, "good", "", least, most))

    assert told(5, 5) == "5"
    assert told(5000, 6000) == "5,000 to 6,000"
    assert told(5, None) == "at least 5"
    assert told(None, 5) == "at most 5"
    assert told(None, None) == ""


def test_a_count_that_should_be_0_is_expected_to_be_0():
    found = HealthFinding("s", "n", 3, "bad", "", most=0.0, unit="of 20")
    assert expected(found) == "0"
    assert expected(replace(found, most=None, least=20.0)) == "at least 20"


def test_a_long_value_is_wrapped():
    long = replace(BAD, value=0.5, unit="of the random distance " * 5)
    first, second, *_ = shown(Health("c", {}, (long,)))
    assert first.startswith("bad")
    assert second.startswith(" " * 20)


words = st.text(max_size=60)
findings = st.builds(
    HealthFinding,
    section=st.sampled_from(["statistics", "coverage"]),
    name=st.sampled_from(["documents", "near-equal vectors"]),
    value=st.none() | st.integers(0, 10**12) | st.floats(-10, 10) | words,
    state=st.sampled_from(["good", "watch", "bad", "unknown"]),
    meaning=words,
    least=st.none() | st.floats(0, 10),
    most=st.none() | st.floats(10, 20),
    cases=st.lists(words, max_size=5).map(tuple),
)


@given(st.lists(findings, max_size=6).map(tuple), st.integers(60, 120), st.booleans())
def test_no_line_is_too_wide_or_steers_the_terminal(found, width, explained):
    for text in shown(Health("c", {}, found), width=width, explained=explained):
        assert cell_len(text) <= width
        assert sanitize(text) == text
