"""Every chart of every kind of report: what holds for all of them."""

import re
import struct
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from assay import catalogue
from assay.errors import InputError, UnknownNameError
from assay.reports.charts import draw, kinds
from assay.reports.charts.look import PAGE, PAPER

NAMES = [name for name, _ in draw.names()]
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {  # what is peculiar to a shape shows in these charts
    **dict.fromkeys(("one", "three", "equal", "odd_runs", "unicode"), NAMES),
    "one_query": ["quality", "differences", "scores", "latency"],
    "untimed": ["quality", "latency", "load", "depth", "recall"],
    "negative": ["differences", "scores", "categories"],
}
PAIRS = [(shape, name) for shape, names in SHAPES.items() for name in names]
ANALYSED = {"effects", "load", "depth", "clusters", "recall"}
NOTHING = {  # what these reports have nothing for
    "one": {"differences"},
    "untimed": {"latency", "load", "depth", "recall"},
    **dict.fromkeys(("equal", "odd_runs"), ANALYSED),
}
COLOUR = re.compile(r'(?:fill|stroke)="([^"]+)"')


@pytest.fixture(scope="session")
def drawn(shapes):
    kept = {}

    def drawing(shape, name, look=PAPER):
        key = (shape, name, look.name)
        if key not in kept:
            kept[key] = draw.svg(shapes[shape], name, look=look)
        return kept[key]

    return drawing


def check(svg, report):
    """Look for what a picture in a page must have, and must not have."""
    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.get("viewBox").split())
    assert root.get("role") == "img"
    assert (float(root.get("width")), float(root.get("height"))) == (width, height)
    words = {root.find(f"{SVG}title").get("id"), root.find(f"{SVG}desc").get("id")}
    assert set(root.get("aria-labelledby").split()) == words
    assert all(root.find(f"{SVG}{one}").text for one in ("title", "desc"))
    assert not re.findall(r"https?://(?!www\.w3\.org/)", svg)
    assert not {"a", "script", "image", "foreignObject", "style"} & {
        one.tag.removeprefix(SVG) for one in root.iter()
    }
    assert not re.search(r"\bNaN\b|undefined|\bnull\b|Infinity|⟦", svg)
    numbers = {int(one.get("data-run")) for one in root.iter() if one.get("data-run")}
    assert numbers <= set(range(1, len(report.runs) + 1))
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert len(svg) < 300_000
    return root


@pytest.mark.parametrize(("shape", "name"), PAIRS)
def test_a_chart_is_one_image_that_needs_nothing(shape, name, shapes, drawn):
    svg = drawn(shape, name)
    if svg:
        check(svg, shapes[shape])
    else:
        assert name in NOTHING[shape]


@pytest.mark.parametrize("name", NAMES)
def test_sixteen_runs_of_a_thousand_queries(name, shapes, drawn):
    root = check(drawn("many_queries", name), shapes["many_queries"])
    assert len(list(root.iter())) < 3000


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_report_has_no_charts(name, shapes):
    assert draw.svg(shapes["empty"], name) == ""
    assert draw.png(shapes["empty"], name) == b""


@pytest.mark.parametrize("name", NAMES)
def test_a_page_sets_every_colour(name, drawn):
    colours = set(COLOUR.findall(drawn("three", name, PAGE)))
    known = {value for value in (*PAGE.runs, *PAGE.stages, *_plain(PAGE))}
    assert colours - {"none", "transparent"} <= known
    assert 'role="graphics-symbol"' in drawn("three", name, PAGE)


def _plain(look):
    return [getattr(look, name) for name in PAGE.__slots__ if isinstance(getattr(look, name), str)]


def test_names_are_the_files_and_each_has_a_meaning():
    assert sorted(NAMES) == catalogue.files(kinds)
    for name, meaning in draw.names():
        assert meaning.endswith("."), name
        assert len(meaning) > 30, name


def test_pictures_are_the_same_each_time(shapes, drawn):
    for name in ("quality", "waterfall"):
        first = drawn("three", name)
        drawn("odd_runs", name)  # others may have been drawn in between
        assert draw.svg(shapes["three"], name) == first
    assert draw.png(shapes["three"], "scores") == draw.png(shapes["three"], "scores")


def test_two_pictures_in_a_page_share_no_id(drawn):
    ids = [one for name in NAMES for one in re.findall(r'\bid="([^"]+)"', drawn("three", name))]
    assert len(ids) == len(set(ids)) > 2 * len(NAMES) - 2


def test_png_has_the_size_of_the_picture(shapes, drawn):
    content = draw.png(shapes["three"], "scores", scale=2)
    root = ElementTree.fromstring(drawn("three", "scores"))
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", content[16:24])
    assert wide == pytest.approx(2 * float(root.get("width")), abs=2)
    assert high == pytest.approx(2 * float(root.get("height")), abs=2)


def test_every_mark_tells_what_it_is(drawn):
    root = ElementTree.fromstring(drawn("three", "quality"))
    told = {one.text for one in root.iter(f"{SVG}title")}
    assert any(re.fullmatch(r"words: .*0\.\d+ \[.*\], .*0\.4 ms", one) for one in told)
    marks = [one for one in root.iter() if one.get("data-run") == "2"]
    assert all("meaning" in one.find(f"{SVG}title").text for one in marks)
    assert len(marks) >= 4  # two intervals, the point and its label


def test_names_are_never_markup(drawn):
    svg = drawn("unicode", "categories")
    root = ElementTree.fromstring(svg)
    texts = {list(one.itertext())[-1] for one in root.iter(f"{SVG}text")}
    assert "<script> (5)" in texts
    assert "поиск <b>&amp;</b>" in texts
    assert 'a "quoted"\\nname\\x1b[31m' in texts


def test_runs_that_are_not_drawn_are_named(drawn, snapshot):
    said = re.search(r"[^.<>]*run 4 \(.*?\); 5 \(.*?\)\.", drawn("odd_runs", "quality"))[0]
    snapshot(said)
    for name in ("latency", "waterfall", "categories"):
        assert said in drawn("odd_runs", name)


def test_an_unknown_chart_is_refused_with_a_near_name(shapes, snapshot):
    with pytest.raises(UnknownNameError, match='"quality"') as caught:
        draw.svg(shapes["three"], "qualty")
    snapshot(caught.value)


@pytest.mark.parametrize("missing", ["altair", "vl_convert"])
def test_what_is_not_installed_is_named(missing, shapes, monkeypatch):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(InputError, match=r"install .*\[plots\]"):
        draw.svg(shapes["three"], "quality")


def test_names_need_no_library_of_charts():
    code = (
        "import sys; from assay.reports.charts import draw; draw.names();"
        "import assay.workflows.plot;"
        "sys.exit(any(name in sys.modules for name in ('altair', 'vl_convert', 'polars')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_report_of_odd_values_is_drawn_as_far_as_it_goes(shapes):
    report = shapes["three"]
    first, *others = report.runs
    odd = replace(
        first,
        scores={"ndcg@10": None},
        intervals={},
        latency_ms={"p50": None, "queries": {"q1": None}},
        per_query={"q1": {"ndcg@10": None}},
        waterfall={"lexical": None},
        categories={"how": {}},
    )
    for name in NAMES:
        svg = draw.svg(replace(report, runs=(odd, *others), analysis={}), name)
        if svg:
            check(svg, report)
