"""Makes reports for the page, and reads the page back."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from assay.reports.html.page import page


@pytest.fixture(scope="session")
def made_report():
    spec = spec_from_file_location("made_reports", Path(__file__).with_name("made.py"))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.made_report


class Read(HTMLParser):
    """What stands in a page: elements that are open, their attributes, and texts."""

    VOID = ("meta", "input", "br")

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.ids, self.texts, self.wrong = [], [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.ids += [value for key, value in attributes if key == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())

    @property
    def lines(self):
        """Return what can be read, a line for each line of the source that has any."""
        return read_lines(self.source)

    def part(self, start, end):
        """Return what can be read between two pieces of the source."""
        rest = self.source.split(start)[1].split(end)[0]
        return read_lines(rest if start.endswith(">") else rest.partition(">")[2])

    @property
    def card(self):
        """Return the lines that say what to take."""
        return self.part('class="words">', "</div>")


def read_lines(source):
    source = re.sub(r"<(style|script).*?</\1>", "", source, flags=re.S)
    source = re.sub(r"</?(a|b|bdi|code|strong)\b[^>]*>", "", source)  # within a line of words
    texts = unescape(re.sub(r"<[^>]+>", " ", source)).splitlines()
    return [" ".join(line.split()) for line in texts if line.split()]


@pytest.fixture
def written():
    """Write a page without charts, and read it."""

    def write(report, charts=()):
        text = page(report, date="2026-01-02", charts=dict(charts)).decode()
        found = Read()
        found.feed(text)
        found.close()
        found.source = text
        found.data = json.loads(
            re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1]
        )
        return found

    return write
