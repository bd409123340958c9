"""How answers are shown."""

import json as text

from hypothesis import given
from hypothesis import strategies as st

from assay.records import Answer, Hit, Loss
from assay.reports.searches.excerpt import excerpt
from assay.reports.searches.json import json
from assay.reports.searches.loss import loss

HIT = Hit(1, "a.py", "a.py", (3, 9), ("f",), 0.5, stages={"lexical": {"rank": 1, "score": 2.0}})


def test_the_keys_that_programs_rely_on():
    told = json(Answer("q", (HIT,), {"lexical": 1.0, "total": 2.0}))

    assert list(told)[:3] == ["query", "hits", "latency_ms"]
    assert set(told["hits"][0]) >= {
        "rank", "document", "path", "lines", "symbols", "score", "stages",
    }  # fmt: skip
    assert told["hits"][0]["lines"] == [3, 9]
    text.dumps(told, allow_nan=False)


def test_a_loss_stands_in_the_json_only_if_it_was_asked_for():
    assert "why_not" not in json(Answer("q", ()))
    lost = Loss("lexical", "nothing in it matches the query", also=(Loss("dense", "far", 9),))
    assert json(Answer("q", (), loss=lost))["why_not"]["also"][0]["rank"] == 9


def test_every_part_that_lost_a_document_is_told():
    also = (Loss("dense", "it ranks 300, and only the first 200 go on", 300, 0.1, 0.2),)

    lines = loss(Loss("lexical", "nothing in it matches the query", also=also), "a.py")

    assert lines[0] == "a.py: lost by lexical: nothing in it matches the query"
    assert lines[1].endswith("(score 0.100, needed 0.200)")


def test_what_was_found_and_what_is_not_indexed_are_told():
    assert loss(Loss("", "it was found, as number 2", 2), "a") == ["a: it was found, as number 2"]
    assert "empty" in loss(Loss("index", "it is not indexed"), "a")[0]


def test_an_excerpt_begins_with_a_line_that_matches():
    lines = "import os\n\n\ndef one():\n    pass\n\ndef wait_retry():\n    sleep()\n"

    assert excerpt(lines, "how long to sleep before retries", first_line=10)[0] == (
        16,
        "def wait_retry():",
    )


def test_an_excerpt_without_any_match_is_the_beginning():
    assert excerpt("\n\na b\nc d", "zzz", most=1) == [(3, "a b")]


def test_only_line_feeds_end_lines():
    """As chunks count them; form feeds are common in old code."""
    assert excerpt("a\x0c\x1c\u2028b\r\nfound it\r\n", "found", most=1) == [(2, "found it")]


@given(st.text(), st.text(), st.integers(1, 5))
def test_an_excerpt_of_any_text_is_made_of_its_lines(body, query, most):
    shown = excerpt(body, query, most=most)

    lines = body.split("\n")
    assert len(shown) <= most
    assert all(lines[number - 1].rstrip() == line for number, line in shown)
