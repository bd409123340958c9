"""PDF: what is read of files whose content is known, and what is told of those that have none."""

import random

import pytest
from tests.corpora.converters.made_files import pdf

from assay.corpora.converters._shape import UnreadableError
from assay.corpora.converters.pdf import pdf as converter

pytest.importorskip("pypdfium2")
INFO = {"Title": "Größe", "Author": "Ada Lopez", "CreationDate": "D:20240531093000+02'00'"}


def convert(*pages, **more):
    return converter.convert(pdf(*pages, **more))


def test_by_hand():
    found = convert("Page one\nsecond line (in brackets)", "Page two: Grüße", info=INFO)

    assert list(found.pages) == ["Page one\nsecond line (in brackets)", "Page two: Grüße"]
    assert found.title == "Größe"
    about = {"author": "Ada Lopez", "created": "2024-05-31T09:30:00", "pages": 2}
    assert found.metadata == about


def test_words_that_a_line_parts_and_ligatures_are_whole():
    (page,) = convert("An e\ufb03cient para-\ngraph about a hyphen-\nated word").pages
    assert page == "An efficient paragraph about a hyphenated word"


def test_columns_are_read_one_after_the_other():
    left = [(60, 700 - 16 * at, f"left words of line {at}") for at in range(6)]
    right = [(330, 700 - 16 * at, f"right words of line {at}") for at in range(6)]

    lines = convert([*left, *right]).pages[0].split("\n")

    assert lines == [text for _, _, text in (*left, *right)]


@pytest.mark.parametrize("title", ["untitled", "(anonymous)", "", "Unspecified"])
def test_what_programs_write_for_nothing_is_no_title(title):
    assert convert("text", info={"Title": title, "Author": title}).title == ""
    assert "author" not in convert("text", info={"Author": title}).metadata


def reason(data):
    with pytest.raises(UnreadableError) as caught:
        converter.convert(data)
    return caught.value.reason


def test_files_without_text_that_can_be_had():
    whole = pdf("some text", "more")
    assert reason(pdf("hidden", password="secret")) == "encrypted"
    assert reason(pdf(None, None)) == "scanned"
    assert reason(whole[: len(whole) // 2]) == "damaged"
    assert reason(b"%PDF-1.7\n" + random.Random(0).randbytes(5000)) == "damaged"
    assert reason(b"") == "damaged"


def test_a_password_of_the_owner_alone_hides_nothing():
    assert list(convert("open text", password="").pages) == ["open text"]


def test_scanned_pages_among_others_are_counted():
    found = convert("cover", None, "the end", None)
    assert list(found.pages) == ["cover", "", "the end", ""]
    assert (found.metadata["pages"], found.metadata["pages_without_text"]) == (4, 2)


def test_an_empty_page_is_not_a_scan():
    found = convert("", "")
    assert list(found.pages) == ["", ""]
    assert "pages_without_text" not in found.metadata


def test_the_name_tells_the_version_of_the_library():
    import importlib.metadata

    assert converter.name == f"pdf 2 pypdfium2 {importlib.metadata.version('pypdfium2')}"


def test_properties_of_own_names_are_metadata():
    info = {"Product": "badge", "year": "2023", "Author": "Ada", "Producer": "a program"}

    about = convert("no /Other (property)", info=info).metadata
    assert about == {"product": "badge", "year": "2023", "author": "Ada", "pages": 1}
