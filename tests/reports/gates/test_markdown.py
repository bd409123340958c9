import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reports.gates.made import HOSTILE, gate, result

from assay.reports.gates.markdown import COMMENT, SUMMARY, markdown

LONG = "x" * 3_000
SPANS = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


def outside_code(text):
    return SPANS.sub("", text.partition("\n")[2])


@pytest.mark.parametrize("limit", [COMMENT, SUMMARY])
@pytest.mark.parametrize("text", ["", "ä漢😀" * 60, LONG, *HOSTILE])
def test_it_is_below_the_limit_in_bytes(limit, text):
    results = [result(at, text=text) for at in range(2_000)]
    told = markdown(gate(results, text=text, notes=[text] * 100), limit=limit)
    assert len(told.encode()) < limit
    assert ("were left out" in told) or limit == SUMMARY


def test_ten_thousand_checks_show_the_worst_first():
    told = markdown(gate([result(at) for at in range(10_000)]))
    assert len(told.encode()) < COMMENT
    assert "3,334 of 10,000 checks failed" in told
    assert "category=9999`" in told.split("FAIL")[1]


def test_the_first_line_is_a_mark_that_no_name_ends():
    first = markdown(gate([result(0)], text="--> <b> " + LONG)).splitlines()[0]
    assert re.fullmatch(r"<!-- assay-gate [\w.-]{1,100} -->", first)
    assert first.count("--") == first.count("-->") + 1 + first[5:-4].count("--")


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_of_a_name_or_a_text_is_live(text):
    assert "<script" not in outside_code(markdown(gate([result(0, text=text)], notes=[text])))
    told = unescape(outside_code(markdown(gate([result(0, text=text)], text=text, notes=[text]))))
    assert not re.search(r"(?<!\w)@\w", told)
    assert not re.search(r"#\d|gh-\d|://|www\.", told, re.IGNORECASE)
    assert not re.search(r"\]\(", told)


def test_each_table_row_stays_one_row():
    told = markdown(gate([result(0, text="a | b\n| c |\r\n`x`")]))
    rows = [line for line in told.splitlines() if "FAIL" in line and line.startswith("|")]
    assert len(rows) == 1
    assert len(re.findall(r"(?<!\\)\|", rows[0])) == 8


@given(st.text(max_size=80))
def test_any_name_is_in_code_that_it_cannot_leave(text):
    from assay.reports.gates.markdown import _code

    fenced = _code(text)
    fence = re.match("`+", fenced)[0]
    inner = fenced[len(fence) : -len(fence)]
    assert fence not in re.findall("`+", inner)
