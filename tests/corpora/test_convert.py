"""Files that are converted: in a process of its own, which may be lost without harm."""

import random
import time
import zlib

import pytest
from tests.corpora.converters.made_files import Packed, docx, ipynb, paragraph, pdf, pptx

from assay.corpora import convert as module
from assay.corpora.convert import PAGE, convert, converter_of
from assay.corpora.guarded_process import GuardedProcess
from assay.records.skipped_files import FAILURES

pytest.importorskip("pypdfium2")
pytest.importorskip("office_oxide")
pytest.importorskip("selectolax")
FILES = {
    "a.pdf": pdf("one", "two"),
    "a.docx": docx(paragraph("one")),
    "a.pptx": pptx(("one", "two")),
    "a.html": b"<title>t</title><p>one",
    "a.ipynb": ipynb("one", ">two"),
}


def converted(name, data):
    return convert(converter_of(name), data)


@pytest.fixture
def fresh(monkeypatch):
    """Start another process, with other limits."""

    def limited(*, seconds=60.0, memory=2 << 30, alarm=120):
        monkeypatch.setattr(module, "SECONDS", seconds)
        process = GuardedProcess(module._CHILD, str(memory), str(alarm))
        monkeypatch.setattr(module, "_process", lambda: process)
        return process

    return limited


def test_every_format():
    texts = {name: converted(name, data).text for name, data in FILES.items()}
    assert texts == {
        "a.pdf": f"one{PAGE}two",
        "a.docx": "one",
        "a.pptx": "## one\n\ntwo",
        "a.html": "one",
        "a.ipynb": f"one{PAGE}```python\ntwo\n```",
    }
    assert converted("a.html", FILES["a.html"]).title == "t"


def test_names():
    assert [converter_of(name) for name in ("a.txt", "pdf", "a.pdf.bak", "a.doc", "")] == [None] * 5
    names = ("A.PDF", "a.htm", "x/y.XHTML", "b.c.docx")
    assert [converter_of(name).endings[0] for name in names] == ["pdf", "html", "html", "docx"]


def test_a_file_that_takes_too_long_is_given_up_and_others_follow(fresh):
    process = fresh(seconds=0.5)
    started = time.monotonic()

    endless = converted("a.html", b"<div>" * 60_000)  # every level is looked through again

    assert endless.reason == "too_slow"
    assert time.monotonic() - started < 30
    assert process._process is None
    module.SECONDS = 60.0
    assert converted("a.html", b"<p>next").text == "next"


def test_a_process_that_nobody_waits_for_ends_by_itself(fresh):
    """Its parent may have been killed, and the file may never end."""
    fresh(alarm=1)
    started = time.monotonic()

    assert converted("a.html", b"<div>" * 60_000).reason == "failed"

    assert time.monotonic() - started < 30
    assert converted("a.html", b"<p>next").text == "next"


def test_a_file_that_takes_all_memory_is_given_up_and_others_follow(fresh):
    fresh(memory=400 << 20)
    packed = zlib.compressobj(1)
    content = b"BT /F 12 Tf (x) Tj ET\n" * 40_000
    bomb = pdf(Packed(b"".join(packed.compress(content) for _ in range(300)) + packed.flush()))

    assert len(bomb) < 5_000_000
    assert converted("a.pdf", bomb).reason in ("failed", "too_long")
    assert converted("a.pdf", FILES["a.pdf"]).text == f"one{PAGE}two"


@pytest.mark.parametrize("name", FILES)
def test_whatever_is_wrong_with_a_file_there_is_an_answer(name):
    """Bytes that are changed, left out or repeated, the same each time."""
    for seed in range(40):
        chance, data = random.Random(seed), bytearray(FILES[name])
        for _ in range(chance.randrange(1, 8)):
            at, size = chance.randrange(len(data)), chance.randrange(1, 1 + len(data) // 9)
            kind = chance.randrange(3)
            if kind == 0:
                data[at] = chance.randrange(256)
            elif kind == 1:
                del data[at : at + size]
            else:
                data[at:at] = data[at : at + size]
        found = converted(name, bytes(data))
        assert found.reason == "" or found.reason in FAILURES
        assert isinstance(found.text, str)


def test_two_thousand_pages():
    long = pdf(*(f"this is page {number}" for number in range(1, 2001)))
    text = converted("a.pdf", long).text
    assert text.count("\f") == 1999
    assert text.split(PAGE)[1233] == "this is page 1234"
