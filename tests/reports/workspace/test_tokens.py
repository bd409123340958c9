"""The table of tokens: every cell can be read on a terminal of 80 columns."""

import time

import pytest

from assay.records.service import TokenEntry
from assay.reports.layout import layout
from assay.reports.workspace.tokens import describe_expiry, tokens_table

DAY = 86_400.0
NOW = time.mktime((2026, 11, 19, 19, 52, 0, 0, 0, -1))


def entry(name, **more):
    told = {"created": NOW - 9 * DAY, "expires": None, "revoked": None, "last_used": None}
    told["author"] = "tests"
    return TokenEntry(id="0123456789ab", name=name, role="editor", **{**told, **more})


TOKENS = (
    entry("anna"),
    entry("build server", expires=NOW + 5 * DAY, last_used=NOW),
    entry("ben", expires=NOW - 2 * DAY),
    entry("carl", revoked=NOW - DAY, last_used=NOW - 3 * DAY),
)
CELLS = (
    ["0123456789ab", "anna", "editor", "2026-11-10", "never", "never"],
    ["0123456789ab", "build server", "editor", "2026-11-10", "2026-11-19", "2026-11-24"],
    ["0123456789ab", "ben", "editor", "2026-11-10", "never", "expired 2026-11-17"],
    ["0123456789ab", "carl", "editor", "2026-11-10", "2026-11-16", "revoked 2026-11-18"],
)


def lines(tokens, width):
    table = tokens_table(tokens, now=NOW)
    return ["".join(piece.text for piece in line) for line in layout(table, width)]


@pytest.mark.parametrize("width", [80, 120])
def test_every_cell_is_whole(width):
    title, _, *rows = lines(TOKENS, width)
    assert "expires" in title
    assert max(map(len, (title, *rows))) <= width
    assert [[part.strip() for part in row.split("  ") if part.strip()] for row in rows] == [*CELLS]


def test_a_long_name_is_shortened_rather_than_a_date():
    (row,) = lines((entry("the nightly job of the search team", revoked=NOW),), 80)[2:]
    assert len(row) <= 80
    assert row.endswith("revoked 2026-11-19")
    assert "2026-11-10" in row


def test_a_sentence_says_until_when():
    said = [describe_expiry(one, now=NOW) for one in TOKENS]
    assert said[0] == "until revoked"
    assert said[1] == "until 2026-11-24 19:52"
    assert said[3].startswith("revoked 2026-11-18")
