"""What a workspace holds, for people and for programs."""

import re
from dataclasses import dataclass
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from assay.reports.cache.json import json
from assay.reports.cache.size import size
from assay.reports.cache.table import table
from assay.reports.layout import layout


@dataclass
class Part:
    name: str
    count: int
    bytes: int
    used: float | None
    limited: bool
    place: Path = Path("somewhere")


PARTS = [
    Part("tapes", 1200, 3_400_000, 0.0, limited=True),
    Part("models", 0, 7, None, limited=False),
]


def test_only_what_is_limited_counts(snapshot):
    found = table(PARTS, limit=5_000_000)
    snapshot(found.caption)
    assert "3.4 MB of 5.0 MB" in found.caption
    assert "models" not in found.caption
    assert [row[:3] for row in found.rows] == [("tapes", 1200, 3_400_000), ("models", 0, 7)]
    assert found.rows[1][3] is None
    lines = ["".join(piece.text for piece in line) for line in layout(found)]
    assert re.match(r"tapes .*1,200 +3\.4 MB +19", lines[3])  # east and west of Greenwich


def test_programs_get_all_digits():
    assert json(PARTS, limit=5, workspace="w") == {
        "workspace": "w",
        "limit_bytes": 5,
        "limited_bytes": 3_400_000,
        "parts": {
            "tapes": {
                "count": 1200,
                "bytes": 3_400_000,
                "last_used": "1970-01-01T00:00:00+00:00",
                "limited": True,
                "place": "somewhere",
            },
            "models": {
                "count": 0,
                "bytes": 7,
                "last_used": None,
                "limited": False,
                "place": "somewhere",
            },
        },
    }


def test_nothing_at_all():
    assert table([], limit=0).rows == []
    assert json([], limit=0, workspace="")["parts"] == {}


@given(st.integers(0, 10**18))
def test_sizes_are_near_and_short(number):
    shown, unit = size(number).replace(",", "").split(" ")
    times = {"bytes": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}[unit]
    assert abs(float(shown) * times - number) <= 0.05 * times + number * 1e-9
    assert float(shown) < 1000 or unit == "TB"
