"""Nothing that others wrote controls a terminal, and nothing readable is lost."""

import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text import Screen, json_sanitized, sanitize, truncate, trusted

STEERING = [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0x061C, 0x200E, 0x200F]
STEERING += [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF, 0x200B, 0xDC80, 0xFFFE]


@pytest.mark.parametrize("code", STEERING, ids=hex)
def test_what_steers_is_spelled_out(code):
    shown = sanitize(f"a{chr(code)}b")
    assert re.fullmatch(r"a\\(x[0-9a-f]{2}|u[0-9a-f]{4}|[tnr])b", shown)


@pytest.mark.parametrize(
    "text",
    [
        "検索\u3000エンジン",
        "10\u00a0ms",
        "10\u202fms",
        "👩‍👩‍👧 ❤️ 🏴󠁧󠁢󠁷󠁬󠁳󠁿",
        "می‌خواهم",
        "क्‍ष",
        "ทดสอบ",
        "עברית",
        "葛󠄀",
    ],
)
def test_what_people_write_stays(text):
    assert sanitize(text) == text


def test_letters_that_flags_are_made_of_are_hidden_text_elsewhere():
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "rm")
    assert sanitize(f"a{hidden}") == r"a\U000e0072\U000e006d"


@given(st.text())
def test_twice_is_once_and_a_line_stays_a_line(text):
    shown = sanitize(text)
    assert sanitize(shown) == shown
    assert "\n" not in shown
    assert sanitize(text, keep="\n").split("\n") == [sanitize(line) for line in text.split("\n")]


@given(st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\x9b\u202e\U000e0041")))
def test_json_keeps_its_value(text):
    shown = json_sanitized(json.dumps(text, ensure_ascii=False))
    assert json.loads(shown) == text
    assert sanitize(shown) == shown


@pytest.mark.parametrize(("given_", "length"), [("9" * 1_000_000, 300), ("a b " * 9_999, 2_000)])
def test_a_long_value_keeps_both_ends(given_, length):
    shown = truncate(f"grade {given_} is wrong")
    assert len(shown) <= length + 20
    assert shown.startswith("grade ")
    assert shown.endswith("is wrong")
    assert "…" in shown


def test_a_screen_lets_line_breaks_through_and_has_no_way_around():
    stream = io.StringIO()
    screen = Screen.before(stream)
    screen.write("a\x1b[31m\nb\u202e\n")
    screen.writelines(["c\r", "d\n"])
    assert stream.getvalue() == "a\\x1b[31m\nb\\u202e\nc\\rd\n"
    assert not hasattr(screen, "buffer")
    assert Screen.before(screen) is screen
    assert trusted(screen) is stream
    assert trusted(stream) is stream
    with pytest.raises((TypeError, AttributeError)):
        screen.write(b"")
