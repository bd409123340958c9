"""Colours can be told from paper, by everybody; text can be read."""

import pytest

from assay.reports.charts._grid import MARGIN
from assay.reports.charts.look import DARK, PAGE, PAPER, PLACES, variables


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return sum(share * one for share, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def mixed(over, under, share):
    pairs = [(int(over[at : at + 2], 16), int(under[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def test_black_on_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("look", [PAPER, DARK], ids=lambda look: look.name)
def test_text_and_marks_stand_out_from_paper(look):
    for text in (look.ink, look.quiet, look.worse, *look.stages):
        assert contrast(text, look.paper) >= 4.5, text
    for mark in (*look.runs, look.axis, look.accent, look.better, look.worse):
        assert contrast(mark, look.paper) >= 3, mark


@pytest.mark.parametrize("look", [PAPER, DARK], ids=lambda look: look.name)
def test_values_can_be_read_on_the_darkest_shade_of_a_grid(look):
    assert contrast(look.ink, mixed(look.accent, look.paper, MARGIN)) >= 4.5


def test_a_page_names_the_variables_that_both_schemes_have():
    light, dark = variables("light"), variables("dark")
    assert light.keys() == dark.keys()
    assert PAGE.run(3) == "var(--run-3)"
    assert PAGE.ink == "var(--ink)"
    assert {f"var({name})" for name in light} >= {*PAGE.runs, *PAGE.stages, PAGE.paper}


def test_runs_of_one_colour_or_shape_differ_in_the_other():
    marks = [(PAPER.run(number), PAPER.shape(number)) for number in range(1, 17)]
    assert len({colour for colour, _ in marks}) == 16
    assert len({shape for _, shape in marks}) == 8
    assert PAPER.shape(1) != PAPER.shape(9)  # of one hue


def test_every_known_stage_has_a_colour_of_its_own():
    assert len({PAPER.stage(name) for name in PLACES}) == len(PLACES) == len(PAPER.stages)
    assert PAPER.stage("a stage of a plugin") in PAPER.stages
