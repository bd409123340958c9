"""Colours can be told from paper, by everybody; text can be read."""

from itertools import combinations

import numpy as np
import pytest

from assay.reports.charts.drawing.grid import MARGIN
from assay.reports.charts.look import PAGE, PAPER, PLACES, _look, variables

DARK = _look("dark", variables("dark"))  # what a page takes in a dark scheme


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


# What those who lack a cone see, in linear RGB: Machado, Oliveira and Fernandes (2009), severity 1.
SEEN = {
    "all colours": np.eye(3),
    "no red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "no green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                 [-0.011820, 0.042940, 0.968881]],
    "no blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour, seen):
    """Return the colour that is seen in CIELAB (D65)."""
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    shown = np.clip(np.array(seen) @ linear, 0, 1)
    shares = XYZ @ shown / XYZ.sum(axis=1)
    x, y, z = np.where(shares > 0.008856, np.cbrt(shares), 7.787 * shares + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def apart(one, other, seen):
    """Return how far two colours are from each other: CIE76, of which 2 to 3 can just be seen."""
    return float(np.linalg.norm(lab(one, seen) - lab(other, seen)))


def test_black_and_white_are_100_apart_for_everybody():
    for seen in SEEN.values():
        assert apart("#000000", "#ffffff", seen) == pytest.approx(100, abs=0.1)
    assert apart("#b3400e", "#0b7a53", SEEN["all colours"]) > 80
    assert apart("#954074", "#57606a", SEEN["no green"]) < 3  # nothing that those see


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("look", [PAPER, DARK], ids=lambda look: look.name)
def test_stages_can_be_told_apart_by_everybody(look, seen):
    near = {
        (one, other): far
        for one, other in combinations(PLACES, 2)
        if (far := apart(look.stage(one), look.stage(other), SEEN[seen])) < 10
    }
    assert not near
    assert min(apart(look.kept, one, SEEN[seen]) for one in look.stages) > 25
    assert apart(look.better, look.worse, SEEN[seen]) > 20


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("look", [PAPER, DARK], ids=lambda look: look.name)
def test_runs_of_one_shape_can_be_told_apart_by_everybody(look, seen):
    for one, other in combinations(range(1, 17), 2):
        if look.shape(one) == look.shape(other):
            assert apart(look.run(one), look.run(other), SEEN[seen]) > 20, (one, other)


def test_no_two_of_forty_runs_have_one_mark():
    assert len({(PAPER.run(number), PAPER.shape(number)) for number in range(1, 41)}) == 40


def test_black_on_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("look", [PAPER, DARK], ids=lambda look: look.name)
def test_text_and_marks_stand_out_from_paper(look):
    for text in (look.ink, look.quiet, look.worse, *look.stages):
        assert contrast(text, look.paper) >= 4.5, text
    assert contrast(look.ink, look.kept) >= 4.5  # which has an outline
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
