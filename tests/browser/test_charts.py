"""Charts in a real browser: no word is cut off, and none stands on another."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from assay.reports.charts import draw
from assay.reports.charts.look import PAGE, PAPER

pytestmark = pytest.mark.browser

MADE = Path(__file__).parents[1] / "reports" / "charts" / "conftest.py"
FAULTS = """() => {
  const svg = document.querySelector('svg'), around = svg.getBoundingClientRect(), found = [];
  const texts = [...svg.querySelectorAll('text')].filter((one) => one.textContent.trim());
  const boxes = texts.map((one) => [one.getBoundingClientRect(), one.lastChild.textContent]);
  for (const [box, text] of boxes)
    if (box.left < around.left - .5 || box.right > around.right + .5
        || box.top < around.top - .5 || box.bottom > around.bottom + .5) found.push(['cut', text]);
  boxes.forEach(([one, text], at) => boxes.slice(at + 1).forEach(([other, words]) => {
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (wide > .5 && high > 3) found.push(['on another', text, words]);
  }));
  return { found, texts: texts.length };
}"""
EVERY = [name for name, _ in draw.names()]
SHAPES = {  # what is peculiar to a shape shows in these charts
    "sixteen": EVERY,
    "unicode": EVERY,
    "one": ["quality", "scores", "waterfall", "latency"],
    "three": ["quality", "effects", "depth", "load"],
    "many_queries": ["differences", "scores"],
    "many_categories": ["categories"],
    "one_query": ["quality", "differences"],
    "negative": ["differences", "scores", "categories"],
}


@pytest.fixture(scope="session")
def shapes():
    spec = spec_from_file_location("made_charts", MADE)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.SHAPES


@pytest.fixture(scope="module")
def tab(chromium):
    opened = chromium.new_page(viewport={"width": 1000, "height": 800})
    yield opened
    opened.close()


def faults(tab, svg):
    tab.set_content(f'<body style="margin:0">{svg}')
    return tab.evaluate(FAULTS)


@pytest.mark.parametrize("shape", SHAPES)
def test_words_are_whole_and_apart(shape, shapes, tab):
    report, look = shapes[shape](), PAGE if shape in ("one", "sixteen") else PAPER
    for name in SHAPES[shape]:
        told = faults(tab, draw.svg(report, name, look=look))
        assert told["found"] == [], name
        assert told["texts"] > 3, name


def test_what_is_cut_or_covered_would_be_found(tab):
    text = '<text x="{x}" y="20" font-size="12">some words</text>'
    drawn = f'<svg width="90" height="40">{text.format(x=5)}{text.format(x=60)}</svg>'
    kinds = {one[0] for one in faults(tab, drawn)["found"]}
    assert kinds == {"cut", "on another"}
